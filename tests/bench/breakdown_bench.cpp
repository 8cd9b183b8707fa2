// SPDX-License-Identifier: GPL-3.0-or-later
// Layout of the cost charts (goal: 10,000 nodes of a treemap or a flow in 10 ms).
#include "viz/cost_run.h"

#include "ep/viz/flow.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/treemap.h"
#include "ep/viz/waterfall.h"

#include <benchmark/benchmark.h>

namespace {

using namespace ep;

constexpr viz::Rect kPlot{0.0, 0.0, 2560.0, 1440.0};

// Two phases x `layers` layers x three components with two operations and rests each.
viz::CostTree treeOf(int layers)
{
    const Run run = test::makeCostRun({.tokens = 2, .layers = layers, .operations = true});
    const RunBreakdown parts = breakDown(run.trace);
    return viz::buildCostTree(run, &parts);
}

void treemapLayout(benchmark::State& state)
{
    const viz::CostTree tree = treeOf(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(viz::layoutTreemap(tree, 0, viz::CostMetric::Energy, kPlot,
                                                    {.least_area = 0.0, .levels = 4}));
    state.counters["nodes"] = static_cast<double>(tree.nodes.size());
}
BENCHMARK(treemapLayout)->Arg(80)->Arg(650)->Unit(benchmark::kMillisecond);

void flowLayout(benchmark::State& state)
{
    const viz::CostTree tree = treeOf(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        const viz::FlowGraph graph = viz::buildFlow(tree, viz::CostMetric::Energy);
        benchmark::DoNotOptimize(viz::layoutSankey(graph, kPlot, {}));
    }
    state.counters["nodes"] = static_cast<double>(tree.nodes.size());
}
BENCHMARK(flowLayout)->Arg(80)->Arg(650)->Unit(benchmark::kMillisecond);

void waterfallLayout(benchmark::State& state)
{
    const Run run = test::makeCostRun({.tokens = static_cast<int>(state.range(0)), .layers = 1});
    const RunBreakdown parts = breakDown(run.trace);
    const viz::TokenCosts costs = viz::buildTokenCosts(run, &parts, viz::CostMetric::Energy);
    for (auto _ : state)
        benchmark::DoNotOptimize(viz::layoutWaterfall(costs, {0, costs.tokens.size()}, kPlot, {}));
}
BENCHMARK(waterfallLayout)->Arg(4096)->Arg(10'000)->Unit(benchmark::kMillisecond);

// Sums over the spans of 500 tokens x 32 layers, which opening such a run needs once.
void sumOfSpans(benchmark::State& state)
{
    const Run run = test::makeCostRun({.tokens = 500, .layers = 32});
    for (auto _ : state)
        benchmark::DoNotOptimize(breakDown(run.trace));
    state.counters["spans"] =
        static_cast<double>(run.trace.components.size() + run.trace.layers.size());
}
BENCHMARK(sumOfSpans)->Unit(benchmark::kMillisecond);

} // namespace
