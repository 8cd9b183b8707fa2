// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/answer.h"

#include "ep/core/safe_text.h"
#include "ep/core/utf8.h"

#include <utility>

namespace ep::attach {

namespace {

constexpr std::size_t kLongestComplaint = 300;

// On one line and not too long.
std::string complaint(std::string text)
{
    for (char& c : text)
        c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    return previewUtf8(text, kLongestComplaint);
}

} // namespace

AnswerReader::AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs)
    : m_dialect(dialect)
    , m_splitter(framing)
{
    m_answer.asked_ns = askedNs;
    m_answer.ended_ns = askedNs;
    m_answer.streamed = framing != Framing::Whole;
}

Status AnswerReader::feed(std::string_view bytes, Nanoseconds atNs)
{
    if (!m_status)
        return m_status;
    m_answer.ended_ns = atNs;
    const auto messages = m_splitter.feed(bytes);
    m_status = messages ? take(*messages, atNs) : messages.error();
    return m_status;
}

Status AnswerReader::finish(Nanoseconds atNs)
{
    if (!m_status)
        return m_status;
    m_answer.ended_ns = atNs;
    m_status = take(m_splitter.finish(), atNs);
    if (m_status && !m_answer.stopped_ns)
        m_status = Error{ErrorCode::Io,
                         "The server ended its answer without a final message after "
                             + std::to_string(m_answer.chunks.size())
                             + " parts; look for the reason in the server's log."};
    m_answer.figures.complete();
    return m_status;
}

Status AnswerReader::take(const std::vector<std::string>& messages, Nanoseconds atNs)
{
    for (const std::string& one : messages) {
        auto message = m_dialect.read(one);
        if (!message)
            return message.error();
        if (!message->error.empty())
            return Error{ErrorCode::Io, "The server says: " + complaint(message->error)};
        m_answer.figures.add(message->figures);
        m_answer.text += message->text;
        std::string shown = std::move(message->reasoning) + message->text;
        if (!shown.empty())
            m_answer.chunks.push_back({atNs, std::move(shown)});
        if (message->last && !m_answer.stopped_ns)
            m_answer.stopped_ns = atNs;
    }
    return {};
}

} // namespace ep::attach
