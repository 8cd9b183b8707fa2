// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_forms.h"

#include "characters.h"
#include "operators.h"
#include "runtime.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace ep::text::jinja {
namespace {

// The escape of one of the first `count` of these control characters; empty: it has none.
std::string shortEscape(char32_t c, std::size_t count)
{
    constexpr std::string_view kControls = "\n\r\t\f\b";
    const std::size_t at =
        c < U' ' ? kControls.substr(0, count).find(static_cast<char>(c)) : std::string_view::npos;
    return at == std::string_view::npos ? std::string() : std::string("\\") + "nrtfb"[at];
}

std::string quoted(const std::string& text)
{
    const bool hasSingle = text.find('\'') != std::string::npos;
    const char quote = hasSingle && text.find('"') == std::string::npos ? '"' : '\'';
    std::string result(1, quote);
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        if (c == static_cast<char32_t>(quote) || c == U'\\')
            result.append("\\").append(character);
        else if (const std::string escape = shortEscape(c, 3); !escape.empty())
            result += escape;
        else if (isPrintable(c))
            result += character;
        else if (c < 0x100)
            result += "\\x" + hexOf(c, 2);
        else if (c < 0x10000)
            result += "\\u" + hexOf(c, 4);
        else
            result += "\\U" + hexOf(c, 8);
    }
    result += quote;
    return result;
}

void writeSource(Runtime& runtime, const Value& value, std::string& out);

void writeItems(Runtime& runtime, const Values& items, std::string& out)
{
    bool first = true;
    for (const Value& item : items) {
        if (!first)
            out += ", ";
        first = false;
        writeSource(runtime, item, out);
    }
}

void writeSequence(Runtime& runtime, const Sequence& sequence, std::string& out)
{
    const bool range = sequence.kind == Sequence::Kind::Range;
    if (range || sequence.kind == Sequence::Kind::Generator) {
        out += range ? sequence.name : "<generator object>";
        return;
    }
    const bool tuple = sequence.kind == Sequence::Kind::Tuple;
    const bool view = sequence.kind == Sequence::Kind::View;
    out += tuple ? "(" : view ? sequence.name + "([" : "[";
    writeItems(runtime, sequence.items, out);
    out += !tuple ? (view ? "])" : "]") : sequence.items.size() == 1 ? ",)" : ")";
}

void writeSource(Runtime& runtime, const Value& value, std::string& out)
{
    const std::size_t before = out.size();
    if (const std::string* text = value.asText()) {
        out += value.isMarkup() ? "Markup(" + quoted(*text) + ")" : quoted(*text);
    } else if (const Sequence* sequence = value.asSequence()) {
        writeSequence(runtime, *sequence, out);
    } else if (const Dict* dict = value.asDict()) {
        out += "{";
        bool first = true;
        for (const auto& [key, item] : dict->entries) {
            if (!first)
                out += ", ";
            first = false;
            writeSource(runtime, key, out);
            out += ": ";
            writeSource(runtime, item, out);
        }
        out += "}";
    } else if (value.isUndefined()) {
        out += "Undefined";
    } else {
        out += toText(runtime, value);
    }
    runtime.charge(out.size() - before);
    requireTextSize(out.size());
}

std::string jsonText(const std::string& text, bool asciiOnly)
{
    std::string result = "\"";
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        if (c == U'"' || c == U'\\') {
            result.append("\\").append(character);
        } else if (const std::string escape = shortEscape(c, 5); !escape.empty()) {
            result += escape;
        } else if (c >= 0x10000 && asciiOnly) {
            const char32_t rest = c - 0x10000;
            result += "\\u" + hexOf(0xd800 + (rest >> 10U), 4);
            result += "\\u" + hexOf(0xdc00 + (rest & 0x3ffU), 4);
        } else if (c < 0x20 || (c > 0x7e && asciiOnly)) {
            result += "\\u" + hexOf(c, 4);
        } else {
            result += character;
        }
    }
    return result + "\"";
}

class JsonWriter {
public:
    JsonWriter(Runtime& runtime, const JsonStyle& style)
        : m_runtime(runtime)
        , m_style(style)
    {
    }

    void write(const Value& value)
    {
        const std::size_t before = m_out.size();
        if (const std::string* text = value.asText()) {
            m_out += jsonText(*text, m_style.asciiOnly);
        } else if (const Dict* dict = value.asDict()) {
            writeDict(*dict);
        } else if (const Sequence* list = value.asSequence(); list
                   && (list->kind == Sequence::Kind::List || list->kind == Sequence::Kind::Tuple)) {
            writeList(*list);
        } else if (value.isNone() || value.isNumber()) {
            m_out += scalar(value);
        } else {
            throw Failure("an " + value.typeName() + " cannot be written as JSON");
        }
        m_runtime.charge(m_out.size() - before);
        requireTextSize(m_out.size());
    }
    std::string take() { return std::move(m_out); }

private:
    static std::string scalar(const Value& value)
    {
        if (value.isNone())
            return "null";
        if (value.isBool())
            return value.boolean() ? "true" : "false";
        if (value.isInt())
            return std::to_string(value.integer());
        const double number = value.number();
        if (std::isnan(number))
            return "NaN";
        if (std::isinf(number))
            return number < 0 ? "-Infinity" : "Infinity";
        return floatText(number);
    }

    void startItem(bool first)
    {
        if (!first)
            m_out += m_style.itemSeparator;
        newLine();
    }
    void newLine()
    {
        if (!m_style.indent)
            return;
        m_out += '\n';
        for (int i = 0; i < m_depth; ++i)
            m_out += *m_style.indent;
    }

