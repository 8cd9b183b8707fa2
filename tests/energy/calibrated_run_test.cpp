// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/simulated_calibration.h"
#include "support/synthetic_truth.h"

#include "ep/core/format.h"
#include "ep/core/machine_record.h"
#include "ep/core/quantile.h"
#include "ep/core/run_tree.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace ep::energy {

namespace {

test::Truth truthOf(std::uint32_t seed, int input, bool rails = false)
{
    return test::makeTruth({.input_tokens = input,
                            .output_tokens = 60,
                            .time_mw = 2000.0,
                            .off_model = 0.15,
                            .factors = test::FactorShape::Normal,
                            .rails = rails,
                            .seed = seed});
}

std::vector<PowerSample> readingsOf(const test::Truth& truth, std::uint32_t seed)
{
    std::vector<PowerSample> samples;
    test::SensorShape shape;
    shape.seed = seed;
    for (const test::Reading& reading : test::readSensor(truth, shape)) {
        PowerSample sample;
        sample.window = reading.true_window;
        for (std::size_t rail = 0; rail < kRailCount; ++rail) {
            if (const auto& energy = reading.rails_mj.values[rail])
                sample.energy_mj.values[rail] = Millijoules{*energy};
        }
        sample.total_mw = meanPower(Millijoules{reading.energy_mj}, sample.window.duration_ns());
        samples.push_back(sample);
    }
    return samples;
}

struct CalibratedRun {
    RunTrace trace;
    Attribution result;
};

CalibratedRun calibratedRun(const test::Truth& truth, const CalibrationRecord& calibration,
                            std::uint32_t seed)
{
    CalibratedRun run{truth.trace, {}};
    run.trace.samples = readingsOf(truth, 50 + seed);
    const auto baseline = measureBaseline(run.trace.samples, truth.idle, truth.trace.time.begin_ns,
                                          BaselineMoment::AfterLoad);
    run.result = attribute(
        run.trace, {.method = AttributionMethod::Calibrated, .calibration = calibration}, baseline);
    return run;
}

struct KindSum {
    double found = 0.0;
    double truth = 0.0;
    double sd = 0.0;
};

// Sums by kind over the decoded tokens, in mJ.
std::map<Component, KindSum> decodedKinds(const CalibratedRun& run, const test::Truth& truth)
{
    std::map<Component, KindSum> sums;
    for (std::size_t i = 0; i < run.trace.components.size(); ++i) {
        const Span& span = run.trace.components[i];
        if (span.token > 0)
            sums[span.component].truth += truth.component_mj[i];
    }
    for (const RunBreakdown::OfComponent& of : breakDown(run.trace).components) {
        if (of.phase != Phase::Decode)
            continue;
        sums[of.component].found += of.sum.energy_mj->value;
        sums[of.component].sd += of.sum.sd_mj->value;
    }
    return sums;
}

} // namespace

// Covers runs with a prefill, whose windows help to tell costs apart, and without one; with one
// rail and with three.
TEST(CalibratedRun, KnowsEveryComponentToOnePercent)
{
    struct Case {
        int input;
        bool rails;
    };
    for (const auto& [input, rails] : {Case{2048, false}, Case{1, false}, Case{2048, true}}) {
        std::vector<double> errors;
        int held = 0;
        int tight = 0; // number of intervals of half the width
        for (std::uint32_t seed = 1; seed <= 16; ++seed) {
            const test::Truth truth = truthOf(seed, input, rails);
            const auto calibration = test::simulateCalibration(truth, {.seed = seed});
            ASSERT_EQ(calibration.result.refusal, "");
            const CalibratedRun run = calibratedRun(truth, calibration.result.record, seed);
            EXPECT_EQ(run.result.record.method, AttributionMethod::Calibrated);
            double all = 0.0;
            for (const auto& [component, sum] : decodedKinds(run, truth))
                all += sum.truth;
            for (const auto& [component, sum] : decodedKinds(run, truth)) {
                if (sum.truth < 0.01 * all)
                    continue;
                errors.push_back(std::abs(sum.found / sum.truth - 1.0));
                const double off = std::abs(sum.found - sum.truth);
                held += off <= kHalfInterval95 * sum.sd ? 1 : 0;
                tight += off <= 0.5 * kHalfInterval95 * sum.sd ? 1 : 0;
            }
        }
        std::ranges::sort(errors);
        EXPECT_LT(quantileOf(errors, 0.5), 0.01) << input;
        EXPECT_LT(quantileOf(errors, 0.95), 0.03) << input;
        EXPECT_GE(held, static_cast<int>(0.88 * static_cast<double>(errors.size()))) << input;
        EXPECT_LE(tight, static_cast<int>(0.88 * static_cast<double>(errors.size()))) << input;
    }
}

TEST(CalibratedRun, SaysSoUpToTheTokens)
{
    const test::Truth truth = truthOf(1, 512);
    const auto calibration = test::simulateCalibration(truth, {.seed = 1});
    const CalibratedRun run = calibratedRun(truth, calibration.result.record, 1);
    EXPECT_EQ(run.result.record.calibration, calibration.result.record);
    for (const TokenSpan& token : run.trace.tokens)
        EXPECT_EQ(token.energy.provenance == Provenance::Calibrated, token.phase == Phase::Decode);
    EXPECT_LT(run.result.record.closure, 1e-9);
}

TEST(CalibratedRun, FallsBackToCostWhereNoCalibrationApplies)
{
    const test::Truth truth = truthOf(1, 2048);
    const auto calibration = test::simulateCalibration(truth, {.seed = 1});
    ep::Run run;
    run.trace = truth.trace;
    run.trace.samples = readingsOf(truth, 1);
    run.info.power.source = "rapl";
    run.info.power.baseline = measureBaseline(run.trace.samples, truth.idle,
                                              truth.trace.time.begin_ns, BaselineMoment::AfterLoad);
    AttributionSettings settings{.method = AttributionMethod::Calibrated};
    attribute(run, settings);
    EXPECT_EQ(run.info.power.attribution->method, AttributionMethod::Cost);
    EXPECT_NE(run.info.power.attribution->note.english().find("not calibrated"), std::string::npos);
    settings.calibration = calibration.result.record;
    settings.calibration->machine = machineKey(run.info.environment);
    settings.calibration->source = "nvml";
    attribute(run, settings);
    EXPECT_EQ(run.info.power.attribution->method, AttributionMethod::Cost);
    EXPECT_NE(run.info.power.attribution->note.english().find("another power source"),
              std::string::npos);
    settings.calibration->source = "rapl";
    attribute(run, settings);
    EXPECT_EQ(run.info.power.attribution->method, AttributionMethod::Calibrated);
    EXPECT_EQ(run.info.power.attribution->note, "");
    run.info.created_at_ms = settings.calibration->measured_at_ms + kCalibrationLastsMs + 1;
    attribute(run, settings);
    EXPECT_NE(run.info.power.attribution->note.english().find("30 days"), std::string::npos);
}

} // namespace ep::energy
