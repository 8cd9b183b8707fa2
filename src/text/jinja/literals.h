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

// The number at the front, which must begin with a digit; nullopt if it is too large.
std::optional<NumberLiteral> numberAt(std::string_view text);

// Length of the string literal at the front, including quotes; 0 if it is not closed.
std::size_t quotedBytes(std::string_view text);
// The text between the quotes, with Python's escapes resolved.
std::string unescaped(std::string_view text);

// Parses a number like Python's int() and float(); independent of the locale.
std::optional<std::int64_t> parseInteger(std::string_view text, int base = 10);
std::optional<double> parseFloat(std::string_view text);

} // namespace ep::text::jinja
