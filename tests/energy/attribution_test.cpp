// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"
#include "support/synthetic_truth.h"

#include "ep/energy/align.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

std::vector<PowerSample> asSamples(const std::vector<test::Reading>& readings, Nanoseconds late = 0)
{
    std::vector<PowerSample> samples;
    for (const test::Reading& reading : readings) {
        PowerSample sample;
        sample.window = {reading.true_window.begin_ns + late, reading.true_window.end_ns + late};
        sample.energy_mj[Rail::Cpu] = Millijoules{reading.energy_mj};
        sample.power_mw[Rail::Cpu] =
            meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        sample.total_mw = totalOf(sample.power_mw);
        samples.push_back(sample);
    }
    return samples;
}

struct Outcome {
    RunTrace trace;
    AttributionRecord record;
    double component_error = 0.0; // median
};

Outcome attributed(const test::Truth& truth, const std::vector<PowerSample>& samples,
                   AttributionMethod method)
{
    Outcome outcome;
    outcome.trace = truth.trace;
    outcome.trace.samples = samples;
    const auto baseline =
        measureBaseline(samples, truth.idle, truth.trace.time.begin_ns, BaselineMoment::AfterLoad);
    outcome.record = attribute(outcome.trace, {.method = method, .align = true}, baseline).record;
    std::vector<double> errors;
    for (std::size_t i = 0; i < truth.component_mj.size(); ++i)
        errors.push_back(
            std::abs(outcome.trace.components[i].energy_mj->value - truth.component_mj[i])
            / truth.component_mj[i]);
    std::ranges::sort(errors);
    outcome.component_error = errors[errors.size() / 2];
    return outcome;
}

struct TruthCase {
    const char* name;
    int input_tokens;
    int output_tokens;
    double time_mw;
    double off_model;
};
const std::vector<TruthCase> kTruths = {
    {"decode only", 1, 250, 0.0, 0.0},
    {"prefill and decode", 2048, 100, 0.0, 0.0},
    {"long context", 8192, 100, 0.0, 0.0},
    {"with time of its own", 2048, 100, 2000.0, 0.0},
};

TEST(Attribution, ByCostHalvesTheErrorWhereTheTruthFollowsWork)
{
    for (const TruthCase& entry : kTruths) {
        const test::Truth truth = test::makeTruth({.name = entry.name,
                                                   .input_tokens = entry.input_tokens,
                                                   .output_tokens = entry.output_tokens,
                                                   .layers = 8,
                                                   .time_mw = entry.time_mw});
        const auto samples = asSamples(test::readSensor(truth, {}));
        const Outcome time = attributed(truth, samples, AttributionMethod::Time);
        const Outcome cost = attributed(truth, samples, AttributionMethod::Cost);
        EXPECT_EQ(cost.record.method, AttributionMethod::Cost) << entry.name << cost.record.note;
        EXPECT_LE(cost.component_error, 0.5 * time.component_error) << entry.name;
        EXPECT_LE(time.record.closure, 1e-9);
        EXPECT_LE(cost.record.closure, 1e-9);
        // The results of both methods are stored with the span.
        const Span& span = cost.trace.components[7];
        EXPECT_FLOAT_EQ(static_cast<float>(span.alternative_mj->value),
                        static_cast<float>(time.trace.components[7].energy_mj->value));
        EXPECT_GT(span.sd_mj->value, 0.0);
    }
}

TEST(Attribution, KeepsEveryPicojoule)
{
    const test::Truth truth = test::makeTruth({.input_tokens = 64, .output_tokens = 40});
    const auto samples = asSamples(test::readSensor(truth, {}));
    for (const auto method : {AttributionMethod::Time, AttributionMethod::Cost}) {
        const Outcome outcome = attributed(truth, samples, method);
        // The phases follow each other without gaps and add up to the run.
        Picojoules sum = 0;
        for (const PhaseSpan& phase : outcome.trace.phases)
            sum += toPicojoules(*phase.energy.total_mj);
        RunTrace copy = truth.trace;
        copy.samples = samples;
        const auto run = attribute(copy, {.method = method, .align = true}, {}).run;
        Picojoules whole = 0;
        for (const PhaseSpan& phase : copy.phases)
            whole += toPicojoules(*phase.energy.total_mj);
        EXPECT_TRUE(whole == toPicojoules(*run.total_mj));
        EXPECT_TRUE(sum > 0);
    }
}

