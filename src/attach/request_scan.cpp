// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/request_scan.h"

#include "ep/attach/limits.h"

#include <algorithm>
#include <utility>

namespace ep::attach {

namespace {

bool isBlank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

// Closes a text that was cut off, but not within a character or an escape.
std::string closedText(std::string text)
{
    constexpr std::size_t kLongestEscape = 12; // an escape of two surrogates
    const std::size_t from = text.size() - std::min(text.size(), kLongestEscape);
    if (const std::size_t escape = text.find('\\', from); escape != std::string::npos)
        text.resize(escape);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0)
        text.pop_back();
    return text + '"';
}

bool isUsers(std::string_view element)
{
    return element.find("\"role\":\"user\"") != element.npos
        || element.find("\"role\": \"user\"") != element.npos;
}

} // namespace

void RequestScan::feed(std::string_view bytes)
{
    for (const char c : bytes)
        take(c);
}

void RequestScan::take(char c)
{
    if (m_inText) {
        m_inText = m_escaped || c != '"';
        m_escaped = !m_escaped && c == '\\';
    } else if (c == '"') {
        m_inText = true;
    } else if (isBlank(c)) {
        return;
    } else if (c == '{' || c == '[') {
        if (++m_depth == 1)
            return;
        if (m_depth == 2 && c == '[') {
            m_list = true;
            return;
        }
    } else if (c == '}' || c == ']') {
        --m_depth;
        if (m_depth == 0)
            return endMember();
        if (m_depth == 1 && m_list)
            return endElement();
    } else if (c == ',' && m_depth == 1) {
        return endMember();
    } else if (c == ',' && m_depth == 2 && m_list) {
        return endElement();
    }
    std::string& to = m_list ? m_element : m_member;
    bool& cut = m_list ? m_elementCut : m_cut;
    cut = cut || to.size() >= kLongestScanned;
    if (!cut)
        to += c;
}

void RequestScan::endElement()
{
    const bool users = isUsers(m_element);
    if (!m_element.empty() && !m_elementCut && (users || !m_lastIsUsers)) {
        m_last = std::move(m_element);
        m_lastIsUsers = users;
    }
    m_element.clear();
    m_elementCut = false;
}

void RequestScan::endMember()
{
    std::string member = std::exchange(m_member, {});
    if (std::exchange(m_list, false))
        member += '[' + std::exchange(m_last, {}) + ']';
    const bool text = member.find(":\"") != std::string::npos
        && member.find(":\"") == member.find(':'); // a text, and not an object
    if (std::exchange(m_cut, false))
        member = text ? closedText(std::move(member)) : std::string();
    m_lastIsUsers = false;
    if (member.empty() || m_kept.size() + member.size() > kMaxScanned)
        return;
    m_kept += (m_kept.empty() ? "" : ",") + member;
}

std::string RequestScan::reduced() const
{
    return '{' + m_kept + '}';
}

} // namespace ep::attach
