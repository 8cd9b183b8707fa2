// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_run.h"

#include "ep/viz/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::viz {
namespace {

using test::CostRunShape;
using test::makeCostRun;
using Kind = FlowGraph::Kind;

FlowGraph flowOf(const CostRunShape& shape, CostMetric metric = CostMetric::Energy, int groups = 12)
{
    const ep::Run run = makeCostRun(shape);
    const RunBreakdown parts = breakDown(run.trace);
    return buildFlow(buildCostTree(run, &parts), metric, groups);
}

void expectConserved(const FlowGraph& graph)
{
    const double total = graph.nodes.front().value;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const FlowGraph::Node& node = graph.nodes[i];
        const double slack = 1e-9 * std::max(1.0, total);
        if (node.kind != Kind::Input) {
            EXPECT_NEAR(graph.into(i), node.value, slack) << node.title;
        }
        if (node.kind != Kind::Output) {
            EXPECT_NEAR(graph.outOf(i), node.value, slack) << node.title;
        }
    }
    EXPECT_NEAR(total, graph.nodes.back().value, 1e-9 * std::max(1.0, total));
}

const FlowGraph::Node& find(const FlowGraph& graph, const std::string& title)
{
    const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                    [&](const auto& node) { return node.title == title; });
    EXPECT_NE(found, graph.nodes.end()) << title;
    return found != graph.nodes.end() ? *found : graph.nodes.front();
}

