// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "library.h"
#include "number_format.h"
#include "operators.h"
#include "runtime.h"
#include "text_forms.h"
#include "value.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
    const std::size_t size = codePointCount(text);
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
            requireTextSize(result.size());
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

// Python's str.format: "{} {0} {name[key].attribute!r:>5}".
std::string formatBraces(Runtime& runtime, const std::string& format, const Arguments& arguments)
{
    return BraceFormatter(runtime, arguments).write(format, false);
}

// Splits at runs of white space, ignoring those at the ends.
// limit: maximum number of splits; negative: no limit
std::vector<std::string> splitAtSpace(std::string_view text, std::int64_t limit, bool fromRight)
{
    std::vector<std::string> parts;
    const std::vector<std::string_view> characters = charactersOf(strip(text));
    const std::size_t count = characters.size();
    const auto at = [&](std::size_t i) { return characters[fromRight ? count - 1 - i : i]; };
    const auto space = [&](std::size_t i) { return isSpace(codePointOf(at(i))); };
    // Adds the characters [begin, end), counted from the side where splitting begins.
    const auto add = [&](std::size_t begin, std::size_t end) {
        const std::string_view first = at(fromRight ? end - 1 : begin);
        const std::string_view last = at(fromRight ? begin : end - 1);
        parts.emplace_back(first.data(), last.data() + last.size());
    };
    for (std::size_t begin = 0; begin < count;) {
        if (limit >= 0 && static_cast<std::int64_t>(parts.size()) >= limit) {
            add(begin, count);
            break;
        }
        std::size_t end = begin;
        while (end < count && !space(end))
            ++end;
        add(begin, end);
        begin = end;
        while (begin < count && space(begin))
            ++begin;
    }
    if (fromRight)
        std::reverse(parts.begin(), parts.end());
    return parts;
}

std::vector<std::string> splitAt(std::string_view text, const std::string& separator,
                                 std::int64_t limit, bool fromRight)
{
    if (separator.empty())
        throw Failure("an empty text cannot separate");
    std::vector<std::string> parts;
    if (fromRight) {
        parts = splitAt(std::string(text.rbegin(), text.rend()),
                        std::string(separator.rbegin(), separator.rend()), limit, false);
        for (std::string& part : parts)
            std::reverse(part.begin(), part.end());
        std::reverse(parts.begin(), parts.end());
        return parts;
    }
    while (limit < 0 || static_cast<std::int64_t>(parts.size()) < limit) {
        const std::size_t at = findFirst(text, separator);
        if (at == std::string_view::npos)
            break;
        parts.emplace_back(text.substr(0, at));
        text.remove_prefix(at + separator.size());
    }
    parts.emplace_back(text);
    return parts;
}

const std::string* optionalText(const Parameters& parameters, std::string_view name)
{
    if (!parameters.has(name) || parameters.at(name).isNone())
        return nullptr;
    static_cast<void>(parameters.text(name)); // fails if it is not a string
    return parameters.at(name).asText();
}

template <std::string_view (*function)(std::string_view, const std::string*)>
Value stripped(Runtime&, const std::string& text, const Arguments& arguments)
{
    const Parameters p("strip", arguments, {"chars"});
    return Value::text(std::string(function(text, optionalText(p, "chars"))));
}

template <std::string (*function)(std::string_view)>
Value changed(Runtime&, const std::string& text, const Arguments& arguments)
{
    const Parameters p("a method without arguments", arguments, {});
    return Value::text(function(text));
}

Value listOf(const std::vector<std::string>& parts)
{
    Values items;
    items.reserve(parts.size());
    for (const std::string& part : parts)
        items.push_back(Value::text(part));
    return Value::list(std::move(items));
}

