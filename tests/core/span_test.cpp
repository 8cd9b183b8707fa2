// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/tally.h"
#include "ep/core/trace.h"

#include <gtest/gtest.h>

#include <limits>

namespace ep {
namespace {

// A run of a thousand tokens at depth `deep` has a million spans.
static_assert(sizeof(Span) <= 120);

TEST(Span, KeepsEveryEnergyOfASection)
{
    EnergyValue partly{.rails_mj = {},
                       .total_mj = Millijoules{-0.0},
                       .provenance = Provenance::Measured,
                       .sd_mj = Millijoules{4.9e-324},
                       .alternative_mj = Millijoules{0.1}};
    EnergyValue whole = partly;
    whole.rails_mj[Rail::Ane] = Millijoules{0.0};
    EnergyValue refused;
    refused.sd_mj = Millijoules{3.0};
    for (const EnergyValue& energy : {EnergyValue(), partly, whole, refused}) {
        const Span span = Span::ofSection(Phase::Decode, Section::LmHead, 3, {1, 5}, energy);
        const Span copy = span; // shares the rails
        EXPECT_EQ(copy.energy(), energy);
        EXPECT_EQ(copy, span);
        EXPECT_EQ(tallyOf(copy), tallyOf(TimeRange{1, 5}, energy));
    }
}

TEST(Span, APartOfAStepHasAShareOfItsTokensEnergy)
{
    const Span span = Span::ofLayer(1, 0, {1, 5}, Millijoules{2.0});
    EXPECT_EQ(tallyOf(span).provenance, Provenance::Attributed);
    EXPECT_EQ(tallyOf(span, Provenance::Measured).provenance, Provenance::Attributed);
    EXPECT_EQ(tallyOf(span, Provenance::Modelled).provenance, Provenance::Modelled);
    EXPECT_FALSE(tallyOf(Span::ofLayer(1, 0, {1, 5})).energy_mj);
}

TEST(MaybeMillijoules, ComparesLikeAnOptional)
{
    using Optional = std::optional<Millijoules>;
    const Millijoules nan{std::numeric_limits<double>::quiet_NaN()};
    EXPECT_EQ(MaybeMillijoules(nan), std::nullopt);
    for (const Optional& a : {Optional(), Optional(Millijoules{}), Optional(Millijoules{2.0})}) {
        const MaybeMillijoules maybe = a;
        EXPECT_EQ(Optional(maybe), a);
        for (const Optional& b : {Optional(), Optional(Millijoules{2.0})}) {
            EXPECT_EQ(maybe == b, a == b);
            EXPECT_EQ(b == maybe, a == b);
            EXPECT_EQ(maybe == MaybeMillijoules(b), a == b);
        }
    }
}

TEST(SpanLists, HaveTheListOfEachLevel)
{
    RunTrace trace;
    for (const SpanLevel level : kSpanLevels)
        trace.spans(level).push_back({.level = level});
    EXPECT_EQ(trace.sections.front().level, SpanLevel::Section);
    EXPECT_EQ(trace.layers.front().level, SpanLevel::Layer);
    EXPECT_EQ(trace.components.front().level, SpanLevel::Component);
    EXPECT_EQ(trace.operations.front().level, SpanLevel::Operation);
}

} // namespace
} // namespace ep
