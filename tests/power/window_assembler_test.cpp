// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/window_assembler.h"
#include "support/batched_counters.h"
#include "support/milliseconds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ep::power {
namespace {

using ep::test::kMs;
using test::BatchedMac;
using test::BatchShape;
using test::kMs;

constexpr Nanoseconds kSecond = 1'000 * kMs;

CounterReading reading(double advance_mj, Nanoseconds timestamp, Rail rail = Rail::Cpu)
{
    return {.rail = rail, .advance_mj = advance_mj, .timestamp = timestamp};
}

TEST(PublicationClock, TimesABatchByItsStamps)
{
    PublicationClock clock(900 * kMs, 1000 * kMs, 50 * kMs);
    EXPECT_EQ(clock.until(), 900 * kMs);
    EXPECT_FALSE(clock.observe(0.0, 900 * kMs, 1100 * kMs));
    const auto batch = clock.observe(40.0, 2950 * kMs, 3000 * kMs);
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->time, (TimeRange{900 * kMs, 2950 * kMs}));
    EXPECT_EQ(batch->energy_mj, 40.0);
    // Its tail arrives with the next batch.
    EXPECT_FALSE(clock.observe(2.0, 2975 * kMs, 3100 * kMs));
    const auto next = clock.observe(38.0, 5000 * kMs, 5100 * kMs);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->time, (TimeRange{2950 * kMs, 5000 * kMs}));
    EXPECT_EQ(next->energy_mj, 40.0);
}

TEST(PublicationClock, ABatchWaitsForItsTail)
{
    PublicationClock clock(900 * kMs, 1000 * kMs, 50 * kMs);
    EXPECT_FALSE(clock.observe(40.0, 2980 * kMs, 3000 * kMs)) << "a tail may follow";
    EXPECT_EQ(clock.until(), 900 * kMs);
    const auto batch = clock.observe(2.0, 3005 * kMs, 3100 * kMs);
    ASSERT_TRUE(batch);
    EXPECT_EQ(batch->time, (TimeRange{900 * kMs, 2980 * kMs}));
    EXPECT_EQ(batch->energy_mj, 42.0);
    // A batch that is published just before its reading must not be taken for a live counter.
    EXPECT_FALSE(clock.observe(40.0, 4999 * kMs, 5000 * kMs));
    const auto next = clock.observe(1.0, 5015 * kMs, 5100 * kMs);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->energy_mj, 41.0);
    // The last reading: nothing follows it.
    EXPECT_FALSE(clock.observe(30.0, 6990 * kMs, 7000 * kMs));
    const auto last = clock.flush();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->time, (TimeRange{5000 * kMs, 6990 * kMs}));
    EXPECT_FALSE(clock.flush());
}

TEST(PublicationClock, ALiveCounterIsOfTheReading)
{
    PublicationClock clock(999 * kMs, 1000 * kMs, 50 * kMs);
    const auto one = clock.observe(5.0, 1099 * kMs, 1100 * kMs);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->time.end_ns, 1100 * kMs);
    const auto nothing = clock.observe(0.0, 1200 * kMs, 1200 * kMs);
    ASSERT_TRUE(nothing) << "a new timestamp without energy is a publication, too";
    EXPECT_EQ(nothing->energy_mj, 0.0);
    const auto late = clock.observe(9.0, 1500 * kMs, 1500 * kMs);
    ASSERT_TRUE(late);
    EXPECT_EQ(late->time, (TimeRange{1200 * kMs, 1500 * kMs}));
}

