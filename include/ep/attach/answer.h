// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/attach/limits.h"
#include "ep/core/result.h"
#include "ep/core/units.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One answer of a server, as it arrives. Pure: the caller passes times. One thread.

namespace ep::attach {

// Events: server-sent events (text/event-stream, WHATWG HTML 9.2); Lines: one JSON text per line
// (application/x-ndjson); Whole: the answer is one message.
enum class Framing { Events, Lines, Whole };
Framing framingOf(std::string_view contentType);

// The messages in a streamed answer, from chunks of bytes of any size. Pure.
class MessageSplitter {
public:
    explicit MessageSplitter(Framing framing)
        : m_framing(framing)
    {
    }

    // Returns the messages that these bytes complete, without framing.
    Result<std::vector<std::string>> feed(std::string_view bytes);
    // Returns the last message of an answer that lacks its final line break or blank line.
    std::vector<std::string> finish();
    std::size_t heldBytes() const { return m_rest.size() + m_event.size(); }

private:
    void takeLine(std::string_view line, std::vector<std::string>& messages);
    void endEvent(std::vector<std::string>& messages);

    const Framing m_framing;
    std::string m_rest; // an unfinished line, or the whole answer
    std::string m_event; // data of the current event
    bool m_hasData = false;
    bool m_afterReturn = false; // a line has ended with CR; an LF may follow
};

// A part of the text and its arrival time. How many tokens it contains is unknown.
struct Chunk {
    Nanoseconds at_ns = 0;
    std::string text;
    bool thought = false; // reasoning, which the server sends separately

    bool operator==(const Chunk&) const = default;
};

struct Answer {
    Nanoseconds asked_ns = 0; // when the request was sent
    std::vector<Chunk> chunks; // everything generated: text, reasoning, tool calls
    std::optional<Nanoseconds> stopped_ns{}; // when generation was known to be over
    Nanoseconds ended_ns = 0; // arrival of the last byte
    bool streamed = false; // false: everything came at once
    std::string text; // without reasoning and tool calls
    Figures figures;

    bool operator==(const Answer&) const = default;
};

// Size of the texts, in bytes.
std::size_t heldBytes(const Answer& answer);

class HalfJoiner;

class AnswerReader {
public:
    AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs);
    ~AnswerReader();

    // An error if the server reports one, or if it is not this dialect. Later bytes are ignored.
    Status feed(std::string_view bytes, Nanoseconds atNs);
    // Call at the end of the answer; an error if the final message is missing.
    Status finish(Nanoseconds atNs);

    const Answer& answer() const { return m_answer; }
    Answer takeAnswer() { return std::exchange(m_answer, {}); } // call it once, at the end
    std::size_t heldBytes() const { return m_held + m_splitter.heldBytes(); }

private:
    Status take(const std::vector<std::string>& messages, Nanoseconds atNs);

    const Dialect& m_dialect;
    MessageSplitter m_splitter;
    std::unique_ptr<HalfJoiner> m_halves; // joins characters of the text
    std::unique_ptr<HalfJoiner> m_asideHalves;
    Answer m_answer;
    Status m_status;
    std::size_t m_held = 0; // size of the answer's texts in bytes
};

} // namespace ep::attach
