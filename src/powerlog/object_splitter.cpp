// SPDX-License-Identifier: GPL-3.0-or-later
#include "object_splitter.h"

#include "log.h"

namespace ep::powerlog {

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
