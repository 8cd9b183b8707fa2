// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/other_load.h"

#include "ep/energy/align.h"
#include "ep/energy/attribute.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

// Offsets that are there, and power that has nothing to do with the run.
namespace ep::energy {

namespace {

using test::Chance;
using test::OtherLoad;
using test::Wave;

Nanoseconds at(double seconds)
{
    return std::llround(seconds * 1e9);
}

// A prefill and a decode, with idle time before and after them.
RunTrace runOf(double idle, double prefill, double decode)
{
    RunTrace trace;
    trace.time = {at(idle), at(idle + prefill + decode)};
    const Nanoseconds middle = at(idle + prefill);
    trace.phases.push_back(
        {.phase = Phase::Prefill, .time = {trace.time.begin_ns, middle}, .energy = {}});
    trace.phases.push_back(
        {.phase = Phase::Decode, .time = {middle, trace.time.end_ns}, .energy = {}});
    return trace;
}

// Contiguous windows that cover the time from 0 to `end`, with whole millijoules.
template <typename EnergyOver>
std::vector<PowerSample> samplesOf(EnergyOver energyOver, Nanoseconds end, double noise,
                                   Chance& chance)
{
    std::vector<PowerSample> samples;
    const double window = chance.ofSize(0.02, 0.2);
    Nanoseconds now = at(-window * chance.uniform());
    while (now < end) {
        PowerSample& sample = samples.emplace_back();
        sample.window = {now, now + at(window * chance.between(1.0, 1.1))};
        const double energy = energyOver(sample.window) * (1.0 + noise * chance.normal());
        sample.energy_mj[Rail::Cpu] = Millijoules{std::round(std::max(0.0, energy))};
        now = sample.window.end_ns;
    }
    return samples;
}

int trials(int usual)
{
    const char* stated = std::getenv("EP_TRIALS");
    return stated != nullptr ? std::max(1, std::atoi(stated)) : usual;
}

} // namespace

// Covers cases with and without windows around the run, with separate clocks and with one clock.
TEST(Offsets, AreNotFoundInPowerThatHasNothingToDoWithTheRun)
{
    const struct {
        const char* name;
        Wave wave;
        double least_noise;
        double most_noise;
    } rows[] = {
        {"constant", Wave::None, 0.0, 0.0},  {"noise", Wave::None, 0.02, 0.5},
        {"bursts", Wave::Bursts, 0.0, 0.01}, {"square wave", Wave::Square, 0.0, 0.01},
        {"ramps", Wave::Ramps, 0.0, 0.01},
    };
    int found = 0;
    int all = 0;
    for (const auto& row : rows) {
        int here = 0;
        for (int i = 0; i < trials(200); ++i) {
            Chance chance(static_cast<std::uint32_t>(1000 * (&row - rows) + i));
            const double idle = i % 4 < 2 ? chance.between(0.5, 3.0) : 0.0;
            RunTrace trace = runOf(idle, chance.between(0.05, 1.0), chance.between(0.1, 4.0));
            const Nanoseconds end = trace.time.end_ns + at(idle);
            const OtherLoad other(row.wave, 10'000.0, end + at(1.0), chance);
            const double noise = chance.between(row.least_noise, row.most_noise);
            const double watts = chance.between(2.0, 20.0);
            trace.samples = samplesOf(
                [&](const TimeRange& time) {
                    return other.over(time) + watts * 1e3 * toSeconds(time.duration_ns());
                },
                end, noise, chance);
            const Attribution result = attribute(
                trace, {.method = AttributionMethod::Time, .power_may_lead = i % 2 == 0}, {});
            here += result.record.offset_applied ? 1 : 0;
            EXPECT_TRUE(result.run.total_mj.has_value()) << row.name << ' ' << i;
            ++all;
        }
        if (std::getenv("EP_TRIALS") != nullptr)
            std::printf("| %s | %d | %d |\n", row.name, trials(200), here);
        found += here;
    }
    EXPECT_LE(found, all / 100);
}

TEST(Offsets, AreFoundWhereTheyAre)
{
    for (const double noise : {0.005, 0.02}) {
        int right = 0;
        const int all = trials(40);
        for (int i = 0; i < all; ++i) {
            Chance chance(static_cast<std::uint32_t>(90'000 + i));
            const double idle = chance.between(1.0, 3.0);
            const RunTrace trace = runOf(idle, chance.between(0.2, 1.0), chance.between(1.0, 4.0));
            const TimeRange& prefill = trace.phases[0].time;
            const TimeRange& decode = trace.phases[1].time;
            const Nanoseconds late = at(chance.between(0.02, 0.5));
            const double power = chance.between(8e3, 20e3);
            const double slower = i % 2 == 0 ? power : power * chance.between(0.3, 0.8);
            const auto samples = samplesOf(
                [&](const TimeRange& time) {
                    const TimeRange seen{time.begin_ns - late, time.end_ns - late};
                    return 3e3 * toSeconds(time.duration_ns())
                        + power * toSeconds(intersection(seen, prefill).duration_ns())
                        + slower * toSeconds(intersection(seen, decode).duration_ns());
                },
                trace.time.end_ns + at(idle), noise, chance);
            const Offset offset = findOffset(
                samples, {.first = {prefill}, .second = {decode}, .may_lead = i % 4 < 2});
            const auto error = static_cast<double>(std::abs(offset.ns - late));
            right += offset.significant && error < std::max(2e6, 3.0 * offset.sd_ns) ? 1 : 0;
        }
        if (std::getenv("EP_TRIALS") != nullptr)
            std::printf("| %.1f %% noise | %d | %d |\n", 100.0 * noise, all, right);
        EXPECT_GE(right, all * 95 / 100) << noise;
    }
}

// One step fits the beginning of any load.
TEST(Offsets, NeedMoreThanOneStep)
{
    Chance chance(1);
    const RunTrace trace = runOf(1.0, 0.5, 2.0);
    const auto samples = samplesOf(
        [&](const TimeRange& time) {
            const TimeRange after{at(1.1), at(9.0)};
            return 2e3 * toSeconds(time.duration_ns())
                + 8e3 * toSeconds(intersection(time, after).duration_ns());
        },
        at(4.0), 0.0, chance);
    const Offset offset =
        findOffset(samples, {.first = {trace.phases[0].time}, .second = {trace.phases[1].time}});
    EXPECT_FALSE(offset.significant) << offset.ns;
}

TEST(Offsets, OfARunWhoseEndTheyWouldUncoverAreNotApplied)
{
    Chance chance(2);
    RunTrace trace = runOf(1.0, 0.5, 2.0);
    const Nanoseconds late = at(0.1);
    const auto energy = [&](const TimeRange& time) {
        const TimeRange seen{time.begin_ns - late, time.end_ns - late};
        return 3e3 * toSeconds(time.duration_ns())
            + 20e3 * toSeconds(intersection(seen, trace.phases[0].time).duration_ns())
            + 9e3 * toSeconds(intersection(seen, trace.phases[1].time).duration_ns());
    };
    const auto samples = samplesOf(energy, at(5.0), 0.0, chance);
    for (const bool cut : {false, true}) {
        trace.samples = samples;
        if (cut)
            std::erase_if(trace.samples, [&](const PowerSample& sample) {
                return sample.window.begin_ns >= trace.time.end_ns;
            });
        const Attribution result = attribute(trace, {.method = AttributionMethod::Time}, {});
        EXPECT_NEAR(toSeconds(result.record.offset_ns), 0.1, 0.005);
        EXPECT_EQ(result.record.offset_applied, !cut);
        ASSERT_TRUE(result.run.total_mj);
        // The interval covers an offset that was found but not applied.
        const double truth = 3e3 * 2.5 + 20e3 * 0.5 + 9e3 * 2.0;
        EXPECT_NEAR(result.run.total_mj->value, truth, 2.0 * result.run.sd_mj->value);
    }
}

// A replay begins with the run, whatever its power looks like.
TEST(Offsets, AreNotSearchedForInAReplay)
{
    Chance chance(3);
    ep::Run run;
    run.trace = runOf(1.0, 0.5, 2.0);
    const RunTrace late = runOf(1.1, 0.5, 2.0);
    run.trace.samples = samplesOf(
        [&](const TimeRange& time) {
            return 3e3 * toSeconds(time.duration_ns())
                + 20e3 * toSeconds(intersection(time, late.phases[0].time).duration_ns())
                + 9e3 * toSeconds(intersection(time, late.phases[1].time).duration_ns());
        },
        at(5.0), 0.0, chance);
    for (const auto& [source, applied] : {std::pair{"rapl", true}, std::pair{"replay", false}}) {
        run.info.power.source = source;
        attribute(run, AttributionSettings{});
        EXPECT_EQ(run.info.power.attribution->offset_applied, applied) << source;
    }
}

} // namespace ep::energy
