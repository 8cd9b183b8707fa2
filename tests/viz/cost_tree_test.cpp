// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost_run.h"

#include "ep/viz/cost_tree.h"
#include "ep/viz/metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::viz {
namespace {

using test::makeCostRun;

CostTree treeOf(const ep::Run& run)
{
    const RunBreakdown parts = breakDown(run.trace);
    return buildCostTree(run, &parts);
}

// Children and their remainder add up to the parent at every level.
void expectSums(const CostTree& tree, CostMetric metric)
{
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const CostTree::Node& node = tree.nodes[i];
        if (node.children.empty())
            continue;
        double sum = 0.0;
        for (const std::size_t child : node.children) {
            EXPECT_EQ(tree.nodes[child].parent, i);
            EXPECT_GT(child, i);
            sum += tree.value(child, metric).value_or(0.0);
        }
        const double whole = tree.value(i, metric).value_or(0.0);
        EXPECT_NEAR(sum, whole, 1e-6 * std::max(1.0, std::abs(whole))) << node.title;
    }
}

TEST(CostTree, ChildrenAndRestAddUpAtEveryLevel)
{
    for (const int layers : {1, 3, 126}) {
        const ep::Run run =
            makeCostRun({.layers = layers, .operations = true, .baseline_mw = 2000.0});
        const CostTree tree = treeOf(run);
        for (const CostMetric metric : kCostMetrics)
            expectSums(tree, metric);
    }
}

TEST(CostTree, HasPhasesLayersComponentsAndOperations)
{
    const CostTree tree = treeOf(makeCostRun({.operations = true}));
    const auto layer = tree.find({.phase = Phase::Decode, .layer = 2});
    ASSERT_TRUE(layer);
    EXPECT_EQ(tree.nodes[*layer].title, "Layer 2");
    EXPECT_NEAR(*tree.value(*layer, CostMetric::Time), 3.0, 1e-9); // three decoded tokens
    EXPECT_NEAR(*tree.value(*layer, CostMetric::Energy), 30.0, 1e-9);
    const auto softmax = tree.find({.phase = Phase::Decode,
                                    .layer = 2,
                                    .component = Component::Attention,
                                    .operation = Operation::Softmax});
    ASSERT_TRUE(softmax);
    const auto path = tree.path(*softmax);
    ASSERT_EQ(path.size(), 5U);
    EXPECT_EQ(path.front(), 0U);
    EXPECT_EQ(path[2], *layer);
    EXPECT_TRUE(tree.find({.phase = Phase::Prefill, .section = Section::LmHead}));
    EXPECT_FALSE(tree.find({.phase = Phase::Decode, .section = Section::Layers}));
    EXPECT_EQ(tree.nodes[*softmax].cost.provenance, Provenance::Attributed);
    EXPECT_EQ(tree.nodes[0].cost.provenance, Provenance::Measured);
}

TEST(CostTree, WithoutPartsTheLayersAreOneNode)
{
    const ep::Run run = makeCostRun();
    const CostTree tree = buildCostTree(run, nullptr);
    const auto layers = tree.find({.phase = Phase::Decode, .section = Section::Layers});
    ASSERT_TRUE(layers);
    EXPECT_NEAR(*tree.value(*layers, CostMetric::Time), 9.0, 1e-9);
    expectSums(tree, CostMetric::Energy);
}

TEST(CostTree, MissingEnergyIsMissingEverywhereAndNetNeedsABaseline)
{
    const ep::Run timing = makeCostRun({.energy = false, .baseline_mw = 1000.0});
    const CostTree tree = treeOf(timing);
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        EXPECT_FALSE(tree.value(i, CostMetric::Energy));
        EXPECT_FALSE(tree.value(i, CostMetric::NetEnergy));
        EXPECT_EQ(tree.nodes[i].cost.provenance, Provenance::Missing);
    }
    EXPECT_FALSE(available(timing, CostMetric::Energy));
    EXPECT_TRUE(available(timing, CostMetric::Time));
    const ep::Run gross = makeCostRun();
    EXPECT_TRUE(available(gross, CostMetric::Energy));
    EXPECT_FALSE(available(gross, CostMetric::NetEnergy));
    EXPECT_FALSE(treeOf(gross).value(0, CostMetric::NetEnergy));
}

// One lost window costs its token's energy; the known part of the others stays.
TEST(CostTree, AGapLeavesTheKnownPart)
{
    ep::Run run = makeCostRun();
    const double whole = run.metrics.energy.total_mj->value;
    const TokenSpan& lost = run.trace.tokens.back();
    const double lostEnergy = lost.energy.total_mj->value;
    run.trace.tokens.back().energy = {};
    for (PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Decode)
            phase.energy = {};
    }
    run.metrics.energy = {};
    EXPECT_TRUE(available(run, CostMetric::Energy));
    const CostTree tree = treeOf(run);
    // The millisecond after the last phase is no longer known either.
    EXPECT_NEAR(*tree.value(0, CostMetric::Energy), whole - lostEnergy - 10.0, 1e-9);
    EXPECT_TRUE(tree.nodes[0].cost.partial());
    EXPECT_EQ(tree.nodes[0].cost.uncovered_ns(), lost.time.duration_ns() + 1'000'000);
    const auto decode = tree.find({.phase = Phase::Decode});
    ASSERT_TRUE(decode);
    EXPECT_TRUE(tree.nodes[*decode].cost.partial());
}

TEST(CostTree, NetIsGrossWithoutTheIdlePower)
{
    const CostTree tree = treeOf(makeCostRun({.baseline_mw = 8'000.0}));
    const double time = *tree.value(0, CostMetric::Time);
    EXPECT_NEAR(*tree.value(0, CostMetric::NetEnergy), 2.0 * time, 1e-6);
    // The machine was not idle when such a baseline was measured.
    EXPECT_FALSE(treeOf(makeCostRun({.baseline_mw = 12'000.0})).value(0, CostMetric::NetEnergy));
}

TEST(CostTree, ARunOfNothingIsARootAlone)
{
    const CostTree tree = buildCostTree(ep::Run{}, nullptr);
    EXPECT_EQ(tree.nodes.size(), 1U);
    EXPECT_FALSE(tree.value(0, CostMetric::Energy));
    EXPECT_TRUE(treeOf(makeCostRun({.tokens = 0})).find({.phase = Phase::PreInference}));
}

TEST(Part, EveryWordHasOneAndATitle)
{
    for (std::size_t i = 0; i < kComponentCount; ++i)
        EXPECT_FALSE(title(partOf(static_cast<Component>(i))).empty());
    for (std::size_t i = 0; i < kSectionCount; ++i)
        EXPECT_FALSE(title(partOf(static_cast<Section>(i))).empty());
    for (std::size_t i = 0; i < kOperationCount; ++i)
        EXPECT_FALSE(title(static_cast<Operation>(i)).empty());
    EXPECT_EQ(partOf(Component::Experts), RunPart::Mlp);
    EXPECT_EQ(partOf(Component::QNorm), RunPart::Attention);
    EXPECT_EQ(partOf(Component::KvCache), partOf(Section::KvCacheAppend));
    EXPECT_EQ(partOf(Section::FinalNorm), RunPart::Head);
}

} // namespace
} // namespace ep::viz
