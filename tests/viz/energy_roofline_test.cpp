// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/energy_roofline.h"

#include <gmock/gmock.h>

#include <variant>

namespace ep::viz {
namespace {

RooflineChart sample()
{
    RooflineChart chart;
    chart.frame.title = "Energy roofline";
    chart.frame.empty = "No work.";
    chart.machines = {{.label = "bf16",
                       .joules_per_flop = 3e-12,
                       .joules_per_byte = 60e-12,
                       .static_watts = 5.0,
                       .seconds_per_flop = 1e-12,
                       .seconds_per_byte = 3e-11}};
    chart.dots = {{.flops = 1e9, .bytes = 1e9, .cost = 0.2, .text = "decode q_proj", .link = "q"},
                  {.flops = 1e11, .bytes = 1e9, .cost = 0.8, .text = "prefill q_proj"}};
    return chart;
}

std::size_t markersOf(const Scene& scene)
{
    std::size_t count = 0;
    for (const SceneItem& item : scene.items)
        count += std::holds_alternative<SceneMarker>(item) ? 1 : 0;
    return count;
}

TEST(EnergyRooflineTest, LimitsMeetAtTheRidge)
{
    const RooflineMachine machine = sample().machines.front();
    EXPECT_DOUBLE_EQ(machine.ridge(), 30.0);
    EXPECT_DOUBLE_EQ(machine.timeAt(30.0), 1e-12);
    EXPECT_DOUBLE_EQ(machine.timeAt(3.0), 1e-11);
    EXPECT_DOUBLE_EQ(machine.energyAt(30.0), 3e-12 + 2e-12 + 5e-12);
    EXPECT_GT(machine.energyAt(1.0), machine.energyAt(2.0));
}

TEST(EnergyRooflineTest, HasADotAMarkAndARowForEachPart)
{
    const Scene scene = layoutRoofline(sample());
    EXPECT_EQ(markersOf(scene), 2U);
    ASSERT_EQ(scene.marks.size(), 2U);
    EXPECT_EQ(scene.table.rows.size(), 2U);
    // The larger cost is painted first, below the smaller one.
    EXPECT_EQ(scene.marks.back().link, "q");
    EXPECT_NE(scene.marks.back().text.find("1.00 FLOPs per byte, 5.00 GFLOP/J"), std::string::npos)
        << scene.marks.back().text;
    EXPECT_LT(scene.marks.back().area.x, scene.marks.front().area.x);
    EXPECT_NE(toSvg(scene, ScenePalette::light()).find("<svg"), std::string::npos);
}

// At the right edge there is no room for a name after the dot.
TEST(EnergyRooflineTest, NamesAtTheEdgeStandBeforeTheirDots)
{
    RooflineChart chart = sample();
    chart.frame.width = 500.0;
    const Scene scene = layoutRoofline(chart);
    for (const SceneItem& item : scene.items) {
        const auto* text = std::get_if<SceneText>(&item);
        if (!text || !text->text.ends_with("q_proj"))
            continue;
        EXPECT_GE(text->room.value_or(0.0), textWidth(text->text, kSceneFont)) << text->text;
        EXPECT_EQ(text->align,
                  text->text.starts_with("prefill") ? TextAlign::Right : TextAlign::Left);
    }
}

TEST(EnergyRooflineTest, NamesTheLargestDots)
{
    RooflineChart chart = sample();
    for (int i = 0; i < 40; ++i)
        chart.dots.push_back({.flops = 1e9, .bytes = 1e9, .cost = 0.01, .text = "small"});
    int small = 0;
    int prefill = 0;
    for (const SceneItem& item : layoutRoofline(chart).items) {
        if (const auto* text = std::get_if<SceneText>(&item)) {
            small += text->text == "small" ? 1 : 0;
            prefill += text->text == "prefill q_proj" ? 1 : 0;
        }
    }
    EXPECT_EQ(prefill, 1);
    EXPECT_EQ(small, 1); // the others would cover it
    EXPECT_TRUE(std::holds_alternative<SceneText>(layoutRoofline(chart).items.back()))
        << "dots cover no name";
}

TEST(EnergyRooflineTest, ShowsOnlyWhatIsBrushed)
{
    RooflineChart chart = sample();
    chart.brushed = {{10.0, 1000.0}};
    const Scene scene = layoutRoofline(chart);
    ASSERT_EQ(scene.marks.size(), 1U);
    EXPECT_EQ(scene.marks.front().text.rfind("prefill q_proj", 0), 0U);
}

TEST(EnergyRooflineTest, SaysWhyItIsEmpty)
{
    RooflineChart chart = sample();
    chart.dots = {{.flops = 0.0, .bytes = 1e9, .cost = 1.0, .text = "copy"}};
    EXPECT_EQ(layoutRoofline(chart).empty, "No work.");
    chart.frame.width = 40.0;
    chart.dots = sample().dots;
    EXPECT_EQ(markersOf(layoutRoofline(chart)), 0U);
}

TEST(EnergyRooflineTest, WritesPerformanceAsPeopleDo)
{
    RooflineChart chart = sample();
    chart.of_time = true;
    chart.frame.y_title = "FLOP/s";
    chart.machines.clear();
    chart.dots = {{.flops = 1e6, .bytes = 1e6, .cost = 0.03, .text = "slow"},
                  {.flops = 1e6, .bytes = 1e5, .cost = 2e-5, .text = "fast"}};
    const Scene scene = layoutRoofline(chart);
    std::vector<std::string> texts;
    for (const SceneItem& item : scene.items) {
        if (const auto* text = std::get_if<SceneText>(&item))
            texts.push_back(text->text);
    }
    EXPECT_THAT(texts, testing::IsSupersetOf({"GFLOP/s", "10", "1", "0.1"}));
    EXPECT_THAT(texts, testing::Each(testing::Not(testing::HasSubstr("10⁻"))));
    EXPECT_THAT(scene.marks.front().text, testing::HasSubstr("33.3 MFLOP/s"));
    EXPECT_THAT(scene.marks.back().text, testing::HasSubstr("50.0 GFLOP/s"));
}

TEST(EnergyRooflineTest, ShowsTimeOfTwoRuns)
{
    RooflineChart chart = sample();
    chart.of_time = true;
    chart.series = {"A", "B"};
    chart.dots[1].series = 1;
    const Scene scene = layoutRoofline(chart);
    EXPECT_EQ(scene.table.columns.back(), "s");
    EXPECT_NE(scene.marks.front().text.find("FLOP/s"), std::string::npos);
}

} // namespace
} // namespace ep::viz
