// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "regular_expression.h"

#include "ep/json/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::text {

// The pattern of a Split or Replace: {"String": "..."} or {"Regex": "..."}.
class Pattern {
public:
    explicit Pattern(const json::Value& json);
    static Pattern regex(std::string_view expression); // for our own patterns, known to be valid
    static Pattern literal(std::string text); // not empty

    bool isLiteral() const { return !m_regex.has_value(); }
    const std::string& literal() const { return m_literal; }

private:
    friend class PatternSearch;
    Pattern() = default;

    std::string m_literal;
    std::optional<Regex> m_regex;
};

// Searches many texts for one pattern. One thread at a time.
class PatternSearch {
public:
    explicit PatternSearch(const Pattern& pattern); // the pattern must outlive it

    Status findSpans(std::string_view text, std::vector<Span>& spans);

private:
    const Pattern* m_pattern;
    std::optional<RegexSearch> m_search;
};

// Spans of the code points that satisfy the predicate, each a separate match.
std::vector<Span> spansOf(std::string_view text, bool (*predicate)(char32_t));

enum class SplitBehavior { Removed, Isolated, MergedWithPrevious, MergedWithNext, Contiguous };
SplitBehavior readSplitBehavior(const json::Value& json);

// The parts that remain after splitting the text at the matches; isMatch is meaningless in the
// result.
std::vector<Span> applySplit(const std::vector<Span>& spans, SplitBehavior behavior);

} // namespace ep::text
