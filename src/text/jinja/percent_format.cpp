// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "number_format.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>

namespace ep::text::jinja {

namespace {

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
        if (value.isText() && characterCount(*value.asText()) == 1)
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
    const std::size_t size = characterCount(text);
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
