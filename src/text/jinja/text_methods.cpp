// SPDX-License-Identifier: GPL-3.0-or-later
#include "brace_format.h"
#include "characters.h"
#include "methods.h"
#include "operators.h"
#include "text_forms.h"
#include "text_search.h"
#include "text_split.h"

#include <algorithm>
#include <unordered_map>

namespace ep::text::jinja {

namespace {

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
    return Value(static_cast<std::int64_t>(skipped + characterCount(searched.substr(0, at))));
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
        return Value(static_cast<std::int64_t>(characterCount(text) + 1));
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
        if (result.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
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
    if (characterCount(fill) != 1)
        throw Failure("the character to fill with must be one");
    const auto size = static_cast<std::int64_t>(characterCount(text));
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
    const auto size = static_cast<std::int64_t>(characterCount(text));
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

// The same, with the values in a dictionary.
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
        if (result.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
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
        if (result.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
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
