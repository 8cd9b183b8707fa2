// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/attach/limits.h"
#include "ep/core/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// The messages in a streamed answer, from chunks of bytes of any size. Pure.
namespace ep::attach {

// Events: server-sent events (text/event-stream, WHATWG HTML 9.2); Lines: one JSON text per line
// (application/x-ndjson); Whole: the answer is one message.
enum class Framing { Events, Lines, Whole };
Framing framingOf(std::string_view contentType);

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

} // namespace ep::attach
