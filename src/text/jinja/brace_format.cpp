// SPDX-License-Identifier: GPL-3.0-or-later
#include "brace_format.h"

#include "characters.h"
#include "number_format.h"
#include "operators.h"
#include "text_forms.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ep::text::jinja {

namespace {

constexpr std::string_view kAligns = "<>^=";
constexpr std::string_view kNumberTypes = "dboxXceEfFgG%n";
constexpr std::size_t kMaxFormatDigits = 4; // digits of a number in a field

// [[fill]align][sign][#][0][width][grouping][.precision][type]
struct FieldSpec {
    std::string fill = " ";
    char align = 0; // 0: left for texts, right for numbers
    char sign = '-';
    bool alternate = false;
    int width = 0;
    char grouping = 0;
    int precision = -1;
    char type = 0;
};

class SpecReader {
public:
    explicit SpecReader(const std::string& text)
        : m_text(text)
    {
    }

    FieldSpec read()
    {
        FieldSpec spec;
        const std::vector<std::string_view> characters = charactersOf(m_text);
        const auto isAlign = [&](std::size_t i) {
            return i < characters.size() && kAligns.find(characters[i]) != std::string_view::npos;
        };
        if (isAlign(1)) {
            spec.fill = characters[0];
            spec.align = characters[1].front();
            m_at = characters[0].size() + 1;
        } else if (isAlign(0)) {
            spec.align = take();
        }
        if (nextIn("+- "))
            spec.sign = take();
        if (nextIn("z"))
            take();
        spec.alternate = nextIn("#") && take() != 0;
        if (nextIn("0")) {
            take();
            if (spec.fill == " ")
                spec.fill = "0";
            if (spec.align == 0)
                spec.align = '0';
        }
        spec.width = number(kMaxFormatWidth);
        if (nextIn(",_"))
            spec.grouping = take();
        if (nextIn(".")) {
            take();
            if (!nextIn("0123456789"))
                throw Failure("the format \"" + m_text + "\" lacks a precision");
            spec.precision = number(kMaxFormatPrecision);
        }
        if (m_at < m_text.size())
            spec.type = take();
        if (m_at != m_text.size())
            throw Failure("the format \"" + m_text + "\" is not known");
        return spec;
    }

private:
    bool nextIn(std::string_view set) const
    {
        return m_at < m_text.size() && set.find(m_text[m_at]) != std::string_view::npos;
    }
    char take() { return m_text[m_at++]; }
    int number(int limit)
    {
        int value = 0;
        while (nextIn("0123456789")) {
            value = value * 10 + (take() - '0');
            if (value > limit)
                throw Failure("a width in a format is too large");
        }
        return value;
    }

