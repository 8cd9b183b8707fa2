// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/viz/charts.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::viz {

using testing::HasSubstr;
using testing::Not;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

ChartFrame frame(double width = 640.0, double height = 300.0)
{
    ChartFrame f;
    f.width = width;
    f.height = height;
    f.title = "Title";
    f.x_title = "x";
    f.y_title = "mJ";
    f.empty = "nothing there";
    f.note = "a note";
    return f;
}

LineChart lines(double width = 640.0)
{
    return {.frame = frame(width),
            .series = {{.label = "a", .points = {{0, 1}, {1, kNan}, {2, 3}, {3, 4}}},
                       {.label = "b", .points = {{0, 2}, {3, 1}}, .links = {"r0", "r1"}}}};
}

DifferenceGrid grid(int rows = 3, int columns = 4)
{
    DifferenceGrid g;
    g.frame = frame();
    g.unit = "mJ";
    for (int r = 0; r < rows; ++r)
        g.rows.push_back(std::to_string(r));
    for (int c = 0; c < columns; ++c)
        g.columns.push_back("c" + std::to_string(c));
    for (int i = 0; i < rows * columns; ++i)
        g.values.push_back(i == 5 ? std::nullopt : std::optional(i - 4.0));
    return g;
}

std::vector<Scene> allCharts(double width)
{
    LineChart one = lines(width);
    DistributionChart two{
        .frame = frame(width),
        .groups = {{.label = "a", .values = {1, 2, 3, 9}},
                   {.label = "b", .values = {2, 2.5}, .mean = 2.2, .interval = std::pair(1.0, 3.0)},
                   {.label = "none", .values = {}}}};
    DifferenceGrid three = grid();
    three.frame.width = width;
    BarChart four{.frame = frame(width),
                  .bars = {{.label = "x", .value = 3.0, .text = "3 J", .link = "run"},
                           {.label = "y", .value = std::nullopt, .text = "-"}}};
    ScatterChart five{.frame = frame(width),
                      .points = {{.x = 1, .y = 10, .text = "p", .link = "run"},
                                 {.x = 10, .y = 100, .text = "q", .series = 1, .marked = true},
                                 {.x = 0, .y = 5, .text = "not on a log axis"}},
                      .series = {"s", "t"},
                      .curve = {{1, 10}, {10, 100}},
                      .band_low = {{1, 9}, {10, 90}},
                      .band_high = {{1, 11}, {10, 110}},
                      .front = {{1, 10}, {10, 100}},
                      .knee = std::pair(Point{10, 100}, std::string("knee")),
                      .log_x = true,
                      .log_y = true};
    return {layoutLines(one), layoutDistributions(two), layoutDifferences(three), layoutBars(four),
            layoutScatter(five)};
}

// The corners of everything that an item covers except its text.
std::vector<Point> cornersOf(const SceneItem& item)
{
    if (const auto* rect = std::get_if<SceneRect>(&item))
        return {{rect->rect.x, rect->rect.y}, {rect->rect.right(), rect->rect.bottom()}};
    if (const auto* path = std::get_if<ScenePath>(&item))
        return path->points;
    if (const auto* marker = std::get_if<SceneMarker>(&item))
        return {marker->at};
    return {std::get<SceneText>(item).at};
}

} // namespace

std::vector<std::string> textsOf(const Scene& scene)
{
    std::vector<std::string> texts;
    for (const SceneItem& item : scene.items) {
        if (const auto* text = std::get_if<SceneText>(&item))
            texts.push_back(text->text);
    }
    return texts;
}

// The view includes its last interval, but draws no lines for it: lines are for the guides.
TEST(Scene, ACourseShowsItsLastIntervalWhole)
{
    CourseChart chart{.frame = frame(300.0),
                      .steps = {{1, 10, "early", std::pair(-500.0, 500.0)},
                                {2, 12, "late", std::pair(-30.0, 54.0)}},
                      .guides = {-2.0, 2.0}};
    const Scene scene = layoutCourse(chart);
    int dotted = 0;
    std::vector<Point> band;
    for (const SceneItem& item : scene.items) {
        const auto* path = std::get_if<ScenePath>(&item);
        dotted += path && path->dash == Dash::Dotted ? 1 : 0;
        if (path && path->filled)
            band = path->points;
    }
    EXPECT_EQ(dotted, 2);
    ASSERT_EQ(band.size(), 4U); // both upper ends, then both lower ends
    const double whole = band[3].y - band[0].y; // height of the early interval, which is cut off
    EXPECT_GT(band[2].y - band[1].y, 0.7 * whole);
    EXPECT_LE(band[2].y - band[1].y, whole);
    EXPECT_NE(scene.summary.english().find("late"), std::string::npos);
    chart.steps.clear();
    EXPECT_EQ(layoutCourse(chart).empty, chart.frame.empty);
}

