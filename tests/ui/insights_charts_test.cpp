// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ep::ui {
namespace {

RunSummary runOf(const std::string& model, double joulesPerToken)
{
    RunSummary run;
    run.info.id = model + std::to_string(joulesPerToken);
    run.info.model.name = model;
    run.info.status = RunStatus::Complete;
    run.info.output_tokens = 64;
    run.metrics.joules_per_token = joulesPerToken;
    run.metrics.tokens_per_second = 10.0 / joulesPerToken;
    return run;
}

// A model that runs with other lengths says nothing about the lengths of another.
TEST(InsightsCharts, DoNotPoolModelsAndFormats)
{
    std::vector<RunSummary> runs{runOf("alpha", 1.0), runOf("alpha", 1.1), runOf("omega", 2.0),
                                 runOf("alpha", 0.9)};
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].info.output_tokens = static_cast<int>(32 * (i + 1));
    runs.back().info.dtype = "q4_0";
    RunsInView all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    EXPECT_EQ(energy::alikeBut({}, all).size(), 2U);
    EXPECT_EQ(energy::alikeBut({.format = true}, all).size(), 3U);
    EXPECT_EQ(energy::alikeBut({.model = true}, all).size(), 3U);
    const std::string text =
        scalingText(all, energy::RunFeature::OutputTokens, RunFigure::JoulesPerToken);
    EXPECT_EQ(text, "");
}

TEST(InsightsCharts, StateALawOnlyWhereTheRunsCarryIt)
{
    for (const bool carried : {false, true}) {
        std::vector<RunSummary> runs;
        for (int i = 0; i < 8; ++i) {
            runs.push_back(runOf("alpha", carried ? 1.0 + i : 1.0 + i * 3 % 4));
            runs.back().info.output_tokens = 16 * (i + 1);
        }
        RunsInView all;
        for (const RunSummary& run : runs)
            all.push_back(&run);
        const std::string text =
            scalingText(all, energy::RunFeature::OutputTokens, RunFigure::JoulesPerToken);
        EXPECT_EQ(text.find("to the power of") != std::string::npos, carried) << text;
    }
}

// The chart's bars are the means of the text's quotient.
TEST(InsightsCharts, CompareTokensByOneValue)
{
    std::vector<RunSummary> runs{runOf("alpha", 1.0), runOf("alpha", 1.1)};
    runs[0].metrics.joules_per_input_token = 0.1;
    runs[0].metrics.joules_per_output_token = 0.2;
    runs[1].metrics.joules_per_input_token = 0.01;
    runs[1].metrics.joules_per_output_token = 0.2;
    const std::string text = tokenCostText({&runs[0], &runs[1]});
    EXPECT_EQ(text.find("A decoded token costs 3.64 times an input token (2 runs)"), 0U) << text;
}

// Points above each other would look like a line that means something.
TEST(InsightsCharts, OneValueOfAPropertyIsNoChart)
{
    const std::vector<RunSummary> runs{runOf("alpha", 1.0), runOf("alpha", 2.0)};
    const viz::Scene scene = scalingChart({&runs[0], &runs[1]}, energy::RunFeature::OutputTokens,
                                          RunFigure::JoulesPerToken, 500.0, 300.0);
    EXPECT_EQ(scene.empty, "Nothing to compare yet: only one value of output tokens.");
    EXPECT_EQ(paretoText({&runs[0], &runs[1]}), "");
    EXPECT_EQ(
        groupText({&runs[0], &runs[1]}, energy::RunGrouping::Model, RunFigure::JoulesPerToken), "");
}

} // namespace
} // namespace ep::ui
