// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ep::text::jinja {

struct NumberLiteral {
    std::size_t bytes = 0;
    bool isFloat = false;
    std::int64_t integer = 0;
    double number = 0;
};

// The number that begins with the digit at the front; nothing when it is too large.
std::optional<NumberLiteral> numberAt(std::string_view text);

// Length of the string literal at the front, quotes included; 0 when it is not closed.
std::size_t quotedBytes(std::string_view text);
// What is between the quotes, with Python's escapes resolved.
std::string unescaped(std::string_view text);

// A number as Python's int() and float() read it from a text; independent of the locale.
std::optional<std::int64_t> parseInteger(std::string_view text, int base = 10);
std::optional<double> parseFloat(std::string_view text);

} // namespace ep::text::jinja