    void writeList(const Sequence& list)
    {
        if (list.items.empty()) {
            m_out += "[]";
            return;
        }
        m_out += '[';
        ++m_depth;
        bool first = true;
        for (const Value& item : list.items) {
            startItem(first);
            first = false;
            write(item);
        }
        --m_depth;
        newLine();
        m_out += ']';
    }

    void writeDict(const Dict& dict)
    {
        if (dict.entries.empty()) {
            m_out += "{}";
            return;
        }
        auto entries = dict.entries;
        if (m_style.sortKeys) {
            std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
                return compare(a.first, b.first) < 0;
            });
        }
        m_out += '{';
        ++m_depth;
        bool first = true;
        for (const auto& [key, item] : entries) {
            startItem(first);
            first = false;
            if (const std::string* text = key.asText())
                m_out += jsonText(*text, m_style.asciiOnly);
            else if (key.isNone() || key.isNumber())
                m_out += '"' + scalar(key) + '"';
            else
                throw Failure("a " + key.typeName() + " cannot be a key in JSON");
            m_out += m_style.keySeparator;
            write(item);
        }
        --m_depth;
        newLine();
        m_out += '}';
    }

    Runtime& m_runtime;
    const JsonStyle& m_style;
    std::string m_out;
    int m_depth = 0;
};

} // namespace

std::string hexOf(std::uint32_t value, int digits)
{
    constexpr std::string_view hex = "0123456789abcdef";
    std::string text;
    for (int i = digits - 1; i >= 0; --i)
        text += hex[(value >> static_cast<unsigned>(4 * i)) & 0xfU];
    return text;
}

// The JSON library provides the shortest digits that restore the number, independent of the locale;
// the position of the point follows Python.
std::string floatText(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number < 0 ? "-inf" : "inf";
    const std::string shortest = json::textOf(json::Json(std::abs(number)));
    const std::size_t exponentAt = shortest.find('e');
    const std::string mantissa = shortest.substr(0, exponentAt);
    int exponent = 0;
    if (exponentAt != std::string::npos)
        exponent = std::stoi(shortest.substr(exponentAt + 1));
    const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
    std::string digits = mantissa;
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    int decimal = static_cast<int>(point) + exponent; // digits before the point
    const std::size_t leading = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    digits.erase(0, leading);
    decimal -= static_cast<int>(leading);
    while (digits.size() > 1 && digits.back() == '0')
        digits.pop_back();
    if (digits == "0")
        decimal = 1;

    const std::string sign = std::signbit(number) ? "-" : "";
    const auto count = static_cast<int>(digits.size());
    if (decimal > 16 || decimal < -3) {
        const int power = decimal - 1;
        std::string magnitude = std::to_string(std::abs(power));
        if (magnitude.size() < 2)
            magnitude.insert(0, "0");
        std::string text = sign + digits.substr(0, 1);
        if (count > 1)
            text += "." + digits.substr(1);
        return text + (power < 0 ? "e-" : "e+") + magnitude;
    }
    if (decimal <= 0)
        return sign + "0." + std::string(static_cast<std::size_t>(-decimal), '0') + digits;
    if (count <= decimal)
        return sign + digits + std::string(static_cast<std::size_t>(decimal - count), '0') + ".0";
    return sign + digits.substr(0, static_cast<std::size_t>(decimal)) + "."
        + digits.substr(static_cast<std::size_t>(decimal));
}

std::string toText(Runtime& runtime, const Value& value)
{
    if (value.isUndefined())
        return {};
    if (value.isNone())
        return "None";
    if (value.isBool())
        return value.boolean() ? "True" : "False";
    if (value.isInt())
        return std::to_string(value.integer());
    if (value.isFloat())
        return floatText(value.number());
    if (const std::string* text = value.asText()) {
        runtime.charge(text->size());
        return *text;
    }
    if (const Object* object = value.asObject())
        return object->describe();
    return toSource(runtime, value);
}

std::string escapedForPage(std::string_view text)
{
    constexpr std::array<std::pair<char, std::string_view>, 5> kEscapes{
        {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&#34;"}, {'\'', "&#39;"}}};
    std::string result;
    for (const char c : text) {
        const auto* const found = std::find_if(kEscapes.begin(), kEscapes.end(),
                                               [&](const auto& row) { return row.first == c; });
        if (found == kEscapes.end())
            result += c;
        else
            result += found->second;
    }
    return result;
}

std::string toMarkup(Runtime& runtime, const Value& value)
{
    std::string text = toText(runtime, value);
    return value.isMarkup() ? text : escapedForPage(text);
}

Value textLike(const Value& other, std::string text)
{
    return other.isMarkup() ? Value::markup(std::move(text)) : Value::text(std::move(text));
}

std::string toSource(Runtime& runtime, const Value& value)
{
    std::string out;
    writeSource(runtime, value, out);
    return out;
}

std::string toJson(Runtime& runtime, const Value& value, const JsonStyle& style)
{
    JsonWriter writer(runtime, style);
    writer.write(value);
    return writer.take();
}

Value fromJson(const json::OrderedJson& json)
{
    if (json.is_boolean())
        return Value(json.get<bool>());
    if (json.is_number_unsigned()
        && json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        return Value(json.get<double>());
    if (json.is_number_integer())
        return Value(json.get<std::int64_t>());
    if (json.is_number_float())
        return Value(json.get<double>());
    if (json.is_string())
        return Value::text(json.get<std::string>());
    if (json.is_array()) {
        Values items;
        for (const auto& item : json)
            items.push_back(fromJson(item));
        return Value::list(std::move(items));
    }
    if (json.is_object()) {
        std::vector<std::pair<Value, Value>> entries;
        for (const auto& [key, item] : json.items())
            entries.emplace_back(Value::text(key), fromJson(item));
        return Value::dict(std::move(entries));
    }
    return Value::none();
}

} // namespace ep::text::jinja
