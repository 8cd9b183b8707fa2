// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_run.h"

#include "ep/viz/heatmap.h"
#include "ep/viz/waterfall.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ep::viz {
namespace {

using test::CostRunShape;
using test::makeCostRun;

TokenCosts costsOf(const CostRunShape& shape, CostMetric metric = CostMetric::Energy)
{
    const ep::Run run = makeCostRun(shape);
    const RunBreakdown parts = breakDown(run.trace);
    return buildTokenCosts(run, &parts, metric);
}

// Decoded tokens with these values, at positions 0, 1, ...
TokenCosts costsWith(const std::vector<std::optional<double>>& values)
{
    TokenCosts costs;
    costs.metric = CostMetric::Energy;
    for (std::size_t i = 0; i < values.size(); ++i) {
        TokenCost token;
        token.index = static_cast<std::int32_t>(i);
        token.position = static_cast<std::int32_t>(i);
        token.value = values[i];
        costs.tokens.push_back(token);
    }
    return costs;
}

const Rect kArea{0.0, 0.0, 900.0, 400.0};

TEST(TokenCosts, PartsAddUpToTheToken)
{
    for (const CostMetric metric : {CostMetric::Time, CostMetric::Energy, CostMetric::NetEnergy}) {
        const TokenCosts costs = costsOf({.tokens = 5, .baseline_mw = 1'000.0}, metric);
        ASSERT_EQ(costs.tokens.size(), 5U);
        EXPECT_TRUE(costs.split);
        for (const TokenCost& token : costs.tokens) {
            double sum = 0.0;
            for (const auto& part : token.parts)
                sum += part.value_or(0.0);
            ASSERT_TRUE(token.value);
            EXPECT_NEAR(sum, *token.value, 1e-6);
        }
    }
    const TokenCost token = costsOf({}).tokens[1];
    EXPECT_NEAR(*token.parts[static_cast<std::size_t>(RunPart::Attention)], 12.0, 1e-9);
    EXPECT_NEAR(*token.parts[static_cast<std::size_t>(RunPart::Rest)], 6.0, 1e-9);
    EXPECT_FALSE(token.parts[static_cast<std::size_t>(RunPart::KvCache)]); // missing, not zero
}

TEST(TokenCosts, WithoutPartsTheLayersAreOne)
{
    const ep::Run run = makeCostRun({});
    const TokenCosts costs = buildTokenCosts(run, nullptr, CostMetric::Time);
    EXPECT_FALSE(costs.split);
    EXPECT_NEAR(*costs.tokens[1].parts[static_cast<std::size_t>(RunPart::Layers)], 3.0, 1e-9);
}

TEST(Waterfall, SegmentsStackUpToTheValueAndTheLineEndsAtTheSum)
{
    const TokenCosts costs = costsOf({.tokens = 40});
    const WaterfallGeometry chart = layoutWaterfall(costs, {0, 40}, kArea, {});
    ASSERT_EQ(chart.bars.size(), 40U);
    double sum = 0.0;
    for (const WaterfallBar& bar : chart.bars) {
        double height = 0.0;
        for (const Rect& segment : bar.segments)
            height += segment.height;
        EXPECT_NEAR(bar.top, chart.plot.bottom() - height, 1e-6);
        if (!bar.clipped) {
            EXPECT_NEAR(height, chart.plot.height * *bar.value / chart.ceiling, 1e-6);
        }
        sum += *costs.tokens[bar.tokens.first].value;
        EXPECT_NEAR(bar.cumulative, sum, 1e-6);
    }
    EXPECT_TRUE(chart.bars.front().clipped); // the prefill costs ten times as much as a token
    EXPECT_FALSE(chart.bars.back().clipped);
    EXPECT_GE(chart.cumulative.back().y, chart.plot.y - 1e-9);
    EXPECT_FALSE(chart.values.empty());
    EXPECT_FALSE(chart.sums.empty());
    EXPECT_FALSE(chart.tokens.empty());
}

TEST(Waterfall, AggregatesWhenTokensExceedPixels)
{
    const TokenCosts costs = costsOf({.tokens = 10'000, .layers = 1});
    const WaterfallGeometry chart = layoutWaterfall(costs, {0, 10'000}, kArea, {});
    EXPECT_GT(chart.tokens_per_bar, 1U);
    EXPECT_LE(static_cast<double>(chart.bars.size()), chart.plot.width / 3.9);
    std::size_t next = 0;
    for (const WaterfallBar& bar : chart.bars) {
        EXPECT_EQ(bar.tokens.first, next);
        next = bar.tokens.last;
        EXPECT_LE(bar.least, *bar.value + 1e-9);
        EXPECT_GE(bar.most, *bar.value - 1e-9);
    }
    EXPECT_EQ(next, 10'000U);
    EXPECT_EQ(chart.hit(chart.bars[7].rect.centre()), 7U);
    EXPECT_EQ(chart.barOf(9'999), chart.bars.size() - 1);
}

TEST(Waterfall, MarksTheBarOfADisturbedToken)
{
    ep::Run run = makeCostRun({.tokens = 12});
    Nanoseconds now = 0;
    for (TokenSpan& token : run.trace.tokens) {
        const Nanoseconds duration = token.index == 7 ? 30'000 : 10'000;
        token.time = {now, now + duration};
        token.processor_ns = duration;
        token.preemptions = token.index == 7 ? 5 : 0;
        now = token.time.end_ns;
    }
    const TokenCosts costs = buildTokenCosts(run, nullptr, CostMetric::Energy);
    for (const TokenCost& token : costs.tokens)
        EXPECT_EQ(token.disturbed, token.index == 7);
    const WaterfallGeometry geometry = layoutWaterfall(costs, {0, 12}, kArea, {});
    for (std::size_t i = 0; i < geometry.bars.size(); ++i)
        EXPECT_EQ(geometry.bars[i].disturbed, geometry.barOf(7) == i);
}

TEST(Waterfall, MissingIsNoBarOfZero)
{
    const WaterfallGeometry chart =
        layoutWaterfall(costsWith({1.0, std::nullopt, 3.0}), {0, 3}, kArea, {});
    ASSERT_EQ(chart.bars.size(), 3U);
    EXPECT_FALSE(chart.bars[1].value);
    EXPECT_FALSE(chart.all_missing);
    for (const Rect& segment : chart.bars[1].segments)
        EXPECT_TRUE(segment.empty());
    EXPECT_TRUE(layoutWaterfall(costsOf({.energy = false}), {0, 4}, kArea, {}).all_missing);
}

TEST(Waterfall, DegenerateData)
{
    for (const CostRunShape& shape :
         {CostRunShape{.tokens = 0}, CostRunShape{.tokens = 1}, CostRunShape{.energy = false},
          CostRunShape{.noise_mj = -50.0}, CostRunShape{.layers = 126}})
        for (const Rect& area : {kArea, Rect{0.0, 0.0, 2.0, 2.0}, Rect{}}) {
            const TokenCosts costs = costsOf(shape);
            const WaterfallGeometry chart =
                layoutWaterfall(costs, {0, costs.tokens.size()}, area, {});
            for (const WaterfallBar& bar : chart.bars)
                for (const Rect& segment : bar.segments) {
                    EXPECT_TRUE(std::isfinite(segment.height));
                    if (segment.empty())
                        continue;
                    EXPECT_GE(segment.y, chart.plot.y - 1e-9);
                    EXPECT_LE(segment.bottom(), chart.plot.bottom() + 1e-9);
                }
            layoutTrend(costs, area, {});
            layoutHistogram(buildHistogram(costs), CostMetric::Energy, area, {});
        }
}

// Tokens of about 20 mJ; every `every`th one has 400 mJ.
std::vector<std::optional<double>> withOutliers(int count, int every)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < count; ++i)
        values.push_back(i % every == 3 ? 400.0 + i : 20.0 + 0.1 * (i % 5));
    return values;
}

TEST(Waterfall, OutliersDoNotTakeTheAxis)
{
    const WaterfallGeometry chart =
        layoutWaterfall(costsWith(withOutliers(60, 15)), {0, 60}, kArea, {});
    EXPECT_LE(chart.ceiling, 30.0);
    EXPECT_TRUE(chart.bars[3].clipped);
    EXPECT_FALSE(chart.bars[4].clipped);
    // With few values there are no outliers.
    EXPECT_GE(layoutWaterfall(costsWith({1.0, 1.0, 50.0}), {0, 3}, kArea, {}).ceiling, 50.0);
}

TEST(Trend, ADotAboveTheAxisIsMarkedAtItsEdge)
{
    const TrendGeometry chart = layoutTrend(costsWith(withOutliers(60, 15)), kArea, {});
    EXPECT_LE(chart.ceiling, 30.0);
    EXPECT_TRUE(chart.dots[3].above);
    EXPECT_EQ(chart.dots[3].at.y, chart.plot.y);
    EXPECT_FALSE(chart.dots[4].above);
    ASSERT_TRUE(chart.line);
    EXPECT_FALSE(chart.line->hasClearSlope());
}

TEST(Histogram, OutliersShareTheLastBin)
{
    const TokenHistogram histogram = buildHistogram(costsWith(withOutliers(60, 15)));
    ASSERT_TRUE(histogram.open_end);
    EXPECT_EQ(histogram.classes.back().size(), 4U);
    EXPECT_NEAR(histogram.highest, 448.0, 1e-9);
    EXPECT_LT(histogram.width, 1.0); // ordinary tokens fall into several classes
    std::size_t count = 0;
    for (const auto& tokens : histogram.classes)
        count += tokens.size();
    EXPECT_EQ(count, 60U);
    const HistogramGeometry chart = layoutHistogram(histogram, CostMetric::Energy, kArea, {});
    ASSERT_GE(chart.values.size(), 2U);
    EXPECT_EQ(chart.values.back().label, "> 20.4 mJ");
    EXPECT_FALSE(buildHistogram(costsWith({1.0, 1.1, 1.2})).open_end);
}

TEST(Histogram, TheAxisHasRoundNumbers)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(311.0 + 17.3 * i);
    const HistogramGeometry chart =
        layoutHistogram(buildHistogram(costsWith(values)), CostMetric::Energy, kArea, {});
    ASSERT_GE(chart.values.size(), 3U);
    for (const Tick& tick : chart.values)
        EXPECT_NEAR(std::remainder(tick.value, 100.0), 0.0, 1e-6) << tick.label;
    EXPECT_EQ(chart.values.front().label, "0.5 J");
}

TEST(TokenWindow, ZoomsAtAnAnchorAndStaysInside)
{
    EXPECT_EQ(clampedWindow({0, 0}, 100), (TokenWindow{0, 8}));
    EXPECT_EQ(clampedWindow({98, 200}, 100), (TokenWindow{0, 100}));
    EXPECT_EQ(clampedWindow({0, 5}, 3), (TokenWindow{0, 3}));
    EXPECT_EQ(clampedWindow({0, 5}, 0), (TokenWindow{0, 0}));
    EXPECT_EQ(zoomedWindow({0, 100}, 0.5, 0.5, 100), (TokenWindow{25, 75}));
    EXPECT_EQ(zoomedWindow({25, 75}, 0.0, 2.0, 100), (TokenWindow{0, 100}));
    EXPECT_EQ(zoomedWindow({0, 8}, 0.5, 0.5, 100).size(), 8U);
    EXPECT_EQ(pannedWindow({10, 20}, 5, 100), (TokenWindow{15, 25}));
    EXPECT_EQ(pannedWindow({10, 20}, -50, 100), (TokenWindow{0, 10}));
    EXPECT_EQ(pannedWindow({10, 20}, 500, 100), (TokenWindow{90, 100}));
}

TEST(Trend, FindsTheLineThatMadeTheData)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 500; ++i)
        values.push_back(20.0 + 0.05 * i + (i % 2 == 0 ? 0.1 : -0.1));
    values.push_back(std::nullopt);
    const auto line = fitTrend(costsWith(values));
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->slope, 0.05, 1e-4);
    EXPECT_NEAR(line->at_zero, 20.0, 0.05);
    EXPECT_GT(line->r2, 0.99);
    EXPECT_GT(line->slope_error, 0.0);
    EXPECT_EQ(line->tokens, 500U);
    EXPECT_EQ(line->left_out, 0U);
    EXPECT_FALSE(fitTrend(costsWith({1.0, 2.0})));
    EXPECT_FALSE(fitTrend(costsWith({})));
    EXPECT_NEAR(fitTrend(costsWith({3.0, 3.0, 3.0}))->slope, 0.0, 1e-12);
}

TEST(Trend, LeavesOutWhatIsFarFromAllOthers)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 200; ++i)
        values.push_back(20.0 + 0.05 * i + (i % 2 == 0 ? 0.1 : -0.1));
    values[190] = 400.0;
    values[3] = 90.0;
    const auto line = fitTrend(costsWith(values));
    ASSERT_TRUE(line);
    EXPECT_NEAR(line->slope, 0.05, 1e-3);
    EXPECT_EQ(line->tokens, 198U);
    EXPECT_EQ(line->left_out, 2U);
}

TEST(Trend, MarksWhatIsFarFromTheLine)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 100; ++i)
        values.push_back(10.0 + 0.1 * (i % 5));
    values[40] = 30.0;
    const TrendGeometry chart = layoutTrend(costsWith(values), kArea, {});
    ASSERT_EQ(chart.dots.size(), 100U);
    EXPECT_TRUE(chart.dots[40].anomalous);
    EXPECT_FALSE(chart.dots[41].anomalous);
    EXPECT_EQ(chart.hit(chart.dots[40].at), 40U);
    ASSERT_TRUE(chart.line);
}

