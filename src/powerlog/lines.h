// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/powerlog/read.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::powerlog {

// Splits a log into lines, from chunks of bytes of any size: UTF-8 with or without a byte order
// mark, UTF-16, Latin-1 (passed on unchanged); line ends LF, CR LF.
class LineReader {
public:
    static constexpr std::size_t kLongestLine = 4'000'000;

    LineReader(const ReadBytes& bytes, const CancelToken& cancel)
        : m_bytes(bytes)
        , m_cancel(cancel)
    {
    }

    // The next line without its end; absent at the end of the log. Valid until the next call.
    Result<std::optional<std::string_view>> next();
    // Calls read(line) for all further lines, until it fails.
    template <typename Read>
    Status forEach(const Read& read)
    {
        for (;;) {
            const auto line = next();
            if (!line)
                return line.error();
            if (!*line)
                return {};
            if (const Status done = read(**line); !done)
                return done;
        }
    }
    std::int64_t row() const { return m_row; } // number of the last line, counted from 1
    bool complete() const { return m_complete; } // whether the last line had a line end
    // Returns lines to the front; only for lines from the beginning, as rows from 1.
    void pushBack(std::vector<std::string> lines);

private:
    Status fill();
    void decode(std::string_view bytes);

    const ReadBytes& m_bytes;
    CancelToken m_cancel;
    std::string m_buffer;
    std::size_t m_begin = 0;
    bool m_end = false;
    bool m_started = false;
    bool m_complete = true;
    std::int64_t m_row = 0;
    enum class Encoding { Bytes, Utf16Le, Utf16Be } m_encoding = Encoding::Bytes;
    std::string m_odd; // bytes of an incomplete UTF-16 unit
    std::vector<std::string> m_pushed; // in order
    std::size_t m_pushedNext = 0;
    bool m_lastPushedComplete = true;
};

// Cuts the text before the separator off the rest, and drops the separator.
std::string_view cutAt(char separator, std::string_view& rest);

// Converts a text to valid UTF-8: invalid bytes are read as Latin-1.
std::string asUtf8(std::string_view text);

// Finds the JSON objects in a text, whatever is between them: lines, a list, or other text.
class ObjectSplitter {
public:
    static constexpr std::size_t kLongestObject = 64'000'000;
    using Objects = std::vector<std::pair<std::int64_t, std::string>>; // objects with their rows

    // Adds the objects that this line completes.
    Status feed(std::string_view line, std::int64_t row, Objects& objects);
    bool open() const { return m_depth > 0; }
    std::int64_t row() const { return m_row; } // row in which the last object began

private:
    std::string m_text;
    int m_depth = 0;
    bool m_string = false;
    bool m_escaped = false;
    std::int64_t m_row = 0;
};

} // namespace ep::powerlog
