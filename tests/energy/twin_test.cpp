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
        trace.layers.push_back(Span::ofLayer(i, 0, token.time));
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

// The figures of the run, its phases, tokens and layers belong to the recorded execution, and so do
// their times; the record of the twin has the energies of both.
TEST(TwinRun, JoulesAndTimesAreOfTheRecordedExecution)
{
    ep::Run run = twinRun();
    attribute(run, kPlain);
    ep::Run plain = twinRun();
    plain.info.profiling.twin.reset();
    attribute(plain, kPlain);
    EXPECT_EQ(run.metrics, plain.metrics);
    EXPECT_EQ(run.trace, plain.trace);
    EXPECT_EQ(run.metrics.duration_ns, 2350 * kMs);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, 31'050.0, 1e-6);

    const TwinRecord& twin = *run.info.profiling.twin;
    EXPECT_NEAR(*twin.clean_mj, 14'000.0, 1e-6);
    EXPECT_NEAR(*twin.instrumented_mj, 30'800.0, 1e-6);
}

TEST(TwinRun, ReattributionMeasuresBothAgainOrKeepsThem)
{
    ep::Run run = twinRun();
    attribute(run, kPlain);
    const ep::Run once = run;
    attribute(run, kPlain);
    EXPECT_EQ(run.metrics, once.metrics);
    EXPECT_EQ(run.trace, once.trace);
    EXPECT_EQ(run.info.profiling, once.info.profiling);

    // The samples of the clean execution are gone.
    std::erase_if(run.trace.samples,
                  [](const PowerSample& sample) { return sample.window.end_ns <= 1000 * kMs; });
    attribute(run, kPlain);
    EXPECT_EQ(run.metrics.energy.total_mj, once.metrics.energy.total_mj);
    EXPECT_EQ(run.info.profiling, once.info.profiling);
}

TEST(TwinRun, WithoutSamplesOfTheCleanExecutionNothingIsCompared)
{
    ep::Run run = twinRun();
    std::erase_if(run.trace.samples,
                  [](const PowerSample& sample) { return sample.window.begin_ns == 200 * kMs; });
    attribute(run, kPlain);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, 31'050.0, 1e-6);
    EXPECT_FALSE(run.info.profiling.twin->clean_mj.has_value());
    EXPECT_FALSE(run.info.profiling.twin->instrumented_mj.has_value());
}

} // namespace ep::energy
