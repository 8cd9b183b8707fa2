// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/stream.h"

#include "ep/attach/http_answer.h"

#include <utility>

namespace ep::attach {

namespace {

struct StreamType {
    std::string_view name;
    Framing framing;
};
constexpr StreamType kStreamTypes[] = {
    {"text/event-stream", Framing::Events},      {"application/x-ndjson", Framing::Lines},
    {"application/ndjson", Framing::Lines},      {"application/jsonl", Framing::Lines},
    {"application/x-jsonlines", Framing::Lines},
};

} // namespace

Framing framingOf(std::string_view contentType)
{
    std::string_view type = contentType.substr(0, contentType.find(';'));
    while (!type.empty() && (type.back() == ' ' || type.back() == '\t'))
        type.remove_suffix(1);
    for (const StreamType& known : kStreamTypes) {
        if (sameFieldName(type, known.name))
            return known.framing;
    }
    return Framing::Whole;
}

Result<std::vector<std::string>> MessageSplitter::feed(std::string_view bytes)
{
    std::vector<std::string> messages;
    if (m_framing == Framing::Whole) {
        m_rest += bytes;
    } else {
        while (!bytes.empty()) {
            if (std::exchange(m_afterReturn, false) && bytes.front() == '\n') {
                bytes.remove_prefix(1);
                continue;
            }
            const std::size_t end = bytes.find_first_of("\r\n");
            m_rest += bytes.substr(0, end);
            if (end == std::string_view::npos)
                break;
            m_afterReturn = bytes[end] == '\r';
            bytes.remove_prefix(end + 1);
            takeLine(std::exchange(m_rest, {}), messages);
        }
    }
    if (m_rest.size() + m_event.size() > kLongestMessage)
        return Error{
            ErrorCode::InvalidInput,
            {"The server sent a message of more than %1 MB.", kLongestMessage / (1024 * 1024)}};
    return messages;
}

void MessageSplitter::takeLine(std::string_view line, std::vector<std::string>& messages)
{
    if (m_framing == Framing::Lines) {
        if (!line.empty())
            messages.emplace_back(line);
        return;
    }
    if (line.empty())
        return endEvent(messages);
    const std::size_t colon = line.find(':');
    const std::string_view field = line.substr(0, colon);
    // Servers of 2025 send failures in a field "error", which the standard does not define.
    if (field != "data" && field != "error")
        return;
    std::string_view value = colon == std::string_view::npos ? "" : line.substr(colon + 1);
    if (value.starts_with(' '))
        value.remove_prefix(1);
    if (m_hasData)
        m_event += '\n';
    m_event += value;
    m_hasData = true;
}

void MessageSplitter::endEvent(std::vector<std::string>& messages)
{
    if (std::exchange(m_hasData, false))
        messages.push_back(std::exchange(m_event, {}));
}

std::vector<std::string> MessageSplitter::finish()
{
    std::vector<std::string> messages;
    std::string rest = std::exchange(m_rest, {});
    if (m_framing == Framing::Whole) {
        if (!rest.empty())
            messages.push_back(std::move(rest));
        return messages;
    }
    if (!rest.empty())
        takeLine(rest, messages);
    endEvent(messages);
    return messages;
}

} // namespace ep::attach
