// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_run.h"

#include "ep/viz/treemap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::viz {
namespace {

using test::CostRunShape;
using test::makeCostRun;

CostTree treeOf(const CostRunShape& shape)
{
    const ep::Run run = makeCostRun(shape);
    const RunBreakdown parts = breakDown(run.trace);
    return buildCostTree(run, &parts);
}

const Rect kTreemapPlot{10.0, 20.0, 900.0, 500.0};

bool inside(const Rect& inner, const Rect& outer)
{
    constexpr double kSlack = 1e-6;
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack
        && inner.right() <= outer.right() + kSlack && inner.bottom() <= outer.bottom() + kSlack;
}

double area(const Rect& rect)
{
    return rect.width * rect.height;
}

TEST(Treemap, AreasOfSiblingsAreInProportionAndInside)
{
    for (const int layers : {1, 3, 126}) {
        const CostTree tree = treeOf({.layers = layers, .operations = true});
        const TreemapGeometry map = layoutTreemap(tree, 0, CostMetric::Energy, kTreemapPlot, {});
        ASSERT_FALSE(map.cells.empty());
        double top = 0.0;
        for (const TreemapCell& cell : map.cells) {
            EXPECT_TRUE(inside(cell.rect, kTreemapPlot));
            if (cell.level == 0) {
                top += area(cell.rect);
                EXPECT_NEAR(area(cell.rect) / area(kTreemapPlot), cell.value / map.total, 1e-6);
            }
        }
        EXPECT_NEAR(top, area(kTreemapPlot), 1e-3);
        // Within a container, the ratio of area to value is the same for all cells.
        for (const TreemapCell& parent : map.cells) {
            if (!parent.container)
                continue;
            double ratio = 0.0;
            for (const TreemapCell& cell : map.cells) {
                const std::size_t node = cell.other() ? cell.node : tree.nodes[cell.node].parent;
                if (cell.level != parent.level + 1 || node != parent.node)
                    continue;
                EXPECT_TRUE(inside(cell.rect, parent.rect));
                const double own = area(cell.rect) / cell.value;
                if (ratio > 0.0) {
                    EXPECT_NEAR(own / ratio, 1.0, 1e-6);
                }
                ratio = own;
            }
        }
    }
}

TEST(Treemap, CellsOfOneLevelDoNotOverlap)
{
    const CostTree tree = treeOf({.layers = 22});
    const TreemapGeometry map = layoutTreemap(tree, 0, CostMetric::Time, kTreemapPlot, {});
    for (std::size_t i = 0; i < map.cells.size(); ++i)
        for (std::size_t j = i + 1; j < map.cells.size(); ++j) {
            const Rect& a = map.cells[i].rect;
            const Rect& b = map.cells[j].rect;
            if (map.cells[i].level != map.cells[j].level)
                continue;
            const double w = std::min(a.right(), b.right()) - std::max(a.x, b.x);
            const double h = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
            EXPECT_FALSE(w > 1e-6 && h > 1e-6);
        }
}

TEST(Treemap, IsSquarish)
{
    const CostTree tree = treeOf({.tokens = 2, .layers = 40});
    const auto decode = tree.find({.phase = Phase::Decode});
    const TreemapGeometry map =
        layoutTreemap(tree, *decode, CostMetric::Time, kTreemapPlot, {.levels = 1});
    int slim = 0;
    for (const TreemapCell& cell : map.cells)
        slim +=
            std::max(cell.rect.width / cell.rect.height, cell.rect.height / cell.rect.width) > 4.0;
    EXPECT_LE(slim, 3);
}

TEST(Treemap, SmallSiblingsBecomeOneOther)
{
    const CostTree tree = treeOf({.layers = 126});
    const TreemapGeometry map =
        layoutTreemap(tree, 0, CostMetric::Time, {0.0, 0.0, 120.0, 80.0}, {.least_area = 300.0});
    const auto other = std::find_if(map.cells.begin(), map.cells.end(),
                                    [](const TreemapCell& cell) { return cell.other(); });
    ASSERT_NE(other, map.cells.end());
    EXPECT_GE(other->others.size(), 2U);
    double sum = 0.0;
    for (const std::size_t node : other->others)
        sum += *tree.value(node, CostMetric::Time);
    EXPECT_NEAR(sum, other->value, 1e-9);
    EXPECT_FALSE(other->container);
}

TEST(Treemap, TheSameDataAlwaysLooksTheSameAndKeepsItsOrderOverMetrics)
{
    const CostTree tree = treeOf({.layers = 9, .noise_mj = 0.7});
    const auto order = [&](CostMetric metric) {
        std::vector<std::size_t> nodes;
        for (const TreemapCell& cell :
             layoutTreemap(tree, 0, metric, kTreemapPlot, {.least_area = 0.0}).cells)
            if (cell.level == 0)
                nodes.push_back(cell.node);
        return nodes;
    };
    EXPECT_EQ(order(CostMetric::Time), order(CostMetric::Time));
    EXPECT_EQ(order(CostMetric::Time), order(CostMetric::Energy));
}

TEST(Treemap, HitsTheInnermostCell)
{
    const CostTree tree = treeOf({.operations = true});
    const TreemapGeometry map = layoutTreemap(tree, 0, CostMetric::Time, kTreemapPlot, {});
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        if (map.cells[i].container)
            continue;
        EXPECT_EQ(map.hit(map.cells[i].rect.centre()), i);
    }
    EXPECT_EQ(map.hit({0.0, 0.0}), std::nullopt);
}

TEST(Treemap, DegenerateData)
{
    for (const CostRunShape& shape :
         {CostRunShape{.tokens = 0}, CostRunShape{.tokens = 1},
          CostRunShape{.tokens = 3, .layers = 1}, CostRunShape{.energy = false},
          CostRunShape{.noise_mj = -5.0}, CostRunShape{.layers = 126, .noise_mj = -1000.0}}) {
        const CostTree tree = treeOf(shape);
        for (const CostMetric metric : kCostMetrics)
            for (const Rect& plot : {kTreemapPlot, Rect{0.0, 0.0, 1.0, 1.0}, Rect{}}) {
                const TreemapGeometry map = layoutTreemap(tree, 0, metric, plot, {});
                for (const TreemapCell& cell : map.cells) {
                    EXPECT_TRUE(std::isfinite(area(cell.rect)));
                    EXPECT_GT(cell.value, 0.0); // negative values have no area
                    EXPECT_TRUE(inside(cell.rect, plot));
                }
                EXPECT_FALSE(summarize(tree, 0, metric).empty());
            }
    }
    const CostTree timing = treeOf({.energy = false});
    EXPECT_TRUE(layoutTreemap(timing, 0, CostMetric::Energy, kTreemapPlot, {}).all_missing);
    EXPECT_TRUE(layoutTreemap(timing, 0, CostMetric::Energy, kTreemapPlot, {}).cells.empty());
    EXPECT_EQ(summarize(timing, 0, CostMetric::Energy), "Run: Energy is missing");
}

} // namespace
} // namespace ep::viz
