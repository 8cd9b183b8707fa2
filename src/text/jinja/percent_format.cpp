// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ep::text::jinja {

namespace {

constexpr int kMaxWidth = 1000;
constexpr int kMaxPrecision = 30;
constexpr double kLargestFixed = 1e15;

struct Conversion {
    std::string key; // %(key)s
    bool hasKey = false;
    bool left = false;
    bool zero = false;
    bool plus = false;
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
    }
    conversion.width = digitsAt(format, at, kMaxWidth);
    if (at < format.size() && format[at] == '.') {
        ++at;
        conversion.precision = digitsAt(format, at, kMaxPrecision);
    }
    if (at >= format.size())
        throw Failure("a format is incomplete");
    conversion.type = format[at++];
    return conversion;
}

// The number with `precision` digits after the point; independent of the locale.
std::string fixedText(double number, int precision)
{
    if (!std::isfinite(number))
        return floatText(number);
    if (std::abs(number) >= kLargestFixed)
        throw Failure("a number is too large to be written with a fixed number of digits");
    std::string text(400, '\0');
    const int size = std::snprintf(text.data(), text.size(), "%.*f", precision, number);
    text.resize(static_cast<std::size_t>(std::max(size, 0)));
    const std::size_t point = text.find_first_not_of("-0123456789");
    if (point != std::string::npos) // in any locale
        text = text.substr(0, point) + "."
            + text.substr(text.size() - static_cast<std::size_t>(precision));
    return text;
}

std::string converted(Runtime& runtime, const Conversion& conversion, const Value& value)
{
    switch (conversion.type) {
    case 's':
    case 'r': {
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
    case 'd':
    case 'i':
        if (!value.isNumber())
            break;
        if (value.isFloat() && !(std::abs(value.number()) < 9e18))
            break;
        return std::to_string(value.isFloat() ? static_cast<std::int64_t>(value.number())
                                              : value.integer());
    case 'f':
    case 'F':
        if (!value.isNumber())
            break;
        return fixedText(value.number(), conversion.precision < 0 ? 6 : conversion.precision);
    default:
        throw Failure(std::string("the format \"%") + conversion.type + "\" is not supported");
    }
    throw Failure(std::string("the format \"%") + conversion.type + "\" does not take a "
                  + value.typeName());
}

void appendPadded(std::string& out, const Conversion& conversion, std::string text)
{
    const bool number = conversion.type != 's' && conversion.type != 'r';
    if (number && conversion.plus && text.front() != '-')
        text.insert(0, "+");
    const std::size_t size = characterCount(text);
    const auto width = static_cast<std::size_t>(conversion.width);
    const std::size_t padding = width > size ? width - size : 0;
    if (conversion.left) {
        out += text + std::string(padding, ' ');
    } else if (conversion.zero && number) {
        const std::size_t sign = text.front() == '-' || text.front() == '+' ? 1 : 0;
        out += text.substr(0, sign) + std::string(padding, '0') + text.substr(sign);
    } else {
        out += std::string(padding, ' ') + text;
    }
}

} // namespace

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
        if (conversion.type != 's' && conversion.type != 'r')
            value.requireDefined();
        appendPadded(out, conversion, converted(runtime, conversion, value));
        runtime.charge(static_cast<std::size_t>(conversion.width));
        if (out.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    runtime.charge(out.size());
    const bool allUsed = tuple ? used == tuple->items.size() : (used > 0 || values.asDict());
    if (!allUsed && !byKey)
        throw Failure("a format has too many values");
    return out;
}

} // namespace ep::text::jinja
