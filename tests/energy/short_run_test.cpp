// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/chance.h"

#include "ep/core/format.h"
#include "ep/core/metrics.h"
#include "ep/energy/attribute.h"
#include "ep/energy/energy_timeline.h"

#include <gtest/gtest.h>

#include <cmath>

// Runs that are shorter than a window, or end in the middle of one.
namespace ep::energy {

namespace {

using test::Chance;

constexpr Nanoseconds kMs = 1'000'000;

PowerSample window(Nanoseconds beginMs, Nanoseconds endMs, double millijoules)
{
    PowerSample sample;
    sample.window = {beginMs * kMs, endMs * kMs};
    sample.energy_mj[Rail::Cpu] = Millijoules{millijoules};
    return sample;
}

BaselineRecord idleAt(double milliwatts)
{
    BaselineRecord idle;
    idle.power_mw[Rail::Cpu] = idle.total_mw = Milliwatts{milliwatts};
    idle.sd_mw[Rail::Cpu] = idle.total_sd_mw = Milliwatts{0.01 * milliwatts};
    idle.samples = 10;
    return idle;
}

} // namespace

TEST(ShortRuns, HaveAnIntervalWithEveryPowerOfTheTimeOutside)
{
    // 40 ms at 20 W inside a window of 100 ms; the other 60 ms at 5 W, at 20 W, or in between.
    for (const double outside : {5e3, 10e3, 20e3}) {
        RunTrace trace;
        trace.time = {0, 40 * kMs};
        trace.samples = {window(0, 100, 20e3 * 0.04 + outside * 0.06)};
        const EnergyValue run = attribute(trace, {}, idleAt(5e3)).run;
        ASSERT_TRUE(run.total_mj);
        EXPECT_NEAR(run.total_mj->value, 800.0, kHalfInterval95 * run.sd_mj->value) << outside;
        const double mean = 20e3 * 0.4 + outside * 0.6;
        EXPECT_NEAR(run.total_mj->value, 100.0 * mean * 1e-3 - (mean + 5e3) / 2.0 * 0.06, 0.01);
    }
}

TEST(ShortRuns, TakeTheTimeOutsideFromTheNextWindow)
{
    RunTrace trace;
    trace.time = {110 * kMs, 150 * kMs};
    const double energy = 20e3 * 0.04 + 5e3 * 0.06;
    trace.samples = {window(0, 100, 500.0), window(100, 200, energy), window(200, 300, 500.0)};
    const EnergyValue known = attribute(trace, {}, idleAt(5e3)).run;
    EXPECT_NEAR(known.total_mj->value, 800.0, 0.01);
    EXPECT_LT(known.sd_mj->value, 0.05 * 800.0);
    // Something else ran until the run began, perhaps longer.
    trace.samples[0] = window(0, 100, 1200.0);
    const EnergyValue unsure = attribute(trace, {}, idleAt(5e3)).run;
    EXPECT_LT(unsure.total_mj->value, known.total_mj->value);
    EXPECT_GT(unsure.sd_mj->value, known.sd_mj->value);
}

TEST(ShortRuns, PartsAddUpToTheRun)
{
    RunTrace trace;
    trace.time = {30 * kMs, 70 * kMs};
    trace.samples = {window(0, 100, 1500.0)};
    const Phase phases[] = {Phase::Prefill, Phase::Decode};
    for (int i = 0; i < 2; ++i)
        trace.phases.push_back(
            {.phase = phases[i], .time = {(30 + 20 * i) * kMs, (50 + 20 * i) * kMs}, .energy = {}});
    const Attribution result = attribute(trace, {}, idleAt(5e3));
    Picojoules sum = 0;
    for (const PhaseSpan& phase : trace.phases)
        sum += toPicojoules(*phase.energy.total_mj);
    EXPECT_EQ(sum, toPicojoules(*result.run.total_mj));
    EXPECT_LE(result.record.closure, 1e-15);
}

// Holds for all windows, baselines and ways of dividing.
TEST(PeakPower, IsNeverBelowTheMean)
{
    for (std::uint32_t seed = 1; seed <= 500; ++seed) {
        Chance chance(seed);
        RunTrace trace;
        const auto length = static_cast<Nanoseconds>(chance.ofSize(5.0, 2000.0));
        trace.time = {500 * kMs, (500 + length) * kMs};
        trace.phases.push_back({.phase = Phase::Decode, .time = trace.time, .energy = {}});
        auto now = static_cast<Nanoseconds>(chance.between(0.0, 500.0));
        while (now * kMs < trace.time.end_ns) {
            const auto end = now + 20 + static_cast<Nanoseconds>(chance.between(0.0, 200.0));
            trace.samples.push_back(
                window(now, end, static_cast<double>(end - now) * chance.between(1.0, 20.0)));
            now = end;
        }
        const auto baseline =
            seed % 3 == 0 ? std::nullopt : std::optional(idleAt(chance.between(0.5e3, 8e3)));
        const Attribution result = attribute(trace, {.align = false}, baseline);
        const RunMetrics metrics = computeMetrics(trace, 1, result.run);
        if (!metrics.mean_power_mw)
            continue;
        ASSERT_TRUE(metrics.peak_power_mw) << seed;
        EXPECT_LE(metrics.mean_power_mw->value, metrics.peak_power_mw->value) << seed;
    }
}

} // namespace ep::energy
