// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_groups.h"
#include "text.h"

#include <gtest/gtest.h>

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

QString joules(double value)
{
    return energyText(Millijoules{value * 1e3});
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
    EXPECT_EQ(meanText(folded[0].energy, &joules).toStdString(), "1.00 J");
    EXPECT_EQ(meanText(folded[1].energy, &joules), missingText());
}

TEST(RunSum, ARunWithoutEnergyMakesTheSumALowerBound)
{
    const std::vector<RunSummary> runs{runOf("a", "", "one", 1.0), runOf("b", "", "one", 2.0),
                                       runOf("c", "", "one", {})};
    const RunSum sum = sumOf(pointersTo(runs));
    EXPECT_EQ(sum.runs, 3);
    EXPECT_EQ(sum.tokens, 30);
    EXPECT_DOUBLE_EQ(sum.sum.energy_mj.value().value, 3000.0);
    EXPECT_TRUE(sum.sum.partial());
    EXPECT_EQ(sum.sum.duration_ns, 6'000'000'000);
}

} // namespace
} // namespace ep::ui