TEST(Scene, AnAxisOfCountsHasWholeNumbers)
{
    CourseChart chart{.frame = frame(300.0),
                      .steps = {{1, 10, "first"}, {2, 12, "second"}, {3, 11, "third"}}};
    chart.frame.width = 1200.0; // room for ticks at each half
    chart.frame.counts = true;
    int whole = 0;
    for (const std::string& text : textsOf(layoutCourse(chart))) {
        EXPECT_NE(text, "1.5");
        EXPECT_NE(text, "2.0");
        whole += text == "1" || text == "2" || text == "3" ? 1 : 0;
    }
    EXPECT_EQ(whole, 3);
}

TEST(Scene, TextsEndInAnEllipsisWhereTheyHaveNoRoom)
{
    BarChart chart{.frame = frame(160.0), .bars = {{.label = "x", .value = 3.0, .text = "3 J"}}};
    chart.frame.title = "Energy per input token and per decoded token";
    const Scene scene = layoutBars(chart);
    EXPECT_EQ(scene.title, chart.frame.title);
    const auto title = std::ranges::find_if(scene.items, [&](const SceneItem& item) {
        const auto* text = std::get_if<SceneText>(&item);
        return text && text->text == chart.frame.title;
    });
    ASSERT_NE(title, scene.items.end());
    EXPECT_LE(std::get<SceneText>(*title).room.value_or(1e9), 160.0);
    const std::string svg = toSvg(scene, ScenePalette::light());
    EXPECT_THAT(svg, HasSubstr("<title>" + chart.frame.title));
    EXPECT_THAT(svg, Not(HasSubstr('>' + chart.frame.title + "</text>")));
    EXPECT_THAT(svg, HasSubstr(">Energy per input"));
    EXPECT_THAT(svg, HasSubstr("…</text>"));
    chart.frame.width = 640.0;
    EXPECT_THAT(toSvg(layoutBars(chart), ScenePalette::light()),
                HasSubstr('>' + chart.frame.title + "</text>"));
}

TEST(Scene, LongLabelsOfBarsAreCutInTheMiddle)
{
    const std::string first = "SmolLM2-135M-Instruct, recorded: transformers 5.24.0";
    const std::string second = "SmolLM2-135M-Instruct, recorded: mlx-lm 0.32.2 — größer";
    const Scene scene = layoutBars({.frame = frame(300.0),
                                    .bars = {{.label = first, .value = 3.0, .text = "3 J"},
                                             {.label = second, .value = 2.0, .text = "2 J"}}});
    const std::string svg = toSvg(scene, ScenePalette::light());
    for (const char* shown : {">SmolLM2-", "5.24.0</text>", "größer</text>", "…"})
        EXPECT_THAT(svg, HasSubstr(shown));
    for (const std::string& label : {first, second})
        EXPECT_THAT(svg, Not(HasSubstr('>' + label + "</text>")));
    const auto shown = std::ranges::find_if(scene.items, [&](const SceneItem& item) {
        const auto* text = std::get_if<SceneText>(&item);
        return text && text->text == first;
    });
    ASSERT_NE(shown, scene.items.end());
    EXPECT_TRUE(std::get<SceneText>(*shown).cut_in_middle);
    EXPECT_LE(std::get<SceneText>(*shown).room.value_or(1e9), 150.0);
    EXPECT_EQ(scene.table.rows[0][0], first);
}

TEST(Scene, ALogAxisOfLessThanADecadeHasTicks)
{
    const Scene scene = layoutScatter(
        {.frame = frame(280.0),
         .points = {{.x = 5.2e6, .y = 0.02, .text = "p"}, {.x = 5.2e6, .y = 0.5, .text = "q"}},
         .log_x = true,
         .log_y = true});
    EXPECT_THAT(textsOf(scene), testing::IsSupersetOf({"5 M", "0.1"}));
}

