// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace_events.h"

#include <string>
#include <string_view>
#include <vector>

namespace ep::spans {

// What a trace consists of, in the order of the file. Texts are valid only during the call.
class TraceHandler {
public:
    virtual ~TraceHandler() = default;
    virtual void begin(bool object) = 0; // of an object or a list
    virtual void end(bool object) = 0;
    virtual void key(std::string_view text) = 0;
    virtual void string(std::string_view text) = 0;
    virtual void number(std::string_view text) = 0; // as written; NaN and Infinity too
    virtual bool wantsText() const = 0; // whether the next string is needed
};

// Reads JSON as a stream, in linear time and with memory for one portion of the file. Unlike the
// reader of other JSON it accepts NaN and Infinity, as Python writes them, inf and nan, as C does,
// and backslashes that escape nothing, and knows whether a file ends too early or is no JSON: such
// a file is read as far as it goes.
class TraceScanner {
public:
    TraceScanner(const ReadTraceBytes& bytes, const CancelToken& cancel, TraceHandler& handler);

    void scan(); // the first value
    bool cut() const { return m_cut; } // the file ended before that value did
    std::int64_t wrongAt() const { return m_wrongAt; } // position of what is no JSON; -1: none

    // Longer texts and numbers are cut: no name is that long.
    static constexpr std::size_t kLongestText = 4096;

private:
    enum class State { Value, FirstValue, FirstKey, Key, AfterValue };

    bool fill();
    bool skipSpace(); // false: the file has ended
    bool step(); // false: nothing follows
    bool value();
    bool open(bool object);
    bool close(bool object);
    bool readKey();
    bool readString(bool wanted); // into m_text
    bool readEscape(bool wanted);
    bool readWord();
    void put(char c);
    void putCharacter(unsigned code);
    bool wrong();
    std::int64_t position() const { return m_before + (m_at - m_buffer.data()); }

    const ReadTraceBytes& m_bytes;
    const CancelToken& m_cancel;
    TraceHandler& m_handler;
    std::vector<char> m_buffer;
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    std::int64_t m_before = 0; // bytes before the buffer
    std::string m_text;
    std::vector<bool> m_open; // whether each of the open values is an object
    State m_state = State::Value;
    bool m_cut = false;
    std::int64_t m_wrongAt = -1;
};

} // namespace ep::spans
