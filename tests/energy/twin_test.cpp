// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/attribute.h"

#include <gtest/gtest.h>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

// A clean execution of 1 s (prefill 400 ms at 20 W, decode 600 ms at 10 W), 100 ms of rest, then
// the recorded one: 50 ms of preparation at 5 W, prefill 800 ms at 16 W, decode 1500 ms at 12 W.
ep::Run twinRun()
{
    ep::Run run;
    run.info.input_tokens = 8;
    run.info.output_tokens = 3;
    run.info.power.source = "test";
    RunTrace& trace = run.trace;
    trace.time = {1100 * kMs, 3450 * kMs};
    trace.phases = {{Phase::PreInference, {1100 * kMs, 1150 * kMs}, {}},
                    {Phase::Prefill, {1150 * kMs, 1950 * kMs}, {}},
                    {Phase::Decode, {1950 * kMs, 3450 * kMs}, {}}};
    const auto watts = [](Nanoseconds at) {
        return at < 400 ? 20.0 : at < 1000 ? 10.0 : at < 1150 ? 5.0 : at < 1950 ? 16.0 : 12.0;
    };
    for (Nanoseconds at = 0; at < 3450; at += 50)
        trace.samples.push_back(counterSample(at, at + 50, 50.0 * watts(at)));
    for (std::int32_t i = 0; i < 3; ++i) {
        TokenSpan token;
        token.index = i;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        token.time = i == 0 ? TimeRange{1150 * kMs, 1950 * kMs}
                            : TimeRange{(1200 + 750 * i) * kMs, (1950 + 750 * i) * kMs};
        trace.tokens.push_back(token);
        trace.layers.push_back(
            {.token = i, .layer = 0, .time = token.time, .stats = {}, .energy_mj = {}});
    }
    TwinRecord& twin = run.info.profiling.twin.emplace();
    twin.clean_prefill_ns = 400 * kMs;
    twin.clean_decode_ns = 600 * kMs;
    twin.prefill_ns = 800 * kMs;
    twin.decode_ns = 1500 * kMs;
    twin.tokens = 3;
    twin.clean_prefill = {-1100 * kMs, -700 * kMs};
    twin.clean_decode = {-700 * kMs, -100 * kMs};
    return run;
}

constexpr AttributionSettings kPlain{.method = AttributionMethod::Time, .align = false};

TEST(TwinRun, JoulesTimePowerAndEdpAreOfTheCleanExecution)
{
    ep::Run run = twinRun();
    attribute(run, kPlain);
    const RunTrace& trace = run.trace;
    EXPECT_NEAR(trace.phases[1].energy.total_mj->value, 8000.0, 1e-6);
    EXPECT_NEAR(trace.phases[2].energy.total_mj->value, 6000.0, 1e-6);
    EXPECT_NEAR(trace.phases[2].energy.rails_mj[Rail::Cpu]->value, 6000.0, 1e-6);
    EXPECT_NEAR(trace.tokens[1].energy.total_mj->value, 3000.0, 1e-6);
    EXPECT_NEAR(trace.tokens[1].power_snapshot_mw->value, 10'000.0, 1e-6);
    EXPECT_NEAR(trace.layers[2].energy_mj->value, 3000.0, 1e-6);

    const RunMetrics& metrics = run.metrics;
    EXPECT_NEAR(metrics.energy.total_mj->value, 14'250.0, 1e-6);
    EXPECT_EQ(metrics.duration_ns, 1050 * kMs);
    EXPECT_NEAR(metrics.mean_power_mw->value, 14'250.0 / 1.05, 1e-6);
    EXPECT_NEAR(*metrics.edp_joule_seconds, 14.25 * 1.05, 1e-9);
    EXPECT_NEAR(metrics.peak_power_mw->value, 20'000.0, 1e-6);
    EXPECT_EQ(metrics.time_to_first_token_ns, 450 * kMs);
    EXPECT_NEAR(*metrics.tokens_per_second, 2.0 / 0.6, 1e-9);
    EXPECT_NEAR(*metrics.joules_per_token, 14.25 / 3.0, 1e-9);

    const TwinRecord& twin = *run.info.profiling.twin;
    EXPECT_NEAR(*twin.clean_mj, 14'000.0, 1e-6);
    EXPECT_NEAR(*twin.instrumented_mj, 30'800.0, 1e-6);
    EXPECT_NEAR(twin.scale->prefill.time, 0.5, 1e-12);
    EXPECT_NEAR(twin.scale->prefill.energy, 0.625, 1e-12);
    EXPECT_NEAR(twin.scale->decode.time, 0.4, 1e-12);
    EXPECT_NEAR(twin.scale->of(Phase::Decode).energy, 1.0 / 3.0, 1e-12);
    EXPECT_EQ(twin.scale->of(Phase::PreInference), TwinFactors{});
}

TEST(TwinRun, ReattributionKeepsTheCleanJoules)
{
    ep::Run run = twinRun();
    attribute(run, kPlain);
    const ep::Run once = run;
    attribute(run, kPlain);
    EXPECT_EQ(run.metrics, once.metrics);
    EXPECT_EQ(run.trace, once.trace);
    EXPECT_EQ(run.info.profiling, once.info.profiling);

    // The samples of the clean execution are gone: the stored factors still apply.
    std::erase_if(run.trace.samples,
                  [](const PowerSample& sample) { return sample.window.end_ns <= 1000 * kMs; });
    attribute(run, kPlain);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, 14'250.0, 1e-6);
    EXPECT_EQ(run.metrics.duration_ns, 1050 * kMs);
}

// A record from an earlier version has the clean energies, but not the time ranges.
TEST(TwinRun, ARunOfBeforeKeepsItsCleanJoules)
{
    ep::Run run = twinRun();
    attribute(run, kPlain);
    TwinRecord& twin = *run.info.profiling.twin;
    twin.clean_prefill = {};
    twin.clean_decode = {};
    twin.scale.reset();
    attribute(run, kPlain);
    EXPECT_NEAR(run.trace.phases[1].energy.total_mj->value, 8000.0, 1e-6);
    EXPECT_NEAR(run.trace.phases[2].energy.total_mj->value, 6000.0, 1e-6);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, 14'250.0, 1e-6);
    EXPECT_EQ(run.metrics.duration_ns, 1050 * kMs);
    EXPECT_NEAR(*twin.clean_mj, 14'000.0, 1e-6);
    ASSERT_TRUE(twin.scale.has_value());
    EXPECT_NEAR(twin.scale->prefill.energy, 0.625, 1e-9);
    EXPECT_FALSE(run.metrics.peak_power_mw.has_value()) << "that of the recorded one is another's";
}

TEST(TwinRun, WithoutSamplesOfTheCleanExecutionItStaysAsRecorded)
{
    ep::Run run = twinRun();
    std::erase_if(run.trace.samples,
                  [](const PowerSample& sample) { return sample.window.begin_ns == 200 * kMs; });
    attribute(run, kPlain);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, 31'050.0, 1e-6);
    EXPECT_EQ(run.metrics.duration_ns, 2350 * kMs);
    EXPECT_NEAR(run.metrics.mean_power_mw->value, 31'050.0 / 2.35, 1e-6);
    EXPECT_FALSE(run.info.profiling.twin->scale.has_value());
    EXPECT_FALSE(run.info.profiling.twin->clean_mj.has_value());
}

} // namespace ep::energy