TEST(Scene, ANarrowLogAxisHasSeveralTicks)
{
    const Scene scene = layoutScatter(
        {.frame = frame(280.0),
         .points = {{.x = 1e6, .y = 38.0, .text = "p"}, {.x = 1e9, .y = 60.0, .text = "q"}},
         .log_x = true,
         .log_y = true});
    EXPECT_THAT(textsOf(scene), testing::IsSupersetOf({"40", "60"}));
}

// Labels of the vertical axis, from the bottom up; they are right-aligned.
std::vector<std::string> labelsUpwards(const Scene& scene)
{
    std::vector<std::string> labels;
    for (const SceneItem& item : scene.items) {
        const auto* text = std::get_if<SceneText>(&item);
        if (text && text->align == TextAlign::Right && text->ink == Ink::Muted)
            labels.push_back(text->text);
    }
    return labels;
}

TEST(Scene, ALogAxisHasTwoLabelsAtLeast)
{
    struct Case {
        double low, high, height;
        std::vector<std::string> labels; // labels that occur among them
    };
    // The axis begins below the least value and ends above the largest, by a factor of 1.25.
    for (const Case& c : {Case{3.1, 7.1, 280.0, {"3", "5", "7"}}, // half a decade
                          {3.1, 7.1, 170.0, {"3", "5", "7"}},
                          {2.7e6, 3.8e6, 280.0, {"3.00 M", "4.00 M"}},
                          {21e6, 49e6, 170.0, {"20 M", "50 M"}},
                          {100.0, 100.0, 280.0, {"100", "120"}},
                          {1.5, 95.0, 150.0, {"10", "100"}},
                          {1.5, 70.0, 150.0, {"2", "5", "10", "20", "50"}}, // one power of ten
                          {1.0, 1e6, 280.0, {"1", "100", "10 k", "1 M"}}}) {
        ScatterChart chart{
            .frame = frame(640.0, c.height),
            .points = {{.x = 1.0, .y = c.low, .text = "p"}, {.x = 2.0, .y = c.high, .text = "q"}},
            .log_x = true,
            .log_y = true};
        const std::vector<std::string> labels = labelsUpwards(layoutScatter(chart));
        EXPECT_GE(labels.size(), 2U) << c.low << " to " << c.high;
        EXPECT_THAT(labels, testing::IsSupersetOf(c.labels)) << c.low << " to " << c.high;
    }
}

TEST(Scene, ChartsStayInsideTheirFrame)
{
    for (const double width : {60.0, 200.0, 640.0, 2500.0}) {
        for (const Scene& scene : allCharts(width)) {
            for (const SceneItem& item : scene.items) {
                for (const Point& point : cornersOf(item)) {
                    ASSERT_TRUE(std::isfinite(point.x) && std::isfinite(point.y)) << scene.title;
                    if (width < 600.0)
                        continue; // titles may be truncated there
                    EXPECT_GE(point.x, -0.5) << scene.summary;
                    EXPECT_LE(point.x, scene.width + 0.5) << scene.summary;
                    EXPECT_GE(point.y, -0.5) << scene.summary;
                    EXPECT_LE(point.y, scene.height + 0.5) << scene.summary;
                }
            }
        }
    }
}

TEST(Scene, SaysWhatItShows)
{
    for (const Scene& scene : allCharts(640.0)) {
        EXPECT_EQ(scene.empty, "");
        EXPECT_THAT(scene.summary, HasSubstr("Title"));
        EXPECT_FALSE(scene.table.rows.empty());
        for (const auto& row : scene.table.rows)
            EXPECT_EQ(row.size(), scene.table.columns.size()) << scene.summary;
        EXPECT_FALSE(scene.marks.empty()) << scene.summary;
    }
    EXPECT_EQ(layoutLines({.frame = frame(), .series = {}}).empty, "nothing there");
    EXPECT_EQ(layoutDistributions({.frame = frame(), .groups = {}}).empty, "nothing there");
    EXPECT_EQ(layoutBars({.frame = frame(), .bars = {}}).empty, "nothing there");
    EXPECT_EQ(layoutScatter({.frame = frame(), .points = {}}).empty, "nothing there");
    DifferenceGrid nothing = grid();
    nothing.values.assign(nothing.values.size(), std::nullopt);
    EXPECT_EQ(layoutDifferences(nothing).empty, "nothing there");
}

