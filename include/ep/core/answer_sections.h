// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ep {

// Texts of the annotations that a run has if the model's template marks its thinking.
inline constexpr std::string_view kThinkingSection = "Thinking";
inline constexpr std::string_view kAnswerSection = "Answer";

// A section of the token stream.
struct AnswerSection {
    std::string_view name{}; // kThinkingSection or kAnswerSection
    TimeRange time{};
    std::int64_t tokens = 0; // decoded tokens; the prefill's token belongs to the prompt
    Tally energy{}; // energy of these tokens

    std::optional<double> joulesPerToken() const;
    bool operator==(const AnswerSection&) const = default;
};

bool hasAnswerSections(const RunInfo& info);

// Sums up sections in order of time, for runs whose tokens are read in pieces. A section without
// tokens has no energy, rather than an energy of zero.
class AnswerSections {
public:
    explicit AnswerSections(const RunInfo& info);
    void add(const std::vector<TokenSpan>& tokens);
    const std::vector<AnswerSection>& sections() const { return m_sections; }
    // The section in which the token was decoded; empty: none.
    std::string_view nameFor(const TokenSpan& token) const;

private:
    std::vector<AnswerSection>::const_iterator find(const TokenSpan& token) const;

    std::vector<AnswerSection> m_sections;
};
std::vector<AnswerSection> answerSections(const Run& run); // the run must have its tokens

} // namespace ep