template <bool fromRight>
Value split(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("split", arguments, {"sep", "maxsplit"});
    const std::int64_t limit = p.integer("maxsplit", -1);
    const std::string* separator = optionalText(p, "sep");
    // The search for white space scans the rest of the text for each word.
    runtime.charge(separator ? text.size() : 16 * text.size());
    return listOf(separator ? splitAt(text, *separator, limit, fromRight)
                            : splitAtSpace(text, limit, fromRight));
}

Value splitLines(Runtime&, const std::string& text, const Arguments& arguments)
{
    const Parameters p("splitlines", arguments, {"keepends"});
    const bool keep = p.boolean("keepends", false);
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find_first_of("\n\r", begin), text.size());
        std::size_t next = std::min(end + 1, text.size());
        if (end < text.size() && text[end] == '\r' && next < text.size() && text[next] == '\n')
            ++next;
        lines.push_back(text.substr(begin, (keep ? next : end) - begin));
        begin = next;
    }
    return listOf(lines);
}

// The prefix or suffix may be a string or a tuple of strings.
template <bool atEnd>
Value startsOrEnds(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p(atEnd ? "endswith" : "startswith", arguments, {"prefix", "start", "end"});
    std::string part = text;
    if (p.has("start") || p.has("end")) {
        part = *sliceOf(runtime, Value::text(text), p.value("start", Value::none()),
                        p.value("end", Value::none()), Value::none())
                    .asText();
    }
    const auto fits = [&](const Value& value) {
        const std::string* wanted = value.asText();
        if (!wanted) {
            value.requireDefined();
            throw Failure("only a text can be at the border of a text, not a " + value.typeName());
        }
        return atEnd ? part.ends_with(*wanted) : part.starts_with(*wanted);
    };
    const Value& wanted = p.at("prefix");
    const Sequence* tuple = wanted.asSequence();
    if (tuple && tuple->kind == Sequence::Kind::Tuple)
        return Value(std::any_of(tuple->items.begin(), tuple->items.end(), fits));
    return Value(fits(wanted));
}

template <bool fromRight, bool mustExist>
Value find(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("find", arguments, {"sub", "start", "end"});
    const std::string wanted = p.text("sub");
    std::string_view searched = text;
    std::size_t skipped = 0;
    if (p.has("start") || p.has("end")) {
        const auto characters = charactersOf(text);
        const auto size = static_cast<std::int64_t>(characters.size());
        const auto border = [&](std::string_view name, std::int64_t byDefault) {
            if (!p.has(name) || p.at(name).isNone())
                return byDefault;
            const std::int64_t given = p.integer(name);
            return std::clamp<std::int64_t>(given < 0 ? given + size : given, 0, size);
        };
        const std::int64_t begin = border("start", 0);
        const std::int64_t end = border("end", size);
        const auto bytesTo = [&](std::int64_t at) {
            std::size_t bytes = 0;
            for (std::int64_t i = 0; i < at; ++i)
                bytes += characters[static_cast<std::size_t>(i)].size();
            return bytes;
        };
        skipped = static_cast<std::size_t>(begin);
        searched = end < begin ? std::string_view()
                               : searched.substr(bytesTo(begin), bytesTo(end) - bytesTo(begin));
        if (end < begin)
            return Value(std::int64_t{-1});
    }
    runtime.charge(text.size());
    const std::size_t at = fromRight ? findLast(searched, wanted) : findFirst(searched, wanted);
    if (at == std::string_view::npos) {
        if (mustExist)
            throw Failure("the text does not have the part that is looked for");
        return Value(std::int64_t{-1});
    }
    return Value(static_cast<std::int64_t>(skipped + codePointCount(searched.substr(0, at))));
}

Value replace(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("replace", arguments, {"old", "new", "count"});
    return Value::text(
        replaced(runtime, text, p.text("old"), p.text("new"), p.integer("count", -1)));
}

