// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "item_keys.h"
#include "library.h"
#include "literals.h"
#include "operators.h"
#include "pretty_print.h"
#include "text_forms.h"
#include "urlize.h"
#include "word_wrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>

// Filters that were made for web pages, some of which chat templates use as well.
namespace ep::text::jinja {

namespace {

// Groups of items with the same attribute, each a tuple (grouper, list).
Value groupBy(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("groupby", arguments, {"attribute", "default", "case_sensitive"});
    const Value attribute = p.at("attribute");
    const ItemOrder order{.attribute = attribute,
                          .caseSensitive = p.boolean("case_sensitive", false),
                          .fallback = p.value("default", Value::none())};
    Values items = itemsOf(value);
    runtime.charge(16 * items.size());
    const bool several = items.size() > 1;
    Values groups;
    Values members;
    Value key;
    const auto close = [&] {
        if (members.empty())
            return;
        ItemOrder exact = order;
        exact.caseSensitive = true;
        const Value name = order.caseSensitive ? key : keyOf(runtime, members.front(), exact);
        groups.push_back(groupOf(name, Value::list(std::exchange(members, {}))));
    };
    for (Value& item : sortedBy(runtime, std::move(items), order)) {
        Value own = keyOf(runtime, item, order);
        if (several)
            own.requireDefined(); // undefined values cannot be sorted
        if (members.empty() || !equal(own, key)) {
            close();
            key = std::move(own);
        }
        members.push_back(std::move(item));
    }
    close();
    return Value::list(std::move(groups));
}

Value pretty(Runtime& runtime, const Value& value, const Arguments&)
{
    return Value::text(prettyPrinted(runtime, value));
}

Value wordWrap(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    value.requireDefined();
    if (!value.isText())
        throw Failure("wordwrap needs a text, not a " + value.typeName());
    const Parameters p("wordwrap", arguments,
                       {"width", "break_long_words", "wrapstring", "break_on_hyphens"});
    const std::int64_t width = p.integer("width", 79);
    if (width < 1 || width > static_cast<std::int64_t>(kMaxTextBytes))
        throw Failure("the width of wordwrap does not fit");
    const WrapStyle style{.width = static_cast<int>(width),
                          .break_long_words = p.boolean("break_long_words", true),
                          .break_on_hyphens = p.boolean("break_on_hyphens", true)};
    const Value given = p.value("wrapstring", Value::none());
    const std::string separator = given.isNone() ? "\n" : toText(runtime, given);
    const Value lines = call(runtime, methodOf(value, "splitlines"), {});
    std::string result;
    bool first = true;
    for (const Value& line : itemsOf(lines)) {
        runtime.charge(8 * line.asText()->size());
        if (!first)
            result += separator;
        first = false;
        bool firstPart = true;
        for (const std::string& part : wrapped(*line.asText(), style)) {
            result += (firstPart ? "" : separator) + part;
            firstPart = false;
        }
        runtime.charge(separator.size());
        if (result.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
    }
    return Value::text(std::move(result));
}

// Removes everything from `open` to the next `close`, repeatedly.
void removeBetween(std::string& text, std::string_view open, std::string_view close)
{
    std::string kept;
    std::size_t from = 0;
    for (;;) {
        const std::size_t begin = text.find(open, from);
        const std::size_t end = begin == std::string::npos ? begin : text.find(close, begin);
        if (end == std::string::npos)
            break;
        kept.append(text, from, begin - from);
        from = end + close.size();
    }
    text = kept + text.substr(from);
}

// Names of the characters from U+00A0 onwards.
constexpr std::array<std::string_view, 96> kLatinNames{
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",
    "copy",   "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn",
    "sup2",   "sup3",   "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",
    "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde",
    "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave",
    "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde",
    "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",
    "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil",
    "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",   "eth",
    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

// The character that the text after an ampersand stands for, and its length; 0: none.
std::pair<std::string, std::size_t> entityAt(std::string_view text)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kNames{
        {{"amp;", "&"},
         {"lt;", "<"},
         {"gt;", ">"},
         {"quot;", "\""},
         {"apos;", "'"},
         {"hellip;", "…"}}};
    for (const auto& [name, character] : kNames) {
        if (text.starts_with(name))
            return {std::string(character), name.size()};
    }
    const std::size_t end = text.find(';');
    if (const auto* const latin =
            std::find(kLatinNames.begin(), kLatinNames.end(), text.substr(0, end));
        latin != kLatinNames.end() && end != std::string_view::npos) {
        std::string character;
        appendCodePoint(character, static_cast<char32_t>(0xA0 + (latin - kLatinNames.begin())));
        return {character, end + 1};
    }
    if (!text.starts_with('#') || end == std::string_view::npos || end < 2 || end > 9)
        return {{}, 0};
    const bool hexadecimal = text[1] == 'x' || text[1] == 'X';
    const std::string_view digits = text.substr(hexadecimal ? 2 : 1, end - (hexadecimal ? 2 : 1));
    const auto code = parseInteger(digits, hexadecimal ? 16 : 10);
    if (!code || *code < 0 || *code > 0x10FFFF)
        return {{}, 0};
    std::string character;
    appendCodePoint(character, static_cast<char32_t>(*code));
    return {character, end + 1};
}

Value stripTags(Runtime& runtime, const Value& value, const Arguments&)
{
    std::string text = toText(runtime, value);
    removeBetween(text, "<!--", "-->");
    removeBetween(text, "<", ">");
    std::string plain;
    for (const Value& word : itemsOf(call(runtime, methodOf(Value::text(text), "split"), {})))
        plain += (plain.empty() ? "" : " ") + *word.asText();
    std::string result;
    for (std::size_t at = 0; at < plain.size(); ++at) {
        const auto [character, length] = plain[at] == '&'
            ? entityAt(std::string_view(plain).substr(at + 1))
            : std::pair<std::string, std::size_t>();
        if (length > 0)
            result += character;
        else
            result += plain[at];
        at += length;
    }
    return Value::text(std::move(result));
}

Value fileSize(Runtime&, const Value& value, const Arguments& arguments)
{
    const Parameters p("filesizeformat", arguments, {"binary"});
    const bool binary = p.boolean("binary", false);
    value.requireDefined();
    const auto parsed = value.isText() ? parseFloat(*value.asText())
        : value.isNumber()             ? std::optional(value.number())
                                       : std::nullopt;
    if (!parsed)
        throw Failure("a " + value.typeName() + " is no number of bytes");
    const double bytes = *parsed;
    const double base = binary ? 1024 : 1000;
    if (bytes == 1)
        return Value::text("1 Byte");
    if (bytes < base)
        return Value::text(std::to_string(static_cast<std::int64_t>(bytes)) + " Bytes");
    constexpr std::string_view kPrefixes = "kMGTPEZY";
    double unit = base;
    std::size_t prefix = 0;
    while (prefix + 1 < kPrefixes.size() && bytes >= unit * base) {
        unit *= base;
        ++prefix;
    }
    std::array<char, 64> number{};
    std::snprintf(number.data(), number.size(), "%.1f ", bytes / unit);
    std::string name(1, kPrefixes[prefix]);
    if (binary && prefix == 0)
        name = "K";
    return Value::text(number.data() + name + (binary ? "iB" : "B"));
}

Value attributes(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("xmlattr", arguments, {"autospace"});
    const Dict* dict = value.asDict();
    if (!dict)
        throw Failure("xmlattr needs a dictionary, not a " + value.typeName());
    const auto escaped = [&](const Value& text) {
        return *applyFilter(runtime, "escape", text, {}).asText();
    };
    std::string result;
    for (const auto& [key, item] : dict->entries) {
        if (item.isNone() || item.isUndefined())
            continue;
        const std::string name = toText(runtime, key);
        if (name.find_first_of(" \t\n\r\f\v/>=") != std::string::npos)
            throw Failure("an attribute of xmlattr has an invalid name");
        result += (result.empty() ? "" : " ") + escaped(key) + "=\"" + escaped(item) + "\"";
    }
    if (p.boolean("autospace", true) && !result.empty())
        result.insert(0, " ");
    return Value::text(std::move(result));
}

// The words of a text, as they occur in the attributes of links.
std::set<std::string> wordsOf(Runtime& runtime, const Value& text)
{
    std::set<std::string> words;
    for (const Value& word : itemsOf(call(runtime, methodOf(text, "split"), {})))
        words.insert(*word.asText());
    return words;
}

Value urlize(Runtime& runtime, const Value& value, const Arguments& arguments)
{
    const Parameters p("urlize", arguments,
                       {"trim_url_limit", "nofollow", "target", "rel", "extra_schemes"});
    LinkStyle style;
    if (!p.value("trim_url_limit", Value::none()).isNone())
        style.trim = p.integer("trim_url_limit");
    std::set<std::string> rel{"noopener"};
    if (const Value given = p.value("rel", Value::none()); given.isTrue())
        rel.merge(wordsOf(runtime, given));
    if (p.boolean("nofollow", false))
        rel.insert("nofollow");
    for (const std::string& word : rel)
        style.rel += (style.rel.empty() ? "" : " ") + word;
    style.rel = *applyFilter(runtime, "escape", Value::text(style.rel), {}).asText();
    if (const Value target = p.value("target", Value::none()); target.isTrue())
        style.target = *applyFilter(runtime, "escape", target, {}).asText();
    if (const Value schemes = p.value("extra_schemes", Value::none()); schemes.isTrue()) {
        for (const Value& scheme : itemsOf(schemes)) {
            if (!scheme.isText() || !isSchemePrefix(*scheme.asText()))
                throw Failure("a scheme of urlize is none: " + toText(runtime, scheme));
            style.schemes.push_back(*scheme.asText());
        }
    }
    const std::string text = toMarkup(runtime, value);
    runtime.charge(8 * text.size());
    std::string result = withLinks(text, style);
    if (result.size() > kMaxTextBytes)
        throw Failure("a text grows too long");
    return Value::text(std::move(result));
}

} // namespace

void addPageFilters(FilterTable& table)
{
    table.insert({{"groupby", groupBy},
                  {"pprint", pretty},
                  {"wordwrap", wordWrap},
                  {"striptags", stripTags},
                  {"filesizeformat", fileSize},
                  {"xmlattr", attributes},
                  {"urlize", urlize}});
}

} // namespace ep::text::jinja
