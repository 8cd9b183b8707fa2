// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_tree.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep {
namespace {

EnergyValue energyOf(double mj, double sd)
{
    return {.rails_mj = {},
            .total_mj = Millijoules{mj},
            .provenance = Provenance::Attributed,
            .sd_mj = Millijoules{sd}};
}

struct Phases {
    std::vector<TokenSpan> tokens;
    std::vector<PhaseSpan> phases;
};

// A hundred tokens of 10 mJ, each known to 5 %, their sum to 0.5 %.
Phases decoding()
{
    Phases result;
    for (int i = 1; i <= 100; ++i) {
        TokenSpan& token = result.tokens.emplace_back();
        token.index = i;
        token.time = {i * 10, i * 10 + 10};
        token.energy = energyOf(10.0, 0.5);
    }
    result.phases.push_back({Phase::Decode, {10, 1010}, energyOf(1000.0, 5.0)});
    return result;
}

Tally ofComponent(double mj, double sd)
{
    return tallyOf(400, Millijoules{mj}, Provenance::Attributed, Millijoules{sd});
}

// A component whose spans have an error of 13 %: 12 % common to all of them, and 5 % from the
// windows.
TEST(PhaseErrors, WhatWindowsErrByAveragesOutAndWhatAKindErrsByDoesNot)
{
    const Phases known = decoding();
    const PhaseErrors errors(known.tokens, known.phases);
    const Tally sum = errors.averaged(ofComponent(200.0, 0.13 * 200.0), Phase::Decode);
    EXPECT_NEAR(sum.sd_mj->value, 200.0 * std::hypot(0.12, 0.005), 1e-9);
    EXPECT_EQ(sum.energy_mj, Millijoules{200.0});
    const Tally exact = errors.averaged(ofComponent(200.0, 0.05 * 200.0), Phase::Decode);
    EXPECT_NEAR(exact.sd_mj->value, 200.0 * 0.005, 1e-9);
}

TEST(PhaseErrors, NothingChangesWhereOneOfThemIsUnknown)
{
    const Tally sum = ofComponent(200.0, 26.0);
    EXPECT_EQ(PhaseErrors().averaged(sum, Phase::Decode), sum);
    const Phases known = decoding();
    EXPECT_EQ(PhaseErrors(known.tokens, known.phases).averaged(sum, Phase::Prefill), sum);
    EXPECT_EQ(PhaseErrors(known.tokens, {}).averaged(sum, Phase::Decode), sum);
    Phases lacking = decoding();
    lacking.tokens[7].energy = {};
    EXPECT_EQ(PhaseErrors(lacking.tokens, lacking.phases).averaged(sum, Phase::Decode), sum);
    Phases wide = decoding();
    wide.phases[0].energy = energyOf(1000.0, 80.0);
    EXPECT_EQ(PhaseErrors(wide.tokens, wide.phases).averaged(sum, Phase::Decode), sum);
}

Span sectionOf(Phase phase, Section section, Nanoseconds duration,
               std::optional<SpanWork> work = std::nullopt)
{
    Span span = Span::ofSection(phase, section, kNoToken, {0, duration});
    span.work = work;
    return span;
}

// Sums also add up in pieces, the way a stored run is read.
TEST(SectionSums, AddUpByPhaseInTheOrderOfTheirFirstOccurrence)
{
    SectionSums sums;
    sums.add({sectionOf(Phase::Decode, Section::Sampling, 1, SpanWork{5, 7}),
              sectionOf(Phase::Decode, Section::Embedding, 2)});
    sums.add({sectionOf(Phase::Decode, Section::Sampling, 4, SpanWork{1, 1}),
              sectionOf(Phase::Prefill, Section::Sampling, 8)});
    const std::vector<SectionSum>& decode = sums.of(Phase::Decode);
    ASSERT_EQ(decode.size(), 2U);
    EXPECT_EQ(decode[0].section, Section::Sampling);
    EXPECT_EQ(decode[0].sum.duration_ns, 5);
    EXPECT_EQ(decode[0].sum.spans, 2);
    EXPECT_EQ(decode[0].work.flops, 6.0);
    EXPECT_TRUE(decode[0].work.complete);
    EXPECT_FALSE(decode[1].work.complete);
    EXPECT_EQ(sums.of(Phase::Prefill).size(), 1U);
    EXPECT_TRUE(sums.of(Phase::Idle).empty());
}

// Requests may follow each other in one run.
TEST(SumsOfPhases, AddUpAllSpansOfAPhase)
{
    RunTrace trace;
    trace.phases = {{Phase::Idle, {0, 1}, {}},
                    {Phase::Prefill, {1, 3}, energyOf(2.0, 0.1)},
                    {Phase::Decode, {3, 6}, energyOf(3.0, 0.1)},
                    {Phase::Prefill, {6, 10}, {}}};
    trace.sections = {sectionOf(Phase::Prefill, Section::LmHead, 1),
                      sectionOf(Phase::Prefill, Section::Embedding, 1)};
    const std::vector<PhaseSum> sums = sumsOfPhases(trace);
    ASSERT_EQ(sums.size(), 2U);
    EXPECT_EQ(sums[0].phase, Phase::Prefill);
    EXPECT_EQ(sums[0].stored.duration_ns, 6);
    EXPECT_FALSE(sums[0].stored.complete());
    ASSERT_EQ(sums[0].sections.size(), 2U);
    EXPECT_EQ(sums[0].sections[0].section, Section::Embedding); // in the order of Section
    EXPECT_EQ(sums[1].sum.energy_mj, Millijoules{3.0});
}

TEST(StatsSum, TakesMeansOverSpansAndTheLargestMaximum)
{
    EXPECT_FALSE(StatsSum().mean());
    StatsSum sum;
    sum.add({1.0F, 2.0F, 3.0F, 0.5F});
    sum.add({2.0F, 4.0F, std::nanf(""), 0.0F}, 3); // the means of three spans
    EXPECT_EQ(sum.spans, 4);
    EXPECT_EQ(sum.mean(), (ActivationStats{1.75F, 3.5F, 3.0F, 0.125F}));
}

TEST(Remainder, OfARoundingErrorIsZeroEnergy)
{
    const Tally whole = tallyOf(1000, Millijoules{10.0}, Provenance::Measured);
    struct Case {
        Nanoseconds time;
        double mj; // of the parts
        double rest;
        bool remains;
    };
    for (const Case& c : {Case{900, 9.0, 1.0, true}, Case{1000, 10.0 - 1e-9, 0.0, false},
                          Case{1000, 10.0 - 1e-7, 1e-7, false}, Case{1000, 9.9, 0.1, true},
                          Case{900, 10.0 - 1e-9, 0.0, true}}) {
        const Tally rest =
            remainderOf(whole, tallyOf(c.time, Millijoules{c.mj}, Provenance::Measured));
        ASSERT_TRUE(rest.energy_mj);
        EXPECT_NEAR(rest.energy_mj->value, c.rest, 1e-12) << c.mj;
        EXPECT_EQ(isRemainder(rest, whole), c.remains) << c.mj;
    }
}

} // namespace
} // namespace ep
