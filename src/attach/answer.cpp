// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/answer.h"

#include "half_characters.h"

#include "ep/core/safe_text.h"
#include "ep/core/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::attach {

namespace {

constexpr std::size_t kLongestComplaint = 300;

// Why servers stop before the model has: then the answer is not complete.
constexpr std::array<std::string_view, 8> kUnfinished{
    "abort", "aborted", "cancelled",      "canceled",
    "error", "failed",  "content_filter", "content-filter"};

// Shortens the text and puts it on one line.
std::string complaint(std::string text)
{
    for (char& c : text)
        c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    return previewUtf8(text, kLongestComplaint);
}

std::size_t bytesOf(const Chunk& chunk)
{
    return sizeof(Chunk) + chunk.text.capacity();
}

} // namespace

AnswerReader::~AnswerReader() = default;

std::size_t heldBytes(const Answer& answer)
{
    std::size_t bytes = answer.text.capacity();
    for (const Chunk& chunk : answer.chunks)
        bytes += bytesOf(chunk);
    return bytes;
}

AnswerReader::AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs)
    : m_dialect(dialect)
    , m_splitter(framing)
    , m_halves(std::make_unique<HalfJoiner>())
    , m_asideHalves(std::make_unique<HalfJoiner>())
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
                         {"The server ended its answer without a final message after %1 parts; "
                          "look for the reason in the server's log.",
                          m_answer.chunks.size()}};
    const std::string& finish = m_answer.figures.finish;
    if (m_status && std::ranges::count(kUnfinished, finish) > 0)
        m_status = Error{ErrorCode::Io,
                         {"The server stopped its answer before the end (%1); look for the reason "
                          "in the server's log.",
                          finish}};
    m_answer.text += m_halves->finish();
    m_answer.figures.complete();
    return m_status;
}

Status AnswerReader::take(const std::vector<std::string>& messages, Nanoseconds atNs)
{
    for (const std::string& one : messages) {
        if (one.find_first_not_of(" \t\r\n") == std::string::npos || one == "[DONE]")
            continue; // an event without content
        auto message = m_dialect.read(withHalvesMarked(one));
        if (!message)
            return message.error();
        if (!message->error.empty())
            return Error{ErrorCode::Io, {"The server says: %1", complaint(message->error)}};
        m_answer.figures.add(message->figures);
        const bool generated =
            message->generated || !message->text.empty() || !message->aside.empty();
        const std::string text = m_halves->join(message->text);
        std::string shown = m_asideHalves->join(message->aside) + text;
        m_answer.text += text;
        if (generated) {
            m_answer.chunks.push_back(
                {atNs, std::move(shown), message->thought && message->text.empty()});
            m_held += text.size() + bytesOf(m_answer.chunks.back());
        }
        if (m_answer.chunks.size() > kMaxAnswerParts
            || m_held > 2 * kMaxAnswerText + m_answer.chunks.size() * sizeof(Chunk))
            return Error{ErrorCode::Unsupported,
                         {"The server's answer has more than %1 MB of text, or %2 parts; ask for "
                          "fewer tokens.",
                          kMaxAnswerText / (1024 * 1024), kMaxAnswerParts}};
        if (message->last) // with several sequences, the last one counts
            m_answer.stopped_ns = atNs;
    }
    return {};
}

} // namespace ep::attach
