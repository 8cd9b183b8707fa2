// SPDX-License-Identifier: GPL-3.0-or-later
#include "power/live_energy.h"
#include "support/milliseconds.h"

#include <gtest/gtest.h>

namespace {

using namespace ep;
using session::PhaseClock;
using session::TokenComplete;

using ep::test::kMs;

PowerSample watts(double power, Nanoseconds beginMs, Nanoseconds endMs)
{
    PowerSample sample;
    sample.window = {beginMs * kMs, endMs * kMs};
    sample.power_mw[Rail::Cpu] = Milliwatts{power * 1000.0};
    sample.total_mw = sample.power_mw[Rail::Cpu];
    return sample;
}

// From 200 to 210 ms, half of it in one layer, a fifth in one component.
TokenComplete tokenAt200()
{
    TokenComplete event;
    event.token.time = {200 * kMs, 210 * kMs};
    event.layers.resize(1);
    event.layers[0].time = {200 * kMs, 205 * kMs};
    event.components.resize(1);
    event.components[0].time = {201 * kMs, 203 * kMs};
    return event;
}

TEST(EstimateEnergy, HoldsTheLastPowerOverTheToken)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(5.0, 0, 100), watts(10.0, 100, 190)});
    ASSERT_TRUE(event.token.energy.total_mj.has_value());
    EXPECT_NEAR(event.token.energy.total_mj->value, 100.0, 1e-9); // 10 W x 10 ms
    EXPECT_NEAR(event.layers[0].energy_mj->value, 50.0, 1e-9);
    EXPECT_NEAR(event.components[0].energy_mj->value, 20.0, 1e-9);
}

TEST(EstimateEnergy, TakesASampleThatCoversTheTokenAsItIs)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(10.0, 100, 205), watts(20.0, 205, 300)});
    EXPECT_NEAR(event.token.energy.total_mj.value().value, 150.0, 1e-9);
}

TEST(EstimateEnergy, CountersAreNotCountedTwice)
{
    PowerSample counted = watts(10.0, 100, 200);
    counted.energy_mj[Rail::Cpu] = Millijoules{1000.0};
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {counted});
    EXPECT_NEAR(event.token.energy.total_mj.value().value, 100.0, 1e-9);
}

// A rail that an earlier sample of the run had and the last sample lacks is not zero.
TEST(EstimateEnergy, MissesTheRailsOfEarlierSamples)
{
    TokenComplete event = tokenAt200();
    estimateEnergy(event, {watts(10.0, 100, 205), watts(20.0, 205, 300)}, {Rail::Cpu, Rail::Gpu});
    EXPECT_FALSE(event.token.energy.total_mj.has_value());
    EXPECT_TRUE(event.token.energy.rails_mj[Rail::Cpu].has_value());
    EXPECT_FALSE(event.layers[0].energy_mj.has_value());
}

TEST(EstimateEnergy, SaysNothingWithoutRecentSamples)
{
    TokenComplete none = tokenAt200();
    estimateEnergy(none, {});
    EXPECT_FALSE(none.token.energy.total_mj.has_value());
    EXPECT_EQ(none.token.energy.provenance, Provenance::Missing);

    TokenComplete stale = tokenAt200();
    estimateEnergy(stale, {watts(10.0, 0, 20)});
    EXPECT_FALSE(stale.token.energy.total_mj.has_value());
}

TEST(PhaseClock, ClosesAPhaseWhenTheNextBegins)
{
    PhaseClock clock;
    clock.enter(Phase::PreInference, 10);
    clock.enter(Phase::Prefill, 20);
    clock.end(35);
    const std::vector<PhaseSpan> phases = clock.phases();
    ASSERT_EQ(phases.size(), 2U);
    EXPECT_EQ(phases[0].time, (TimeRange{10, 20}));
    EXPECT_EQ(phases[1].phase, Phase::Prefill);
    EXPECT_EQ(phases[1].time, (TimeRange{20, 35}));
}

TEST(PhaseClock, TagsSamplesWhileAPhaseGoesOn)
{
    PhaseClock clock;
    PowerSample before = watts(1.0, 0, 10);
    clock.tag(before);
    EXPECT_EQ(before.phase, Phase::Idle);

    clock.enter(Phase::PreInference, 10 * kMs);
    clock.enter(Phase::Prefill, 12 * kMs);
    PowerSample during = watts(1.0, 10, 20);
    clock.tag(during);
    EXPECT_EQ(during.phase, Phase::Prefill);
    EXPECT_NEAR(during.phase_confidence, 0.8, 1e-9);

    clock.end(22 * kMs);
    PowerSample after = watts(1.0, 30, 40);
    clock.tag(after);
    EXPECT_EQ(after.phase, Phase::Idle);
}

} // namespace
