// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ep::text {

// Finds the end of the first fenced code block (CommonMark 0.31, 4.5) in a growing text. A line
// counts once it is complete, because what follows a fence decides whether it closes the block.
class FenceScan {
public:
    // Position after the closing fence's last mark.
    std::optional<std::size_t> closedAt(std::string_view text)
    {
        std::size_t end = 0;
        while (!m_closed && (end = text.find('\n', m_line)) != std::string_view::npos) {
            readLine(text.substr(m_line, end - m_line));
            m_line = end + 1;
        }
        return m_closed;
    }

private:
    void readLine(std::string_view line)
    {
        constexpr std::size_t kMaxIndent = 3;
        constexpr std::size_t kMinMarks = 3;
        const std::size_t begin = line.find_first_not_of(' ');
        if (begin == std::string_view::npos || begin > kMaxIndent)
            return;
        const char mark = line[begin];
        if (mark != '`' && mark != '~')
            return;
        const std::size_t end = std::min(line.find_first_not_of(mark, begin), line.size());
        const std::size_t marks = end - begin;
        const std::string_view rest = line.substr(end);
        if (m_marks == 0) {
            const bool inlineCode = mark == '`' && rest.find('`') != std::string_view::npos;
            if (marks >= kMinMarks && !inlineCode) {
                m_marks = marks;
                m_mark = mark;
            }
        } else if (mark == m_mark && marks >= m_marks
                   && rest.find_first_not_of(" \t\r") == std::string_view::npos) {
            m_closed = m_line + end;
        }
    }

    std::size_t m_line = 0; // start of the first incomplete line
    std::size_t m_marks = 0; // number of marks in the opening fence; 0: none yet
    char m_mark = '`';
    std::optional<std::size_t> m_closed;
};

} // namespace ep::text