Value count(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("count", arguments, {"sub"});
    const std::string wanted = p.text("sub");
    runtime.charge(text.size());
    if (wanted.empty())
        return Value(static_cast<std::int64_t>(codePointCount(text) + 1));
    std::int64_t found = 0;
    for (std::size_t at = findFirst(text, wanted); at != std::string::npos;
         at = findFirst(text, wanted, at + wanted.size()))
        ++found;
    return Value(found);
}

Value join(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("join", arguments, {"iterable"});
    std::string result;
    bool first = true;
    for (const Value& item : itemsOf(p.at("iterable"))) {
        if (!item.isText()) {
            item.requireDefined();
            throw Failure("only texts can be joined, not a " + item.typeName());
        }
        if (!first)
            result += text;
        first = false;
        result += *item.asText();
        runtime.charge(text.size() + item.asText()->size());
        requireTextSize(result.size());
    }
    return Value::text(std::move(result));
}

template <bool fromRight>
Value partition(Runtime&, const std::string& text, const Arguments& arguments)
{
    const Parameters p("partition", arguments, {"sep"});
    const std::string separator = p.text("sep");
    if (separator.empty())
        throw Failure("an empty text cannot separate");
    const std::size_t at = fromRight ? findLast(text, separator) : findFirst(text, separator);
    if (at == std::string::npos) {
        Values parts{Value::text({}), Value::text({}), Value::text({})};
        parts[fromRight ? 2 : 0] = Value::text(text);
        return Value::tuple(std::move(parts));
    }
    return Value::tuple({Value::text(text.substr(0, at)), Value::text(separator),
                         Value::text(text.substr(at + separator.size()))});
}

template <bool atEnd>
Value withoutAffix(Runtime&, const std::string& text, const Arguments& arguments)
{
    const Parameters p(atEnd ? "removesuffix" : "removeprefix", arguments, {"affix"});
    const std::string affix = p.text("affix");
    if (atEnd && !affix.empty() && text.ends_with(affix))
        return Value::text(text.substr(0, text.size() - affix.size()));
    if (!atEnd && text.starts_with(affix))
        return Value::text(text.substr(affix.size()));
    return Value::text(text);
}

enum class Side { Left, Right, Center };

template <Side side>
Value padded(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("padding", arguments, {"width", "fillchar"});
    const std::string fill = p.text("fillchar", " ");
    if (codePointCount(fill) != 1)
        throw Failure("the character to fill with must be one");
    const auto size = static_cast<std::int64_t>(codePointCount(text));
    const std::int64_t missing =
        std::max<std::int64_t>(0, std::min<std::int64_t>(p.integer("width"), kMaxTextBytes) - size);
    // Python puts the odd character on the left if the width is odd.
    const std::int64_t left = side == Side::Left ? 0
        : side == Side::Right                    ? missing
                                                 : missing / 2 + (missing & (size + missing) & 1);
    runtime.charge(static_cast<std::size_t>(missing) * 4);
    std::string result;
    for (std::int64_t i = 0; i < left; ++i)
        result += fill;
    result += text;
    for (std::int64_t i = left; i < missing; ++i)
        result += fill;
    return Value::text(std::move(result));
}

Value zeroFilled(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("zfill", arguments, {"width"});
    const auto size = static_cast<std::int64_t>(codePointCount(text));
    const std::int64_t missing =
        std::max<std::int64_t>(0, std::min<std::int64_t>(p.integer("width"), kMaxTextBytes) - size);
    runtime.charge(static_cast<std::size_t>(missing));
    const std::size_t sign = !text.empty() && (text.front() == '-' || text.front() == '+') ? 1 : 0;
    return Value::text(text.substr(0, sign) + std::string(static_cast<std::size_t>(missing), '0')
                       + text.substr(sign));
}

Value format(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    return Value::text(formatBraces(runtime, text, arguments));
}

// Formats with the values of a dictionary.
Value formatMap(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("format_map", arguments, {"mapping"});
    const Dict* const dict = p.at("mapping").asDict();
    if (!dict)
        throw Failure("format_map needs a dictionary, not a " + p.at("mapping").typeName());
    Arguments named;
    for (const auto& [name, value] : dict->entries) {
        if (name.isText())
            named.named.emplace_back(*name.asText(), value);
    }
    return Value::text(formatBraces(runtime, text, named));
}