TEST(Histogram, HoldsEachTokenOnce)
{
    std::vector<std::optional<double>> values;
    for (int i = 0; i < 1000; ++i)
        values.push_back(10.0 + std::sin(i) + 0.001 * i);
    values.push_back(std::nullopt);
    const TokenHistogram histogram = buildHistogram(costsWith(values));
    std::size_t count = 0;
    for (const auto& tokens : histogram.classes)
        count += tokens.size();
    EXPECT_EQ(count, 1000U);
    EXPECT_EQ(histogram.missing, 1);
    EXPECT_LE(histogram.classes.size(), 40U);
    EXPECT_GE(histogram.classes.size(), 5U);
    EXPECT_TRUE(buildHistogram(costsWith({})).classes.empty());
    EXPECT_EQ(buildHistogram(costsWith({2.0, 2.0, 2.0})).classes.size(), 1U);

    const HistogramGeometry chart = layoutHistogram(histogram, CostMetric::Energy, kArea, {});
    EXPECT_DOUBLE_EQ(chart.toX(histogram, histogram.low), chart.plot.x);
    EXPECT_TRUE(chart.hit(chart.plot.centre()));
    EXPECT_FALSE(chart.hit({0.0, 0.0}));
}

TEST(RobustScale, KnowsAnOutlierFromTheRest)
{
    const RobustScale scale = robustScale({1.0, 1.1, 0.9, 1.05, 0.95, 9.0});
    EXPECT_TRUE(scale.anomalous(9.0));
    EXPECT_FALSE(scale.anomalous(1.1));
    EXPECT_FALSE(robustScale({5.0, 5.0, 5.0}).anomalous(5.0));
    EXPECT_TRUE(robustScale({5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 6.0}).anomalous(6.0)); // MAD is 0
    EXPECT_EQ(robustScale({}).z(3.0), 0.0);
}

