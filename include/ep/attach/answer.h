// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/attach/limits.h"
#include "ep/attach/stream.h"
#include "ep/core/units.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One answer of a server, as it arrives. Pure: the caller passes times. One thread.
namespace ep::attach {

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
