// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/plausible.h"

#include "ep/core/possible_count.h"

namespace ep::attach {

namespace {

using Count = std::optional<std::int64_t>;

bool exceeds(const Count& part, const Count& whole)
{
    return part && whole && *part > *whole;
}

ep::Message whyImpossible(CountKind kind, const Count& count, Nanoseconds duration)
{
    return count ? ep::whyImpossible(kind, *count, duration) : ep::Message();
}

ep::Message sentence(const Count& count, const char* what, const ep::Message& why)
{
    return {"The server states %1 %2, %3: that cannot be true, so its count is missing.", *count,
            what, why};
}

} // namespace

std::vector<ep::Message> dropImplausible(Figures& figures, const CountBounds& bounds)
{
    std::vector<ep::Message> reasons;
    const Count asked = bounds.most_output > 0 ? Count(bounds.most_output) : std::nullopt;
    const ep::Message output =
        whyImpossible(CountKind::OutputTokens, figures.output_tokens, bounds.duration_ns);
    if (exceeds(figures.output_tokens, asked))
        reasons.push_back(sentence(figures.output_tokens, "output tokens",
                                   {"more than the %1 that were asked for", *asked}));
    else if (!output.empty())
        reasons.push_back(sentence(figures.output_tokens, "output tokens", output));
    else if (figures.output_tokens == 0 && bounds.parts > 0)
        reasons.push_back(
            sentence(0, "output tokens", {"but sent %1 parts of an answer", bounds.parts}));
    else if (exceeds(figures.reasoning_tokens, figures.output_tokens))
        reasons.push_back(sentence(figures.reasoning_tokens, "tokens of reasoning",
                                   "more than its output tokens"));
    if (!reasons.empty()) {
        figures.output_tokens = figures.reasoning_tokens = std::nullopt;
        figures.draft_tokens = figures.draft_accepted_tokens = std::nullopt;
    }
    const std::size_t before = reasons.size();
    const ep::Message computed =
        whyImpossible(CountKind::ComputedTokens, figures.uncached_tokens, bounds.duration_ns);
    const ep::Message prompt =
        whyImpossible(CountKind::PromptTokens, figures.prompt_tokens, bounds.duration_ns);
    if (!computed.empty())
        reasons.push_back(sentence(figures.uncached_tokens, "computed prompt tokens", computed));
    else if (!prompt.empty())
        reasons.push_back(sentence(figures.prompt_tokens, "prompt tokens", prompt));
    else if (exceeds(figures.cached_tokens, figures.prompt_tokens))
        reasons.push_back(
            sentence(figures.cached_tokens, "cached prompt tokens", "more than the prompt has"));
    if (reasons.size() > before)
        figures.prompt_tokens = figures.cached_tokens = figures.uncached_tokens = std::nullopt;
    return reasons;
}

} // namespace ep::attach
