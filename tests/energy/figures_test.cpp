// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/baseline.h"
#include "ep/energy/figures.h"
#include "ep/energy/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

namespace {

RunSummary answerOf(double joules, double seconds, double idleWatts, double batteryJoules)
{
    RunSummary run;
    run.metrics.duration_ns = static_cast<Nanoseconds>(seconds * 1e9);
    run.metrics.energy.rails_mj[Rail::System] = Millijoules{joules * 1e3};
    run.metrics.energy.rails_mj[Rail::Cpu] = Millijoules{joules * 0.5e3};
    run.info.power.battery_mj = Millijoules{batteryJoules * 1e3};
    BaselineRecord& baseline = run.info.power.baseline.emplace();
    baseline.power_mw[Rail::System] = Milliwatts{idleWatts * 1e3};
    baseline.power_mw[Rail::Cpu] = Milliwatts{idleWatts * 0.2e3};
    return run;
}

} // namespace

// A battery discharged in steps of 10 ms; the answers vary by a tenth around the measured one.
TEST(AnswersPerCharge, AgreeWithASimulatedDischarge)
{
    struct Case {
        double joules, seconds, idleWatts, batteryJoules;
        bool spaced;
    };
    for (const Case& c :
         {Case{250.0, 10.0, 5.0, 180'000.0, false}, Case{250.0, 10.0, 5.0, 180'000.0, true},
          Case{3000.0, 170.0, 4.0, 400'000.0, true}, Case{4000.0, 200.0, 4.0, 400'000.0, true}}) {
        const auto answers =
            answersPerCharge(answerOf(c.joules, c.seconds, c.idleWatts, c.batteryJoules));
        std::mt19937_64 engine(9);
        constexpr double kStep = 0.01;
        double left = c.batteryJoules;
        int given = 0;
        while (left > 0.0) {
            const double factor = 0.9 + 0.2 * static_cast<double>(engine() >> 11U) * 0x1p-53;
            double time = 0.0;
            for (; time < c.seconds && left > 0.0; time += kStep)
                left -= c.joules * factor / c.seconds * kStep;
            given += left > 0.0 ? 1 : 0;
            for (; c.spaced && time < 180.0 && left > 0.0; time += kStep)
                left -= c.idleWatts * kStep;
        }
        const double expected = c.spaced ? *answers.every_three_minutes : *answers.in_a_row;
        EXPECT_NEAR(given / expected, 1.0, 0.03) << c.joules << ' ' << c.spaced;
        EXPECT_TRUE(answers.reason.empty());
    }
}

