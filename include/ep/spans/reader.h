// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/spans/span_record.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::spans {

// Reads the bytes of one sender, in pieces of any size: JSON lines and binary records, in any
// order. Anything else is counted and skipped up to the next line or record. Memory is limited by
// the largest record; names are charged to the budget. One thread.
class Reader {
public:
    using Sink = std::function<void(const Record&)>;
    Reader(Sink sink, ByteBudget& budget);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    void feed(std::string_view bytes);
    void finish(); // reads a last line even if it is not terminated
    std::int64_t malformed() const { return m_malformed; }
    // Spans whose names did not fit into the budget, or are beyond kMaxNames.
    std::int64_t nameless() const { return m_nameless; }

    static constexpr std::size_t kLongestRecord = 65'536;
    static constexpr std::size_t kMaxNames = 65'536; // for the binary form

private:
    std::size_t take(std::string_view bytes, bool last); // returns how many bytes were read
    std::size_t takeLine(std::string_view bytes, bool last);
    std::size_t takeBinary(std::string_view bytes);
    void takeName(std::string_view name);
    void deliver(const Record& record);

    Sink m_sink;
    ByteBudget& m_budget;
    std::size_t m_charged = 0; // bytes
    std::string m_rest; // beginning of an incomplete record
    std::string m_scratch;
    std::vector<std::string> m_names;
    bool m_namesEnd = false; // a name did not fit, so that the numbers of later ones are unknown
    bool m_skipping = false; // skips the rest of a line that is too long
    std::int64_t m_malformed = 0;
    std::int64_t m_nameless = 0;
};

// Reads one line of JSON; false: it is not a record. scratch holds texts with escapes.
bool readJsonRecord(std::string_view line, Record& record, std::string& scratch);

// The first byte of a binary record, with which no JSON line begins.
inline constexpr unsigned char kBinaryMark = 0xEB;
enum class BinaryType : std::uint8_t { Span = 1, Name = 2, Json = 3 };

} // namespace ep::spans
