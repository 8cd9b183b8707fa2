// SPDX-License-Identifier: GPL-3.0-or-later
#include "lines.h"

#include "log.h"

#include "ep/core/utf8.h"

#include <algorithm>

namespace ep::powerlog {

std::string_view cutAt(char separator, std::string_view& rest)
{
    const std::string_view first = rest.substr(0, rest.find(separator));
    rest.remove_prefix(std::min(first.size() + 1, rest.size()));
    return first;
}

std::string asUtf8(std::string_view text)
{
    if (isValidUtf8(text))
        return std::string(text);
    std::string utf8;
    for (const char c : text)
        appendUtf8(utf8, static_cast<unsigned char>(c));
    return utf8;
}

void LineReader::decode(std::string_view bytes)
{
    if (m_encoding == Encoding::Bytes) {
        m_buffer += bytes;
        return;
    }
    m_odd += bytes;
    std::size_t i = 0;
    for (; i + 1 < m_odd.size(); i += 2) {
        const auto first = static_cast<unsigned char>(m_odd[i]);
        const auto second = static_cast<unsigned char>(m_odd[i + 1]);
        // Logs have no characters beyond the basic plane; surrogates become U+FFFD.
        const std::uint32_t code = m_encoding == Encoding::Utf16Le
            ? static_cast<std::uint32_t>(second << 8 | first)
            : static_cast<std::uint32_t>(first << 8 | second);
        appendUtf8(m_buffer, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
    }
    m_odd.erase(0, i);
}

Status LineReader::fill()
{
    constexpr std::size_t kPortion = 1 << 20;
    if (m_cancel.cancelled())
        return Error{ErrorCode::Cancelled, "Cancelled."};
    m_buffer.erase(0, m_begin);
    m_begin = 0;
    std::string portion(kPortion, '\0');
    const auto got = m_bytes(portion);
    if (!got)
        return got.error();
    std::string_view bytes(portion.data(), *got);
    if (*got == 0)
        m_end = true;
    if (!m_started && !bytes.empty()) {
        m_started = true;
        if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
            m_encoding = bytes[0] == '\xFF' ? Encoding::Utf16Le : Encoding::Utf16Be;
            bytes.remove_prefix(2);
        } else if (bytes.starts_with("\xEF\xBB\xBF")) {
            bytes.remove_prefix(3);
        }
    }
    decode(bytes);
    return {};
}

void LineReader::pushBack(std::vector<std::string> lines)
{
    m_lastPushedComplete = m_complete;
    m_pushed = std::move(lines);
    m_pushedNext = 0;
    m_row = 0;
}

Result<std::optional<std::string_view>> LineReader::next()
{
    if (m_pushedNext < m_pushed.size()) {
        ++m_row;
        const std::string_view line = m_pushed[m_pushedNext++];
        m_complete = m_pushedNext < m_pushed.size() || m_lastPushedComplete;
        return std::optional(line);
    }
    std::size_t searched = m_begin;
    for (;;) {
        const std::size_t end = m_buffer.find('\n', searched);
        if (end != std::string::npos) {
            std::string_view line(m_buffer.data() + m_begin, end - m_begin);
            m_begin = end + 1;
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            ++m_row;
            m_complete = true;
            return std::optional(line);
        }
        const std::size_t length = m_buffer.size() - m_begin;
        if (m_end) {
            if (length == 0)
                return std::optional<std::string_view>();
            const std::string_view line(m_buffer.data() + m_begin, length);
            m_begin = m_buffer.size();
            ++m_row;
            m_complete = false;
            return std::optional(line);
        }
        if (length > kLongestLine)
            return Error{ErrorCode::InvalidInput,
                         {"row %1 is longer than any row of a power log.", m_row + 1}};
        if (const Status filled = fill(); !filled)
            return filled.error();
        searched = m_begin + length;
    }
}

Status ObjectSplitter::feed(std::string_view line, std::int64_t row, Objects& objects)
{
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (m_depth == 0) {
            if (c != '{')
                continue;
            begin = i;
            m_row = row;
            m_depth = 1;
            continue;
        }
        if (m_string) {
            m_string = m_escaped || c != '"';
            m_escaped = !m_escaped && c == '\\';
        } else if (c == '"') {
            m_string = true;
            m_escaped = false;
        } else if (c == '{') {
            ++m_depth;
        } else if (c == '}' && --m_depth == 0) {
            m_text.append(line.substr(begin, i + 1 - begin));
            objects.emplace_back(m_row, std::move(m_text));
            m_text.clear();
        }
    }
    if (m_depth > 0) {
        m_text.append(line.substr(begin));
        m_text += '\n';
        if (m_text.size() > kLongestObject)
            return rowError(m_row, "the JSON object that begins here is too long for a power log.");
    }
    return {};
}

} // namespace ep::powerlog
