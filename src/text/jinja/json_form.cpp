// SPDX-License-Identifier: GPL-3.0-or-later
#include "characters.h"
#include "operators.h"
#include "runtime.h"
#include "text_forms.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace ep::text::jinja {

namespace {

std::string jsonText(const std::string& text, bool asciiOnly)
{
    std::string result = "\"";
    for (const std::string_view character : charactersOf(text)) {
        const char32_t c = codePointOf(character);
        switch (c) {
        case U'"':
            result += "\\\"";
            break;
        case U'\\':
            result += "\\\\";
            break;
        case U'\n':
            result += "\\n";
            break;
        case U'\r':
            result += "\\r";
            break;
        case U'\t':
            result += "\\t";
            break;
        case U'\f':
            result += "\\f";
            break;
        case U'\b':
            result += "\\b";
            break;
        default:
            if (c >= 0x10000 && asciiOnly) {
                const char32_t rest = c - 0x10000;
                result += "\\u" + hexOf(0xd800 + (rest >> 10U), 4);
                result += "\\u" + hexOf(0xdc00 + (rest & 0x3ffU), 4);
            } else if (c < 0x20 || (c > 0x7e && asciiOnly)) {
                result += "\\u" + hexOf(c, 4);
            } else {
                result += character;
            }
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
        if (m_out.size() > kMaxTextBytes)
            throw Failure("a text grows too long");
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

std::string toJson(Runtime& runtime, const Value& value, const JsonStyle& style)
{
    JsonWriter writer(runtime, style);
    writer.write(value);
    return writer.take();
}

Value fromJson(const nlohmann::ordered_json& json)
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
