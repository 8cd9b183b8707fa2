// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/json_writer.h"

#include "ep/core/utf8.h"
#include "ep/json/document.h"

#include <charconv>
#include <cmath>
#include <ostream>
#include <version>

#ifndef __cpp_lib_to_chars
#endif

namespace ep::store {

namespace {

template <typename Number>
std::string shortest(Number value)
{
    if (!std::isfinite(value))
        return {};
    if (value == Number{0} && std::signbit(value))
        return "-0.0"; // "-0" would be read as an integer, which has no negative zero
#ifdef __cpp_lib_to_chars
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    return {buffer, end};
#else
    return json::textOf(json::Json(value));
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
    std::string repaired;
    if (!isValidUtf8(text)) {
        repaired = replaceInvalidUtf8(text);
        text = repaired;
    }
    m_text += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            m_text += '\\';
            m_text += c;
        } else if (c == '\n') {
            m_text += "\\n";
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

} // namespace ep::store
