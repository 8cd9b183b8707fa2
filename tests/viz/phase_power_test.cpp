// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/phase_power.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ep::viz {
namespace {

constexpr Nanoseconds kWindow = 100'000'000;

// 20 samples of prefill (20 W) and of decode (10 W), one of them far off.
ep::Run makeRun()
{
    ep::Run run;
    for (int i = 0; i < 40; ++i) {
        PowerSample sample;
        sample.window = {i * kWindow, (i + 1) * kWindow};
        sample.phase = i < 20 ? Phase::Prefill : Phase::Decode;
        sample.phase_confidence = i == 19 ? 0.6 : 1.0;
        const double watts = (i < 20 ? 20.0 : 10.0) + 0.1 * (i % 4);
        sample.power_mw[Rail::Cpu] = Milliwatts{watts * 400.0};
        if (i >= 20)
            sample.power_mw[Rail::Gpu] = Milliwatts{watts * 600.0};
        sample.total_mw = Milliwatts{i == 30 ? 60'000.0 : watts * 1000.0};
        run.trace.samples.push_back(sample);
    }
    for (const Phase phase : {Phase::Prefill, Phase::Decode}) {
        PhaseSpan span;
        span.phase = phase;
        span.time = phase == Phase::Prefill ? TimeRange{0, 20 * kWindow}
                                            : TimeRange{20 * kWindow, 40 * kWindow};
        span.energy.rails_mj[Rail::Cpu] = Millijoules{100.0};
        if (phase == Phase::Decode)
            span.energy.rails_mj[Rail::Gpu] = Millijoules{300.0};
        span.energy.rails_mj[Rail::System] = Millijoules{500.0};
        span.energy.total_mj = Millijoules{400.0};
        span.energy.provenance = Provenance::Measured;
        run.trace.phases.push_back(span);
    }
    return run;
}

TEST(PhasePower, BoxesArePerPhaseAndAnomaliesAreMarked)
{
    const PhasePower data = buildPhasePower(makeRun().trace, {});
    EXPECT_EQ(data.points.size(), 40U);
    ASSERT_EQ(data.boxes.size(), 2U);
    EXPECT_EQ(data.boxes[0].phase, Phase::Prefill);
    EXPECT_NEAR(data.boxes[0].median, 20'150.0, 1e-6);
    EXPECT_EQ(data.boxes[0].anomalies, 0U);
    EXPECT_EQ(data.boxes[1].anomalies, 1U);
    EXPECT_TRUE(data.points[30].anomalous);
    EXPECT_LT(data.boxes[1].high_whisker, 60'000.0);
    EXPECT_EQ(data.boxes[1].most, 60'000.0);
    for (const PhaseBox& box : data.boxes) {
        EXPECT_LE(box.low_whisker, box.q1);
        EXPECT_LE(box.q1, box.median);
        EXPECT_LE(box.median, box.q3);
        EXPECT_LE(box.q3, box.high_whisker);
    }
}

TEST(PhasePower, ASecondLevelIsNoAnomaly)
{
    ep::Run run = makeRun();
    for (const std::size_t gap : {22U, 26U, 34U, 38U})
        run.trace.samples[gap].total_mw = Milliwatts{2'000.0};
    const PhasePower data = buildPhasePower(run.trace, {});
    EXPECT_EQ(data.boxes[1].anomalies, 0U);
    for (const PhasePoint& point : data.points)
        EXPECT_FALSE(point.anomalous);
}

TEST(PhasePower, WhatTheMachineDoesOutsideOfTheRunIsNoAnomaly)
{
    ep::Run run = makeRun();
    for (PowerSample& sample : run.trace.samples) {
        if (sample.phase == Phase::Decode)
            sample.phase = Phase::Idle;
    }
    const PhasePower data = buildPhasePower(run.trace, {});
    ASSERT_EQ(data.boxes.size(), 2U);
    for (const PhaseBox& box : data.boxes)
        EXPECT_EQ(box.anomalies, 0U);
}

TEST(PhasePower, FiltersByPhaseConfidenceAndRail)
{
    const ep::Run run = makeRun();
    PhasePowerFilter filter;
    filter.phases[static_cast<std::size_t>(Phase::Decode)] = false;
    EXPECT_EQ(buildPhasePower(run.trace, filter).points.size(), 20U);
    EXPECT_EQ(buildPhasePower(run.trace, filter).hidden, 20U);
    filter.least_confidence = 0.9;
    EXPECT_EQ(buildPhasePower(run.trace, filter).points.size(), 19U);
    filter = {};
    filter.rail = Rail::Gpu;
    const PhasePower gpu = buildPhasePower(run.trace, filter);
    EXPECT_EQ(gpu.points.size(), 20U);
    EXPECT_EQ(gpu.without_value, 20U); // missing, not zero
    filter.rail = Rail::Ane;
    EXPECT_TRUE(buildPhasePower(run.trace, filter).points.empty());
    EXPECT_TRUE(buildPhasePower({}, {}).boxes.empty());
}

TEST(PhasePower, LayoutKeepsPointsInPlaceAndHitsThem)
{
    const PhasePower data = buildPhasePower(makeRun().trace, {});
    const PhasePowerGeometry chart =
        layoutPhasePower(data, data.time, 0, {0.0, 0.0, 900.0, 300.0}, {});
    ASSERT_EQ(chart.points.size(), 40U);
    for (std::size_t i = 0; i < chart.points.size(); ++i) {
        EXPECT_TRUE(chart.scatter.contains(chart.points[i]));
        EXPECT_EQ(chart.hitPoint(chart.points[i]), i);
    }
    ASSERT_EQ(chart.box_shapes.size(), 2U);
    EXPECT_EQ(chart.hitBox(chart.box_shapes[1].column.centre()), 1U);
    EXPECT_GE(chart.box_shapes[0].body.x, chart.scatter.right());
    EXPECT_FALSE(summarize(data).empty());
    for (const Rect& area : {Rect{}, Rect{0.0, 0.0, 5.0, 5.0}})
        EXPECT_TRUE(layoutPhasePower(data, data.time, 0, area, {}).empty());
    EXPECT_TRUE(layoutPhasePower({}, {}, 0, {0.0, 0.0, 900.0, 300.0}, {}).empty());
}

TEST(RailBars, StacksRailsAndShowsWhatIsOutsideThem)
{
    const RailBars bars = layoutRailBars(makeRun(), false, 800.0, {});
    ASSERT_EQ(bars.rows.size(), 2U);
    EXPECT_FALSE(bars.all_missing);
    const RailBars::Row& prefill = bars.rows[0];
    ASSERT_EQ(prefill.segments.size(), 2U); // CPU, and the part that no rail explains
    EXPECT_EQ(prefill.segments[0].rail, Rail::Cpu);
    EXPECT_EQ(prefill.segments[1].rail, std::nullopt);
    EXPECT_NEAR(prefill.segments[1].mj, 400.0, 1e-9);
    EXPECT_EQ(prefill.missing, std::vector<Rail>{Rail::Gpu});
    EXPECT_NEAR(*prefill.total_mj, 500.0, 1e-9);
    for (const RailBars::Row& row : bars.rows) {
        double x = row.track.x;
        for (const RailBars::Segment& segment : row.segments) {
            EXPECT_NEAR(segment.rect.x, x, 1e-9);
            x = segment.rect.right();
        }
        EXPECT_LE(x, row.track.right() + 1e-9);
    }
    EXPECT_EQ(bars.hit(bars.rows[1].row.centre()), 1U);
    ASSERT_FALSE(bars.values.empty());
    EXPECT_NEAR(bars.values.front().position, bars.rows[0].track.x, 1e-6);
}

// "17,6 mJ (modelliert)": the bars end where the longest text beside them begins.
TEST(RailBars, LeaveRoomForTheTextsBesideThem)
{
    for (const double text : {0.0, 90.0, 180.0, 260.0}) {
        const RailBars bars = layoutRailBars(makeRun(), false, 800.0, {}, text);
        for (const RailBars::Row& row : bars.rows) {
            EXPECT_GE(row.text.width, text);
            EXPECT_LE(row.text.right(), 800.0);
            EXPECT_LE(row.track.right(), row.text.x);
        }
    }
}

TEST(RailBars, NetNeedsTheBaselineOfTheRail)
{
    ep::Run run = makeRun();
    EXPECT_TRUE(layoutRailBars(run, true, 800.0, {}).all_missing);
    run.info.power.baseline.emplace();
    run.info.power.baseline->power_mw[Rail::Cpu] = Milliwatts{10.0};
    const RailBars bars = layoutRailBars(run, true, 800.0, {});
    ASSERT_EQ(bars.rows[0].segments.size(), 1U);
    EXPECT_NEAR(bars.rows[0].segments[0].mj, 80.0, 1e-9); // minus 2 s at 10 mW
    EXPECT_TRUE(layoutRailBars(ep::Run{}, false, 800.0, {}).rows.empty());
    EXPECT_TRUE(layoutRailBars(ep::Run{}, false, 800.0, {}).all_missing);
}

} // namespace
} // namespace ep::viz