TEST(AnswersPerCharge, SayWhatIsMissing)
{
    RunSummary run = answerOf(250.0, 10.0, 5.0, 180'000.0);
    run.info.power.baseline->power_mw[Rail::System].reset();
    auto answers = answersPerCharge(run);
    EXPECT_TRUE(answers.in_a_row);
    EXPECT_FALSE(answers.every_three_minutes);
    EXPECT_NE(answers.reason.find("idle power"), std::string::npos);
    run.info.power.battery_mj.reset();
    answers = answersPerCharge(run);
    EXPECT_FALSE(answers.in_a_row);
    EXPECT_NE(answers.reason.find("battery"), std::string::npos);
    run.metrics.energy.rails_mj[Rail::System].reset();
    answers = answersPerCharge(run);
    EXPECT_FALSE(answers.in_a_row);
    EXPECT_NE(answers.reason.find("whole machine"), std::string::npos);
}

TEST(Baseline, IsTheWholeWindowsOfTheIdleTime)
{
    const std::vector<PowerSample> samples{
        counterSample(0, 100, 9.0), counterSample(100, 200, 20.0, 4.0),
        counterSample(200, 400, 60.0, 8.0), counterSample(400, 500, 90.0)};
    const auto baseline =
        measureBaseline(samples, {50 * kMs, 450 * kMs}, 1000 * kMs, BaselineMoment::BeforeLoad);
    ASSERT_TRUE(baseline.has_value());
    EXPECT_EQ(baseline->samples, 2);
    EXPECT_EQ(baseline->duration_ns, 300 * kMs);
    EXPECT_EQ(baseline->age_ns, 600 * kMs);
    EXPECT_NEAR(baseline->power_mw[Rail::Cpu]->value, 80.0 / 0.3, 1e-9);
    EXPECT_NEAR(baseline->total_mw->value, 92.0 / 0.3, 1e-9);
    EXPECT_NEAR(baseline->power_mw[Rail::Gpu]->value, 40.0, 1e-9);
    EXPECT_NEAR(baseline->sd_mw[Rail::Gpu]->value, 0.0, 1e-9);
    EXPECT_FALSE(baseline->power_mw[Rail::Dram].has_value());
    EXPECT_NEAR(netEnergy(Millijoules{100.0}, 300 * kMs, baseline)->value, 8.0, 1e-9);
    EXPECT_NEAR(netRails({.values = {Millijoules{100.0}}}, 300 * kMs, baseline)[Rail::Cpu]->value,
                20.0, 1e-9);
    EXPECT_FALSE(netEnergy({}, 300 * kMs, baseline).has_value());
    // The machine was not idle while the baseline was taken: unknown rather than negative.
    EXPECT_FALSE(netEnergy(Millijoules{91.0}, 300 * kMs, baseline).has_value());
    EXPECT_FALSE(
        netRails({.values = {Millijoules{79.0}}}, 300 * kMs, baseline)[Rail::Cpu].has_value());
    EXPECT_FALSE(netEnergy(Millijoules{1.0}, kMs, {}).has_value());
    EXPECT_FALSE(
        measureBaseline(samples, {10 * kMs, 20 * kMs}, 0, BaselineMoment::AfterLoad).has_value());
}

TEST(Baseline, TakesWindowsThatHaveEveryRailForTheTotal)
{
    std::vector<PowerSample> samples;
    for (int i = 0; i < 10; ++i)
        samples.push_back(counterSample(100 * i, 100 * (i + 1), 60.0, 40.0));
    samples[4].energy_mj[Rail::Gpu].reset();
    samples[4].power_mw[Rail::Gpu].reset();
    const auto baseline =
        measureBaseline(samples, {0, 1000 * kMs}, 1000 * kMs, BaselineMoment::AfterLoad);
    EXPECT_NEAR(baseline->power_mw[Rail::Gpu]->value, 400.0, 1e-9);
    EXPECT_NEAR(baseline->total_mw->value, 1000.0, 1e-9);
    EXPECT_NEAR(baseline->total_sd_mw->value, 0.0, 1e-9);
}

// The mean of 500 windows is 22 times as precise as one window if they are independent.
TEST(Baseline, NetEnergyHasADeviation)
{
    std::mt19937 random(3);
    std::normal_distribution<double> noise(0.0, 1.0);
    std::vector<PowerSample> samples;
    std::vector<PowerSample> slow; // as much noise, but each value keeps 0.8 of the previous one
    double value = 0.0;
    for (int i = 0; i < 500; ++i) {
        samples.push_back(counterSample(100 * i, 100 * (i + 1), 100.0 + 10.0 * noise(random)));
        value = 0.8 * value + 0.6 * noise(random);
        slow.push_back(counterSample(100 * i, 100 * (i + 1), 100.0 + 10.0 * value));
    }
    const TimeRange idle{0, 50'000 * kMs};
    const auto independent = measureBaseline(samples, idle, 0, BaselineMoment::AfterLoad);
    const auto alike = measureBaseline(slow, idle, 0, BaselineMoment::AfterLoad);
    const Nanoseconds second = 1000 * kMs;
    const double expected = 100.0 / std::sqrt(500.0); // mW of the mean over 1 s, so mJ
    EXPECT_NEAR(netDeviation(Millijoules{0.0}, second, independent)->value, expected,
                0.15 * expected);
    EXPECT_NEAR(netDeviation(Millijoules{0.0}, second, alike)->value, 3.0 * expected, expected);
    EXPECT_NEAR(netDeviation(Millijoules{30.0}, second, independent)->value,
                std::hypot(30.0, expected), 0.05 * expected);
    EXPECT_FALSE(netDeviation({}, second, independent).has_value());
    EXPECT_FALSE(netDeviation(Millijoules{1.0}, second, {}).has_value());
    const auto once = measureBaseline(samples, {0, 100 * kMs}, 0, BaselineMoment::AfterLoad);
    EXPECT_FALSE(netDeviation(Millijoules{1.0}, second, once).has_value());
}

TEST(Figures, FollowFromTheRecord)
{
    RunSummary run;
    run.metrics.mean_power_mw = Milliwatts{20'000.0};
    EXPECT_FALSE(utilisation(run).has_value());
    run.info.power.rated_mw = Milliwatts{80'000.0};
    EXPECT_DOUBLE_EQ(*utilisation(run), 0.25);
    EXPECT_DOUBLE_EQ(*batteryShare(Millijoules{1.0}, Millijoules{200.0}), 0.005);
    EXPECT_FALSE(batteryShare(Millijoules{1.0}, {}).has_value());
    const Millijoules kilowattHour{3.6e9};
    EXPECT_DOUBLE_EQ(costUsd(kilowattHour, Tariff()), 0.12);
    EXPECT_DOUBLE_EQ(emittedGrams(kilowattHour, *tariffOf("California")), 200.0);
    EXPECT_DOUBLE_EQ(emittedGrams(kilowattHour, *tariffOf("Texas")), 500.0);
    EXPECT_DOUBLE_EQ(emittedGrams(kilowattHour, *tariffOf("EU")), 300.0);
    EXPECT_DOUBLE_EQ(emittedGrams(kilowattHour, *tariffOf("US")), 400.0);
    EXPECT_FALSE(tariffOf("Atlantis").has_value());
}

TEST(Figures, SystemPowerBeyondTheRailsIsARowOfItsOwn)
{
    EnergyValue energy;
    energy.rails_mj[Rail::System] = Millijoules{100.0};
    EXPECT_FALSE(outsideRails(energy).has_value());
    energy.rails_mj[Rail::Cpu] = Millijoules{30.0};
    energy.rails_mj[Rail::Gpu] = Millijoules{25.0};
    EXPECT_DOUBLE_EQ(outsideRails(energy)->value, 45.0);
}

PowerQuality qualityOf(const std::vector<double>& cpu_mj)
{
    RunTrace trace;
    for (std::size_t i = 0; i < cpu_mj.size(); ++i) {
        const auto at = static_cast<Nanoseconds>(100 * i);
        trace.samples.push_back(counterSample(at, at + 100, cpu_mj[i], 50.0));
    }
    trace.time = {0, static_cast<Nanoseconds>(100 * cpu_mj.size()) * kMs};
    return assessQuality(trace, 100);
}

TEST(Quality, SeesStuckAndBatchedCounters)
{
    const std::vector<double> good(12, 40.0);
    EXPECT_EQ(qualityOf(good).verdict, QualityVerdict::Good);
    EXPECT_TRUE(qualityOf(good).reasons.empty());

    const PowerQuality stuck = qualityOf(std::vector<double>(12, 0.0));
    EXPECT_EQ(stuck.stuck, std::vector<Rail>{Rail::Cpu});
    EXPECT_EQ(stuck.verdict, QualityVerdict::Poor);

    const PowerQuality batched = qualityOf({0, 0, 0, 160, 0, 0, 0, 160, 0, 0, 0, 160});
    EXPECT_EQ(batched.batched, std::vector<Rail>{Rail::Cpu});
    EXPECT_EQ(batched.verdict, QualityVerdict::Fair);
    ASSERT_EQ(batched.reasons.size(), 1U);
    EXPECT_NE(batched.reasons[0].english().find("cpu is updated in batches"), std::string::npos);
}

TEST(Quality, EveryReasonHasASentence)
{
    PowerQuality quality;
    quality.asked_interval_ms = 100;
    quality.samples = 20;
    quality.median_interval_ms = 108.0;
    quality.coverage = 1.0;
    const std::vector<std::pair<void (*)(PowerQuality&), QualityVerdict>> faults = {
        {[](PowerQuality&) {}, QualityVerdict::Good},
        {[](PowerQuality& q) { q.samples = 0; }, QualityVerdict::Poor},
        {[](PowerQuality& q) { q.samples = 4; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.coverage = 0.97; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.coverage = 0.5; }, QualityVerdict::Poor},
        {[](PowerQuality& q) { q.gaps = 2; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.dropped = 1; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.median_interval_ms = 180.0; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.thermal = ThermalPressure::Moderate; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.thermal = ThermalPressure::Heavy; }, QualityVerdict::Poor},
        {[](PowerQuality& q) { q.thermal = ThermalPressure::Nominal; }, QualityVerdict::Good},
        {[](PowerQuality& q) { q.on_battery = true; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.on_battery = false; }, QualityVerdict::Good},
        {[](PowerQuality& q) { q.power_mode = PowerMode::Low; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.power_mode = PowerMode::High; }, QualityVerdict::Good},
        {[](PowerQuality& q) { q.other_cpu_share = 0.3; }, QualityVerdict::Fair},
        {[](PowerQuality& q) { q.other_cpu_share = 0.04; }, QualityVerdict::Good},
        {[](PowerQuality& q) {
             q.other_cpu_share = 0.04; // of 16 processors: more than half of one
             q.processors = 16;
         },
         QualityVerdict::Fair},
        {[](PowerQuality& q) { q.own_cpu_share = 0.3; }, QualityVerdict::Fair},
    };
    for (std::size_t i = 0; i < faults.size(); ++i) {
        PowerQuality bad = quality;
        faults[i].first(bad);
        judgeQuality(bad);
        EXPECT_EQ(bad.verdict, faults[i].second) << i;
        EXPECT_EQ(bad.reasons.empty(), bad.verdict == QualityVerdict::Good) << i;
    }
}

} // namespace ep::energy
