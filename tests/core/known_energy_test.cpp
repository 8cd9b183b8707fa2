// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/known_energy.h"

#include <gtest/gtest.h>

namespace ep {
namespace {

EnergyValue measuredValue(double mj)
{
    EnergyValue energy;
    energy.total_mj = Millijoules{mj};
    energy.provenance = Provenance::Measured;
    return energy;
}

// 10 ns before 3 tokens: 100 ns for the prefill, and 50 ns for each decoded one.
Run makeRun()
{
    Run run;
    run.trace.time = {0, 210};
    run.trace.phases = {{Phase::Idle, {-100, 0}, {}},
                        {Phase::PreInference, {0, 10}, measuredValue(1.0)},
                        {Phase::Prefill, {10, 110}, measuredValue(20.0)},
                        {Phase::Decode, {110, 210}, measuredValue(30.0)}};
    run.trace.tokens.resize(3);
    for (int i = 0; i < 3; ++i) {
        TokenSpan& token = run.trace.tokens[static_cast<std::size_t>(i)];
        token.index = i;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        token.time = i == 0 ? TimeRange{10, 110} : TimeRange{60 + 50 * i, 110 + 50 * i};
        token.energy = measuredValue(i == 0 ? 20.0 : 14.0);
    }
    run.metrics.energy = measuredValue(51.0);
    return run;
}

TEST(KnownEnergy, IsTheOwnWhereNothingIsMissing)
{
    const ep::Run run = makeRun();
    EXPECT_EQ(knownEnergy(run), tallyOf(run.trace.time, run.metrics.energy));
    EXPECT_EQ(knownEnergy(run.trace, run.trace.phases[3]).energy_mj, Millijoules{30.0});
    EXPECT_FALSE(knownEnergy(run).partial());
}

TEST(KnownEnergy, IsThatOfThePartsWhereSomeIsMissing)
{
    ep::Run run = makeRun();
    run.trace.tokens[2].energy = {};
    run.trace.phases[3].energy = {};
    run.metrics.energy = {};
    const Tally decode = knownEnergy(run.trace, run.trace.phases[3]);
    EXPECT_EQ(decode.energy_mj, Millijoules{14.0});
    EXPECT_EQ(decode.duration_ns, 100);
    EXPECT_EQ(decode.uncovered_ns(), 50);
    const Tally whole = knownEnergy(run);
    EXPECT_EQ(whole.energy_mj, Millijoules{35.0});
    EXPECT_EQ(whole.duration_ns, 210);
    EXPECT_EQ(whole.uncovered_ns(), 50);
    EXPECT_TRUE(whole.partial());
}

TEST(KnownEnergy, OfNothingIsMissing)
{
    ep::Run run = makeRun();
    for (TokenSpan& token : run.trace.tokens)
        token.energy = {};
    for (PhaseSpan& phase : run.trace.phases)
        phase.energy = {};
    run.metrics.energy = {};
    EXPECT_FALSE(knownEnergy(run).energy_mj);
    EXPECT_EQ(knownEnergy(run).uncovered_ns(), 210);
    EXPECT_FALSE(knownEnergy(run.trace, run.trace.phases[0]).energy_mj); // no tokens while idle
}

} // namespace
} // namespace ep
