// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"
#include "ep/json/document.h"

namespace ep::json {

// A message as JSON: a string if it has no arguments, otherwise
// {"pattern": "The samples cover %1 of the run.", "arguments": ["98 %"]}, whose arguments are
// messages. Documents that other programs read have the English text instead.
OrderedJson messageJson(const Message& message);
OrderedJson messageObject(const Message& message); // with the pattern even without arguments
// Returns false for a value of another form.
bool readMessage(const OrderedJson& value, Message& message);

} // namespace ep::json
