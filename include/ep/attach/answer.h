// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/attach/stream.h"
#include "ep/core/units.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One answer of a server, as it arrives. Pure: times are handed in. One thread.
namespace ep::attach {

// A part of the text and when it arrived. How many tokens it holds is not known.
struct Chunk {
    Nanoseconds at_ns = 0;
    std::string text;
    bool thought = false; // it is reasoning, which the server sends beside the answer

    bool operator==(const Chunk&) const = default;
};

struct Answer {
    Nanoseconds asked_ns = 0; // when the request was sent
    std::vector<Chunk> chunks; // whatever was generated: text, reasoning, calls of tools
    std::optional<Nanoseconds> stopped_ns{}; // of the message after which nothing is generated
    Nanoseconds ended_ns = 0; // of the last byte
    bool streamed = false; // otherwise everything came at once
    std::string text; // without reasoning and calls
    Figures figures;

    bool operator==(const Answer&) const = default;
};

// A longer answer is an error, so that nothing sent takes more memory: more text and parts than a
// model makes in hours.
inline constexpr std::size_t kMaxAnswerText = 4 * 1024 * 1024;
inline constexpr std::size_t kMaxAnswerParts = 131'072;

// Memory of the texts, in bytes.
std::size_t heldBytes(const Answer& answer);

class HalfJoiner;

class AnswerReader {
public:
    AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs);
    ~AnswerReader();

    // An error: the server complains, or sends what is not its dialect. Bytes after it are ignored.
    Status feed(std::string_view bytes, Nanoseconds atNs);
    // The end of the answer; an error if it came without its final message.
    Status finish(Nanoseconds atNs);

    const Answer& answer() const { return m_answer; }
    Answer takeAnswer() { return std::exchange(m_answer, {}); } // once, at the end
    std::size_t heldBytes() const { return m_held + m_splitter.heldBytes(); }

private:
    Status take(const std::vector<std::string>& messages, Nanoseconds atNs);

    const Dialect& m_dialect;
    MessageSplitter m_splitter;
    std::unique_ptr<HalfJoiner> m_halves; // of the text
    std::unique_ptr<HalfJoiner> m_asideHalves;
    Answer m_answer;
    Status m_status;
    std::size_t m_held = 0; // bytes of the answer's texts
};

} // namespace ep::attach