TEST(Attribution, FallsBackToTimeVisibly)
{
    test::Truth truth = test::makeTruth({.input_tokens = 64, .output_tokens = 40, .layers = 2});
    const auto samples = asSamples(test::readSensor(truth, {}));
    for (Span& span : truth.trace.components)
        span.work.reset();
    for (Span& span : truth.trace.sections)
        span.work.reset();
    const Outcome outcome = attributed(truth, samples, AttributionMethod::Cost);
    EXPECT_EQ(outcome.record.asked, AttributionMethod::Cost);
    EXPECT_EQ(outcome.record.method, AttributionMethod::Time);
    EXPECT_EQ(outcome.record.note, "the spans have no bytes and FLOPs");
    EXPECT_FALSE(outcome.trace.components[0].alternative_mj);
}

// One reading that lacks its rail among many costs its own window and nothing else.
TEST(Attribution, ANullSampleCostsItsOwnWindowOnly)
{
    const test::Truth truth = test::makeTruth({.input_tokens = 2048, .output_tokens = 100});
    auto samples = asSamples(test::readSensor(truth, {}));
    for (PowerSample& sample : samples)
        sample.energy_mj[Rail::Gpu] = Millijoules{1.0};
    const Outcome whole = attributed(truth, samples, AttributionMethod::Cost);
    const std::size_t middle = samples.size() / 2;
    samples[middle].energy_mj[Rail::Cpu].reset();
    samples[middle].power_mw[Rail::Cpu].reset();

    RunTrace trace = truth.trace;
    trace.samples = samples;
    const auto baseline =
        measureBaseline(samples, truth.idle, truth.trace.time.begin_ns, BaselineMoment::AfterLoad);
    const AttributionRecord record = attribute(trace, {}, baseline).record;
    EXPECT_EQ(record.method, AttributionMethod::Cost) << record.note;
    EXPECT_EQ(record.fit->windows, whole.record.fit->windows - 1);
    EXPECT_NEAR(record.fit->rails[Rail::Cpu]->pj_per_byte,
                whole.record.fit->rails[Rail::Cpu]->pj_per_byte,
                0.02 * whole.record.fit->rails[Rail::Cpu]->pj_per_byte);
    for (const Span& span : trace.components) {
        const bool outside = span.time.end_ns <= samples[middle].window.begin_ns
            || samples[middle].window.end_ns <= span.time.begin_ns;
        EXPECT_EQ(span.energy_mj.has_value(), outside);
    }
    const PowerQuality quality = assessQuality(trace, 0);
    EXPECT_EQ(quality.incomplete, std::vector{Rail::Cpu});
    EXPECT_LT(quality.coverage, 1.0);
    EXPECT_NE(quality.verdict, QualityVerdict::Good);
}

TEST(Attribution, ATinyRailWidensNothing)
{
    const test::Truth truth = test::makeTruth({.input_tokens = 2048, .output_tokens = 100});
    auto samples = asSamples(test::readSensor(truth, {}));
    const Outcome alone = attributed(truth, samples, AttributionMethod::Cost);
    for (PowerSample& sample : samples)
        sample.energy_mj[Rail::Ane] = Millijoules{0.0};
    samples[samples.size() / 2].energy_mj[Rail::Ane] = Millijoules{1.0};
    const Outcome beside = attributed(truth, samples, AttributionMethod::Cost);
    for (std::size_t i = 0; i < alone.trace.tokens.size(); ++i) {
        const double before = alone.trace.tokens[i].energy.sd_mj->value;
        EXPECT_NEAR(beside.trace.tokens[i].energy.sd_mj->value, before, 0.05 * before) << i;
    }
}

