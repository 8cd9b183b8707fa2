// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ep::attach {

// Reads a request that is too long to be kept, as it streams: keeps the short members of its object
// and, of its lists, the last element or the last one of the user. Pure.
class RequestScan {
public:
    void feed(std::string_view bytes);
    // A shorter JSON object with everything kept so far, for readRequest().
    std::string reduced() const;
    std::size_t heldBytes() const
    {
        return m_kept.capacity() + m_member.capacity() + m_element.capacity() + m_last.capacity();
    }

private:
    void take(char c);
    void endElement();
    void endMember();

    std::string m_kept; // complete members, separated by commas
    std::string m_member; // name and value of the current member, as far as they are kept
    std::string m_element; // the current element of a list
    std::string m_last; // the element that is kept
    bool m_lastIsUsers = false;
    bool m_list = false; // the member's value is a list
    bool m_cut = false; // the member's value is longer than what is kept
    bool m_elementCut = false;
    int m_depth = 0;
    bool m_inText = false;
    bool m_escaped = false;
};

} // namespace ep::attach
