// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/parsed_json.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ep::store {

void writeParsed(JsonWriter& json, const nlohmann::ordered_json& value)
{
    if (value.is_object()) {
        json.beginObject(JsonWriter::Layout::Inline);
        for (const auto& [key, member] : value.items()) {
            json.key(key);
            writeParsed(json, member);
        }
        json.endObject();
    } else if (value.is_array()) {
        json.beginArray(JsonWriter::Layout::Inline);
        for (const auto& element : value)
            writeParsed(json, element);
        json.endArray();
    } else if (value.is_null()) {
        json.value(std::optional<int>());
    } else if (value.is_boolean()) {
        json.value(value.get<bool>());
    } else if (value.is_number_integer()) {
        json.value(value.get<std::int64_t>());
    } else if (value.is_number()) {
        json.value(value.get<double>());
    } else {
        json.value(value.get<std::string>());
    }
}

} // namespace ep::store
