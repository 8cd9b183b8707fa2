// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/samples.h"

#include "ep/energy/cost_fit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ep::energy {

using ep::test::counterSample;
using ep::test::kMs;

// Rows whose bytes and FLOPs vary independently of each other and of time.
std::vector<CostRow> rowsOf(const std::array<double, 3>& k)
{
    std::vector<CostRow> rows;
    for (int i = 0; i < 24; ++i) {
        CostRow row;
        row.x = {1e9 * (1 + i % 5), 2e11 * (1 + i % 3), 0.1 + 0.002 * (i % 4)};
        row.energy_pj = k[0] * row.x[0] + k[1] * row.x[1] + k[2] * row.x[2];
        rows.push_back(row);
    }
    return rows;
}

TEST(CostFit, RecoversUnitCosts)
{
    const std::array<std::array<double, 3>, 5> cases{
        {{60.0, 3.0, 2e12}, {60.0, 3.0, 0.0}, {60.0, 0.0, 0.0}, {0.0, 3.0, 0.0}, {0.0, 0.0, 2e12}}};
    for (const auto& k : cases) {
        const auto fit = fitNonNegative(rowsOf(k));
        ASSERT_TRUE(fit.has_value());
        for (std::size_t i = 0; i < k.size(); ++i)
            EXPECT_NEAR(fit->k[i], k[i], 1e-6 * (1.0 + k[i])) << i;
        EXPECT_LT(fit->relative_residual, 1e-9);
        EXPECT_GE(fit->condition, 1.0);
    }
}

TEST(CostFit, NeverAnswersWithNegativeCosts)
{
    auto rows = rowsOf({60.0, 3.0, 2e12});
    for (CostRow& row : rows)
        row.energy_pj += 1e13 - 10.0 * row.x[1];
    const auto fit = fitNonNegative(rows);
    ASSERT_TRUE(fit.has_value());
    for (const double k : fit->k)
        EXPECT_GE(k, 0.0);
}

TEST(CostFit, NeedsMoreRowsThanUnknowns)
{
    const auto rows = rowsOf({1.0, 1.0, 1.0});
    EXPECT_FALSE(fitNonNegative(std::span(rows).first(3)).has_value());
    EXPECT_FALSE(fitNonNegative({}).has_value());
}

// Windows of 100 ms, each with one span.
struct FittedRun {
    RunTrace trace;
    PerRail<Milliwatts> idle;
};
FittedRun sceneOf(int windows, SpanWork (*workOf)(int), double (*energyOf)(const SpanWork&))
{
    FittedRun scene;
    for (int i = 0; i < windows; ++i) {
        const TimeRange time{100 * i * kMs, 100 * (i + 1) * kMs};
        const SpanWork work = workOf(i);
        Span span = Span::ofComponent(i, 0, Component::InputLayernorm, time);
        span.work = work;
        scene.trace.components.push_back(span);
        scene.trace.samples.push_back(counterSample(100 * i, 100 * (i + 1), energyOf(work)));
    }
    scene.trace.time = {0, 100 * windows * kMs};
    return scene;
}

CostFinding find(const FittedRun& scene)
{
    const WorkCurve work(scene.trace);
    return findCosts(EnergyTimeline(scene.trace.samples), work, scene.trace.time, scene.idle);
}

