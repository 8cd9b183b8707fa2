// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/attribute.h"
#include "ep/energy/metrics.h"

#include <gtest/gtest.h>

namespace ep::energy {

using test::counterSample;
using test::kMs;

// 1 s at 2 W: prefill 200 ms for 4 input tokens, then four tokens of 200 ms each.
RunTrace oneSecond()
{
    RunTrace trace;
    trace.time = {0, 1000 * kMs};
    trace.phases = {{Phase::Prefill, {0, 200 * kMs}, {}},
                    {Phase::Decode, {200 * kMs, 1000 * kMs}, {}}};
    for (std::int32_t i = 0; i < 5; ++i) {
        TokenSpan token;
        token.index = i;
        token.time = {i * 200 * kMs, (i + 1) * 200 * kMs};
        trace.tokens.push_back(token);
    }
    for (Nanoseconds at = 0; at < 1000; at += 100)
        trace.samples.push_back(counterSample(at, at + 100, at == 500 ? 300.0 : 200.0));
    return trace;
}

TEST(ComputeMetrics, MatchesAHandWorkedRun)
{
    RunTrace trace = oneSecond();
    attributeByTime(trace);
    const RunMetrics metrics = computeMetrics(trace, 4);

    EXPECT_EQ(metrics.duration_ns, 1000 * kMs);
    EXPECT_DOUBLE_EQ(metrics.energy.total_mj->value, 2100.0);
    EXPECT_EQ(metrics.energy.provenance, Provenance::Measured);
    EXPECT_DOUBLE_EQ(*metrics.tokens_per_second, 4 / 0.8);
    EXPECT_EQ(*metrics.time_to_first_token_ns, 200 * kMs);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_token, 2.1 / 5);
    EXPECT_DOUBLE_EQ(*metrics.tokens_per_joule, 5 / 2.1);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_input_token, 0.4 / 4);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_output_token, 1.7 / 4);
    EXPECT_DOUBLE_EQ(metrics.mean_power_mw->value, 2100.0);
    EXPECT_DOUBLE_EQ(metrics.peak_power_mw->value, 3000.0);
    EXPECT_DOUBLE_EQ(*metrics.edp_joule_seconds, 2.1);
}

TEST(ComputeMetrics, CountsTheTokensOfAllSequences)
{
    RunTrace trace = oneSecond();
    for (std::size_t i = 0; i < trace.tokens.size(); ++i)
        trace.tokens[i].sequences = i < 3 ? 4 : 1; // 4 in the prefill, 4 + 4 + 1 + 1 after it
    attributeByTime(trace);
    const RunMetrics metrics = computeMetrics(trace, 40);
    EXPECT_DOUBLE_EQ(*metrics.tokens_per_second, 10 / 0.8);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_token, 2.1 / 14);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_input_token, 0.4 / 40);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_output_token, 1.7 / 10);
}

TEST(ComputeMetrics, KeepsTimeWhereThereIsNoEnergy)
{
    RunTrace trace = oneSecond();
    trace.samples.clear();
    const RunMetrics metrics = computeMetrics(trace, 4);
    EXPECT_TRUE(metrics.tokens_per_second.has_value());
    EXPECT_EQ(metrics.energy.provenance, Provenance::Missing);
    EXPECT_FALSE(metrics.joules_per_token.has_value());
    EXPECT_FALSE(metrics.peak_power_mw.has_value());
    EXPECT_FALSE(metrics.edp_joule_seconds.has_value());
}

TEST(ComputeMetrics, SurvivesARunWithoutTokens)
{
    RunTrace trace;
    trace.time = {0, kMs};
    const RunMetrics metrics = computeMetrics(trace, 0);
    EXPECT_FALSE(metrics.tokens_per_second.has_value());
    EXPECT_FALSE(metrics.time_to_first_token_ns.has_value());
}

TEST(AssessQuality, DescribesTheSamplesOfTheRun)
{
    RunTrace trace = oneSecond();
    trace.samples.erase(trace.samples.begin() + 3, trace.samples.begin() + 6); // 300..600 ms
    const PowerQuality quality = assessQuality(trace, 100);
    EXPECT_EQ(quality.asked_interval_ms, 100);
    EXPECT_EQ(quality.samples, 7);
    EXPECT_DOUBLE_EQ(quality.median_interval_ms, 100.0);
    EXPECT_DOUBLE_EQ(quality.largest_gap_ms, 300.0);
    EXPECT_DOUBLE_EQ(quality.coverage, 0.7);
}

TEST(AssessQuality, NoSamplesCoverNothing)
{
    RunTrace trace = oneSecond();
    trace.samples.clear();
    const PowerQuality quality = assessQuality(trace, 100);
    EXPECT_EQ(quality.samples, 0);
    EXPECT_DOUBLE_EQ(quality.coverage, 0.0);
    EXPECT_DOUBLE_EQ(quality.largest_gap_ms, 1000.0);
}

} // namespace ep::energy
