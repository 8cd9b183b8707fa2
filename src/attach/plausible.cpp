// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/plausible.h"

#include "ep/core/format.h"

namespace ep::attach {

namespace {

// 100,000 tokens per second, ten times as fast as a model of a few kilobytes.
constexpr Nanoseconds kShortestToken = 10'000;
// Shorter, because the tokens of a prompt are computed in parallel.
constexpr Nanoseconds kShortestPromptToken = 100;
constexpr std::int64_t kLongestContext = 100'000'000; // tokens; cached ones take no time

using Count = std::optional<std::int64_t>;

bool exceeds(const Count& part, const Count& whole)
{
    return part && whole && *part > *whole;
}

bool takesLonger(const Count& count, Nanoseconds each, Nanoseconds most)
{
    return count && *count > most / each + 1;
}

std::string sentence(const Count& count, const std::string& what, const std::string& why)
{
    return ep::Message("The server states %1 %2, %3: that cannot be true, so its count is missing.",
                       *count, what, why);
}

} // namespace

std::vector<std::string> dropImplausible(Figures& figures, const CountBounds& bounds)
{
    std::vector<std::string> reasons;
    const std::string time = "more than can be computed in " + formatDuration(bounds.duration_ns);
    const Count asked = bounds.most_output > 0 ? Count(bounds.most_output) : std::nullopt;
    if (exceeds(figures.output_tokens, asked))
        reasons.push_back(
            sentence(figures.output_tokens, "output tokens",
                     "more than the " + std::to_string(*asked) + " that were asked for"));
    else if (takesLonger(figures.output_tokens, kShortestToken, bounds.duration_ns))
        reasons.push_back(sentence(figures.output_tokens, "output tokens", time));
    else if (figures.output_tokens == 0 && bounds.parts > 0)
        reasons.push_back(
            sentence(0, "output tokens",
                     "but sent " + std::to_string(bounds.parts) + " parts of an answer"));
    else if (exceeds(figures.reasoning_tokens, figures.output_tokens))
        reasons.push_back(sentence(figures.reasoning_tokens, "tokens of reasoning",
                                   "more than its output tokens"));
    if (!reasons.empty()) {
        figures.output_tokens = figures.reasoning_tokens = std::nullopt;
        figures.draft_tokens = figures.draft_accepted_tokens = std::nullopt;
    }
    const std::size_t before = reasons.size();
    if (takesLonger(figures.uncached_tokens, kShortestPromptToken, bounds.duration_ns))
        reasons.push_back(sentence(figures.uncached_tokens, "computed prompt tokens", time));
    else if (figures.prompt_tokens == 0)
        reasons.push_back(sentence(0, "prompt tokens", "fewer than any prompt has"));
    else if (figures.prompt_tokens && *figures.prompt_tokens > kLongestContext)
        reasons.push_back(sentence(figures.prompt_tokens, "prompt tokens",
                                   "more than any model's context holds"));
    else if (exceeds(figures.cached_tokens, figures.prompt_tokens))
        reasons.push_back(
            sentence(figures.cached_tokens, "cached prompt tokens", "more than the prompt has"));
    if (reasons.size() > before)
        figures.prompt_tokens = figures.cached_tokens = figures.uncached_tokens = std::nullopt;
    return reasons;
}

} // namespace ep::attach
