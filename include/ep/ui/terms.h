// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <QString>

namespace ep::ui {

// A message or a word of the lower areas (a phase, a cause, a warning, an error) in the window's
// language. These areas do not use Qt, so their texts are in the translation context "ep::terms",
// and tests go through all of them. Without a translation, the English is returned.
QString term(const Message& message);

// A literal text of a free function, in the context "ep::ui"; classes use their tr().
QString translated(const char* text);

} // namespace ep::ui