TEST(PublicationClock, DoesWithoutStampsThatAreBad)
{
    // Without a timestamp, or with one from the future, every reading counts.
    for (const std::optional<Nanoseconds> timestamp :
         {std::optional<Nanoseconds>(), std::optional<Nanoseconds>(90 * kSecond)}) {
        PublicationClock clock(timestamp, kSecond, 50 * kMs);
        const auto one = clock.observe(0.0, timestamp, kSecond + 100 * kMs);
        ASSERT_TRUE(one);
        EXPECT_EQ(one->time,
                  (TimeRange{std::min(timestamp.value_or(kSecond), kSecond), kSecond + 100 * kMs}));
    }
    // A timestamp that stands still while the value changes: the readings at which the value
    // changes give its time.
    PublicationClock frozen(kSecond, kSecond, 50 * kMs);
    EXPECT_FALSE(frozen.observe(0.0, kSecond, 2 * kSecond));
    const auto moved = frozen.observe(30.0, kSecond, 3 * kSecond);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->time, (TimeRange{kSecond, 3 * kSecond}));
    EXPECT_FALSE(frozen.observe(0.0, kSecond, 4 * kSecond));
    const auto next = frozen.observe(10.0, kSecond, 5 * kSecond);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->time, (TimeRange{3 * kSecond, 5 * kSecond}));
    const auto quiet = frozen.observe(0.0, kSecond, 8 * kSecond);
    ASSERT_TRUE(quiet) << "longer than a batch: it used nothing";
    EXPECT_EQ(quiet->energy_mj, 0.0);
}

TEST(LoadShape, LearnsWhatPowerFollows)
{
    LoadShape shape;
    EXPECT_EQ(shape.weight({.cores_busy = 0.1}), shape.weight({.cores_busy = 0.9}));
    // 5 W, and another 35 W at full load; the GPU does not contribute.
    for (const auto& [busy, gpu] : {std::pair(0.05, 0.0), std::pair(0.5, 9000.0),
                                    std::pair(0.8, 20.0), std::pair(0.1, 4000.0)})
        shape.learn({.cores_busy = busy, .gpu_mw = gpu}, 5000.0 + 35000.0 * busy, 2.0);
    EXPECT_NEAR(shape.weight({.cores_busy = 1.0}) / shape.weight({.cores_busy = 0.0}), 8.0, 1e-6);
    EXPECT_NEAR(shape.weight({.cores_busy = 0.5, .gpu_mw = 10000.0})
                    / shape.weight({.cores_busy = 0.5}),
                1.0, 1e-6);
}

TEST(LoadShape, IsEvenWhereLoadExplainsNothing)
{
    LoadShape shape;
    // Less power under more load: no factor may become negative.
    for (const double busy : {0.1, 0.3, 0.6, 0.9})
        shape.learn({.cores_busy = busy}, 9000.0 - 5000.0 * busy, 2.0);
    EXPECT_DOUBLE_EQ(shape.weight({.cores_busy = 0.1}), shape.weight({.cores_busy = 0.9}));
}

TEST(WindowAssembler, LiveCountersAreDeliveredAtOnce)
{
    Nanoseconds now = 10 * kSecond;
    WindowAssembler windows({reading(0, now), reading(0, now, Rail::Gpu)}, now, 100 * kMs);
    for (int i = 0; i < 5; ++i) {
        now += 100 * kMs;
        const auto samples = windows.add({reading(120, now - 1 * kMs), reading(50, now, Rail::Gpu)},
                                         {.system_mw = {}, .cores_busy = 0.5F}, now);
        ASSERT_EQ(samples.size(), 1U);
        EXPECT_EQ(samples[0].window, (TimeRange{now - 100 * kMs, now}));
        EXPECT_DOUBLE_EQ(samples[0].energy_mj[Rail::Cpu]->value, 120.0);
        EXPECT_DOUBLE_EQ(samples[0].energy_mj[Rail::Gpu]->value, 50.0);
        EXPECT_EQ(samples[0].cores_busy, 0.5F);
        EXPECT_EQ(samples[0].arrival_ns, now);
    }
    EXPECT_TRUE(windows.finish(now).empty());
}

