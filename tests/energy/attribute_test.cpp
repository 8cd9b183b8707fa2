// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"
#include "support/remainders.h"

#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/run_tree.h"
#include "ep/energy/attribute.h"
#include "ep/energy/energy_timeline.h"

#include <gtest/gtest.h>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;
using ep::test::remainderOfLayer;
using ep::test::remainderOfLayers;
using ep::test::remainderOfPhase;
using ep::test::remainderOfToken;

// pre 0-50, prefill 50-150 (token 0), decode 150-350 (tokens 1 and 2), post 350-380 ms, at 1 mJ
// per millisecond. Layers cover the tokens except 10 ms, components the layers except 5 ms.
RunTrace syntheticTrace()
{
    RunTrace trace;
    trace.time = {0, 400 * kMs};
    trace.phases = {{Phase::PreInference, {0, 50 * kMs}, {}},
                    {Phase::Prefill, {50 * kMs, 150 * kMs}, {}},
                    {Phase::Decode, {150 * kMs, 350 * kMs}, {}},
                    {Phase::PostInference, {350 * kMs, 380 * kMs}, {}}};
    for (std::int32_t i = 0; i < 3; ++i) {
        const TimeRange time{(50 + 100 * i) * kMs, (150 + 100 * i) * kMs};
        TokenSpan token;
        token.index = i;
        token.phase = i == 0 ? Phase::Prefill : Phase::Decode;
        token.time = time;
        trace.tokens.push_back(token);
        const TimeRange layers{time.begin_ns, time.end_ns - 10 * kMs};
        trace.sections.push_back(Span::ofSection(token.phase, Section::Layers, i, layers));
        trace.layers.push_back(Span::ofLayer(i, 0, layers));
        trace.components.push_back(Span::ofComponent(i, 0, Component::Attention,
                                                     {layers.begin_ns, layers.end_ns - 5 * kMs}));
    }
    trace.samples = {counterSample(-60, 40, 100.0), counterSample(40, 140, 100.0),
                     counterSample(140, 240, 100.0), counterSample(240, 340, 100.0),
                     counterSample(340, 440, 100.0)};
    return trace;
}

TEST(AttributeByTime, GivesEverySpanItsShare)
{
    RunTrace trace = syntheticTrace();
    attributeByTime(trace);
    EXPECT_DOUBLE_EQ(trace.phases[0].energy.total_mj->value, 50.0);
    EXPECT_DOUBLE_EQ(trace.phases[2].energy.total_mj->value, 200.0);
    EXPECT_EQ(trace.phases[2].energy.provenance, Provenance::Measured);
    EXPECT_EQ(trace.phases[3].energy.provenance, Provenance::Attributed);
    EXPECT_DOUBLE_EQ(trace.tokens[1].energy.total_mj->value, 100.0);
    EXPECT_DOUBLE_EQ(trace.tokens[1].power_snapshot_mw->value, 1000.0);
    EXPECT_DOUBLE_EQ(trace.layers[1].energy_mj->value, 90.0);
    EXPECT_DOUBLE_EQ(trace.components[1].energy_mj->value, 85.0);
}

TEST(AttributeByTime, RemaindersCloseTheBooks)
{
    ep::Run run;
    run.trace = syntheticTrace();
    attributeByTime(run.trace);
    run.metrics =
        computeMetrics(run.trace, 8, EnergyTimeline(run.trace.samples).over(run.trace.time));

    const Tally ofRun = remainderOfRun(run);
    EXPECT_EQ(ofRun.duration_ns, 20 * kMs);
    EXPECT_NEAR(ofRun.energy_mj->value, 20.0, 1e-9);
    EXPECT_NEAR(remainderOfPhase(run.trace, run.trace.phases[2]).energy_mj->value, 20.0, 1e-9);
    EXPECT_NEAR(remainderOfToken(run.trace, run.trace.tokens[1]).energy_mj->value, 10.0, 1e-9);
    EXPECT_NEAR(remainderOfLayers(run.trace, run.trace.sections[1]).energy_mj->value, 0.0, 1e-9);
    EXPECT_NEAR(remainderOfLayer(run.trace, run.trace.layers[1]).energy_mj->value, 5.0, 1e-9);
}

