// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a run's report show what the window shows.
#include "report/report_charts.h"
#include "support/sample_run.h"

#include "ep/core/run_tree.h"
#include "ep/ui/charts/heatmap_view.h"

#include <gmock/gmock.h>

#include <cmath>
#include <set>

namespace {

using namespace ep;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::multiset<std::string> textsOf(const viz::Scene& scene)
{
    std::multiset<std::string> texts;
    for (const viz::SceneItem& item : scene.items) {
        if (const auto* text = std::get_if<viz::SceneText>(&item))
            texts.insert(text->text);
    }
    return texts;
}

std::size_t hatched(const viz::Scene& scene, double minWidth)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(scene.items, [minWidth](const viz::SceneItem& item) {
            const auto* rect = std::get_if<viz::SceneRect>(&item);
            return rect && rect->hatch == Provenance::Missing && rect->rect.width > minWidth;
        }));
}

std::vector<viz::ScenePath> linesOf(const viz::Scene& scene, std::size_t minPoints)
{
    std::vector<viz::ScenePath> lines;
    for (const viz::SceneItem& item : scene.items) {
        const auto* path = std::get_if<viz::ScenePath>(&item);
        if (path && path->points.size() >= minPoints)
            lines.push_back(*path);
    }
    return lines;
}

constexpr ui::ChartSize kSize{900.0, 300.0};

TEST(RunCharts, AnAxisHasAUnitThatSuitsItsLargestValue)
{
    const struct {
        const char* unit;
        double largest;
        double shown;
        const char* title;
    } cases[] = {{"mJ", 2.5, 2.5, "mJ"},
                 {"mJ", 2500.0, 2.5, "J"},
                 {"J", 0.0025, 2.5, "mJ"},
                 {"J/token", 0.0025, 2.5, "mJ/token"},
                 {"mJ/token", 0.25, 250.0, "µJ/token"},
                 {"W", 12.0, 12.0, "W"},
                 {"s", 0.5, 500.0, "ms"},
                 {"tokens/s", 2500.0, 2500.0, "tokens/s"},
                 {"J·s", 0.001, 0.001, "J·s"},
                 {"mJ", 0.0, 0.0, "mJ"}};
    for (const auto& [unit, largest, shown, title] : cases) {
        const viz::DisplayUnit axis = ui::axisUnit(unit, largest);
        EXPECT_EQ(axis.suffix, title);
        EXPECT_NEAR(axis.factor * largest, shown, 1e-9) << unit;
    }
}

TEST(RunCharts, TheHeatmapIsThatOfTheWindow)
{
    const ep::Run run = test::makeSampleRun({.layers = 3});
    const auto totals = totalsOf(run.trace);
    const viz::Scene scene = ui::runLayers(run, totals, kSize);
    EXPECT_EQ(scene.title, "Energy by layer and component");

    viz::HeatmapAccumulator accumulator;
    accumulator.add(totals);
    ui::HeatmapView view;
    view.setPowerSource(run.info.power.source);
    view.setData(std::make_shared<viz::HeatmapData>(
        accumulator.data(viz::HeatmapMetric::EnergyMj, viz::CellReduction::Sum)));
    EXPECT_EQ(scene.summary.english(), view.accessibleDescription().toStdString());
    for (const char* text : {"Layer", "mean", "2", "down", "0"})
        EXPECT_THAT(textsOf(scene), Contains(text));
    EXPECT_THAT(textsOf(scene), Contains(HasSubstr("Energy, sum of 4 tokens")));
    EXPECT_EQ(hatched(scene, 20.0), 0U);
}

TEST(RunCharts, TheHeatmapShowsWhatLacksAnEnergy)
{
    const ep::Run run = test::makeSampleRun({.layers = 3});
    auto totals = totalsOf(run.trace);
    Tally timed;
    timed.duration_ns = 1000;
    totals.front().sum = timed;
    const viz::Scene scene = ui::runLayers(run, totals, kSize);
    EXPECT_EQ(scene.title, "Energy by layer and component");
    EXPECT_EQ(hatched(scene, 20.0), 1U);
    EXPECT_THAT(textsOf(scene), Contains("missing"));
}

TEST(RunCharts, WithoutEnergyTheHeatmapShowsTime)
{
    const ep::Run run = test::makeSampleRun({.power = false});
    EXPECT_EQ(ui::runLayers(run, totalsOf(run.trace), kSize).title, "Time by layer and component");
    EXPECT_THAT(ui::runLayers(run, {}, kSize).empty, Not(IsEmpty()));
}

// As in the window, no line is drawn over a time without samples.
TEST(RunCharts, TheLinesOfALongRunAreBrokenWhereNothingWasMeasured)
{
    ep::Run run = test::makeSampleRun();
    const PowerSample sample = run.trace.samples.front();
    run.trace.samples.clear();
    constexpr Nanoseconds kWindow = 10'000'000;
    for (int i = 0; i < 200'000; ++i) {
        PowerSample& next = run.trace.samples.emplace_back(sample);
        next.window.begin_ns = run.trace.time.begin_ns + i * kWindow;
        if (i >= 100'000) // no samples for five minutes
            next.window.begin_ns += 30'000 * kWindow;
        next.window.end_ns = next.window.begin_ns + kWindow;
    }
    const viz::Scene scene = ui::runPower(run, kSize);
    EXPECT_THAT(textsOf(scene), Contains("Total"));
    const auto lines = linesOf(scene, 100);
    ASSERT_EQ(lines.size() % 2, 0U); // each is broken once
    EXPECT_GE(lines.size(), 4U);
    for (const viz::ScenePath& line : lines)
        EXPECT_LE(line.points.size(), 2000U);
}

} // namespace
