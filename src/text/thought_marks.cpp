// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/text/thought_marks.h"

#include <algorithm>
#include <array>

namespace ep::text {
namespace {

struct Mark {
    std::string_view open;
    std::string_view close;
};
constexpr std::array<Mark, 9> kMarks{{{"<think>", "</think>"},
                                      {"<|channel|>analysis<|message|>", "<|end|>"}, // gpt-oss
                                      {"<|channel>thought", "<channel|>"}, // Gemma 4
                                      {"<seed:think>", "</seed:think>"},
                                      {"[THINK]", "[/THINK]"}, // Mistral
                                      {"<|START_THINKING|>", "<|END_THINKING|>"}, // Cohere
                                      {"<thinking>", "</thinking>"},
                                      {"<thought>", "</thought>"},
                                      {"<reasoning>", "</reasoning>"}}};

std::string_view withoutBlanksBehind(std::string_view text)
{
    const std::size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

constexpr std::size_t longestMark()
{
    std::size_t longest = 0;
    for (const Mark& mark : kMarks)
        longest = std::max({longest, mark.open.size(), mark.close.size()});
    return longest;
}

struct Found {
    std::size_t at = std::string_view::npos;
    const Mark* mark = nullptr;
};

// Finds the first mark that opens a thought or, if the prompt has opened one, closes it.
Found firstOf(std::string_view text, std::size_t from, std::string_view Mark::*side)
{
    Found first;
    for (const Mark& mark : kMarks) {
        const std::size_t at = text.find(mark.*side, from);
        if (at < first.at)
            first = {at, &mark};
    }
    return first;
}

} // namespace

ThoughtMarks::ThoughtMarks(std::string_view prompt)
{
    const std::string_view end = withoutBlanksBehind(prompt);
    if (std::any_of(kMarks.begin(), kMarks.end(),
                    [&](const Mark& mark) { return end.ends_with(mark.open); }))
        m_thoughts.emplace_back();
}

void ThoughtMarks::add(std::string_view piece)
{
    const std::size_t begin = m_text.size();
    m_text += piece;
    m_ends.push_back(m_text.size());
    findMarks();
    // A token without text, such as half a character, belongs to what is before it.
    if (piece.empty() && m_ends.size() > 1)
        return;
    const bool thinking = !m_thoughts.empty() && m_thoughts.back().end > begin;
    m_last = thinking ? AnswerPart::Thinking : AnswerPart::Answer;
}

// Searches the added text; a mark may begin before it.
void ThoughtMarks::findMarks()
{
    for (;;) {
        const bool open = thought() && m_thoughts.back().end == std::string_view::npos;
        if (!open) {
            const Found found = firstOf(m_text, m_searched, &Mark::open);
            if (found.mark == nullptr)
                break;
            m_thoughts.push_back({.begin = found.at});
            m_close = found.mark->close;
            m_searched = found.at + found.mark->open.size();
            continue;
        }
        std::size_t end = std::string_view::npos;
        if (m_close.empty()) {
            if (const Found found = firstOf(m_text, m_searched, &Mark::close);
                found.mark != nullptr)
                end = found.at + found.mark->close.size();
        } else if (const std::size_t at = m_text.find(m_close, m_searched);
                   at != std::string::npos) {
            end = at + m_close.size();
        }
        if (end == std::string_view::npos)
            break;
        m_thoughts.back().end = end;
        m_searched = end;
    }
    constexpr std::size_t kLongest = longestMark();
    if (m_text.size() >= kLongest)
        m_searched = std::max(m_searched, m_text.size() - kLongest + 1);
}

std::vector<AnswerPart> ThoughtMarks::parts() const
{
    std::vector<AnswerPart> parts;
    std::size_t begin = 0;
    for (const std::size_t end : m_ends) {
        const bool thinking = begin == end && !parts.empty()
            ? parts.back() == AnswerPart::Thinking
            : std::any_of(m_thoughts.begin(), m_thoughts.end(), [&](const Thought& thought) {
                  return begin < thought.end
                      && (begin == end ? begin >= thought.begin : end > thought.begin);
              });
        parts.push_back(thinking ? AnswerPart::Thinking : AnswerPart::Answer);
        begin = end;
    }
    return parts;
}

} // namespace ep::text