TEST(AttributeByTime, ASummaryKeepsWhatIsKnownOfAPartlyCoveredRun)
{
    ep::Run run;
    run.info.power.source = "rapl";
    run.trace = syntheticTrace();
    run.metrics.duration_ns = run.trace.time.duration_ns();
    attribute(run, {.method = AttributionMethod::Time, .align = false});
    const RunSummary whole{run.info, run.metrics};
    ASSERT_TRUE(run.metrics.energy.total_mj);
    EXPECT_FALSE(run.info.power.attribution->known_mj);
    EXPECT_EQ(knownEnergy(whole).energy_mj, run.metrics.energy.total_mj);
    EXPECT_FALSE(knownEnergy(whole).partial());

    run.trace.samples.resize(3); // until 240 ms: the second decoded token is not covered
    attribute(run, {.method = AttributionMethod::Time, .align = false});
    ASSERT_FALSE(run.metrics.energy.total_mj);
    const Tally known = knownEnergy(run);
    ASSERT_TRUE(known.partial());
    const Tally kept = knownEnergy(RunSummary{run.info, run.metrics});
    EXPECT_EQ(kept.energy_mj, known.energy_mj);
    EXPECT_EQ(kept.uncovered_ns(), known.uncovered_ns());
    EXPECT_EQ(formatEnergy(kept).substr(0, 4), "≥ ");
}

TEST(AttributeByTime, ACommandWaitsForItsFirstTokenFromThePrefillOn)
{
    ep::Run run;
    run.trace = syntheticTrace();
    attribute(run, {});
    EXPECT_EQ(run.metrics.time_to_first_token_ns, 150 * kMs);
    run.info.profiling.command = CommandRecord{};
    attribute(run, {});
    EXPECT_EQ(run.metrics.time_to_first_token_ns, 100 * kMs);
}

TEST(AttributeByTime, TagsSamplesWithPhaseAndConfidence)
{
    RunTrace trace = syntheticTrace();
    attributeByTime(trace);
    EXPECT_EQ(trace.samples[0].phase, Phase::Idle); // 60 of 100 ms are before the run
    EXPECT_DOUBLE_EQ(trace.samples[0].phase_confidence, 0.6);
    EXPECT_EQ(trace.samples[1].phase, Phase::Prefill);
    EXPECT_DOUBLE_EQ(trace.samples[1].phase_confidence, 0.9);
    EXPECT_EQ(trace.samples[3].phase, Phase::Decode);
    EXPECT_DOUBLE_EQ(trace.samples[3].phase_confidence, 1.0);
    EXPECT_EQ(trace.samples[4].phase, Phase::Idle);
    EXPECT_DOUBLE_EQ(trace.samples[4].phase_confidence, 0.6);
}

TEST(AttributeByTime, WithoutSamplesEverythingIsMissing)
{
    RunTrace trace = syntheticTrace();
    trace.samples.clear();
    attributeByTime(trace);
    for (const TokenSpan& token : trace.tokens)
        EXPECT_EQ(token.energy, EnergyValue{});
    EXPECT_FALSE(trace.components[0].energy_mj.has_value());
    EXPECT_FALSE(remainderOfToken(trace, trace.tokens[0]).energy_mj.has_value());
    EXPECT_EQ(remainderOfToken(trace, trace.tokens[0]).duration_ns, 10 * kMs);
}

TEST(AttributeByTime, ADyingSourceLeavesEarlierPhasesKnown)
{
    RunTrace trace = syntheticTrace();
    trace.samples.resize(3); // up to 240 ms
    attributeByTime(trace);
    EXPECT_TRUE(trace.phases[1].energy.total_mj.has_value());
    EXPECT_FALSE(trace.phases[2].energy.total_mj.has_value());
    EXPECT_EQ(trace.tokens[2].energy.provenance, Provenance::Missing);
}

} // namespace ep::energy
