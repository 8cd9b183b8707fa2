// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

// The one reader of numbers in texts from outside: whole or not at all, in any locale of the
// process. src/core/number_text.cpp has the table of forms. Pure.
namespace ep {

// The sign before the decimals of a file's numbers; the other one separates thousands.
enum class DecimalSign : std::uint8_t { Unknown, Point, Comma };

// Signs that the spelling of one number shows. The flags of all rows are combined.
namespace number {
enum Sign : unsigned {
    kPointDecimal = 1U << 0, // "1500.5"
    kCommaDecimal = 1U << 1, // "1500,5"
    kPointGroups = 1U << 2, // "1.500,5", "1.500.000"
    kCommaGroups = 1U << 3,
    kPointEither = 1U << 4, // "1.500": 1.5 or 1500
    kCommaEither = 1U << 5,
    kOtherGroups = 1U << 6, // "1 500", "1'500"
    kWhole = 1U << 7, // "1500": no sign
    kOtherDigits = 1U << 8, // digits that are not ASCII
};
} // namespace number

struct NumberText {
    double value = 0.0;
    std::string_view rest{}; // text after the number, without surrounding blanks
    int decimals = 0;
    unsigned signs = 0; // of number::Sign
};

// Reads the number at the beginning of a text, in any form of the table. Absent: there is none, or
// it has no known form, or it is too large for a double. With two possible readings, `decimal`
// decides; without it, the sign is taken as decimal and the flags say so.
std::optional<NumberText> readNumberText(std::string_view text,
                                         DecimalSign decimal = DecimalSign::Unknown);

// The sign that the flags prove to be decimal; Unknown if they prove nothing or both.
DecimalSign decimalSign(unsigned signs);

// Reads a text that is one number as programs write it: digits, a decimal point, an exponent.
// Absent for anything else, such as "1,500", "0x10", "nan" or 1e400.
std::optional<double> readNumber(std::string_view text);
// Reads a whole number of at most 64 bits exactly; "1.5e3" is one.
std::optional<std::int64_t> readWhole(std::string_view text);
// Reads a number, multiplies it by ten to a power and rounds to a whole number, exactly:
// readScaled("1.25e3", 3) is 1250000.
std::optional<std::int64_t> readScaled(std::string_view text, int power);

} // namespace ep
