// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/document.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::json {

// The shortest text that parses to the same number, in every locale: with an exponent only below
// 0.0001 and from 10^15. Empty for infinities and NaN, which JSON and SQL do not have.
std::string exactNumber(double value);
std::string exactNumber(float value);

// Writes JSON incrementally, so that even a run of a million spans needs no tree of objects.
class JsonWriter {
public:
    // indent < 0: everything on one line. sink: receives the text piece by piece; null: take()
    // returns all of it.
    explicit JsonWriter(int indent, std::ostream* sink = nullptr)
        : m_indent(indent)
        , m_sink(sink)
    {
    }

    // Inline: the members stay on one line; for small leaves.
    enum class Layout { Block, Inline };
    void beginObject(Layout layout = Layout::Block) { begin('{', layout); }
    void endObject() { end('}'); }
    void beginArray(Layout layout = Layout::Block) { begin('[', layout); }
    void endArray() { end(']'); }
    void key(std::string_view name);

    // Absent optionals and NaN become null; invalid UTF-8 is replaced.
    template <typename Value>
    void value(const Value& value);

    void valueText(std::string_view json) { raw(json); } // a value that is JSON already
    // A parsed value. A float stays one: 1.0.
    template <typename Document>
    void tree(const Document& value, Layout layout = Layout::Inline);

    template <typename Value>
    void member(std::string_view name, const Value& content)
    {
        key(name);
        value(content);
    }

    std::string take() { return std::move(m_text); }
    void flush(); // passes the rest to the sink

private:
    void begin(char bracket, Layout layout);
    void end(char bracket);
    void separate();
    void breakLine();
    void raw(std::string_view text);
    void string(std::string_view text);
    void quoted(std::string_view text);
    void number(const std::string& text) { raw(text.empty() ? "null" : text); }

    struct Level {
        bool isInline = false;
        bool empty = true;
    };

    std::string m_text;
    std::vector<Level> m_levels;
    int m_indent;
    std::ostream* m_sink;
    bool m_afterKey = false;
};

template <typename Value>
void JsonWriter::value(const Value& value)
{
    if constexpr (std::is_same_v<Value, bool>)
        raw(value ? "true" : "false");
    else if constexpr (std::is_enum_v<Value>)
        string(name(value));
    else if constexpr (std::is_integral_v<Value>)
        raw(std::to_string(value));
    else if constexpr (std::is_floating_point_v<Value>)
        number(exactNumber(value));
    else if constexpr (std::is_convertible_v<const Value&, std::string_view>)
        string(value);
    else if constexpr (requires { value.has_value(); }) {
        if (value)
            this->value(*value);
        else
            raw("null");
    } else {
        number(exactNumber(value.value)); // a Quantity
    }
}

// The text as a JSON string, with its quotes.
inline std::string jsonText(std::string_view text)
{
    JsonWriter json(-1);
    json.value(text);
    return json.take();
}

} // namespace ep::json
