// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_groups.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/energy/aggregate.h"

#include <QLocale>

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace ep::ui {
namespace {

RunSummary runOf(const char* id, const char* experiment, const char* prompt,
                 std::optional<double> joules)
{
    RunSummary run;
    run.info.id = id;
    run.info.experiment = experiment;
    run.info.prompt = prompt;
    run.info.status = RunStatus::Complete;
    run.info.output_tokens = 10;
    run.metrics.duration_ns = 2'000'000'000;
    if (joules) {
        run.metrics.energy.total_mj = Millijoules{*joules * 1e3};
        run.metrics.energy.provenance = Provenance::Measured;
        run.metrics.joules_per_token = *joules / 10.0;
    }
    return run;
}

std::vector<const RunSummary*> pointersTo(const std::vector<RunSummary>& runs)
{
    std::vector<const RunSummary*> all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    return all;
}

TEST(FoldRepeats, OneRowPerExperimentAndSetting)
{
    const std::vector<RunSummary> runs{runOf("a", "x", "one", 1.0), runOf("b", "x", "two", 5.0),
                                       runOf("c", "x", "one", 1.2), runOf("d", "", "one", 9.0),
                                       runOf("e", "x", "one", 1.4)};
    const auto folded = foldRepeats(pointersTo(runs));
    ASSERT_EQ(folded.size(), 3U);
    EXPECT_EQ(folded[0].runs.size(), 3U);
    EXPECT_EQ(folded[0].energy.n, 3);
    EXPECT_NEAR(folded[0].energy.mean, 1.2, 1e-12);
    ASSERT_TRUE(folded[0].energy.ci95);
    EXPECT_LT(folded[0].energy.ci95->low, 1.2);
    EXPECT_EQ(folded[1].runs.front()->info.id, "b");
    EXPECT_FALSE(folded[1].energy.ci95);
    EXPECT_EQ(folded[2].runs.front()->info.experiment, "");
}

TEST(FoldRepeats, AMeanOfOneHasNoIntervalAndOfNoneIsMissing)
{
    const std::vector<RunSummary> runs{runOf("a", "x", "one", 1.0), runOf("b", "x", "two", {})};
    const auto folded = foldRepeats(pointersTo(runs));
    ASSERT_EQ(folded.size(), 2U);
    EXPECT_EQ(cellText(RunFigure::Energy, folded[0].energy), "1.00 J");
    EXPECT_EQ(cellText(RunFigure::Energy, folded[1].energy), kMissingText);
}

// The interval is the same as in Analysis: Student's t, plus the error that the repeats share.
TEST(FoldRepeats, TheIntervalIsThatOfTheMeanInAnalysis)
{
    std::vector<RunSummary> runs;
    std::vector<double> energies;
    const std::vector<double> deviations(9, 200.0);
    for (int i = 0; i < 9; ++i) {
        energies.push_back(1000.0 + (i * i % 7) * 60.0);
        runs.push_back(runOf("a", "x", "one", energies.back() * 1e-3));
        runs.back().metrics.energy.sd_mj = Millijoules{deviations.front()};
        runs.back().metrics.tokens_per_second = 5.0 * (1 + i % 2);
    }
    const auto folded = foldRepeats(pointersTo(runs));
    ASSERT_EQ(folded.size(), 1U);
    const auto deviation = energy::deviationOfMean(energies, deviations);
    ASSERT_TRUE(deviation);
    ASSERT_TRUE(folded[0].energy.ci95);
    const double half = kHalfInterval95 * deviation->value * 1e-3;
    EXPECT_NEAR(folded[0].energy.ci95->low, folded[0].energy.mean - half, 1e-12);
    EXPECT_NEAR(folded[0].energy.ci95->high, folded[0].energy.mean + half, 1e-12);
    EXPECT_NEAR(folded[0].perToken.mean, folded[0].energy.mean / 10.0, 1e-12);
    EXPECT_NEAR(folded[0].perToken.ci95->high, folded[0].energy.ci95->high / 10.0, 1e-12);
    // 90 tokens in five times 2 s and four times 1 s
    EXPECT_NEAR(folded[0].rate.mean, 90.0 / 14.0, 1e-12);
    EXPECT_LT(folded[0].rate.ci95->low, folded[0].rate.mean);
    EXPECT_GT(folded[0].rate.ci95->high, folded[0].rate.mean);
}

// A run whose input is unknown is left out.
TEST(FoldRepeats, TheEnergyPerInputAndOutputTokenIsThatOfRunsWithBoth)
{
    std::vector<RunSummary> runs{runOf("a", "x", "one", 1.0), runOf("b", "x", "one", 2.0),
                                 runOf("c", "x", "one", 6.0), runOf("d", "x", "one", 9.0)};
    for (RunSummary& run : runs)
        run.info.input_tokens = 30;
    runs[3].info.input_tokens = 0;
    const auto folded = foldRepeats(pointersTo(runs));
    ASSERT_EQ(folded.size(), 1U);
    EXPECT_EQ(folded[0].perToken.n, 4);
    EXPECT_EQ(folded[0].perTotalToken.n, 3);
    EXPECT_NEAR(folded[0].perTotalToken.mean, 9.0 / 120.0, 1e-12);
    ASSERT_TRUE(folded[0].perTotalToken.ci95);
    const auto grouped = groupRuns(pointersTo(runs), groupings().front());
    EXPECT_NEAR(grouped[0].total.per_total.value().joules, 9.0 / 120.0, 1e-12);
    runs.erase(runs.begin(), runs.begin() + 3);
    EXPECT_EQ(foldRepeats(pointersTo(runs))[0].perTotalToken.n, 0);
    EXPECT_FALSE(groupRuns(pointersTo(runs), groupings().front())[0].total.per_total);
}

const GroupBy& groupBy(std::string_view id)
{
    return *std::ranges::find(groupings(), id, &GroupBy::id);
}

TEST(GroupRuns, SumsWithoutMixingWhatIsMeasuredAndModelled)
{
    std::vector<RunSummary> runs{runOf("a", "x", "one", 1.0), runOf("b", "y", "two", 3.0),
                                 runOf("c", "x", "one", {}), runOf("d", "x", "one", 8.0)};
    for (RunSummary& run : runs)
        run.info.model.name = "m";
    runs[3].metrics.energy.provenance = Provenance::Modelled;
    runs[0].metrics.tokens_per_second = 10.0;
    runs[1].metrics.tokens_per_second = 5.0;
    const auto byModel = groupRuns(pointersTo(runs), groupBy("model"));
    ASSERT_EQ(byModel.size(), 3U); // groups: measured, without energy, modelled
    EXPECT_EQ(byModel[0].origin, "measured");
    EXPECT_EQ(byModel[0].runs.size(), 2U);
    EXPECT_DOUBLE_EQ(byModel[0].total.energy.energy_mj.value().value, 4000.0);
    EXPECT_DOUBLE_EQ(byModel[0].total.per_output.value().joules, 0.2); // 4 J / 20 tokens
    EXPECT_DOUBLE_EQ(byModel[0].rate.value(), 20.0 / 3.0);
    EXPECT_FALSE(byModel[1].total.per_output); // not zero
    EXPECT_EQ(byModel[2].origin, "modelled");
    EXPECT_EQ(groupRuns(pointersTo(runs), groupBy("experiment")).size(), 4U);
    EXPECT_EQ(groupRuns(pointersTo(runs), groupBy("prompt"))[1].name.toStdString(), "two");
}

// Runs in progress, without tokens, or with an unknown number of them count in neither.
TEST(GroupRuns, AGroupHasTheFiguresOfTotals)
{
    std::vector<RunSummary> runs{runOf("a", "x", "one", 1.0), runOf("b", "x", "one", 3.0),
                                 runOf("c", "x", "one", 50.0), runOf("d", "x", "one", 70.0),
                                 runOf("e", "x", "one", 5.0)};
    for (RunSummary& run : runs) {
        run.info.model.name = "m";
        run.info.input_tokens = 30;
    }
    runs[2].info.output_tokens = 0;
    runs[3].info.status = RunStatus::Running;
    runs[4].info.profiling.server.emplace().output_tokens = 10; // without its input
    const auto groups = groupRuns(pointersTo(runs), groupBy("model"));
    auto totals = energy::totalsOf(runs, energy::TotalsBy::Model);
    ASSERT_EQ(groups.size(), 1U);
    ASSERT_EQ(totals.size(), 1U);
    EXPECT_EQ(groups[0].name.toStdString(), totals[0].key);
    EXPECT_EQ(groups[0].origin, totals[0].kind);
    EXPECT_NEAR(groups[0].total.per_output.value().joules, 9.0 / 30.0, 1e-12);
    EXPECT_NEAR(groups[0].total.per_total.value().joules, 4.0 / 80.0, 1e-12);
    totals[0].key.clear();
    totals[0].kind.clear();
    EXPECT_EQ(groups[0].total, totals[0]);
    const auto folded = foldRepeats({&runs[0], &runs[1], &runs[2]});
    EXPECT_NEAR(folded[0].perToken.mean, 4.0 / 20.0, 1e-12);
}

// Whatever the language of the window, which writes dates in its own way.
TEST(GroupRuns, ADayIsThatOfTotals)
{
    const RunSummary run = runOf("a", "x", "one", 1.0);
    QLocale::setDefault(QLocale(QLocale::German));
    EXPECT_EQ(groupBy("day").nameOf(run).toStdString(),
              energy::totalsOf(std::vector{run}, energy::TotalsBy::Day)[0].key);
    QLocale::setDefault(QLocale());
    EXPECT_EQ(groupBy("day").nameOf(run).size(), 10);
}

} // namespace
} // namespace ep::ui
