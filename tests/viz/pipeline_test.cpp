// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/milliseconds.h"

#include "ep/viz/pipeline.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep::viz {
namespace {

using ep::test::kMs;

EnergyValue energy(std::optional<double> mj, Provenance provenance = Provenance::Attributed)
{
    EnergyValue value;
    if (mj) {
        value.total_mj = Millijoules{*mj};
        value.provenance = provenance;
    }
    return value;
}

// pre_inference 10 ms, prefill 30 ms, decode 60 ms with two tokens; 2 mJ for each millisecond.
Run sampleRun(bool withEnergy = true)
{
    const auto mj = [&](double value) { return withEnergy ? energy(value) : energy(std::nullopt); };
    ep::Run run;
    RunTrace& trace = run.trace;
    trace.time = {0, 100 * kMs};
    trace.phases = {
        {Phase::Idle, {-50 * kMs, 0}, mj(7)},
        {Phase::PreInference, {0, 10 * kMs}, mj(20)},
        {Phase::Prefill, {10 * kMs, 40 * kMs}, mj(60)},
        {Phase::Decode, {40 * kMs, 100 * kMs}, mj(120)},
    };
    trace.sections = {
        Span::ofSection(Phase::PreInference, Section::Tokenization, kNoToken, {0, 10 * kMs},
                        mj(20)),
        Span::ofSection(Phase::Decode, Section::Layers, 1, {40 * kMs, 65 * kMs}, mj(50)),
        Span::ofSection(Phase::Decode, Section::Sampling, 1, {65 * kMs, 65 * kMs}, mj(0)),
        Span::ofSection(Phase::Decode, Section::Layers, 2, {65 * kMs, 90 * kMs}, mj(50)),
        Span::ofSection(Phase::Decode, Section::Sampling, 2, {90 * kMs, 90 * kMs}, mj(0)),
    };
    run.metrics.energy = mj(200);
    return run;
}

ExpandedPhases expand(Phase phase)
{
    ExpandedPhases expanded{};
    expanded[static_cast<std::size_t>(phase)] = true;
    return expanded;
}

TEST(Pipeline, NoPhasesIsAnEmptyGeometry)
{
    const auto g = layoutPipeline({}, CostMetric::Time, 800, {}, {});
    EXPECT_TRUE(g.rows.empty());
    EXPECT_TRUE(g.strip.empty());
    EXPECT_EQ(g.hit({20, 20}), std::nullopt);
    EXPECT_EQ(summarize(g, CostMetric::Time), "No phases recorded");
}

TEST(Pipeline, PhasesToScaleWithoutIdle)
{
    const auto g = layoutPipeline(sampleRun(), CostMetric::Time, 1016, {}, {});
    ASSERT_EQ(g.rows.size(), 3U);
    EXPECT_EQ(g.rows[0].title, "Pre-inference");
    EXPECT_DOUBLE_EQ(*g.rows[2].share, 0.6);
    EXPECT_EQ(g.rows[2].share_text, "60.0 %");
    EXPECT_EQ(g.rows[2].value_text, "60.0 ms");
    EXPECT_EQ(g.rows[2].provenance, Provenance::Measured);
    EXPECT_NEAR(g.rows[2].bar.width / g.rows[2].track.width, 0.6, 0.01);
    ASSERT_EQ(g.strip.size(), 3U);
    EXPECT_DOUBLE_EQ(g.strip[1].rect.x, 8.0 + 100.0);
    EXPECT_DOUBLE_EQ(g.strip[1].rect.width, 300.0);
    EXPECT_TRUE(g.strip[1].label_fits);
    EXPECT_EQ(summarize(g, CostMetric::Time),
              "Time by phase: Pre-inference 10.0 %, Prefill 30.0 %, Decode 60.0 %");
}

TEST(Pipeline, ExpandingShowsSectionsAndTheirRemainder)
{
    const auto g = layoutPipeline(sampleRun(), CostMetric::Energy, 800, expand(Phase::Decode), {});
    ASSERT_EQ(g.rows.size(), 6U);
    EXPECT_TRUE(g.rows[2].expanded);
    EXPECT_FALSE(g.rows[1].expandable); // prefill has no sections in this run
    EXPECT_EQ(g.rows[3].section, Section::Layers);
    EXPECT_EQ(g.rows[3].occurrences, 2);
    EXPECT_DOUBLE_EQ(g.rows[3].energy_mj->value, 100.0);
    EXPECT_DOUBLE_EQ(*g.rows[3].share, 0.5);
    EXPECT_EQ(g.rows[5].kind, PipelineRow::Kind::Remainder);
    EXPECT_DOUBLE_EQ(g.rows[5].energy_mj->value, 20.0);
    EXPECT_EQ(g.provenance, Provenance::Attributed);
}

TEST(Pipeline, ZeroAndMissingDiffer)
{
    const auto known =
        layoutPipeline(sampleRun(), CostMetric::Energy, 800, expand(Phase::Decode), {});
    const PipelineRow& zero = known.rows[4];
    EXPECT_EQ(zero.section, Section::Sampling);
    EXPECT_FALSE(zero.missing());
    EXPECT_EQ(zero.share_text, "0 %");
    EXPECT_EQ(zero.bar.width, 0.0);

    const auto unknown =
        layoutPipeline(sampleRun(false), CostMetric::Energy, 800, expand(Phase::Decode), {});
    EXPECT_TRUE(unknown.metric_missing);
    EXPECT_TRUE(unknown.strip.empty());
    EXPECT_EQ(unknown.provenance, Provenance::Missing);
    for (const PipelineRow& row : unknown.rows) {
        EXPECT_TRUE(row.missing());
        EXPECT_EQ(row.share_text, "—");
        EXPECT_EQ(row.bar.width, 0.0);
        EXPECT_EQ(row.provenance, Provenance::Missing);
    }
    EXPECT_EQ(summarize(unknown, CostMetric::Energy), "Energy is missing for all phases");
    EXPECT_FALSE(layoutPipeline(sampleRun(false), CostMetric::Time, 800, {}, {}).metric_missing);
}

TEST(Pipeline, PartlyMissingEnergyIsALowerBound)
{
    ep::Run run = sampleRun();
    run.trace.sections[1].setEnergy(energy(std::nullopt));
    run.trace.sections[3].setEnergy(energy(50, Provenance::Modelled));
    const auto g = layoutPipeline(run, CostMetric::Energy, 800, expand(Phase::Decode), {});
    EXPECT_TRUE(g.rows[3].partial);
    EXPECT_EQ(g.rows[3].value_text, "≥ 50.0 mJ");
    EXPECT_EQ(g.rows[3].provenance, Provenance::Modelled);
}

TEST(Pipeline, WhatThePhasesLeaveOverIsARow)
{
    ep::Run run = sampleRun();
    run.trace.time.end_ns = 125 * kMs;
    run.metrics.energy = energy(250.0);
    for (const CostMetric metric : {CostMetric::Time, CostMetric::Energy}) {
        const auto g = layoutPipeline(run, metric, 800, {}, {});
        ASSERT_EQ(g.rows.size(), 4U);
        EXPECT_EQ(g.rows.back().title, "Between phases");
        EXPECT_DOUBLE_EQ(*g.rows.back().share, 0.2);
        double sum = 0.0;
        for (const PipelineRow& row : g.rows)
            sum += *row.share;
        EXPECT_NEAR(sum, 1.0, 1e-12);
    }
}

TEST(Pipeline, RepeatedPhasesAddUp)
{
    ep::Run run = sampleRun();
    run.trace.phases.push_back({Phase::Prefill, {100 * kMs, 120 * kMs}, energy(40)});
    run.trace.time.end_ns = 120 * kMs;
    const auto g = layoutPipeline(run, CostMetric::Time, 800, {}, {});
    ASSERT_EQ(g.rows.size(), 3U);
    EXPECT_EQ(g.rows[1].duration_ns, 50 * kMs);
    ASSERT_EQ(g.strip.size(), 4U);
    EXPECT_EQ(g.strip[3].row, 1U);
}

TEST(Pipeline, HitsEveryRowAndSegmentAtEveryWidth)
{
    ExpandedPhases all;
    all.fill(true);
    for (const double width : {200.0, 640.0, 1280.0, 2560.0})
        for (const CostMetric metric : {CostMetric::Time, CostMetric::Energy}) {
            const auto g = layoutPipeline(sampleRun(), metric, width, all, {});
            for (std::size_t i = 0; i < g.rows.size(); ++i) {
                EXPECT_EQ(g.hit(g.rows[i].row.centre()), i);
                EXPECT_GE(g.rows[i].row.height, 24.0);
                EXPECT_LE(g.rows[i].row.right(), width);
                EXPECT_LE(g.rows[i].bar.right(), g.rows[i].text.x + 1e-9);
            }
            for (const PipelineSegment& segment : g.strip) {
                EXPECT_EQ(g.hit(segment.rect.centre()), segment.row);
                EXPECT_GE(segment.rect.width, 2.0);
                EXPECT_LE(segment.rect.right(), width - 8.0 + 1e-9);
            }
            EXPECT_EQ(g.hit({width / 2.0, g.height + 1.0}), std::nullopt);
        }
}

// "100.0 %  18.9 mJ" in the narrowest column of Overview; the title is elided instead.
TEST(Pipeline, FiguresFitInANarrowView)
{
    const PipelineStyle style;
    const PipelineGeometry geometry =
        layoutPipeline(sampleRun(), CostMetric::Energy, 241.0, {}, style);
    ASSERT_FALSE(geometry.rows.empty());
    for (const PipelineRow& row : geometry.rows) {
        EXPECT_GE(row.text.width, 17.0 * style.char_width);
        EXPECT_GT(row.label.width, 12.0 * style.char_width);
    }
}

TEST(Pipeline, DegenerateRunsStayFinite)
{
    ep::Run run;
    run.trace.phases = {{Phase::Prefill, {5, 5}, energy(0.0)}};
    for (const CostMetric metric : {CostMetric::Time, CostMetric::Energy}) {
        const auto g = layoutPipeline(run, metric, 1.0, {}, {});
        ASSERT_EQ(g.rows.size(), 1U);
        EXPECT_EQ(*g.rows[0].share, 0.0);
        EXPECT_TRUE(std::isfinite(g.strip[0].rect.x));
    }
    run = sampleRun();
    run.trace.phases[1].energy = energy(-0.5); // as noise of a baseline can make it
    const auto negative = layoutPipeline(run, CostMetric::Energy, 800, {}, {});
    EXPECT_LT(*negative.rows[0].share, 0.0);
    EXPECT_EQ(negative.rows[0].bar.width, 0.0);
}

} // namespace
} // namespace ep::viz
