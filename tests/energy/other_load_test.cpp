// SPDX-License-Identifier: GPL-3.0-or-later
#include "split_model.h"
#include "support/synthetic_truth.h"

#include "ep/core/format.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

// Intervals of tokens while another program changes its power.
namespace ep::energy {

namespace {

using test::Wave;

struct Held {
    int inside = 0;
    int all = 0;

    void add(double error, double sd)
    {
        ++all;
        inside += std::abs(error) <= kHalfInterval95 * sd ? 1 : 0;
    }
    double percent() const { return 100.0 * inside / all; }
};

std::vector<PowerSample> exactSamples(const test::Truth& truth, double windowMs, std::uint32_t seed)
{
    std::vector<PowerSample> samples;
    const test::SensorShape sensor{.interval_ms = windowMs,
                                   .excess_ms = 0.03 * windowMs,
                                   .jitter_ms = 0.03 * windowMs,
                                   .seed = seed};
    for (const test::Reading& reading : test::readSensor(truth, sensor)) {
        PowerSample& sample = samples.emplace_back();
        sample.window = reading.true_window;
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.total_mw = meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
    }
    return samples;
}

Held decodedTokens(Wave wave, AttributionMethod method, double windowMs, int trials)
{
    Held held;
    for (int i = 1; i <= trials; ++i) {
        const auto seed = static_cast<std::uint32_t>(i);
        const test::Truth truth = test::makeTruth({.input_tokens = 512,
                                                   .output_tokens = 100,
                                                   .layers = 8,
                                                   .time_mw = 2000.0,
                                                   .off_model = 0.15,
                                                   .others = wave,
                                                   .idle_s = 1.0,
                                                   .seed = seed});
        RunTrace trace = truth.trace;
        trace.samples = exactSamples(truth, windowMs, 50 + seed);
        const auto baseline = measureBaseline(trace.samples, truth.idle, trace.time.begin_ns,
                                              BaselineMoment::AfterLoad);
        const auto result = attribute(trace, {.method = method}, baseline);
        EXPECT_LE(result.record.closure, 1e-14);
        for (const TokenSpan& token : trace.tokens) {
            if (token.phase == Phase::Decode && token.energy.total_mj)
                held.add(token.energy.total_mj->value - truth.over(token.time),
                         token.energy.sd_mj->value);
        }
    }
    return held;
}

} // namespace

// The tokens of a run share its windows, so that a share of 12 runs is known to about two points.
TEST(OtherLoads, IntervalsOfTokensHoldWhilePowerSwitches)
{
    const char* stated = std::getenv("EP_TRIALS");
    const int trials = stated != nullptr ? std::max(1, std::atoi(stated)) : 12;
    struct Row {
        const char* name;
        Wave wave;
    };
    for (const Row& row : {Row{"square wave", Wave::Square}, Row{"bursts", Wave::Bursts},
                           Row{"ramps", Wave::Ramps}}) {
        for (const auto method : {AttributionMethod::Cost, AttributionMethod::Time}) {
            Held all;
            for (const double window : {25.0, 50.0, 100.0}) {
                const Held held = decodedTokens(row.wave, method, window, trials);
                const std::string what = std::string(row.name) + ", " + std::string(name(method))
                    + ", " + std::to_string(static_cast<int>(window)) + " ms";
                if (stated != nullptr)
                    std::printf("| %s | %d | %.1f |\n", what.c_str(), held.all, held.percent());
                EXPECT_GE(held.percent(), 90.0) << what;
                all.inside += held.inside;
                all.all += held.all;
            }
            EXPECT_GE(all.percent(), 93.0) << row.name << ' ' << name(method);
            EXPECT_LE(all.percent(), 98.5) << row.name << ' ' << name(method);
        }
    }
}

namespace {

std::vector<double> unevennessOf(const std::vector<double>& powers)
{
    std::vector<WindowPower> windows;
    for (const double power : powers) {
        const auto begin = static_cast<Nanoseconds>(windows.size()) * 100;
        windows.push_back({.time = {begin, begin + 100}, .mw = power, .sd_mw = 0.01});
    }
    return unevenness(windows);
}

} // namespace

TEST(Unevenness, IsThatOfTheSimplestCourseThroughTheWindows)
{
    const double line = 10.0 / std::sqrt(12.0);
    const struct {
        std::vector<double> powers;
        std::size_t window;
        double uneven;
    } rows[] = {
        {{2, 2, 2, 2}, 1, 0.0}, // nothing changes
        {{2, 2, 7, 12, 12}, 2, 5.0}, // one step in the middle of a window
        {{2, 2, 11, 12, 12}, 2, 3.0}, // at its beginning
        {{2, 2, 7, 12, 12}, 1, 0.0}, // next to a step, power is even
        {{0, 0, 5, 15, 25, 35, 40, 40}, 3, line}, // a line
        {{2, 2, 7, 2, 2}, 2, std::sqrt(5.0 * 10.0)}, // a short burst
        {{2, 2, 9, 8, 2, 2}, 2, std::sqrt(7.0 * 3.5)}, // a burst over two windows
        {{2, 2, 5, 5, 12, 12}, 2, std::sqrt(3.0 * 7.0)}, // equal by chance on the way up
        {{2, 2, 9, 9, 2, 2}, 2, 0.0}, // a burst as long as two windows
    };
    for (const auto& row : rows)
        EXPECT_NEAR(unevennessOf(row.powers)[row.window], row.uneven, 0.02) << &row - rows;
}

TEST(Unevenness, NeedsNoWindows)
{
    EXPECT_TRUE(unevenness({}).empty());
    EXPECT_DOUBLE_EQ(variancePart(3.0, 0.1, 0.0), 0.0);
    EXPECT_DOUBLE_EQ(variancePart(3.0, 0.1, 1.0), 0.0);
}

} // namespace ep::energy
