// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/writer.h"

#include "ep/core/utf8.h"

#include <charconv>
#include <cmath>
#include <version>

namespace ep::json {

namespace {

template <typename Number>
std::string shortest(Number value)
{
    if (!std::isfinite(value))
        return {};
    if (value == Number{0} && std::signbit(value))
        return "-0.0"; // "-0" would be read as an integer, which has no negative zero
#ifdef __cpp_lib_to_chars
    const double size = std::abs(static_cast<double>(value));
    const bool plain = size == 0.0 || (size >= 1e-4 && size < 1e15);
    char buffer[40];
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format).ptr;
    return {buffer, end};
#else
    const std::string text = Json(value).dump();
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
#endif
}

} // namespace

std::string exactNumber(double value)
{
    return shortest(value);
}

std::string exactNumber(float value)
{
    return shortest(value);
}

void JsonWriter::key(std::string_view name)
{
    separate();
    quoted(name);
    m_text += m_indent < 0 ? ":" : ": ";
    m_afterKey = true;
}

void JsonWriter::begin(char bracket, Layout layout)
{
    separate();
    m_text += bracket;
    const bool within = !m_levels.empty() && m_levels.back().isInline;
    m_levels.push_back({within || layout == Layout::Inline, true});
}

void JsonWriter::end(char bracket)
{
    const Level level = m_levels.back();
    m_levels.pop_back();
    if (!level.empty && !level.isInline)
        breakLine();
    m_text += bracket;
    m_afterKey = false;
}

void JsonWriter::flush()
{
    if (m_sink)
        m_sink->write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_text.clear();
}

// Writes the separator between the last value and the next one.
void JsonWriter::separate()
{
    constexpr std::size_t kPiece = 1 << 16;
    if (m_sink && m_text.size() > kPiece)
        flush();
    if (m_afterKey || m_levels.empty()) {
        m_afterKey = false;
        return;
    }
    Level& level = m_levels.back();
    if (!level.empty)
        m_text += ',';
    if (!level.isInline)
        breakLine();
    else if (!level.empty && m_indent >= 0)
        m_text += ' ';
    level.empty = false;
}

void JsonWriter::breakLine()
{
    if (m_indent < 0)
        return;
    m_text += '\n';
    m_text.append(m_levels.size() * static_cast<std::size_t>(m_indent), ' ');
}

void JsonWriter::raw(std::string_view text)
{
    separate();
    m_text += text;
}

void JsonWriter::string(std::string_view text)
{
    separate();
    quoted(text);
}

void JsonWriter::quoted(std::string_view text)
{
    static constexpr char kHex[] = "0123456789abcdef";
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t";
    constexpr std::string_view kLetters = "\"\\bfnrt";
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = replaceInvalidUtf8(text);
        text = repaired;
    }
    m_text += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (const auto found = kEscaped.find(c); found != kEscaped.npos) {
            m_text += '\\';
            m_text += kLetters[found];
        } else if (byte < 0x20) {
            m_text += "\\u00";
            m_text += kHex[byte >> 4];
            m_text += kHex[byte & 15];
        } else {
            m_text += c;
        }
    }
    m_text += '"';
}

template <typename Document>
void JsonWriter::tree(const Document& value, Layout layout)
{
    if (value.is_object()) {
        beginObject(layout);
        for (const auto& [name, member] : value.items()) {
            key(name);
            tree(member, layout);
        }
        endObject();
    } else if (value.is_array()) {
        beginArray(layout);
        for (const Document& element : value)
            tree(element, layout);
        endArray();
    } else if (value.is_string()) {
        string(value.template get_ref<const std::string&>());
    } else if (value.is_number_float()) {
        const std::string text = exactNumber(value.template get<double>());
        number(text.find_first_not_of("-0123456789") == text.npos && !text.empty() ? text + ".0"
                                                                                   : text);
    } else if (value.is_number_unsigned()) {
        raw(std::to_string(value.template get<std::uint64_t>()));
    } else if (value.is_number()) {
        raw(std::to_string(value.template get<std::int64_t>()));
    } else {
        raw(value.is_boolean() ? value.template get<bool>() ? "true" : "false" : "null");
    }
}

template <typename Document>
std::string textOf(const Document& json, int indent)
{
    JsonWriter writer(indent);
    writer.tree(json, JsonWriter::Layout::Block);
    return writer.take();
}

template void JsonWriter::tree(const Json&, Layout);
template void JsonWriter::tree(const OrderedJson&, Layout);
template std::string textOf(const Json&, int);
template std::string textOf(const OrderedJson&, int);

} // namespace ep::json
