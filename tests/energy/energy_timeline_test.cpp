// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/energy_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

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

// 10 W for 2 s in windows of 100 ms; `shape` changes what the source delivered.
template <typename Shape>
std::vector<PowerSample> tenWatts(Shape shape)
{
    std::vector<PowerSample> samples;
    for (Nanoseconds at = 0; at < 2000; at += 100)
        samples.push_back(counterSample(at, at + 100, 600.0, 400.0));
    shape(samples);
    return samples;
}

// Neither a source that reports power, nor a counter that lost a reading knows anything about the
// time in between.
TEST(EnergyTimeline, ALostWindowIsMissingHoweverShortItIs)
{
    for (const Nanoseconds lost : {11, 50, 100, 101, 400}) {
        const EnergyTimeline timeline(tenWatts([&](std::vector<PowerSample>& samples) {
            samples[10].window.begin_ns += lost * kMs;
            if (samples[10].window.empty())
                samples.erase(samples.begin() + 10, samples.begin() + 10 + (lost + 99) / 100);
        }));
        const TimeRange all{0, 2000 * kMs};
        EXPECT_FALSE(timeline.totalOver(all).has_value()) << lost;
        EXPECT_EQ(timeline.over(all), EnergyValue{}) << lost;
        EXPECT_LT(timeline.coveredNs(all), 2000 * kMs) << lost;
        EXPECT_EQ(timeline.known(all).covered_ns, timeline.coveredNs(all)) << lost;
        EXPECT_TRUE(timeline.totalOver({0, 1000 * kMs}).has_value()) << lost;
    }
}

TEST(EnergyTimeline, GivesThePartThatIsKnown)
{
    const EnergyTimeline timeline(tenWatts([](std::vector<PowerSample>& samples) {
        samples.erase(samples.begin() + 10);
        samples[14].energy_mj[Rail::Gpu].reset();
        samples[14].power_mw[Rail::Gpu].reset();
    }));
    const KnownEnergy known = timeline.known({50 * kMs, 1950 * kMs});
    EXPECT_EQ(known.covered_ns, 1700 * kMs);
    EXPECT_DOUBLE_EQ(known.total_mj->value, 17'000.0);
    const KnownEnergy nothing = timeline.known({1010 * kMs, 1090 * kMs});
    EXPECT_EQ(nothing.covered_ns, 0);
    EXPECT_FALSE(nothing.total_mj.has_value());
}

TEST(EnergyTimeline, ARailThatIsOnceAbsentIsNotZeroInTheTotal)
{
    const EnergyTimeline timeline(tenWatts([](std::vector<PowerSample>& samples) {
        samples[10].energy_mj[Rail::Gpu].reset();
        samples[10].power_mw[Rail::Gpu].reset();
        samples[10].total_mw = samples[10].power_mw[Rail::Cpu];
    }));
    const EnergyValue energy = timeline.over({0, 2000 * kMs});
    EXPECT_FALSE(energy.total_mj.has_value());
    EXPECT_EQ(energy.provenance, Provenance::Missing);
    EXPECT_DOUBLE_EQ(energy.rails_mj[Rail::Cpu]->value, 12'000.0);
    EXPECT_FALSE(energy.rails_mj[Rail::Gpu].has_value());
    EXPECT_DOUBLE_EQ(timeline.totalOver({0, 1000 * kMs})->value, 10'000.0);
    EXPECT_DOUBLE_EQ(timeline.known({0, 2000 * kMs}).total_mj->value, 19'000.0);
    EXPECT_EQ(timeline.rails(), (std::vector{Rail::Cpu, Rail::Gpu}));
}

TEST(EnergyTimeline, JoinsWhatStampsAreOffBy)
{
    const std::vector<PowerSample> samples{counterSample(0, 100, 100.0),
                                           counterSample(102, 200, 100.0),
                                           counterSample(195, 300, 100.0)};
    const EnergyTimeline timeline(samples);
    EXPECT_DOUBLE_EQ(timeline.over({0, 300 * kMs}).total_mj->value, 300.0);
    EXPECT_EQ(timeline.coveredNs({0, 300 * kMs}), 300 * kMs);
    EXPECT_EQ(timeline.windows()[1].bridged_ns, 2 * kMs);
    EXPECT_EQ(timeline.windows()[2].bridged_ns, -5 * kMs);

    // A mean power is valid for its whole window.
    std::vector<PowerSample> powers = samples;
    for (PowerSample& sample : powers) {
        sample.energy_mj = {};
        sample.power_mw[Rail::Cpu] = Milliwatts{1000.0};
    }
    EXPECT_DOUBLE_EQ(EnergyTimeline(powers).totalOver({0, 300 * kMs})->value, 300.0);
}

TEST(EnergyTimeline, CountsNoTimeTwice)
{
    const std::vector<PowerSample> samples{
        counterSample(0, 100, 100.0), counterSample(50, 150, 100.0), counterSample(60, 140, 80.0),
        counterSample(150, 250, 100.0), counterSample(250, 350, 100.0)};
    EXPECT_DOUBLE_EQ(EnergyTimeline(samples).totalOver({0, 350 * kMs})->value, 350.0);
    // Puts a summary of all samples in front of them.
    std::vector<PowerSample> summed = samples;
    summed.insert(summed.begin(), counterSample(0, 350, 350.0));
    EXPECT_DOUBLE_EQ(EnergyTimeline(summed).totalOver({0, 350 * kMs})->value, 350.0);
}

TEST(EnergyTimeline, SumsAreExactBeyondSixtyFourBits)
{
    // 10 MJ, 100 GJ, 1e15 J; each as 1000 windows.
    for (const double joules : {1e7, 1e11, 1e15}) {
        std::vector<PowerSample> samples;
        for (int i = 0; i < 1000; ++i)
            samples.push_back(counterSample(100 * i, 100 * (i + 1), joules));
        const EnergyTimeline timeline(samples);
        const TimeRange all{0, 100'000 * kMs};
        EXPECT_DOUBLE_EQ(timeline.totalOver(all)->value, 1e3 * joules);
        Picojoules sum = 0;
        for (Nanoseconds at = 0; at < all.end_ns; at += 37 * kMs)
            sum += *timeline.totalPicojoules({at, std::min(all.end_ns, at + 37 * kMs)});
        EXPECT_TRUE(sum == *timeline.totalPicojoules(all)) << joules;
        // One more millijoule is noticed.
        samples.push_back(counterSample(100'000, 100'100, 1.0));
        const EnergyTimeline longer(samples);
        EXPECT_TRUE(*longer.totalPicojoules({0, 100'100 * kMs}) - sum == 1'000'000'000) << joules;
    }
}

TEST(Picojoules, RoundAndComeBack)
{
    for (const double mj : {0.0, 1.0, -2.5, 1e-9, 9.3e9, 1e18})
        EXPECT_DOUBLE_EQ(fromPicojoules(toPicojoules(Millijoules{mj})).value, mj);
    EXPECT_TRUE(toPicojoules(Millijoules{1.6e-9}) == 2);
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