// The error of a source that loses a little of every window stays within its interval.
TEST(Attribution, JoinedGapsShowInTheInterval)
{
    RunTrace trace;
    trace.time = {0, 2000 * kMs};
    trace.phases = {{Phase::Decode, trace.time, {}}};
    for (Nanoseconds at = 0; at < 2000; at += 100)
        trace.samples.push_back(counterSample(at, at + 95, 950.0));
    trace.samples.back().window.end_ns += 5 * kMs;
    const Attribution result = attribute(trace, {.align = false}, {});
    ASSERT_TRUE(result.run.total_mj.has_value());
    EXPECT_NEAR(result.run.total_mj->value, 20'000.0, 2.0 * result.run.sd_mj->value);
}

TEST(Attribution, FindsAndUsesALargeOffset)
{
    const test::Truth truth = test::makeTruth({.input_tokens = 4096, .output_tokens = 60});
    constexpr Nanoseconds kLate = 60 * kMs;
    const auto samples = asSamples(test::readSensor(truth, {.noise = 0.0}), kLate);
    const Outcome outcome = attributed(truth, samples, AttributionMethod::Time);
    EXPECT_TRUE(outcome.record.offset_applied);
    EXPECT_NEAR(toMilliseconds(outcome.record.offset_ns), 60.0, 10.0);
}

TEST(FindOffset, MeasuresASquareWave)
{
    LoadShape load;
    for (int i = 0; i < 5; ++i)
        load.first.push_back({(1000 + 1000 * i) * kMs, (1500 + 1000 * i) * kMs});
    for (const Nanoseconds late : {0, 7, 45, -30, 120}) {
        std::vector<PowerSample> samples;
        for (int i = 0; i < 65; ++i) {
            const TimeRange window{103 * i * kMs, 103 * (i + 1) * kMs};
            const TimeRange seen{window.begin_ns - late * kMs, window.end_ns - late * kMs};
            double busy = 0.0;
            for (const TimeRange& range : load.first)
                busy += toSeconds(intersection(seen, range).duration_ns());
            samples.push_back(counterSample(103 * i, 103 * (i + 1), 300.0 + 20'000.0 * busy));
        }
        const Offset offset = findOffset(samples, load);
        EXPECT_NEAR(toMilliseconds(offset.ns), static_cast<double>(late), 1.0) << late;
        EXPECT_EQ(offset.significant, late != 0) << late;
        EXPECT_GT(offset.correlation, 0.99);
        if (late < 0) { // with one clock for both, power cannot be early
            load.may_lead = false;
            EXPECT_FALSE(findOffset(samples, load).significant);
        }
        load.may_lead = true;
    }
}

// Something else ran one window later: that must not pass for a delay of the sensor.
TEST(FindOffset, DoesNotTakeChanceForADelayOfAShortLoad)
{
    LoadShape load;
    load.first.push_back({1050 * kMs, 1052 * kMs});
    std::vector<PowerSample> samples;
    for (int i = 0; i < 20; ++i)
        samples.push_back(counterSample(100 * i, 100 * (i + 1), i == 11 ? 600.0 : 500.0 + i % 3));
    EXPECT_FALSE(findOffset(samples, load).significant);
}

TEST(FindOffset, SaysNothingWithoutContrast)
{
    LoadShape load;
    load.first.push_back({0, 2000 * kMs});
    std::vector<PowerSample> samples;
    for (int i = 0; i < 20; ++i)
        samples.push_back(counterSample(100 * i, 100 * (i + 1), 500.0));
    EXPECT_FALSE(findOffset(samples, load).significant);
    EXPECT_FALSE(findOffset({}, load).significant);
}

} // namespace ep::energy