TEST(Scene, BarsWithLongTextsShowThemBelowInANarrowChart)
{
    BarChart chart;
    chart.frame = frame();
    chart.frame.width = 320.0;
    Bar bar;
    bar.label = "demo-llama-5m";
    bar.value = 0.08;
    bar.text = "79.8 mJ/token, 10 runs, modelled";
    chart.bars = {bar, bar};
    const Scene scene = layoutBars(chart);
    int bars = 0;
    std::vector<double> texts;
    for (const SceneItem& item : scene.items) {
        if (const auto* rect = std::get_if<SceneRect>(&item)) {
            ++bars;
            EXPECT_GT(rect->rect.width, 40.0);
        }
        const auto* text = std::get_if<SceneText>(&item);
        if (text && text->text == bar.text) {
            texts.push_back(text->at.y);
            EXPECT_LT(text->at.x + textWidth(bar.text, kSceneFont), chart.frame.width);
        }
    }
    EXPECT_EQ(bars, 2);
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_GT(texts[1] - texts[0], kSceneFont); // in separate lines
    ASSERT_EQ(scene.marks.size(), 2U);
    EXPECT_GT(texts[0], scene.marks[0].area.y);
}

TEST(Scene, AGapBreaksALine)
{
    const Scene scene = layoutLines(lines());
    const auto count = std::count_if(scene.items.begin(), scene.items.end(), [](const auto& item) {
        const auto* path = std::get_if<ScenePath>(&item);
        return path && path->paint.ink == Ink::Series0 && path->points.size() == 2
            && path->width == 1.75;
    });
    EXPECT_EQ(count, 1); // a single point before the gap makes no line
    EXPECT_EQ(scene.table.rows.size(), 5U);
}

TEST(Scene, MarksLeadToRuns)
{
    const Scene scene = layoutLines(lines());
    const auto linked = std::find_if(scene.marks.begin(), scene.marks.end(),
                                     [](const SceneMark& mark) { return mark.link == "r1"; });
    ASSERT_NE(linked, scene.marks.end());
    const SceneMark* found = scene.markAt(linked->area.centre());
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->link, "r1");
    EXPECT_EQ(scene.markAt({-5, -5}), nullptr);
}

TEST(Scene, DifferencesAreColouredAroundZero)
{
    const Scene scene = layoutDifferences(grid());
    EXPECT_EQ(scene.table.rows[1][2], "\u2014"); // the missing value
    EXPECT_THAT(scene.marks[5].text, HasSubstr("no value"));
    EXPECT_THAT(scene.summary, HasSubstr("+7"));
    const ScenePalette palette = ScenePalette::light();
    EXPECT_EQ(divergingColour(palette, 0.0), palette[Ink::Surface]);
    EXPECT_EQ(divergingColour(palette, -2.0), palette[Ink::Less]);
    EXPECT_EQ(divergingColour(palette, 1.0), palette[Ink::More]);
}

TEST(Scene, NumbersOfDifferencesHaveOneFormat)
{
    DifferenceGrid some = grid(1, 4);
    some.frame.width = 600.0;
    some.rows = {"layer"};
    some.values = {-1580.0, 2.37, -0.2, 477.4};
    const std::vector<std::string> texts = textsOf(layoutDifferences(some));
    for (const char* const text : {"-1580", "+2", "0", "+477"})
        EXPECT_EQ(std::ranges::count(texts, text), 1) << text;
}

TEST(Scene, InksReadOnTheirSurface)
{
    for (const ScenePalette& palette : {ScenePalette::light(), ScenePalette::dark()}) {
        for (const Ink ink : {Ink::Text, Ink::Muted})
            EXPECT_GE(contrastRatio(palette[ink], palette[Ink::Surface]), 4.5);
        for (std::size_t i = 0; i < kSeriesCount; ++i)
            EXPECT_GE(contrastRatio(palette[seriesInk(i)], palette[Ink::Surface]), 3.0) << i;
        EXPECT_GE(contrastRatio(palette[Ink::Outline], palette[Ink::Surface]), 3.0);
    }
}

TEST(Svg, IsSelfContainedAndEscaped)
{
    LineChart chart = lines();
    chart.frame.title = "<script>alert('x')</script> & \"more\"";
    const std::string svg = toSvg(layoutLines(chart), ScenePalette::light());
    EXPECT_THAT(svg, testing::StartsWith("<svg xmlns="));
    EXPECT_THAT(svg, testing::EndsWith("</svg>\n"));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(svg, Not(HasSubstr("href")));
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    for (const Scene& scene : allCharts(640.0))
        EXPECT_THAT(toSvg(scene, ScenePalette::dark()), Not(HasSubstr("nan")));
}

} // namespace ep::viz
