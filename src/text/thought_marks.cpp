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

struct Found {
    std::size_t at = std::string_view::npos;
    const Mark* mark = nullptr;
};

// The first mark that opens or, of a thought that the prompt has opened, closes.
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

struct Thought {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Thought> thoughtsIn(std::string_view text, bool open)
{
    std::vector<Thought> thoughts;
    std::size_t at = 0;
    if (open) {
        const Found close = firstOf(text, 0, &Mark::close);
        at = close.mark == nullptr ? text.size() : close.at + close.mark->close.size();
        thoughts.push_back({0, at});
    }
    for (;;) {
        const Found opened = firstOf(text, at, &Mark::open);
        if (opened.mark == nullptr)
            return thoughts;
        const std::size_t close =
            text.find(opened.mark->close, opened.at + opened.mark->open.size());
        at = close == std::string_view::npos ? text.size() : close + opened.mark->close.size();
        thoughts.push_back({opened.at, at});
    }
}

} // namespace

ThoughtMarks::ThoughtMarks(std::string_view prompt)
{
    const std::string_view end = withoutBlanksBehind(prompt);
    m_open = std::any_of(kMarks.begin(), kMarks.end(),
                         [&](const Mark& mark) { return end.ends_with(mark.open); });
}

void ThoughtMarks::add(std::string_view piece)
{
    m_text += piece;
    m_ends.push_back(m_text.size());
}

std::vector<AnswerPart> ThoughtMarks::parts() const
{
    const std::vector<Thought> thoughts = thoughtsIn(m_text, m_open);
    std::vector<AnswerPart> parts;
    std::size_t begin = 0;
    for (const std::size_t end : m_ends) {
        // A token without text, such as half a character, belongs to what is before it.
        const bool thinking = begin == end && !parts.empty()
            ? parts.back() == AnswerPart::Thinking
            : std::any_of(thoughts.begin(), thoughts.end(), [&](const Thought& thought) {
                  return begin < thought.end
                      && (begin == end ? begin >= thought.begin : end > thought.begin);
              });
        parts.push_back(thinking ? AnswerPart::Thinking : AnswerPart::Answer);
        begin = end;
    }
    return parts;
}

} // namespace ep::text
