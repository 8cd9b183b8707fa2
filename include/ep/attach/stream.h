// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The messages inside a streamed answer, from bytes that arrive in any portions. Pure.
namespace ep::attach {

// Events: server-sent events (text/event-stream, WHATWG HTML 9.2); Lines: one JSON text per line
// (application/x-ndjson); Whole: the answer is one message.
enum class Framing { Events, Lines, Whole };
Framing framingOf(std::string_view contentType);

// A longer message is an error: nothing of a model comes near it, and as parsed JSON it takes up to
// sixteen times as much memory.
inline constexpr std::size_t kLongestMessage = 2 * 1024 * 1024;

class MessageSplitter {
public:
    explicit MessageSplitter(Framing framing)
        : m_framing(framing)
    {
    }

    // The messages that these bytes complete, without their framing.
    Result<std::vector<std::string>> feed(std::string_view bytes);
    // The last message of an answer that does not end with its line or blank line.
    std::vector<std::string> finish();
    std::size_t heldBytes() const { return m_rest.size() + m_event.size(); }

private:
    void takeLine(std::string_view line, std::vector<std::string>& messages);
    void endEvent(std::vector<std::string>& messages);

    const Framing m_framing;
    std::string m_rest; // of an unfinished line, or of the whole answer
    std::string m_event; // data of the event so far
    bool m_hasData = false;
    bool m_afterReturn = false; // a line has ended with CR; an LF may follow
};

} // namespace ep::attach
