// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/insights_charts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
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

// The names in a legend, in the order of their colours.
std::vector<std::string> legendOf(const viz::Scene& scene, const std::vector<std::string>& names)
{
    std::vector<std::string> found;
    for (const viz::SceneItem& item : scene.items) {
        const auto* text = std::get_if<viz::SceneText>(&item);
        if (text && std::ranges::find(names, text->text) != names.end())
            found.push_back(text->text);
    }
    return found;
}

// One chart has a point for each run, the other one for each setting.
TEST(InsightsCharts, GiveAModelTheSameColour)
{
    std::vector<RunSummary> runs{runOf("alpha", 1.0), runOf("alpha", 1.1), runOf("omega", 2.0)};
    runs.back().info.output_tokens = 32;
    RunsInView all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    const std::vector<std::string> names{"alpha", "omega"};
    const auto scaling = legendOf(scalingChart(all, energy::RunFeature::OutputTokens,
                                               RunFigure::JoulesPerToken, 500.0, 300.0),
                                  names);
    ASSERT_EQ(scaling.size(), 2U);
    EXPECT_EQ(scaling, legendOf(paretoChart(all, 500.0, 300.0), names));
}

// Points above each other would look like a line that means something.
TEST(InsightsCharts, OneValueOfAPropertyIsNoChart)
{
    const std::vector<RunSummary> runs{runOf("alpha", 1.0), runOf("alpha", 2.0)};
    const viz::Scene scene = scalingChart({&runs[0], &runs[1]}, energy::RunFeature::OutputTokens,
                                          RunFigure::JoulesPerToken, 500.0, 300.0);
    EXPECT_EQ(scene.empty, "Nothing to compare yet: only one value of output tokens.");
    EXPECT_EQ(countSettings({&runs[0], &runs[1]}), 1U);
    EXPECT_EQ(paretoText({&runs[0], &runs[1]}),
              "One setting in 2 runs: other models, number formats or batch sizes show which is "
              "faster and which needs less energy.");
}

} // namespace
} // namespace ep::ui
