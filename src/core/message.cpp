// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/message.h"

#include <ostream>

namespace ep {

std::string Message::english() const
{
    if (m_arguments.empty())
        return m_pattern;
    return filled(m_pattern, {m_arguments.begin(), m_arguments.end()});
}

std::ostream& operator<<(std::ostream& out, const Message& message)
{
    return out << message.english();
}

Message sequence(std::vector<Message> parts, std::string_view between)
{
    std::erase_if(parts, [](const Message& part) { return part.empty(); });
    // Joins halves, since files limit how deeply a message nests.
    const std::string pattern = "%1" + std::string(between) + "%2";
    while (parts.size() > 1) {
        std::vector<Message> joined;
        for (std::size_t i = 0; i < parts.size(); i += 2) {
            joined.push_back(i + 1 < parts.size()
                                 ? Message(pattern, {std::move(parts[i]), std::move(parts[i + 1])})
                                 : std::move(parts[i]));
        }
        parts = std::move(joined);
    }
    return parts.empty() ? Message() : std::move(parts.front());
}

std::string filled(std::string_view pattern, const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char digit = i + 1 < pattern.size() ? pattern[i + 1] : '0';
        if (pattern[i] == '%' && digit > '0' && digit <= '9'
            && static_cast<std::size_t>(digit - '0') <= parts.size()) {
            text += parts[static_cast<std::size_t>(digit - '1')];
            ++i;
        } else {
            text += pattern[i];
        }
    }
    return text;
}

} // namespace ep
