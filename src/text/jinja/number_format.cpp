// SPDX-License-Identifier: GPL-3.0-or-later
#include "number_format.h"

#include "characters.h"
#include "operators.h"
#include "runtime.h"
#include "text_forms.h"

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

struct Conversion {
    std::string key; // %(key)s
    bool hasKey = false;
    bool left = false;
    bool zero = false;
    bool plus = false;
    bool space = false;
    bool alternate = false;
    int width = 0;
    int precision = -1;
    char type = 's';
};

int digitsAt(const std::string& format, std::size_t& at, int limit)
{
    int value = 0;
    while (at < format.size() && format[at] >= '0' && format[at] <= '9') {
        value = value * 10 + (format[at++] - '0');
        if (value > limit)
            throw Failure("a width in a format is too large");
    }
    return value;
}

Conversion readConversion(const std::string& format, std::size_t& at)
{
    Conversion conversion;
    if (at < format.size() && format[at] == '(') {
        const std::size_t end = format.find(')', at);
        if (end == std::string::npos)
            throw Failure("a format is incomplete");
        conversion.key = format.substr(at + 1, end - at - 1);
        conversion.hasKey = true;
        at = end + 1;
    }
    for (; at < format.size() && std::string_view("-0+ #").find(format[at]) != std::string::npos;
         ++at) {
        conversion.left = conversion.left || format[at] == '-';
        conversion.zero = conversion.zero || format[at] == '0';
        conversion.plus = conversion.plus || format[at] == '+';
        conversion.space = conversion.space || format[at] == ' ';
        conversion.alternate = conversion.alternate || format[at] == '#';
    }
    conversion.width = digitsAt(format, at, kMaxFormatWidth);
    if (at < format.size() && format[at] == '.') {
        ++at;
        conversion.precision = digitsAt(format, at, kMaxFormatPrecision);
    }
    if (at >= format.size())
        throw Failure("a format is incomplete");
    conversion.type = format[at++];
    return conversion;
}

// For integers, the precision is the minimum number of digits.
std::string wholeNumber(const Conversion& conversion, const Value& value)
{
    const bool decimal = std::string_view("diu").find(conversion.type) != std::string_view::npos;
    std::string text = formatNumber(
        {.type = decimal ? 'd' : conversion.type, .alternate = conversion.alternate}, value);
    const std::size_t sign = text.starts_with("-") ? 1 : 0;
    const std::size_t begin = sign + (!decimal && conversion.alternate ? 2 : 0);
    const auto least = static_cast<std::size_t>(std::max(conversion.precision, 0));
    if (text.size() - begin < least)
        text.insert(begin, least - (text.size() - begin), '0');
    return text;
}

std::string converted(Runtime& runtime, const Conversion& conversion, const Value& value)
{
    switch (conversion.type) {
    case 's':
    case 'r':
    case 'a': {
        std::string text =
            conversion.type == 's' ? toText(runtime, value) : toSource(runtime, value);
        if (conversion.precision < 0)
            return text;
        std::string shortened;
        const auto characters = charactersOf(text);
        const auto kept =
            std::min(characters.size(), static_cast<std::size_t>(conversion.precision));
        for (std::size_t i = 0; i < kept; ++i)
            shortened += characters[i];
        return shortened;
    }
    case 'c':
        if (value.isText() && codePointCount(*value.asText()) == 1)
            return *value.asText();
        break;
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return wholeNumber(conversion, value);
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        break;
    default:
        throw Failure(std::string("the format \"%") + conversion.type + "\" is not supported");
    }
    return formatNumber({.type = conversion.type,
                         .precision = conversion.precision,
                         .alternate = conversion.alternate},
                        value);
}

bool isOfText(const Conversion& conversion)
{
    return std::string_view("srac").find(conversion.type) != std::string_view::npos;
}

void appendPadded(std::string& out, const Conversion& conversion, std::string text)
{
    const bool number = !isOfText(conversion);
    if (number && (conversion.plus || conversion.space) && text.front() != '-')
        text.insert(0, conversion.plus ? "+" : " ");
    const std::size_t size = codePointCount(text);
    const auto width = static_cast<std::size_t>(conversion.width);
    const std::size_t padding = width > size ? width - size : 0;
    if (conversion.left) {
        out += text + std::string(padding, ' ');
    } else if (conversion.zero && number) {
        const std::size_t sign =
            std::string_view("-+ ").find(text.front()) == std::string_view::npos ? 0 : 1;
        out += text.substr(0, sign) + std::string(padding, '0') + text.substr(sign);
    } else {
        out += std::string(padding, ' ') + text;
    }
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

std::string formatPercent(Runtime& runtime, const std::string& format, const Value& values)
{
    const Sequence* tuple = values.asSequence();
    if (tuple && tuple->kind != Sequence::Kind::Tuple)
        tuple = nullptr;
    std::size_t used = 0;
    const auto next = [&]() -> Value {
        if (tuple) {
            if (used >= tuple->items.size())
                throw Failure("a format has too few values");
            return tuple->items[used++];
        }
        if (used++ > 0)
            throw Failure("a format has too few values");
        return values;
    };
    std::string out;
    bool byKey = false;
    for (std::size_t at = 0; at < format.size();) {
        if (format[at] != '%') {
            out += format[at++];
            continue;
        }
        ++at;
        if (at < format.size() && format[at] == '%') {
            out += format[at++];
            continue;
        }
        const Conversion conversion = readConversion(format, at);
        byKey = byKey || conversion.hasKey;
        const Value value =
            conversion.hasKey ? itemOf(runtime, values, Value::text(conversion.key)) : next();
        if (!isOfText(conversion))
            value.requireDefined();
        appendPadded(out, conversion, converted(runtime, conversion, value));
        runtime.charge(static_cast<std::size_t>(conversion.width));
        requireTextSize(out.size());
    }
    runtime.charge(out.size());
    const bool allUsed = tuple ? used == tuple->items.size() : (used > 0 || values.asDict());
    if (!allUsed && !byKey)
        throw Failure("a format has too many values");
    return out;
}

} // namespace ep::text::jinja
