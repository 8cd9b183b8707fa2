// SPDX-License-Identifier: GPL-3.0-or-later
// A run is divided into its parts in one way: by the answer and its bars, the charts, and the rows
// of the terminal.
#include "cost_run.h"

#include "ep/core/own_part.h"
#include "ep/core/run_tree.h"
#include "ep/energy/diagnosis.h"
#include "ep/viz/flow.h"
#include "ep/viz/token_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <string>

namespace ep::viz {
namespace {

using Sums = std::map<RunPart, double>; // mJ

// A run with all kinds of components, 10 mJ in each ms.
ep::Run runWithAllParts()
{
    ep::Run run = test::makeCostRun({.tokens = 3});
    const auto turn = [&](std::int32_t layer, Component from, Component into) {
        for (Span& span : run.trace.components) {
            if (span.layer == layer && span.component == from)
                span.component = into;
        }
    };
    turn(0, Component::InputLayernorm, Component::QNorm);
    turn(0, Component::DownProj, Component::Experts);
    turn(1, Component::InputLayernorm, Component::KvCache);
    turn(1, Component::DownProj, ownComponent(LayerBlock::Neither, "adapter"));
    turn(2, Component::InputLayernorm, Component::Residual);
    for (Span& span : run.trace.sections) {
        if (span.section == Section::Sampling && span.token == 2)
            span.section = Section::KvCacheAppend;
    }
    return run;
}

// The sums by part, added up by hand.
Sums expectedSums(const ep::Run& run)
{
    Sums sums;
    double rest = run.metrics.energy.total_mj->value;
    const auto add = [&](RunPart part, double mj) {
        sums[part] += mj;
        rest -= mj;
    };
    for (const Span& span : run.trace.sections) {
        if (span.section != Section::Layers)
            add(partOf(span.section), span.energy_mj->value);
    }
    for (const Span& span : run.trace.components)
        add(partOf(span.component), span.energy_mj->value);
    const double outside = 10.0; // the ms after the last phase
    sums[RunPart::Outside] = outside;
    sums[RunPart::Rest] = rest - outside;
    return sums;
}

void expectSums(Sums sums, const Sums& expected, const std::string& where)
{
    std::erase_if(sums, [](const auto& entry) { return std::abs(entry.second) < 1e-9; });
    for (const auto& [part, mj] : sums)
        EXPECT_TRUE(expected.contains(part)) << where << ": " << title(part);
    for (const auto& [part, mj] : expected)
        EXPECT_NEAR(sums[part], mj, 1e-6) << where << ": " << title(part);
}

Sums sumsOfAnswer(const ep::Run& run)
{
    RunTrace first;
    std::ranges::copy_if(run.trace.components, std::back_inserter(first.components),
                         [](const Span& span) { return span.token == 0; });
    const auto totals = totalsOf(run.trace);
    const energy::Diagnosis diagnosis =
        energy::diagnose({.parts = {.run = run, .totals = totals, .first_step = first}});
    Sums sums;
    for (const energy::SpentPart& spent : energy::spendingOf(diagnosis).parts) {
        const auto* const part =
            std::ranges::find(kRunParts, spent.title, [](RunPart one) { return title(one); });
        sums[part == kRunParts.end() ? RunPart::Outside : *part] += 1e3 * spent.amount;
    }
    return sums;
}

Sums sumsOfFlow(const ep::Run& run)
{
    const RunBreakdown parts = breakDown(run.trace);
    Sums sums;
    for (const FlowGraph::Node& node :
         buildFlow(buildCostTree(run, &parts), CostMetric::Energy).nodes) {
        if (node.part)
            sums[*node.part] += node.value;
    }
    return sums;
}

Sums sumsOfTerminal(const ep::Run& run)
{
    OutsideLayers outside(true);
    outside.add(run.trace.sections);
    Sums sums;
    for (const Span& span : run.trace.components) {
        outside.addComponent(span);
        sums[partOf(span.component)] += span.energy_mj->value;
    }
    for (const auto& [section, sum] : outside.sections())
        sums[partOf(section)] += sum.energy_mj->value;
    for (const auto& [part, sum] : outside.remainders(run))
        sums[part] += sum.energy_mj->value;
    return sums;
}

TEST(Parts, OfTheAnswerAreThoseOfTheChartsAndTheTerminal)
{
    const ep::Run run = runWithAllParts();
    const Sums expected = expectedSums(run);
    EXPECT_EQ(expected.size(), kRunPartCount - 1) << "all but layers that are not split";
    expectSums(sumsOfAnswer(run), expected, "answer");
    expectSums(sumsOfFlow(run), expected, "flow");
    expectSums(sumsOfTerminal(run), expected, "terminal");

    const RunBreakdown parts = breakDown(run.trace);
    Sums ofTokens;
    for (const TokenCost& token : buildTokenCosts(run, &parts, CostMetric::Energy).tokens) {
        for (const RunPart part : kRunParts)
            ofTokens[part] += token.parts[static_cast<std::size_t>(part)].value_or(0.0);
    }
    Sums inTokens = expected; // tokens have no tokenizer and no other phases
    inTokens.erase(RunPart::Tokenizer);
    inTokens.erase(RunPart::Outside);
    expectSums(ofTokens, inTokens, "tokens");
}

} // namespace
} // namespace ep::viz
