// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/energy_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ep::energy {

using test::counterSample;
using test::kMs;

TEST(EnergyTimeline, KnowsNothingWithoutSamples)
{
    const EnergyTimeline timeline({});
    EXPECT_EQ(timeline.over({0, kMs}), EnergyValue{});
    EXPECT_FALSE(timeline.powerAt(0).has_value());
    EXPECT_EQ(timeline.coveredNs({0, kMs}), 0);
}

TEST(EnergyTimeline, SplitsStraddlingWindowsInProportion)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0, 10.0),
                                           counterSample(100, 200, 200.0, 20.0),
                                           counterSample(200, 300, 400.0, 40.0)};
    const EnergyTimeline timeline(samples);

    const EnergyValue energy = timeline.over({75 * kMs, 250 * kMs});
    EXPECT_DOUBLE_EQ(energy.rails_mj[Rail::Cpu]->value, 25.0 + 200.0 + 200.0);
    EXPECT_DOUBLE_EQ(energy.rails_mj[Rail::Gpu]->value, 2.5 + 20.0 + 20.0);
    EXPECT_DOUBLE_EQ(energy.total_mj->value, 467.5);
    EXPECT_EQ(energy.provenance, Provenance::Measured);
    EXPECT_FALSE(energy.rails_mj[Rail::Ane].has_value());
}

TEST(EnergyTimeline, TellsWholeWindowsFromParts)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0),
                                           counterSample(100, 200, 200.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_EQ(timeline.over({0, 100 * kMs}).provenance, Provenance::Measured);
    EXPECT_EQ(timeline.over({0, 101 * kMs}).provenance, Provenance::Measured);
    EXPECT_EQ(timeline.over({1, 100 * kMs}).provenance, Provenance::Attributed);
    EXPECT_EQ(timeline.over({50 * kMs, 150 * kMs}).provenance, Provenance::Attributed);
}

TEST(EnergyTimeline, UncoveredTimeIsMissingNotZero)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0),
                                           counterSample(100, 200, 100.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_EQ(timeline.over({150 * kMs, 250 * kMs}).provenance, Provenance::Missing);
    EXPECT_FALSE(timeline.over({150 * kMs, 250 * kMs}).total_mj.has_value());
    EXPECT_FALSE(timeline.totalOver({-kMs, kMs}).has_value());
    EXPECT_EQ(timeline.coveredNs({150 * kMs, 250 * kMs}), 50 * kMs);
}

TEST(EnergyTimeline, JoinsSmallGapsButNotLongOnes)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0),
                                           counterSample(102, 200, 100.0),
                                           counterSample(500, 600, 100.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_DOUBLE_EQ(timeline.over({0, 200 * kMs}).total_mj->value, 200.0);
    EXPECT_FALSE(timeline.over({0, 600 * kMs}).total_mj.has_value());
    EXPECT_EQ(timeline.coveredNs({0, 600 * kMs}), 300 * kMs);
}

TEST(EnergyTimeline, OverlappingWindowsLoseNoCountedEnergy)
{
    const std::vector<PowerSample> samples{
        counterSample(0, 100, 100.0), counterSample(90, 200, 110.0), counterSample(150, 199, 7.0),
        counterSample(200, 300, 50.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_DOUBLE_EQ(timeline.over({0, 300 * kMs}).total_mj->value, 267.0);
}

TEST(EnergyTimeline, ARailThatIsSometimesAbsentIsMissingForTheRange)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0, 50.0),
                                           counterSample(100, 200, 100.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_TRUE(timeline.over({0, 100 * kMs}).rails_mj[Rail::Gpu].has_value());
    EXPECT_FALSE(timeline.over({0, 200 * kMs}).rails_mj[Rail::Gpu].has_value());
}

TEST(EnergyTimeline, OneModelledSampleMakesTheAnswerModelled)
{
    std::vector<PowerSample> samples{counterSample(0, 100, 100.0), counterSample(100, 200, 100.0)};
    samples[1].modelled = true;
    const EnergyTimeline timeline(samples);
    EXPECT_EQ(timeline.over({0, 100 * kMs}).provenance, Provenance::Measured);
    EXPECT_EQ(timeline.over({0, 101 * kMs}).provenance, Provenance::Modelled);
}

TEST(EnergyTimeline, UsesPowerWhereThereIsNoCounter)
{
    PowerSample sample;
    sample.window = {0, 100 * kMs};
    sample.power_mw[Rail::System] = Milliwatts{5000.0};
    const EnergyTimeline timeline(std::vector{sample});
    EXPECT_DOUBLE_EQ(timeline.over({0, 50 * kMs}).total_mj->value, 250.0);
    EXPECT_DOUBLE_EQ(timeline.powerAt(10 * kMs)->value, 5000.0);
}

TEST(EnergyTimeline, AnEmptyRangeHasNoEnergyButIsKnown)
{
    const EnergyTimeline timeline(std::vector{counterSample(0, 100, 100.0)});
    EXPECT_EQ(timeline.totalOver({50 * kMs, 50 * kMs}), Millijoules{0.0});
    EXPECT_FALSE(timeline.totalOver({200 * kMs, 200 * kMs}).has_value());
}

TEST(EnergyTimeline, AdjacentRangesAddUpToTheirUnion)
{
    std::mt19937 random(7);
    std::uniform_int_distribution<Nanoseconds> windowMs(80, 130);
    std::uniform_int_distribution<int> energy(0, 3000);
    std::vector<PowerSample> samples;
    for (Nanoseconds at = 0; samples.size() < 500;) {
        const Nanoseconds end = at + windowMs(random);
        samples.push_back(counterSample(at, end, energy(random), energy(random)));
        at = end;
    }
    const EnergyTimeline timeline(samples);
    const TimeRange all{samples.front().window.begin_ns, samples.back().window.end_ns};

    std::uniform_int_distribution<Nanoseconds> step(1, 40 * kMs);
    double sum = 0.0;
    for (Nanoseconds at = all.begin_ns; at < all.end_ns;) {
        const Nanoseconds end = std::min(all.end_ns, at + step(random));
        const std::optional<Millijoules> part = timeline.totalOver({at, end});
        ASSERT_TRUE(part.has_value());
        sum += part->value;
        at = end;
    }
    const double whole = timeline.totalOver(all)->value;
    EXPECT_NEAR(sum, whole, 1e-9 * whole);
}

} // namespace ep::energy
