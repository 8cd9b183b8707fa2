// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/dialect.h"
#include "ep/attach/stream.h"
#include "ep/core/units.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// One answer of a server, as it arrives. Pure: times are handed in. One thread.
namespace ep::attach {

// A part of the text and when it arrived. How many tokens it holds is not known.
struct Chunk {
    Nanoseconds at_ns = 0;
    std::string text;

    bool operator==(const Chunk&) const = default;
};

struct Answer {
    Nanoseconds asked_ns = 0; // when the request was sent
    std::vector<Chunk> chunks; // only those with text; of reasoning as well
    std::optional<Nanoseconds> stopped_ns{}; // of the message after which nothing is generated
    Nanoseconds ended_ns = 0; // of the last byte
    bool streamed = false; // otherwise everything came at once
    std::string text; // without the reasoning
    Figures figures;

    bool operator==(const Answer&) const = default;
};

class AnswerReader {
public:
    AnswerReader(const Dialect& dialect, Framing framing, Nanoseconds askedNs);

    // An error: the server complains, or sends what is not its dialect. Bytes after it are ignored.
    Status feed(std::string_view bytes, Nanoseconds atNs);
    // The end of the answer; an error if it came without its final message.
    Status finish(Nanoseconds atNs);

    const Answer& answer() const { return m_answer; }

private:
    Status take(const std::vector<std::string>& messages, Nanoseconds atNs);

    const Dialect& m_dialect;
    MessageSplitter m_splitter;
    Answer m_answer;
    Status m_status;
};

} // namespace ep::attach
