// SPDX-License-Identifier: GPL-3.0-or-later
// How a run is divided before it is diagnosed: nodes of work, prices, parts, and differences.
#include "diagnosis/evidence.h"
#include "injected_run.h"

#include "ep/energy/attribute.h"
#include "ep/energy/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace ep::energy {
namespace {

TEST(EnergyFitTest, FindsTheConstantsOfVariedWindows)
{
    std::vector<CostWindow> windows;
    for (int i = 0; i < 12; ++i) {
        CostWindow window{
            .amount = {.flops = 1e10 * (i % 4), .bytes = 1e9 * (i % 3), .seconds = 0.1},
            .joules = 0.0};
        window.joules =
            2e-12 * window.amount.flops + 5e-11 * window.amount.bytes + 7.0 * window.amount.seconds;
        windows.push_back(window);
    }
    const auto fit = fitEnergies(windows);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->costs.mean.joules_per_flop, 2e-12, 1e-17);
    EXPECT_NEAR(fit->costs.mean.joules_per_byte, 5e-11, 1e-16);
    EXPECT_NEAR(fit->costs.mean.watts, 7.0, 1e-6);
}

TEST(EnergyFitTest, AdmitsThatEqualWindowsTellNothingApart)
{
    std::vector<CostWindow> windows;
    for (int i = 0; i < 20; ++i)
        windows.push_back({.amount = {.flops = 1e9, .bytes = 1e9, .seconds = 0.1},
                           .joules = 1.0 + 0.001 * (i % 3)});
    const auto fit = fitEnergies(windows);
    ASSERT_TRUE(fit);
    EXPECT_GT(fit->costs.of(&Prices::watts).sd, 5.0);
    EXPECT_FALSE(fitEnergies(std::span(windows).first(4)));
}

TEST(WorkNodesTest, AddUpToTheRun)
{
    const ep::test::DiagnosedRun run = runWith(Cause::Gaps, 2);
    Tally sum;
    for (const WorkNode& node : nodesOf(run.request().parts))
        sum.add(node.sum);
    EXPECT_EQ(sum.duration_ns, run.run.trace.time.duration_ns());
    ASSERT_TRUE(sum.complete());
    EXPECT_NEAR(sum.energy_mj->value, run.run.metrics.energy.total_mj->value, 1e-6);
}

TEST(WorkNodesTest, ASectionWithoutCountedWorkIsTheHosts)
{
    ep::test::DiagnosedRun run = runWith(Cause::Gaps, 0);
    run.run.trace.sections.back().section = Section::Sampling;
    run.run.trace.sections.back().work.reset();
    const auto nodes = nodesOf(run.request().parts);
    const auto found =
        std::ranges::find(nodes, std::optional(Section::Sampling), &WorkNode::section);
    ASSERT_NE(found, nodes.end());
    EXPECT_EQ(found->kind, WorkNode::Kind::Host);
    EXPECT_EQ(found->word(), "sampling");
}

TEST(DivisionTest, PartsAddUpExactly)
{
    const ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    for (const DividedNode& divided : diagnose(run.request()).nodes) {
        ASSERT_TRUE(divided.division) << divided.node.word();
        const Division& d = *divided.division;
        EXPECT_TRUE(d.whole == d.compute + d.memory + d.idle + d.rest) << divided.node.word();
    }
}

TEST(DivisionTest, HoldsTheTruthOfTheRun)
{
    const ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 2);
    const Division whole = diagnose(run.request()).whole;
    EXPECT_NEAR(toDouble(whole.memory) * kPico, run.memory, 3.0 * whole.memory_sd);
    EXPECT_NEAR(toDouble(whole.compute) * kPico, run.compute, 3.0 * whole.compute_sd);
    EXPECT_NEAR(toDouble(whole.idle) * kPico, run.idle, 3.0 * whole.idle_sd);
}

TEST(SpendingTest, AddsUpToTheRunAndGoesByParts)
{
    const ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    const Spending spending = spendingOf(diagnose(run.request()));
    EXPECT_FALSE(spending.of_time);
    EXPECT_FALSE(spending.of_phases);
    EXPECT_NEAR(spending.total, run.run.metrics.energy.total_mj->value / 1e3,
                1e-9 * spending.total);
    double sum = 0.0;
    double shares = 0.0;
    double before = spending.total;
    for (const SpentPart& part : spending.parts) {
        EXPECT_LE(part.amount, before) << "the most first";
        before = part.amount;
        sum += part.amount;
        shares += part.share;
        EXPECT_NE(part.title, "");
        EXPECT_STRNE(part.place.chart, "");
    }
    EXPECT_NEAR(sum, spending.total, 1e-9 * sum);
    EXPECT_NEAR(shares, 1.0, 1e-9);
}

TEST(SpendingTest, IsOfJoulesForAModelledRunWhoseTimeOnlyIsExplained)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    run.run.metrics.energy.provenance = Provenance::Modelled;
    run.run.info.power.source = "modelled";
    const Diagnosis diagnosis = diagnose(run.request());
    EXPECT_TRUE(diagnosis.of_time);
    EXPECT_FALSE(spendingOf(diagnosis).of_time);
    EXPECT_THAT(diagnosis.answer, testing::ContainsRegex("% of [0-9.]+ m?J went into"));
}

TEST(SpendingTest, IsOfTimeWhereAPartHasNoEnergy)
{
    ep::test::DiagnosedRun run = runWith(Cause::MemoryBoundDecode, 3);
    run.run.trace.samples.clear();
    ep::energy::attributeByTime(run.run.trace);
    run.run.metrics.energy = {};
    const Diagnosis diagnosis = diagnose(run.request(false));
    EXPECT_TRUE(spendingOf(diagnosis).of_time);
    EXPECT_THAT(diagnosis.answer, testing::ContainsRegex("% of [0-9.]+ m?s went into"));
}

TEST(CauseDifferenceTest, IsDividedExactly)
{
    const ep::test::DiagnosedRun wide = runWith(Cause::WideFormat, 0);
    const ep::test::DiagnosedRun narrow = ep::test::diagnosedRun({});
    const CauseDifference difference =
        differenceOf(diagnose(wide.request()), diagnose(narrow.request()), 100, 100);
    Picojoules sum = 0;
    for (const DifferencePart& part : difference.parts) {
        EXPECT_TRUE(part.by_amount + part.by_price == part.difference()) << part.id;
        sum += part.difference();
    }
    EXPECT_TRUE(sum == difference.difference());
    EXPECT_LT(toDouble(difference.difference()), 0.0);
    EXPECT_EQ(difference.sentence.english().rfind("The second run saves ", 0), 0U)
        << difference.sentence;
    EXPECT_NE(difference.sentence.english().find(" of memory"), std::string::npos)
        << difference.sentence;
}

TEST(CauseDifferenceTest, TheLogarithmicMeanLiesBetween)
{
    EXPECT_DOUBLE_EQ(logMean(2.0, 2.0), 2.0);
    EXPECT_NEAR(logMean(4.0, 1.0), 3.0 / std::log(4.0), 1e-12);
    EXPECT_NEAR(logMean(1.0 + 1e-6, 1.0), 1.0 + 5e-7, 1e-12);
    EXPECT_EQ(logMean(0.0, 1.0), 0.0);
}

} // namespace
} // namespace ep::energy
