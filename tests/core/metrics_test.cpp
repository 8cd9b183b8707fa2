// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/core/metrics.h"

#include <gtest/gtest.h>

namespace ep {

using test::counterSample;
using test::kMs;

namespace {

EnergyValue measured(double millijoules)
{
    EnergyValue energy;
    energy.total_mj = Millijoules{millijoules};
    energy.provenance = Provenance::Measured;
    return energy;
}

// 1 s at 2 W: prefill 200 ms for 4 input tokens, then four tokens of 200 ms each, one at 3 W.
RunTrace oneSecond()
{
    RunTrace trace;
    trace.time = {0, 1000 * kMs};
    trace.phases = {{Phase::Prefill, {0, 200 * kMs}, measured(400.0)},
                    {Phase::Decode, {200 * kMs, 1000 * kMs}, measured(1700.0)}};
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

} // namespace

TEST(ComputeMetrics, MatchesAHandWorkedRun)
{
    const RunMetrics metrics = computeMetrics(oneSecond(), 4, measured(2100.0));

    EXPECT_EQ(metrics.duration_ns, 1000 * kMs);
    EXPECT_EQ(metrics.energy, measured(2100.0));
    EXPECT_DOUBLE_EQ(*metrics.tokens_per_second, 4 / 0.8);
    EXPECT_DOUBLE_EQ(*metrics.prefill_tokens_per_second, 4 / 0.2);
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
        trace.tokens[i].sequences = i < 3 ? 4 : 1; // 4 in the prefill, then 4 + 4 + 1 + 1
    const RunMetrics metrics = computeMetrics(trace, 40, measured(2100.0));
    EXPECT_DOUBLE_EQ(*metrics.tokens_per_second, 10 / 0.8);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_token, 2.1 / 14);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_input_token, 0.4 / 40);
    EXPECT_DOUBLE_EQ(*metrics.joules_per_output_token, 1.7 / 10);
}

TEST(ComputeMetrics, LatencyNeedsTwentyTokens)
{
    RunTrace trace;
    Nanoseconds at = 0;
    for (std::int32_t i = 0; i < 22; ++i) {
        TokenSpan token;
        token.index = i;
        token.time = {at, at + (i == 7 ? 30 : 10) * kMs}; // one token comes late
        at = token.time.end_ns;
        trace.tokens.push_back(token);
    }
    trace.time = {0, at};
    EXPECT_EQ(computeMetrics(trace, 1, {}).inter_token_p95_ns, 10 * kMs);
    trace.tokens[11].time.end_ns += 10 * kMs; // the one after it comes sooner
    EXPECT_EQ(computeMetrics(trace, 1, {}).inter_token_p95_ns, 20 * kMs);
    trace.tokens.resize(20);
    EXPECT_FALSE(computeMetrics(trace, 1, {}).inter_token_p95_ns.has_value());
}

TEST(ComputeMetrics, KeepsTimeWhereThereIsNoEnergy)
{
    RunTrace trace = oneSecond();
    trace.samples.clear();
    for (PhaseSpan& phase : trace.phases)
        phase.energy = {};
    const RunMetrics metrics = computeMetrics(trace, 4, {});
    EXPECT_TRUE(metrics.tokens_per_second.has_value());
    EXPECT_EQ(metrics.energy.provenance, Provenance::Missing);
    EXPECT_FALSE(metrics.joules_per_token.has_value());
    EXPECT_FALSE(metrics.joules_per_input_token.has_value());
    EXPECT_FALSE(metrics.joules_per_output_token.has_value());
    EXPECT_FALSE(metrics.mean_power_mw.has_value());
    EXPECT_FALSE(metrics.peak_power_mw.has_value());
    EXPECT_FALSE(metrics.edp_joule_seconds.has_value());
}

TEST(ComputeMetrics, SurvivesARunWithoutTokens)
{
    RunTrace trace;
    trace.time = {0, kMs};
    const RunMetrics metrics = computeMetrics(trace, 0, {});
    EXPECT_FALSE(metrics.tokens_per_second.has_value());
    EXPECT_FALSE(metrics.prefill_tokens_per_second.has_value());
    EXPECT_FALSE(metrics.time_to_first_token_ns.has_value());
}

TEST(PeakPower, IsOfTheWindowsThatOverlapTheRun)
{
    RunTrace trace;
    trace.time = {100 * kMs, 300 * kMs};
    trace.samples = {counterSample(0, 100, 90.0, 90.0), counterSample(100, 200, 10.0, 40.0),
                     counterSample(200, 310, 33.0, 22.0), counterSample(310, 400, 90.0, 90.0)};
    const auto peaks = peaksOf(trace);
    EXPECT_EQ(peaks[Rail::Cpu], (PowerPeak{Milliwatts{300.0}, 250 * kMs}));
    EXPECT_EQ(peaks[Rail::Gpu], (PowerPeak{Milliwatts{400.0}, 150 * kMs}));
    EXPECT_FALSE(peaks[Rail::Ane].has_value());
    EXPECT_EQ(peakOf(trace), (PowerPeak{Milliwatts{500.0}, 150 * kMs}));
    EXPECT_EQ(computeMetrics(trace, 0, {}).peak_power_mw, Milliwatts{500.0});
    trace.samples.clear();
    EXPECT_FALSE(peakOf(trace).has_value());
}

TEST(PeakPower, IsAtLeastTheMean)
{
    EXPECT_EQ(peakPower(Milliwatts{3.0}, Milliwatts{5.0}), Milliwatts{5.0});
    EXPECT_EQ(peakPower(Milliwatts{7.0}, Milliwatts{5.0}), Milliwatts{7.0});
    EXPECT_EQ(peakPower(Milliwatts{7.0}, {}), Milliwatts{7.0});
    EXPECT_FALSE(peakPower({}, Milliwatts{5.0}));
}

TEST(EnergyDelayProduct, IsOfBothOrMissing)
{
    EXPECT_DOUBLE_EQ(*energyDelayProduct(Millijoules{2000.0}, 500 * kMs), 1.0);
    EXPECT_FALSE(energyDelayProduct({}, 500 * kMs).has_value());
}

TEST(PowerOf, FollowsFromTheEnergyWhereNoPowerIsReported)
{
    PowerSample sample = counterSample(0, 100, 20.0, 5.0);
    sample.power_mw = {};
    sample.total_mw.reset();
    EXPECT_DOUBLE_EQ(powerOf(sample, Rail::Cpu)->value, 200.0);
    EXPECT_DOUBLE_EQ(totalPowerOf(sample)->value, 250.0);
    EXPECT_FALSE(powerOf(sample, Rail::Ane).has_value());
    sample.power_mw[Rail::Cpu] = Milliwatts{300.0};
    EXPECT_DOUBLE_EQ(powerOf(sample, Rail::Cpu)->value, 300.0);
    sample.total_mw = Milliwatts{700.0};
    EXPECT_DOUBLE_EQ(totalPowerOf(sample)->value, 700.0);
    sample.window.end_ns = 0;
    EXPECT_FALSE(powerOf(sample, Rail::Gpu).has_value());
}

} // namespace ep