// An unused engine gets no new timestamps; it must neither hold up the others nor be
// missing.
TEST(WindowAssembler, AnIdleEngineIsZeroAndHoldsNothingUp)
{
    Nanoseconds now = 100 * kSecond;
    const Nanoseconds old = kSecond;
    WindowAssembler windows({reading(0, now), reading(0, old, Rail::Ane)}, now, 100 * kMs);
    for (int i = 0; i < 3; ++i) {
        now += 100 * kMs;
        const auto samples = windows.add({reading(120, now), reading(0, old, Rail::Ane)}, {}, now);
        ASSERT_EQ(samples.size(), 1U);
        EXPECT_DOUBLE_EQ(samples[0].energy_mj[Rail::Ane]->value, 0.0);
    }
    now += 100 * kMs; // it wakes: its energy belongs to that window, once no tail can follow
    EXPECT_TRUE(windows.add({reading(120, now), reading(7, now, Rail::Ane)}, {}, now).empty());
    const Nanoseconds woken = now;
    now += 100 * kMs;
    const auto samples = windows.add({reading(120, now), reading(0, woken, Rail::Ane)}, {}, now);
    ASSERT_EQ(samples.size(), 1U);
    EXPECT_EQ(samples[0].window.end_ns, woken);
    EXPECT_DOUBLE_EQ(samples[0].energy_mj[Rail::Ane]->value, 7.0);
}

TEST(WindowAssembler, WhatHasNoValueIsMissing)
{
    Nanoseconds now = 10 * kSecond;
    WindowAssembler windows({reading(0, now), reading(0, now, Rail::Dram)}, now, 100 * kMs);
    const auto next = [&](std::optional<double> dram) {
        now += 100 * kMs;
        CounterReading counter = reading(0, now, Rail::Dram);
        counter.advance_mj = dram;
        return windows.add({reading(120, now), counter}, {}, now);
    };
    EXPECT_TRUE(next(4.0).at(0).energy_mj[Rail::Dram]);
    EXPECT_FALSE(next({}).at(0).energy_mj[Rail::Dram]);
    EXPECT_TRUE(next(4.0).at(0).energy_mj[Rail::Dram]);
}

// In the window in which an idle batch ends and a load begins, only the mean load is known. The
// batch must not be charged for that load.
TEST(WindowAssembler, ALoadThatBeginsWithABatchLeavesTheOneBeforeAlone)
{
    // Number of busy cores until each time; the batches end 40 ms after each second.
    const std::vector<std::pair<Nanoseconds, double>> loads = {
        {1500 * kMs, 0.1}, {2500 * kMs, 0.5}, {3500 * kMs, 0.9},  {4500 * kMs, 0.3},
        {5500 * kMs, 0.7}, {6500 * kMs, 0.4}, {8040 * kMs, 0.05}, {20 * kSecond, 0.9}};
    const auto busyOver = [&](const TimeRange& time) {
        double sum = 0.0;
        Nanoseconds begin = 0;
        for (const auto& [end, busy] : loads) {
            sum += busy * static_cast<double>(intersection(time, {begin, end}).duration_ns());
            begin = end;
        }
        return sum / static_cast<double>(time.duration_ns());
    };
    const auto energyOver = [&](const TimeRange& time) {
        return (2'000.0 + 30'000.0 * busyOver(time)) * static_cast<double>(time.duration_ns())
            * 1e-9;
    };
    Nanoseconds timestamp = 40 * kMs;
    Nanoseconds now = 100 * kMs;
    WindowAssembler windows({reading(0, timestamp)}, now, 100 * kMs);
    int tested = 0;
    while (now < 12 * kSecond) {
        const TimeRange window{now, now + 100 * kMs};
        now = window.end_ns;
        double advance = 0.0;
        if (now >= timestamp + kSecond) {
            advance = energyOver({timestamp, timestamp + kSecond});
            timestamp += kSecond;
        }
        const auto samples =
            windows.add({reading(advance, timestamp)},
                        {.system_mw = {}, .cores_busy = static_cast<float>(busyOver(window))}, now);
        for (const PowerSample& sample : samples) {
            if (sample.window.begin_ns < 7100 * kMs || sample.window.end_ns > 9 * kSecond)
                continue;
            const double truth = energyOver(sample.window);
            EXPECT_NEAR(sample.energy_mj[Rail::Cpu]->value, truth, 0.08 * truth)
                << toSeconds(sample.window.begin_ns);
            ++tested;
        }
    }
    EXPECT_EQ(tested, 19);
}

// The errors of a simulated run.
struct Errors {
    double run = 0.0; // error of the run's energy, in mJ
    double phase = 0.0; // largest relative error of a phase with a load
    double idle = 0.0; // largest increase that batches cause in an idle phase's error, relative
    double batch = 0.0; // energy of the largest batch, mJ
    double excess = 0.0; // largest power of a sample / most that the machine can draw
    double least = 0.0; // lowest power of a sample
};

