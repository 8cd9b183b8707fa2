// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Reads JSON piece by piece, without building values: for files that are larger than memory, and
// for many small messages.
namespace ep::json {

// Receives the parts of a document in their order. Texts are valid only during the call.
class StreamHandler {
public:
    virtual ~StreamHandler() = default;
    virtual void begin(bool object) = 0; // of an object or a list
    virtual void end(bool object) = 0;
    virtual void key(std::string_view text) = 0;
    virtual void string(std::string_view text) = 0;
    virtual void number(std::string_view text) = 0; // as written; NaN and Infinity too
    virtual void literal(std::string_view /*word*/) { } // true, false or null
    virtual bool wantsText() const = 0; // whether the next string is needed
};

// Returns the next bytes of a file, as many as it likes; 0 at the end, or where it is damaged.
using ReadBytes = std::function<std::size_t(std::span<char>)>;

// Reads in linear time, with memory for one portion of the file. Unlike parse() it accepts NaN and
// Infinity, as Python writes them, and inf and nan, as C does.
class Stream {
public:
    // Lenient: backslashes that escape nothing are themselves, as in paths of Windows, and control
    // characters in texts are read. longestText: longer texts and numbers are cut.
    enum class Rules { Strict, Lenient };
    Stream(StreamHandler& handler, Rules rules, std::size_t longestText);

    // Reads the first value, as far as the text is JSON.
    void read(const ReadBytes& bytes, const CancelToken& cancel = {});
    bool read(std::string_view text); // whether it is one value and nothing else

    bool cut() const { return m_cut; } // the text ended before the value did
    std::int64_t wrongAt() const { return m_wrongAt; } // position of invalid JSON; -1: none

private:
    enum class State { Next, FirstValue, FirstKey, Key, AfterValue };

    void readValue();
    bool fill();
    bool skipSpace(); // false: the text has ended
    bool step(); // false: nothing follows
    bool value();
    bool open(bool object);
    bool close(bool object);
    bool readKey();
    bool readString(bool wanted); // into m_text
    bool readEscape(bool wanted);
    bool readHex(char32_t& unit); // false: the text has ended, or these are not four digits
    bool readWord();
    void put(char c);
    bool wrong();
    std::int64_t position() const { return m_before + (m_at - m_begin); }

    StreamHandler& m_handler;
    const Rules m_rules;
    const std::size_t m_longestText;
    const ReadBytes* m_bytes = nullptr;
    const CancelToken* m_cancel = nullptr;
    std::vector<char> m_buffer;
    const char* m_begin = nullptr; // of the current portion
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    std::int64_t m_before = 0; // bytes before the portion
    std::string m_text;
    char32_t m_half = 0; // the first half of a pair that has just been read; 0: none
    std::size_t m_halfEnd = 0; // length of the text up to the end of that half
    std::string m_open; // the brackets that close the open values
    State m_state = State::Next;
    bool m_cut = false;
    std::int64_t m_wrongAt = -1;
};

} // namespace ep::json