TEST(TokenGrid, HasAValueForEachTokenAndLayer)
{
    const ep::Run run = makeCostRun({.tokens = 6, .layers = 4});
    const RunBreakdown parts = breakDown(run.trace);
    const TokenGrid grid = buildTokenGrid(run, parts, CostMetric::Energy);
    ASSERT_EQ(grid.layers, 4);
    EXPECT_NEAR(*grid.at(0, 3), 100.0, 1e-9);
    EXPECT_NEAR(*grid.at(5, 0), 10.0, 1e-9);
    EXPECT_NEAR(grid.high, 10.0, 1e-9); // the prefill does not affect the scale
    const TokenGridGeometry chart = layoutTokenGrid(grid, kArea, {});
    EXPECT_EQ(chart.columns(), 6);
    EXPECT_EQ(chart.hit(chart.cell(3, 2).centre()), (GridCell{3, 2}));
    EXPECT_FALSE(summarize(grid).empty());
}

TEST(TokenGrid, DegenerateData)
{
    for (const CostRunShape& shape :
         {CostRunShape{.tokens = 0}, CostRunShape{.tokens = 1, .layers = 1},
          CostRunShape{.energy = false}, CostRunShape{.tokens = 10'000, .layers = 1},
          CostRunShape{.tokens = 5, .layers = 126}})
        for (const Rect& area : {kArea, Rect{0.0, 0.0, 3.0, 3.0}}) {
            const ep::Run run = makeCostRun(shape);
            const TokenGrid grid = buildTokenGrid(run, breakDown(run.trace), CostMetric::Energy);
            const TokenGridGeometry chart = layoutTokenGrid(grid, area, {});
            EXPECT_LE(chart.columns(), std::max(1.0, area.width));
            EXPECT_EQ(grid.allMissing(), !shape.energy);
        }
}

} // namespace
} // namespace ep::viz
