// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

// A part of a text; the spans of one search cover the whole text in order.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool isMatch = false;

    bool operator==(const Span&) const = default;
};

// A compiled pattern in the syntax of tokenizer.json (see regex_syntax.h). Immutable.
class Regex {
public:
    static Result<Regex> compile(std::string_view pattern);

private:
    friend class RegexSearch;
    struct Code;
    explicit Regex(std::shared_ptr<const Code> code);
    std::shared_ptr<const Code> m_code;
};

// The memory for searching, reused for many texts. One thread at a time. Catastrophic backtracking
// is stopped by a limit on steps and on the time of the whole search.
class RegexSearch {
public:
    explicit RegexSearch(const Regex& regex);
    ~RegexSearch();
    RegexSearch(RegexSearch&&) noexcept;
    RegexSearch& operator=(RegexSearch&&) noexcept;

    // Overwrites `spans` with the spans of the text, which must be valid UTF-8.
    Status findSpans(std::string_view text, std::vector<Span>& spans);

private:
    struct Memory;
    Status findNext(std::string_view text, std::size_t from, Span& match, bool& found);

    std::shared_ptr<const Regex::Code> m_code;
    std::unique_ptr<Memory> m_memory;
    std::chrono::steady_clock::time_point m_deadline;
};

} // namespace ep::text