    const std::string& m_text;
    std::size_t m_at = 0;
};

std::string paddedField(const FieldSpec& spec, const std::string& text, bool number)
{
    const std::size_t size = characterCount(text);
    const auto width = static_cast<std::size_t>(spec.width);
    const std::size_t missing = width > size ? width - size : 0;
    const auto fill = [&](std::size_t count) {
        std::string filling;
        for (std::size_t i = 0; i < count; ++i)
            filling += spec.fill;
        return filling;
    };
    switch (spec.align == 0 || (spec.align == '0' && !number) ? (number ? '>' : '<') : spec.align) {
    case '<':
        return text + fill(missing);
    case '^':
        return fill(missing / 2) + text + fill(missing - missing / 2);
    case '>':
        return fill(missing) + text;
    default: { // between the sign and the digits
        const std::size_t sign =
            std::string_view("+- ").find(text.front()) != std::string_view::npos;
        return text.substr(0, sign) + fill(missing) + text.substr(sign);
    }
    }
}

std::string formatTextField(const FieldSpec& spec, std::string_view text)
{
    if ((spec.type != 0 && spec.type != 's') || spec.align == '=' || spec.sign != '-'
        || spec.grouping != 0 || spec.alternate)
        throw Failure("a format of numbers does not take a text");
    std::string kept;
    int count = 0;
    for (const std::string_view character : charactersOf(text)) {
        if (spec.precision < 0 || count++ < spec.precision)
            kept += character;
    }
    return paddedField(spec, kept, false);
}

// A float without a type: at least one digit after the point.
std::string plainFloat(const FieldSpec& spec, const Value& value)
{
    if (spec.precision < 0)
        return floatText(value.number());
    std::string text = formatNumber(
        {.type = 'g', .precision = spec.precision, .alternate = spec.alternate}, value);
    if (std::isfinite(value.number()) && text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string formatNumberField(FieldSpec spec, const Value& value)
{
    if (spec.type != 0 && kNumberTypes.find(spec.type) == std::string_view::npos)
        throw Failure(std::string("the format \"") + spec.type + "\" does not take a "
                      + value.typeName());
    const bool whole = spec.type == 'd' || (spec.type == 0 && value.isIntegral())
        || (spec.type == 'n' && value.isIntegral());
    if (whole && (value.isFloat() || spec.precision >= 0))
        throw Failure("the format of a whole number does not take a precision or a float");
    const bool plain = spec.type == 0 && value.isFloat();
    const char type = whole ? 'd' : spec.type == 'n' ? 'g' : spec.type;
    std::string text = plain
        ? plainFloat(spec, value)
        : formatNumber({.type = type, .precision = spec.precision, .alternate = spec.alternate},
                       value);
    const bool based = type == 'b' || type == 'o' || type == 'x' || type == 'X';
    const int group = based ? 4 : 3;
    const auto grouped = [&](const std::string& number) {
        return spec.grouping == 0 ? number : withGroups(number, spec.grouping, group);
    };
    std::string result = grouped(text);
    if (spec.align == '0' || (spec.align == '=' && spec.fill == "0")) {
        const std::size_t sign = text.starts_with("-") ? 1 : 0;
        const std::size_t own = spec.sign == '-' || sign == 1 ? 0 : 1;
        while (result.size() + own < static_cast<std::size_t>(spec.width)) {
            text.insert(sign + (based && spec.alternate ? 2 : 0), "0");
            result = grouped(text);
        }
        spec.align = '=';
    }
    if (spec.sign != '-' && !result.starts_with("-"))
        result.insert(0, 1, spec.sign);
    return paddedField(spec, result, type != 'c');
}

std::string formatField(Runtime& runtime, const Value& value, const std::string& spec)
{
    value.requireDefined();
    if (spec.empty())
        return toText(runtime, value);
    if (value.isText())
        return formatTextField(SpecReader(spec).read(), *value.asText());
    if (value.isNumber())
        return formatNumberField(SpecReader(spec).read(), value);
    throw Failure("a " + value.typeName() + " has no format \"" + spec + "\"");
}

class BraceFormatter {
public:
    BraceFormatter(Runtime& runtime, const Arguments& arguments)
        : m_runtime(runtime)
        , m_arguments(arguments)
    {
    }

    // nested: whether this is inside the specification of a field
    std::string write(const std::string& format, bool nested)
    {
        std::string result;
        for (std::size_t at = 0; at < format.size(); ++at) {
            const char c = format[at];
            if (!nested && (c == '{' || c == '}') && at + 1 < format.size()
                && format[at + 1] == c) {
                result += c;
                ++at;
            } else if (c == '}') {
                throw Failure("a format has a \"}\" without \"{\"");
            } else if (c == '{') {
                result += field(format, at);
            } else {
                result += c;
            }
            if (result.size() > kMaxTextBytes)
                throw Failure("a text grows too long");
        }
        m_runtime.charge(result.size());
        return result;
    }

private:
    // at: position of the opening brace, then of the closing one
    std::string field(const std::string& format, std::size_t& at)
    {
        const std::size_t begin = at + 1;
        int depth = 1;
        for (++at; at < format.size() && depth > 0; ++at)
            depth += format[at] == '{' ? 1 : format[at] == '}' ? -1 : 0;
        if (depth > 0)
            throw Failure("a format is incomplete");
        const std::string inside = format.substr(begin, --at - begin);
        std::size_t end = 0;
        for (bool key = false;
             end < inside.size() && (key || (inside[end] != '!' && inside[end] != ':')); ++end)
            key = inside[end] == '[' || (key && inside[end] != ']');
        Value value = valueOf(inside.substr(0, end));
        if (end < inside.size() && inside[end] == '!') {
            const char how = end + 1 < inside.size() ? inside[end + 1] : '\0';
            end += 2;
            if ((how != 'r' && how != 's' && how != 'a')
                || (end < inside.size() && inside[end] != ':'))
                throw Failure("a format has an unknown conversion");
            value = Value::text(how == 's' ? toText(m_runtime, value) : toSource(m_runtime, value));
        }
        const std::string spec = end < inside.size() ? inside.substr(end + 1) : "";
        const bool hasFields = spec.find('{') != std::string::npos;
        return formatField(m_runtime, value, hasFields ? write(spec, true) : spec);
    }

    // "0", "name", "name.attribute[key]"; empty: the next one
    Value valueOf(const std::string& path)
    {
        std::size_t at = std::min(path.find_first_of(".["), path.size());
        Value value = argument(path.substr(0, at));
        while (at < path.size()) {
            const bool key = path[at] == '[';
            const std::size_t end =
                key ? path.find(']', at) : std::min(path.find_first_of(".[", at + 1), path.size());
            if (end == std::string::npos)
                throw Failure("a format is incomplete");
            const std::string name = path.substr(at + 1, end - at - 1);
            const bool index = key && isIndex(name);
            value = !key ? attributeOf(m_runtime, value, name)
                         : itemOf(m_runtime, value,
                                  index ? Value(std::int64_t{std::stoi(name)}) : Value::text(name));
            at = key ? end + 1 : end;
        }
        return value;
    }

    static bool isIndex(const std::string& text)
    {
        return !text.empty() && text.size() < kMaxFormatDigits
            && text.find_first_not_of("0123456789") == std::string::npos;
    }

    Value argument(const std::string& name)
    {
        const Value missing = Value::undefined("the format has no value for \"{" + name + "}\"");
        if (name.empty() || isIndex(name)) {
            (name.empty() ? m_counts : m_numbered) = true;
            if (m_counts && m_numbered)
                throw Failure("a format numbers only some of its fields");
            const std::size_t index =
                name.empty() ? m_next++ : static_cast<std::size_t>(std::stoi(name));
            return index < m_arguments.positional.size() ? m_arguments.positional[index] : missing;
        }
        for (const auto& [given, value] : m_arguments.named) {
            if (given == name)
                return value;
        }
        return missing;
    }

    Runtime& m_runtime;
    const Arguments& m_arguments;
    std::size_t m_next = 0;
    bool m_counts = false; // "{}"
    bool m_numbered = false; // "{0}"
};

} // namespace

std::string formatBraces(Runtime& runtime, const std::string& format, const Arguments& arguments)
{
    return BraceFormatter(runtime, arguments).write(format, false);
}

} // namespace ep::text::jinja
