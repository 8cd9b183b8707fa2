// SPDX-License-Identifier: GPL-3.0-or-later
#include "pattern.h"

#include "unicode.h"

#include "ep/core/enum_words.h"
#include "ep/core/word_list.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::text {

namespace {

void findLiteral(std::string_view text, std::string_view literal, std::vector<Span>& spans)
{
    spans.clear();
    std::size_t previous = 0;
    for (std::size_t at = text.find(literal); at != std::string_view::npos;
         at = text.find(literal, previous)) {
        if (at != previous)
            spans.push_back({previous, at, false});
        previous = at + literal.size();
        spans.push_back({at, previous, true});
    }
    if (previous != text.size() || text.empty())
        spans.push_back({previous, text.size(), false});
}

// Merges each span with the one before it where merges(isMatch, isMatch of the one before).
template <typename Iterator>
std::vector<Span> mergedSpans(Iterator first, Iterator last, bool (*merges)(bool, bool))
{
    std::vector<Span> parts;
    bool previous = false;
    for (; first != last; ++first) {
        if (!parts.empty() && merges(first->isMatch, previous)) {
            parts.back().begin = std::min(parts.back().begin, first->begin);
            parts.back().end = std::max(parts.back().end, first->end);
        } else {
            parts.push_back(*first);
        }
        previous = first->isMatch;
    }
    return parts;
}

// Only the first of several consecutive matches is merged with its neighbour.
bool isFirstMatch(bool isMatch, bool previous)
{
    return isMatch && !previous;
}

} // namespace

Pattern::Pattern(const json::Value& json)
{
    if (const auto text = json.find("String")) {
        m_literal = text->asString();
        if (!m_literal.empty())
            return;
    } else if (!json.find("Regex")) {
        json.fail(R"(must be {"String": ...} or {"Regex": ...})");
    }
    // The empty string matches at every position, like the empty expression.
    const auto expression = json.find("Regex");
    Result<Regex> compiled = Regex::compile(expression ? expression->asString() : std::string());
    if (!compiled)
        (expression ? *expression : json).fail(compiled.error().message);
    m_regex = *std::move(compiled);
}

Pattern Pattern::regex(std::string_view expression)
{
    Pattern pattern;
    pattern.m_regex = Regex::compile(expression).value();
    return pattern;
}

Pattern Pattern::literal(std::string text)
{
    Pattern pattern;
    pattern.m_literal = std::move(text);
    return pattern;
}

PatternSearch::PatternSearch(const Pattern& pattern)
    : m_pattern(&pattern)
{
    if (pattern.m_regex)
        m_search.emplace(*pattern.m_regex);
}

Status PatternSearch::findSpans(std::string_view text, std::vector<Span>& spans)
{
    if (m_search)
        return m_search->findSpans(text, spans);
    findLiteral(text, m_pattern->literal(), spans);
    return {};
}

std::vector<Span> spansOf(std::string_view text, bool (*predicate)(char32_t))
{
    std::vector<Span> spans;
    std::size_t previous = 0;
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint c = firstCodePoint(text.substr(at));
        if (predicate(c.value)) {
            if (at != previous)
                spans.push_back({previous, at, false});
            previous = at + c.length;
            spans.push_back({at, previous, true});
        }
        at += c.length;
    }
    if (previous != text.size() || text.empty())
        spans.push_back({previous, text.size(), false});
    return spans;
}

SplitBehavior readSplitBehavior(const json::Value& json)
{
    // In the order of SplitBehavior.
    constexpr auto kWords =
        wordList<5>("Removed Isolated MergedWithPrevious MergedWithNext Contiguous");
    const std::string name = json.asString();
    if (const auto behavior = enumOf<SplitBehavior>(kWords, name))
        return *behavior;
    json.fail(Message(
        "is %1; it must be Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous",
        json::inQuotes(name)));
}

std::vector<Span> applySplit(const std::vector<Span>& spans, SplitBehavior behavior)
{
    switch (behavior) {
    case SplitBehavior::Removed: {
        std::vector<Span> parts;
        std::copy_if(spans.begin(), spans.end(), std::back_inserter(parts),
                     [](const Span& span) { return !span.isMatch; });
        return parts;
    }
    case SplitBehavior::Isolated:
        return spans;
    case SplitBehavior::MergedWithPrevious:
        return mergedSpans(spans.begin(), spans.end(), &isFirstMatch);
    case SplitBehavior::MergedWithNext: {
        std::vector<Span> parts = mergedSpans(spans.rbegin(), spans.rend(), &isFirstMatch);
        std::reverse(parts.begin(), parts.end());
        return parts;
    }
    case SplitBehavior::Contiguous:
        return mergedSpans(spans.begin(), spans.end(),
                           [](bool isMatch, bool previous) { return isMatch == previous; });
    }
    return spans;
}

} // namespace ep::text
