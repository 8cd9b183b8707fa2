// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"

#include <nlohmann/json.hpp>

namespace ep::store {

// A value of the library, written in our own form: objects and lists on one line.
void writeParsed(JsonWriter& json, const nlohmann::ordered_json& value);

} // namespace ep::store
