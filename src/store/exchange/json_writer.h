// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep::store {

// The shortest text that reads back as the same number, with a point in every locale. Nothing for
// infinities and NaN, which neither JSON nor SQL knows.
std::string exactNumber(double value);
std::string exactNumber(float value);

// Rounded once, so that 560000 ns read as 0.56.
constexpr double milliseconds(Nanoseconds duration)
{
    return static_cast<double>(duration) / 1e6;
}

// Writes JSON text as it goes, so that a run of a million spans needs no tree of objects.
class JsonWriter {
public:
    // indent < 0: everything on one line. sink: gets the text piece by piece; null: take() has all.
    explicit JsonWriter(int indent, std::ostream* sink = nullptr)
        : m_indent(indent)
        , m_sink(sink)
    {
    }

    // Inline: the members stay on the line of the brace; for small leaves.
    enum class Layout { Block, Inline };
    void beginObject(Layout layout = Layout::Block) { begin('{', layout); }
    void endObject() { end('}'); }
    void beginArray(Layout layout = Layout::Block) { begin('[', layout); }
    void endArray() { end(']'); }
    void key(std::string_view name);

    // Absent optionals and numbers that are none become null; invalid UTF-8 is replaced.
    template <typename Value>
    void value(const Value& value);

    template <typename Value>
    void member(std::string_view name, const Value& content)
    {
        key(name);
        value(content);
    }

    std::string take() { return std::move(m_text); }
    void flush(); // the rest to the sink

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

} // namespace ep::store