Value expandTabs(Runtime& runtime, const std::string& text, const Arguments& arguments)
{
    const Parameters p("expandtabs", arguments, {"tabsize"});
    constexpr std::int64_t kMaxTabSize = 1000;
    const std::int64_t size = std::clamp<std::int64_t>(p.integer("tabsize", 8), 0, kMaxTabSize);
    std::string result;
    std::int64_t column = 0;
    for (const std::string_view character : charactersOf(text)) {
        if (character == "\t") {
            const std::int64_t blanks = size == 0 ? 0 : size - column % size;
            result.append(static_cast<std::size_t>(blanks), ' ');
            column += blanks;
            runtime.charge(static_cast<std::size_t>(blanks));
        } else {
            result += character;
            column = character == "\n" || character == "\r" ? 0 : column + 1;
        }
        requireTextSize(result.size());
    }
    return Value::text(std::move(result));
}

std::string swappedCase(std::string_view text)
{
    std::string result;
    for (const std::string_view character : charactersOf(text))
        result += isUpper(codePointOf(character)) ? lower(character) : upper(character);
    return result;
}

const std::unordered_map<std::string_view, TextMethod>& textMethods()
{
    static const std::unordered_map<std::string_view, TextMethod> table{
        {"strip", stripped<strip>},
        {"lstrip", stripped<stripLeft>},
        {"rstrip", stripped<stripRight>},
        {"upper", changed<upper>},
        {"lower", changed<lower>},
        {"casefold", changed<lower>},
        {"title", changed<titled>},
        {"capitalize", changed<capitalized>},
        {"swapcase", changed<swappedCase>},
        {"split", split<false>},
        {"rsplit", split<true>},
        {"splitlines", splitLines},
        {"startswith", startsOrEnds<false>},
        {"endswith", startsOrEnds<true>},
        {"find", find<false, false>},
        {"rfind", find<true, false>},
        {"index", find<false, true>},
        {"rindex", find<true, true>},
        {"replace", replace},
        {"count", count},
        {"join", join},
        {"partition", partition<false>},
        {"rpartition", partition<true>},
        {"removeprefix", withoutAffix<false>},
        {"removesuffix", withoutAffix<true>},
        {"ljust", padded<Side::Left>},
        {"rjust", padded<Side::Right>},
        {"center", padded<Side::Center>},
        {"zfill", zeroFilled},
        {"format", format},
        {"format_map", formatMap},
        {"expandtabs", expandTabs},
    };
    return table;
}

} // namespace

TextMethod findTextMethod(std::string_view name)
{
    const auto found = textMethods().find(name);
    return found == textMethods().end() ? findTextPredicate(name) : found->second;
}

std::string replaced(Runtime& runtime, const std::string& text, const std::string& old,
                     const std::string& by, std::int64_t limit)
{
    std::string result;
    std::int64_t done = 0;
    const auto more = [&] { return limit < 0 || done < limit; };
    const auto put = [&](std::string_view part) {
        result += part;
        runtime.charge(part.size());
        requireTextSize(result.size());
    };
    if (old.empty()) { // inserts before every character and at the end
        for (const std::string_view character : charactersOf(text)) {
            if (more()) {
                put(by);
                ++done;
            }
            put(character);
        }
        if (more())
            put(by);
        return result;
    }
    std::size_t begin = 0;
    for (std::size_t at = findFirst(text, old); at != std::string::npos && more();
         at = findFirst(text, old, begin)) {
        put(std::string_view(text).substr(begin, at - begin));
        put(by);
        begin = at + old.size();
        ++done;
    }
    put(std::string_view(text).substr(begin));
    return result;
}

} // namespace ep::text::jinja
