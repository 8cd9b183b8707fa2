// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"

#include "ep/core/safe_text.h"

#include <string>
#include <string_view>
#include <type_traits>

namespace ep::store {

// Appends the value as a cell: nothing if it is missing, true or false if it is a boolean.
template <typename Value>
void appendCell(std::string& line, const Value& value, CsvText formulas)
{
    if constexpr (std::is_same_v<Value, bool>)
        line += value ? "true" : "false";
    else if constexpr (std::is_enum_v<Value>)
        line += name(value);
    else if constexpr (std::is_integral_v<Value>)
        line += std::to_string(value);
    else if constexpr (std::is_floating_point_v<Value>)
        line += exactNumber(value);
    else if constexpr (std::is_convertible_v<const Value&, std::string_view>)
        line += csvCell(value, formulas);
    else if constexpr (requires { value.has_value(); }) {
        if (value)
            appendCell(line, *value, formulas);
    } else {
        line += exactNumber(value.value); // a Quantity
    }
}

} // namespace ep::store
