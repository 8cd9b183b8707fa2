// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of numbers that are read:
//
//   form                     examples                      decimal sign
//   whole                    1500, -3, +3                  none
//   plain                    1500.5, .5, 5., 1.5e3         point
//   with a comma             1500,5, 1,5e3                 comma
//   groups, both signs       1,500.5, 1.500,5              the last one
//   groups, one sign         1,500,000, 1.500.000          none; it occurs more than once
//   groups of India          12,34,567.5                   point
//   groups, blank or ' or ’  1 500, 1 500,5, 1'500.5       point or comma
//   one sign, three digits   1,500, 1.500                  possibly either: the file decides
//   other digits             １５, ٣٤٫٥                     the same rules; ٫ is a point, ٬ a comma
//
// Groups have three digits, the first one to three. Anything else, such as 0x10, 1.2.3 or 1e400, is
// not a number. The caller interprets the text after a number: units, "%", or a mistake.
#include "ep/core/number_text.h"

#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

namespace ep {

namespace {

constexpr std::size_t kMaxDigits = 400;
constexpr std::size_t kMaxRuns = 24;
constexpr std::size_t kGroup = 3;
constexpr int kMaxExponent = 9999;

std::string_view withoutBlanks(std::string_view text)
{
    return trimmed(text, " \t\r\n\v\f");
}

// A character of a number: a digit, or a sign between digits.
struct Mark {
    char as = '\0'; // '0'..'9', '.', ',', '-', '\'' for an apostrophe, ' ' for a blank; 0: other
    std::size_t bytes = 1;
    bool ascii = true;
};

Mark markAt(std::string_view text, std::size_t at)
{
    if (at >= text.size())
        return {};
    const char c = text[at];
    if ((c >= '0' && c <= '9') || c == '.' || c == ',' || c == '\'' || c == ' ' || c == '-')
        return {.as = c};
    const auto byte = [&](std::size_t i) {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    if (byte(0) < 0x80)
        return {};
    struct Spelling {
        std::string_view text;
        char as;
    };
    static constexpr std::array kSpellings{
        Spelling{"\xC2\xA0", ' '},      Spelling{"\xE2\x80\xAF", ' '},
        Spelling{"\xE2\x80\x89", ' '},  Spelling{"\xE2\x80\x87", ' '},
        Spelling{"\xE2\x80\x99", '\''}, Spelling{"\xE2\x88\x92", '-'},
        Spelling{"\xD9\xAB", '.'},      Spelling{"\xD9\xAC", ','},
        Spelling{"\xA0", ' '}, // Latin-1
    };
    for (const Spelling& spelling : kSpellings) {
        if (text.substr(at).starts_with(spelling.text))
            return {.as = spelling.as, .bytes = spelling.text.size(), .ascii = false};
    }
    std::uint32_t code = 0;
    std::size_t bytes = 2;
    if (byte(0) >= 0xC0 && byte(0) < 0xE0) {
        code = (byte(0) & 0x1FU) << 6 | (byte(1) & 0x3FU);
    } else if (byte(0) >= 0xE0 && byte(0) < 0xF0) {
        code = (byte(0) & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
        bytes = 3;
    }
    // The zeros of Arabic, Persian, Devanagari, Bengali, Thai and full-width digits.
    for (const std::uint32_t zero : {0x660U, 0x6F0U, 0x966U, 0x9E6U, 0xE50U, 0xFF10U}) {
        if (code >= zero && code < zero + 10)
            return {.as = static_cast<char>('0' + (code - zero)), .bytes = bytes, .ascii = false};
    }
    return {};
}

bool isDigitMark(const Mark& mark)
{
    return mark.as >= '0' && mark.as <= '9';
}

// Digits between two signs.
struct DigitRun {
    char sign = '\0'; // sign before the digits
    std::uint16_t length = 0;
};

// A number in parts, not yet a value.
struct Scanned {
    Scanned() { } // leaves the digits as they are, since cells are read by the million

    bool negative = false;
    std::array<char, kMaxDigits> digits; // digits of all runs
    std::size_t count = 0;
    std::array<DigitRun, kMaxRuns> runs{};
    std::size_t run_count = 0;
    bool has_exponent = false;
    int exponent = 0;
    bool ascii = true;
    std::size_t end = 0; // bytes used
};

// How many digits follow, counted up to one more than a group has.
std::size_t digitsAt(std::string_view text, std::size_t at)
{
    std::size_t count = 0;
    for (Mark mark = markAt(text, at); isDigitMark(mark) && count <= kGroup;
         mark = markAt(text, at)) {
        ++count;
        at += mark.bytes;
    }
    return count;
}

// Whether a sign at this place belongs to the number.
bool joins(const Scanned& scanned, std::string_view text, std::size_t at, const Mark& mark)
{
    if (mark.as == '.' || mark.as == ',')
        return isDigitMark(markAt(text, at + mark.bytes))
            || (mark.as == '.' && scanned.run_count == 1 && scanned.count > 0);
    return (mark.as == ' ' || mark.as == '\'') && scanned.count > 0
        && digitsAt(text, at + mark.bytes) == kGroup;
}

void scanExponent(std::string_view text, Scanned& scanned)
{
    std::size_t at = scanned.end;
    if (at + 1 >= text.size() || (text[at] != 'e' && text[at] != 'E'))
        return;
    ++at;
    const bool minus = text[at] == '-';
    if (minus || text[at] == '+')
        ++at;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        scanned.exponent = std::min(kMaxExponent, scanned.exponent * 10 + (text[at] - '0'));
        scanned.has_exponent = true;
        scanned.end = at + 1;
    }
    if (minus)
        scanned.exponent = -scanned.exponent;
}

bool scan(std::string_view text, Scanned& scanned)
{
    std::size_t at = 0;
    if (const Mark mark = markAt(text, 0); mark.as == '-') {
        scanned.negative = true;
        scanned.ascii = mark.ascii;
        at += mark.bytes;
    } else if (!text.empty() && text.front() == '+') {
        ++at;
    }
    scanned.run_count = 1;
    for (;;) {
        const Mark mark = markAt(text, at);
        if (isDigitMark(mark)) {
            if (scanned.count == kMaxDigits)
                return false;
            scanned.digits[scanned.count++] = mark.as;
            ++scanned.runs[scanned.run_count - 1].length;
        } else if (mark.as != '\0' && joins(scanned, text, at, mark)) {
            if (scanned.run_count == kMaxRuns)
                return false;
            scanned.runs[scanned.run_count++] = {.sign = mark.as};
        } else {
            break;
        }
        scanned.ascii = scanned.ascii && mark.ascii;
        at += mark.bytes;
    }
    scanned.end = at;
    if (scanned.count == 0)
        return false;
    // "0x10"
    if (scanned.run_count == 1 && scanned.count == 1 && scanned.digits[0] == '0' && at < text.size()
        && (text[at] == 'x' || text[at] == 'X'))
        return false;
    scanExponent(text, scanned);
    return true;
}

// How many of the digits are decimals, and what the signs prove.
struct Form {
    std::size_t decimals = 0;
    unsigned signs = 0;
};

unsigned decimalFlag(char sign)
{
    return sign == '.' ? number::kPointDecimal : number::kCommaDecimal;
}

unsigned groupFlag(char sign)
{
    return sign == '.' ? number::kPointGroups
        : sign == ','  ? number::kCommaGroups
                       : number::kOtherGroups;
}

// Whether the runs before `end` are a first group and further ones separated by one sign.
bool areGroups(const Scanned& scanned, std::size_t end)
{
    const auto& runs = scanned.runs;
    if (runs[0].length < 1 || runs[0].length > kGroup)
        return false;
    for (std::size_t i = 1; i < end; ++i) {
        const bool last = i + 1 == end;
        const bool india = runs[i].sign == ',' && !last && runs[i].length == 2;
        if (runs[i].sign != runs[1].sign || (runs[i].length != kGroup && !india))
            return false;
    }
    return true;
}

std::optional<Form> formOf(const Scanned& scanned, DecimalSign decimal)
{
    const auto& runs = scanned.runs;
    const std::size_t signs = scanned.run_count - 1;
    if (signs == 0)
        return Form{.signs = number::kWhole};
    const DigitRun& last = runs[signs];
    const bool pointOrComma = last.sign == '.' || last.sign == ',';
    if (signs == 1 && pointOrComma) {
        const bool either = last.length == kGroup && runs[0].length >= 1 && runs[0].length <= kGroup
            && scanned.digits[0] != '0' && !scanned.has_exponent;
        if (!either)
            return Form{last.length, decimalFlag(last.sign)};
        const bool point = last.sign == '.';
        const bool groups = decimal == (point ? DecimalSign::Comma : DecimalSign::Point);
        return Form{groups ? std::size_t{0} : last.length,
                    point ? number::kPointEither : number::kCommaEither};
    }
    if (scanned.has_exponent)
        return std::nullopt;
    if (pointOrComma && signs > 1 && last.sign != runs[1].sign) {
        if (!areGroups(scanned, signs))
            return std::nullopt;
        return Form{last.length, decimalFlag(last.sign) | groupFlag(runs[1].sign)};
    }
    if (!areGroups(scanned, signs + 1))
        return std::nullopt;
    return Form{0, groupFlag(last.sign)};
}

// Exact if both factors are exact as double; otherwise the C library rounds.
double valueOf(const Scanned& scanned, std::size_t decimals)
{
    static constexpr std::array kTens{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    constexpr std::size_t kExactDigits = 15;
    const int power = scanned.exponent - static_cast<int>(decimals);
    const auto tens = static_cast<std::size_t>(std::abs(power));
    double value = 0.0;
    if (scanned.count <= kExactDigits && tens < kTens.size()) {
        std::uint64_t digits = 0;
        for (std::size_t i = 0; i < scanned.count; ++i)
            digits = digits * 10 + static_cast<std::uint64_t>(scanned.digits[i] - '0');
        value = static_cast<double>(digits);
        value = power < 0 ? value / kTens[tens] : value * kTens[tens];
    } else {
        // The text has no decimal sign, since the C library expects the locale's.
        const std::string plain =
            std::string(scanned.digits.data(), scanned.count) + 'e' + std::to_string(power);
        value = std::strtod(plain.c_str(), nullptr);
    }
    return scanned.negative ? -value : value;
}

// A whole text in the form that programs write.
std::optional<Scanned> scanPlain(std::string_view text)
{
    text = withoutBlanks(text);
    Scanned scanned;
    if (!scan(text, scanned) || scanned.end != text.size() || !scanned.ascii
        || scanned.run_count > 2 || (scanned.run_count == 2 && scanned.runs[1].sign != '.'))
        return std::nullopt;
    return scanned;
}

std::optional<std::int64_t> scaledBy(const Scanned& scanned, int power, bool exact)
{
    const int shift = scanned.exponent + power
        - static_cast<int>(scanned.runs[scanned.run_count - 1].length)
            * (scanned.run_count == 2 ? 1 : 0);
    constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
    const auto kept = static_cast<std::ptrdiff_t>(scanned.count) + std::min(shift, 0);
    std::uint64_t value = 0;
    bool more = false; // digits that were dropped
    for (std::size_t i = 0; i < scanned.count; ++i) {
        const auto digit = static_cast<std::uint64_t>(scanned.digits[i] - '0');
        if (static_cast<std::ptrdiff_t>(i) >= kept) {
            more = more || digit != 0;
            if (!exact && static_cast<std::ptrdiff_t>(i) == kept && digit >= 5)
                ++value;
            continue;
        }
        if (value > (kMax - digit) / 10)
            return std::nullopt;
        value = value * 10 + digit;
    }
    if (exact && more)
        return std::nullopt;
    for (int i = 0; i < shift && value != 0; ++i) {
        if (value > kMax / 10)
            return std::nullopt;
        value *= 10;
    }
    if (value > kMax)
        return std::nullopt;
    const auto whole = static_cast<std::int64_t>(value);
    return scanned.negative ? -whole : whole;
}

} // namespace

std::optional<NumberText> readNumberText(std::string_view text, DecimalSign decimal)
{
    text = withoutBlanks(text);
    Scanned scanned;
    if (!scan(text, scanned))
        return std::nullopt;
    const auto form = formOf(scanned, decimal);
    if (!form)
        return std::nullopt;
    NumberText read{.value = valueOf(scanned, form->decimals),
                    .rest = withoutBlanks(text.substr(scanned.end)),
                    .decimals = static_cast<int>(form->decimals),
                    .signs = form->signs | (scanned.ascii ? 0U : unsigned{number::kOtherDigits})};
    return std::isfinite(read.value) ? std::optional(read) : std::nullopt;
}

DecimalSign decimalSign(unsigned signs)
{
    const bool point = (signs & (number::kPointDecimal | number::kCommaGroups)) != 0;
    const bool comma = (signs & (number::kCommaDecimal | number::kPointGroups)) != 0;
    if (point == comma)
        return DecimalSign::Unknown;
    return point ? DecimalSign::Point : DecimalSign::Comma;
}

std::optional<double> readNumber(std::string_view text)
{
    const auto scanned = scanPlain(text);
    if (!scanned)
        return std::nullopt;
    const double value = valueOf(*scanned, scanned->run_count == 2 ? scanned->runs[1].length : 0);
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> readWhole(std::string_view text)
{
    const auto scanned = scanPlain(text);
    return scanned ? scaledBy(*scanned, 0, true) : std::nullopt;
}

std::optional<std::int64_t> readScaled(std::string_view text, int power)
{
    const auto scanned = scanPlain(text);
    return scanned ? scaledBy(*scanned, power, false) : std::nullopt;
}

} // namespace ep
