// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/power_lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::viz {
namespace {

const Rect kLanesPlot{10.0, 20.0, 100.0, 50.0};

std::vector<LaneStroke> lane(const TimeSeries& series, TimeRange visible, const Rect& plot,
                             double ceiling, double pixel, double thickness)
{
    return layoutLane(series, laneColumns(series, visible, plot, pixel), plot, ceiling, pixel,
                      thickness);
}

TimeSeries constantSeries(int samples, double value)
{
    TimeSeries series;
    for (int i = 0; i < samples; ++i)
        series.append({i * 10, i * 10 + 10}, value);
    return series;
}

TEST(PowerLanes, AConstantIsAStraightLine)
{
    for (const double pixel : {1.0, 0.5}) {
        const auto strokes =
            lane(constantSeries(7, 25.0), {0, 70}, kLanesPlot, 50.0, pixel, 2.0 * pixel);
        ASSERT_EQ(strokes.size(), static_cast<std::size_t>(100.0 / pixel));
        for (const LaneStroke& stroke : strokes) {
            EXPECT_DOUBLE_EQ(stroke.top, 45.0 - pixel);
            EXPECT_DOUBLE_EQ(stroke.bottom, 45.0 + pixel);
        }
        EXPECT_DOUBLE_EQ(strokes.front().x, 10.0);
    }
}

TEST(PowerLanes, StrokesTouchWhereThereIsNoGap)
{
    TimeSeries series;
    for (int i = 0; i < 400; ++i) {
        const double value = 25.0 + 20.0 * std::sin(i * 1.7) * std::cos(i * 0.13);
        series.append({i * 10, i * 10 + 10}, value);
    }
    for (const TimeRange visible : {TimeRange{0, 4000}, TimeRange{500, 900}, TimeRange{95, 117}}) {
        const auto strokes = lane(series, visible, kLanesPlot, 50.0, 1.0, 1.0);
        ASSERT_EQ(strokes.size(), 100U);
        for (std::size_t i = 0; i < strokes.size(); ++i) {
            EXPECT_GE(strokes[i].top, kLanesPlot.y - 1.0);
            EXPECT_LE(strokes[i].bottom, kLanesPlot.bottom() + 1.0);
            EXPECT_GE(strokes[i].bottom - strokes[i].top, 1.0);
            if (i == 0)
                continue;
            EXPECT_LE(strokes[i].top, strokes[i - 1].bottom);
            EXPECT_GE(strokes[i].bottom, strokes[i - 1].top);
        }
    }
}

TEST(PowerLanes, AGapBreaksTheLine)
{
    TimeSeries series;
    series.append({0, 40}, 0.0);
    series.append({40, 60}, std::nullopt);
    series.append({60, 100}, 50.0);
    const auto strokes = lane(series, {0, 100}, kLanesPlot, 50.0, 1.0, 1.0);
    ASSERT_EQ(strokes.size(), 80U);
    EXPECT_DOUBLE_EQ(strokes[39].x, 49.0);
    EXPECT_DOUBLE_EQ(strokes[40].x, 70.0);
    EXPECT_LE(strokes[40].bottom - strokes[40].top, 1.0); // does not extend across the gap
}

TEST(PowerLanes, ALineOfFewPointsCoversEveryColumnOnce)
{
    using Points = std::vector<TimeSeries::LinePoint>;
    const Points points{{10, 5.0}, {40, 45.0}, {41, 5.0}, {90, 5.0}};
    const auto strokes = layoutLine(points, {0, 100}, kLanesPlot, 50.0, 1.0, 2.0);
    ASSERT_EQ(strokes.size(), 81U);
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        EXPECT_DOUBLE_EQ(strokes[i].x, 20.0 + static_cast<double>(i));
        EXPECT_GE(strokes[i].bottom - strokes[i].top, 1.0);
        EXPECT_GE(strokes[i].top, 25.0 - 1.0); // 45 out of 50, and half the thickness
        EXPECT_LE(strokes[i].bottom, 65.0 + 1.0);
        if (i > 0) {
            EXPECT_LE(strokes[i].top, strokes[i - 1].bottom);
            EXPECT_GE(strokes[i].bottom, strokes[i - 1].top);
        }
    }
    EXPECT_NEAR(strokes[60].bottom - strokes[60].top, 2.0, 1e-9); // a level line
    EXPECT_NEAR(strokes[30].top, 24.0, 1e-9); // the peak
    EXPECT_NEAR(strokes[30].bottom, 66.0, 1e-9); // falls within one column
    // Points far away have no cost and no effect.
    const Points far{{-4'000'000'000'000'000, 10.0}, {4'000'000'000'000'000, 10.0}};
    EXPECT_EQ(layoutLine(far, {0, 100}, kLanesPlot, 50.0, 0.5, 1.0).size(), 200U);
    EXPECT_TRUE(layoutLine(far, {0, 0}, kLanesPlot, 50.0, 1.0, 1.0).empty());
    EXPECT_TRUE(layoutLine(Points{{5, 1.0}}, {0, 100}, kLanesPlot, 50.0, 1.0, 1.0).empty());
}

TEST(PowerLanes, AStepRisesWithinOneColumn)
{
    const std::vector<TimeSeries::LinePoint> points{{0, 5.0}, {50, 5.0}, {50, 45.0}, {100, 45.0}};
    const auto strokes = layoutLine(points, {0, 100}, kLanesPlot, 50.0, 1.0, 2.0);
    ASSERT_EQ(strokes.size(), 100U);
    for (std::size_t i = 0; i < strokes.size(); ++i) {
        EXPECT_NEAR(strokes[i].top, i < 50 ? 64.0 : 24.0, 1e-9) << i;
        EXPECT_NEAR(strokes[i].bottom, i <= 50 ? 66.0 : 26.0, 1e-9) << i;
    }
}

TEST(PowerLanes, DegenerateInputGivesNothing)
{
    const TimeSeries series = constantSeries(5, 1.0);
    EXPECT_TRUE(lane({}, {0, 50}, kLanesPlot, 50.0, 1.0, 1.0).empty());
    EXPECT_TRUE(lane(series, {50, 50}, kLanesPlot, 50.0, 1.0, 1.0).empty());
    EXPECT_TRUE(lane(series, {0, 50}, {0, 0, 0, 50}, 50.0, 1.0, 1.0).empty());
    EXPECT_TRUE(lane(series, {0, 50}, kLanesPlot, 0.0, 1.0, 1.0).empty());
    EXPECT_TRUE(lane(series, {900, 950}, kLanesPlot, 50.0, 1.0, 1.0).empty());
    // Noise below zero and values above the ceiling are clipped.
    TimeSeries wild;
    wild.append({0, 10}, -30.0);
    wild.append({10, 20}, 90.0);
    for (const LaneStroke& stroke : lane(wild, {0, 20}, kLanesPlot, 50.0, 1.0, 1.0)) {
        EXPECT_GE(stroke.top, kLanesPlot.y - 1.0);
        EXPECT_LE(stroke.bottom, kLanesPlot.bottom() + 1.0);
    }
}

} // namespace
} // namespace ep::viz
