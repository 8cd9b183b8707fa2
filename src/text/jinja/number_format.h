// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "value.h"

#include <string>

namespace ep::text::jinja {

constexpr int kMaxFormatWidth = 1000;
constexpr int kMaxFormatPrecision = 100;

// How a number is written in the format languages of Python, "%5.2f" and "{:5.2f}".
struct NumberFormat {
    char type = 'd'; // d, b, o, x, X, c; e, E, f, F, g, G, %
    int precision = -1; // digits after the decimal point; -1: 6
    bool alternate = false; // "#": the prefix of the base, and always a decimal point
};

// A negative number begins with "-". Fails if the type does not support the number.
std::string formatNumber(const NumberFormat& format, const Value& number);

// Inserts `separator` between groups of `digits` digits before the point.
std::string withGroups(const std::string& number, char separator, int digits);

} // namespace ep::text::jinja
