// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"

#include <nlohmann/json.hpp>

namespace ep::store {

// A parsed value, written in our own format: objects and lists on one line.
void writeParsed(JsonWriter& json, const nlohmann::ordered_json& value);

} // namespace ep::store