TEST(Flow, IsConservedAtEachNode)
{
    for (const CostRunShape& shape :
         {CostRunShape{}, CostRunShape{.tokens = 1}, CostRunShape{.layers = 1},
          CostRunShape{.layers = 126}, CostRunShape{.noise_mj = -3.0},
          CostRunShape{.noise_mj = 2.0, .baseline_mw = 9'000.0}})
        for (const CostMetric metric : {CostMetric::Time, CostMetric::Energy})
            expectConserved(flowOf(shape, metric));
    expectConserved(flowOf({.baseline_mw = 9'000.0}, CostMetric::NetEnergy));
}

TEST(Flow, TheInputHasAllOfTheRun)
{
    const ep::Run run = makeCostRun();
    EXPECT_NEAR(flowOf({}).nodes.front().value, run.metrics.energy.total_mj->value, 1e-6);
    EXPECT_NEAR(flowOf({}, CostMetric::Time).nodes.front().value,
                toMilliseconds(run.metrics.duration_ns), 1e-9);
}

TEST(Flow, SplitsTheLayersIntoTheirParts)
{
    // 13 units of 0.1 ms x 3 layers: the prefill counts as ten.
    const FlowGraph graph = flowOf({});
    const double unit = 13.0 * 3.0; // mJ in 0.1 ms at 10 W, for all steps and layers
    EXPECT_NEAR(find(graph, "Attention").value, 4.0 * unit, 1e-6);
    EXPECT_NEAR(find(graph, "MLP").value, 4.0 * unit, 1e-6);
    EXPECT_NEAR(find(graph, "Norms and residuals").value, unit, 1e-6);
    EXPECT_NEAR(find(graph, "Between parts").value, unit + 3.0 * 13.0, 1e-6); // steps, too
    EXPECT_NEAR(find(graph, "Embedding").value, 13.0, 1e-6);
    EXPECT_NEAR(find(graph, "Output head").value, 5.0 * 13.0, 1e-6);
    EXPECT_LT(find(graph, "Embedding").column, find(graph, "Attention").column);
    EXPECT_EQ(find(graph, "Layer 1").first_layer, 1);
    for (const char* node : {"Input", "Layers", "Layer 1", "Attention", "Output"})
        EXPECT_EQ(find(graph, node).provenance, Provenance::Attributed) << node;
    EXPECT_EQ(find(graph, "Output head").provenance, Provenance::Measured);
}

TEST(Flow, ManyLayersShareNodes)
{
    const FlowGraph graph = flowOf({.layers = 126}, CostMetric::Time, 10);
    int groups = 0;
    std::int32_t next = 0;
    for (const FlowGraph::Node& node : graph.nodes) {
        if (node.kind != Kind::Layers || node.first_layer < 0)
            continue;
        EXPECT_EQ(node.first_layer, next);
        next = node.last_layer + 1;
        ++groups;
    }
    EXPECT_EQ(next, 126);
    EXPECT_LE(groups, 10);
    EXPECT_EQ(find(graph, "Layers 0–12").last_layer, 12);
}

TEST(Flow, WithoutPartsTheLayersAreNotSplit)
{
    const ep::Run run = makeCostRun();
    const FlowGraph graph = buildFlow(buildCostTree(run, nullptr), CostMetric::Energy);
    expectConserved(graph);
    EXPECT_GT(find(graph, "Not split").value, 0.0);
}

TEST(Flow, APathHasItsShareOfEachLink)
{
    const FlowGraph graph = flowOf({});
    std::size_t layer = 0;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].first_layer == 1)
            layer = i;
    const std::vector<double> shares = graph.through(layer);
    double in = 0.0;
    double out = 0.0;
    for (std::size_t i = 0; i < graph.links.size(); ++i) {
        EXPECT_GE(shares[i], 0.0);
        EXPECT_LE(shares[i], 1.0);
        if (graph.links[i].from == 0)
            in += shares[i] * graph.links[i].value;
        if (graph.nodes[graph.links[i].to].kind == Kind::Output)
            out += shares[i] * graph.links[i].value;
        if (graph.links[i].from == layer) {
            EXPECT_NEAR(shares[i], 1.0, 1e-12);
        }
    }
    EXPECT_NEAR(in, graph.nodes[layer].value, 1e-6);
    EXPECT_NEAR(out, graph.nodes[layer].value, 1e-6);
}

TEST(Flow, MissingAndEmptyHaveNoLinks)
{
    EXPECT_TRUE(flowOf({.energy = false}).missing);
    EXPECT_TRUE(flowOf({.energy = false}).empty());
    EXPECT_TRUE(buildFlow(buildCostTree(ep::Run{}, nullptr), CostMetric::Energy).empty());
    EXPECT_TRUE(flowOf({.baseline_mw = 50'000.0}, CostMetric::NetEnergy).missing);
    EXPECT_TRUE(layoutSankey(flowOf({.energy = false}), {0, 0, 100, 100}, {}).empty());
    EXPECT_EQ(summarize(flowOf({.energy = false})), "Energy is missing");
}

TEST(Sankey, NodesAndBandsStayInsideAndKeepTheirWidth)
{
    const Rect plot{10.0, 10.0, 1000.0, 600.0};
    for (const int layers : {1, 6, 126}) {
        const FlowGraph graph = flowOf({.layers = layers});
        const SankeyGeometry geometry = layoutSankey(graph, plot, {});
        ASSERT_EQ(geometry.nodes.size(), graph.nodes.size());
        const double slack = 2.0 * static_cast<double>(graph.nodes.size()); // thin ones are 1 pixel
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const Rect& node = geometry.nodes[i];
            EXPECT_GE(node.x, plot.x - 1e-9);
            EXPECT_LE(node.right(), plot.right() + 1e-9);
            EXPECT_LE(node.bottom(), plot.bottom() + slack);
            EXPECT_NEAR(node.height, std::max(1.0, graph.nodes[i].value * geometry.scale), 1e-9);
        }
        for (std::size_t i = 0; i < graph.links.size(); ++i) {
            const auto& bands = geometry.links[i].bands;
            const int columns =
                graph.nodes[graph.links[i].to].column - graph.nodes[graph.links[i].from].column;
            ASSERT_EQ(static_cast<int>(bands.size()), columns);
            EXPECT_NEAR(bands.front().x0, geometry.nodes[graph.links[i].from].right(), 1e-9);
            EXPECT_NEAR(bands.back().x1, geometry.nodes[graph.links[i].to].x, 1e-9);
            for (const auto& band : bands) {
                EXPECT_NEAR(bandTop(band, band.x0), band.y0, 1e-9);
                EXPECT_NEAR(bandTop(band, band.x1), band.y1, 1e-9);
            }
        }
    }
}

// A run that was seen from outside has one tall node before the output, level with it.
TEST(Sankey, LabelsOfTheLastGapDoNotMeet)
{
    FlowGraph graph;
    graph.nodes.resize(3);
    for (std::size_t i = 0; i < 3; ++i) {
        graph.nodes[i].column = static_cast<int>(i);
        graph.nodes[i].value = 9.0;
        graph.nodes[i].title = i == 2 ? "Output" : "Outside the model";
    }
    graph.links = {{0, 1, 9.0}, {1, 2, 9.0}};
    graph.columns = 3;
    for (const double height : {600.0, 30.0}) {
        const SankeyGeometry geometry = layoutSankey(graph, {0.0, 0.0, 1000.0, height}, {});
        for (std::size_t a = 0; a < geometry.labels.size(); ++a) {
            for (std::size_t b = a + 1; b < geometry.labels.size(); ++b) {
                const Rect& one = geometry.labels[a];
                const Rect& other = geometry.labels[b];
                const bool apart = one.empty() || other.empty() || one.right() <= other.x
                    || other.right() <= one.x || one.bottom() <= other.y || other.bottom() <= one.y;
                EXPECT_TRUE(apart) << graph.nodes[a].title << " and " << graph.nodes[b].title;
            }
        }
    }
}

TEST(Sankey, HitsNodesAndLinks)
{
    const FlowGraph graph = flowOf({});
    const SankeyGeometry geometry = layoutSankey(graph, {0.0, 0.0, 1000.0, 600.0}, {});
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (geometry.nodes[i].height > 8.0) {
            EXPECT_EQ(geometry.hitNode(geometry.nodes[i].centre()), i);
        }
    const auto& band = geometry.links.front().bands.front();
    const double x = band.x0 + 1.0;
    EXPECT_TRUE(geometry.hitLink({x, bandTop(band, x) + band.width / 2.0}));
    EXPECT_FALSE(geometry.hitLink({-5.0, 3.0}));
}

} // namespace
} // namespace ep::viz