SpanWork mixed(int i)
{
    return {.flops = 1'000'000'000LL * (1 + i % 3), .bytes = 100'000'000LL * (1 + i % 5)};
}
double mixedEnergy(const SpanWork& work)
{
    return 1e-9 * (60.0 * static_cast<double>(work.bytes) + 3.0 * static_cast<double>(work.flops));
}

TEST(FindCosts, TellsBytesFromFlops)
{
    const CostFinding finding = find(sceneOf(20, mixed, mixedEnergy));
    ASSERT_TRUE(finding.fit.has_value());
    EXPECT_EQ(finding.problem, "");
    EXPECT_NEAR(finding.fit->rails[Rail::Cpu]->pj_per_byte, 60.0, 1e-3);
    EXPECT_NEAR(finding.fit->rails[Rail::Cpu]->pj_per_flop, 3.0, 1e-4);
    EXPECT_EQ(finding.fit->windows, 20);
}

TEST(FindCosts, SaysWhyItCannot)
{
    const auto alike = +[](int) { return SpanWork{.flops = 1'000'000'000, .bytes = 100'000'000}; };
    const auto nothing = +[](int) { return SpanWork{}; };
    struct Case {
        FittedRun scene;
        const char* says;
    };
    const std::vector<Case> cases = {
        {sceneOf(20, nothing, mixedEnergy), "the spans have no bytes and FLOPs"},
        {sceneOf(4, mixed, mixedEnergy),
         "the run is too short: it has 4 whole power samples, 6 are needed"},
        {sceneOf(1, mixed, mixedEnergy), "it has 1 whole power sample, 6 are needed"},
        {sceneOf(20, alike, mixedEnergy), "are proportional in all windows"},
        {sceneOf(
             20, mixed, +[](const SpanWork&) { return 500.0; }),
         "depend on time alone"},
    };
    for (const Case& entry : cases) {
        const CostFinding finding = find(entry.scene);
        EXPECT_NE(finding.problem.english().find(entry.says), std::string::npos)
            << finding.problem << " / " << entry.says;
        EXPECT_EQ(finding.problem.english().find("split by time"), std::string::npos);
    }
}

TEST(FindCosts, SaysOfAVeryShortRunThatNoSampleLiesInsideIt)
{
    FittedRun scene = sceneOf(2, mixed, mixedEnergy);
    scene.trace.time = {10 * kMs, 190 * kMs};
    EXPECT_EQ(find(scene).problem,
              "the run is too short: no power sample lies wholly inside it, 6 are needed");
}

TEST(FindCosts, LeavesOutWindowsThatLackARail)
{
    FittedRun scene = sceneOf(20, mixed, mixedEnergy);
    scene.trace.samples[7].energy_mj = {};
    scene.trace.samples[7].power_mw = {};
    const CostFinding finding = find(scene);
    EXPECT_EQ(finding.problem, "");
    EXPECT_EQ(finding.fit->windows, 19);
    EXPECT_NEAR(finding.fit->rails[Rail::Cpu]->pj_per_byte, 60.0, 1e-3);

    for (std::size_t i = 0; i < 15; ++i) {
        scene.trace.samples[i].energy_mj = {};
        scene.trace.samples[i].power_mw = {};
    }
    EXPECT_EQ(find(scene).problem, "only 5 of 20 power samples have every rail, 6 are needed");
}

TEST(FindCosts, FitsATotalWithoutRails)
{
    FittedRun scene = sceneOf(20, mixed, mixedEnergy);
    for (PowerSample& sample : scene.trace.samples) {
        sample.total_mw = sample.power_mw[Rail::Cpu];
        sample.energy_mj = {};
        sample.power_mw = {};
    }
    const CostFinding finding = find(scene);
    EXPECT_EQ(finding.problem, "");
    EXPECT_NEAR(finding.fit->rails[Rail::System]->pj_per_byte, 60.0, 1e-3);
}

TEST(FindCosts, LeavesOutWhatTheIdleMachineUses)
{
    FittedRun scene = sceneOf(
        20, mixed, +[](const SpanWork& work) { return mixedEnergy(work) + 300.0; });
    scene.idle[Rail::Cpu] = Milliwatts{3000.0};
    const CostFinding finding = find(scene);
    ASSERT_TRUE(finding.fit.has_value());
    EXPECT_EQ(finding.problem, "");
    EXPECT_NEAR(finding.fit->rails[Rail::Cpu]->time_mw, 0.0, 1e-3);
    EXPECT_NEAR(finding.fit->rails[Rail::Cpu]->pj_per_byte, 60.0, 1e-3);
}

} // namespace ep::energy
