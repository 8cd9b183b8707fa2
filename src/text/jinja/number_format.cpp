// SPDX-License-Identifier: GPL-3.0-or-later
#include "number_format.h"

#include "characters.h"
#include "runtime.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace ep::text::jinja {

namespace {

constexpr double kMaxWhole = 9e18;
constexpr std::uint32_t kLastCodePoint = 0x10FFFF;

[[noreturn]] void refuseType(char type, const Value& value)
{
    throw Failure(std::string("the format \"") + type + "\" does not take a " + value.typeName());
}

std::string characterText(char32_t c)
{
    std::string text;
    appendCodePoint(text, c);
    return text;
}

std::string inUpperCase(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    return text;
}

std::string wholeText(const NumberFormat& format, std::int64_t number)
{
    struct Base {
        char type;
        int base;
        std::string_view prefix;
    };
    constexpr std::array<Base, 4> kBases{
        {{'b', 2, "0b"}, {'o', 8, "0o"}, {'x', 16, "0x"}, {'X', 16, "0x"}}};
    const auto* const row = std::find_if(
        kBases.begin(), kBases.end(), [&](const Base& base) { return base.type == format.type; });
    const bool decimal = row == kBases.end();
    std::array<char, 72> digits{};
    const auto magnitude = number < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(number)
                                      : static_cast<std::uint64_t>(number);
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude,
                                   decimal ? 10 : row->base);
    std::string text(digits.data(), end.ptr);
    if (!decimal && format.alternate)
        text.insert(0, row->prefix);
    if (format.type == 'X')
        text = inUpperCase(text);
    return (number < 0 ? "-" : "") + text;
}

// %g drops trailing zeros, so only "#" needs more than the library's output.
std::string pointText(const NumberFormat& format, double number)
{
    if (!std::isfinite(number)) {
        const std::string text = std::isnan(number) ? "nan" : number < 0 ? "-inf" : "inf";
        return std::isupper(static_cast<unsigned char>(format.type)) ? inUpperCase(text) : text;
    }
    const char type = static_cast<char>(std::tolower(static_cast<unsigned char>(format.type)));
    int precision = format.precision < 0 ? 6 : format.precision;
    if (type == 'g')
        precision = std::max(precision, 1);
    std::array<char, 512> buffer{};
    const auto how = type == 'e' ? std::chars_format::scientific
        : type == 'g'            ? std::chars_format::general
                                 : std::chars_format::fixed;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, how, precision);
    if (end.ec != std::errc())
        throw Failure("a number is too large to be written with a fixed number of digits");
    std::string text(buffer.data(), end.ptr);
    if (format.alternate && text.find('.') == std::string::npos)
        text.insert(std::min(text.find('e'), text.size()), ".");
    if (format.alternate && type == 'g') { // keeps trailing zeros
        const std::size_t digits = static_cast<std::size_t>(std::count_if(
            text.begin(),
            text.begin() + static_cast<std::ptrdiff_t>(std::min(text.find('e'), text.size())),
            [](char c) { return c >= '0' && c <= '9'; }));
        if (digits < static_cast<std::size_t>(precision))
            text.insert(std::min(text.find('e'), text.size()),
                        static_cast<std::size_t>(precision) - digits, '0');
    }
    return std::isupper(static_cast<unsigned char>(format.type)) ? inUpperCase(text) : text;
}

} // namespace

std::string formatNumber(const NumberFormat& format, const Value& number)
{
    if (!number.isNumber())
        refuseType(format.type, number);
    switch (format.type) {
    case 'd':
        if (number.isIntegral())
            return wholeText(format, number.integer());
        if (!(std::abs(number.number()) < kMaxWhole))
            refuseType(format.type, number);
        return wholeText(format, static_cast<std::int64_t>(number.number()));
    case 'b':
    case 'o':
    case 'x':
    case 'X':
        if (!number.isIntegral())
            refuseType(format.type, number);
        return wholeText(format, number.integer());
    case 'c':
        if (!number.isIntegral() || number.integer() < 0 || number.integer() > kLastCodePoint)
            refuseType(format.type, number);
        return characterText(static_cast<char32_t>(number.integer()));
    case '%':
        return pointText({.type = 'f', .precision = format.precision}, number.number() * 100.0)
            + "%";
    default:
        return pointText(format, number.number());
    }
}

std::string withGroups(const std::string& number, char separator, int digits)
{
    const std::size_t begin = number.starts_with("-") ? 1 : 0;
    std::size_t end = begin;
    while (end < number.size() && std::isalnum(static_cast<unsigned char>(number[end])) != 0
           && number[end] != 'e')
        ++end;
    std::string grouped = number.substr(0, begin);
    for (std::size_t i = begin; i < end; ++i) {
        if (i > begin && (end - i) % static_cast<std::size_t>(digits) == 0)
            grouped += separator;
        grouped += number[i];
    }
    return grouped + number.substr(end);
}

} // namespace ep::text::jinja