Errors simulate(const BatchShape& shape)
{
    BatchedMac mac(shape);
    WindowAssembler windows(mac.read(), mac.now(), 100 * kMs);
    std::vector<PowerSample> samples;
    while (mac.wait()) {
        auto counters = mac.read();
        for (PowerSample& sample :
             windows.add(counters, {.system_mw = {}, .cores_busy = mac.busy()}, mac.now()))
            samples.push_back(std::move(sample));
    }
    for (PowerSample& sample : windows.finish(mac.now()))
        samples.push_back(std::move(sample));
    foldLateReadings(samples);

    Errors errors;
    errors.batch = mac.largestBatch();
    // Computed from the samples, and from the same windows of counters without batches.
    struct Energies {
        double batched = 0.0, live = 0.0;
    };
    const auto measured = [&](const TimeRange& time) {
        Energies sum;
        for (const PowerSample& sample : samples) {
            const double part = static_cast<double>(intersection(sample.window, time).duration_ns())
                / static_cast<double>(sample.window.duration_ns());
            for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Dram}) {
                const auto& energy = sample.energy_mj[rail];
                if (energy && part > 0.0) {
                    sum.batched += energy->value * part;
                    sum.live += mac.energyOf(rail, sample.window) * part;
                }
            }
        }
        return sum;
    };
    errors.run = std::abs(measured(mac.run()).batched - mac.energyOf(mac.run()));
    for (std::size_t i = 0; i < mac.phases().size(); ++i) {
        const double truth = mac.energyOf(mac.phases()[i]);
        const Energies found = measured(mac.phases()[i]);
        double& worst = BatchedMac::isIdle(i) ? errors.idle : errors.phase;
        worst = std::max(
            worst, std::abs(found.batched - (BatchedMac::isIdle(i) ? found.live : truth)) / truth);
    }
    for (const PowerSample& sample : samples) {
        for (const Rail rail : {Rail::Cpu, Rail::Gpu, Rail::Dram}) {
            if (const auto& power = sample.power_mw[rail]) {
                errors.excess = std::max(errors.excess, power->value / mac.mostPower(rail));
                errors.least = std::min(errors.least, power->value);
            }
        }
    }
    return errors;
}

// An idle phase of 10 s uses as much energy as one second of the load beside it. Windows of 100 ms
// that contain some of both are off by more than 1 % of that, whatever the counters do; batches
// may add a little, since a timestamp that is read with the tail of a batch is about 20 ms late.
TEST(WindowAssembler, BatchesOfSecondsGiveRightPhases)
{
    Errors worst;
    for (std::uint32_t seed = 1; seed <= 1000; ++seed) {
        const Errors errors = simulate({.seed = seed});
        EXPECT_LE(errors.run, errors.batch) << seed;
        EXPECT_LE(errors.phase, 0.01) << seed;
        EXPECT_LE(errors.idle, 0.02) << seed;
        EXPECT_LE(errors.excess, 1.1) << seed;
        EXPECT_GE(errors.least, 0.0) << seed;
        worst.phase = std::max(worst.phase, errors.phase);
        worst.idle = std::max(worst.idle, errors.idle);
        worst.excess = std::max(worst.excess, errors.excess);
    }
    RecordProperty("worst_phase_percent", std::to_string(100.0 * worst.phase));
    RecordProperty("worst_idle_percent", std::to_string(100.0 * worst.idle));
    RecordProperty("worst_excess", std::to_string(worst.excess));
}

TEST(WindowAssembler, BatchesOfHalfAnHourGiveTheRunsEnergy)
{
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
        const Errors errors = simulate({.seed = seed,
                                        .least_batch_s = 1800.0,
                                        .most_batch_s = 1800.0,
                                        .phase_s = 700.0,
                                        .phases = 12});
        EXPECT_LE(errors.run, errors.batch) << seed;
        EXPECT_LE(errors.excess, 1.1) << seed;
        EXPECT_GE(errors.least, 0.0) << seed;
    }
}

} // namespace
} // namespace ep::power
