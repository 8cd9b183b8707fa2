// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include "ep/viz/energy_roofline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ep::viz {

namespace {

constexpr double kMinDot = 5.0;
constexpr double kMaxDot = 34.0; // diameter; the area shows the cost

bool hasWork(const RooflineDot& dot)
{
    return dot.flops > 0.0 && dot.bytes > 0.0 && dot.cost > 0.0;
}

double intensityOf(const RooflineDot& dot)
{
    return dot.flops / dot.bytes;
}

bool isInside(const RooflineChart& chart, const RooflineDot& dot)
{
    if (!hasWork(dot))
        return false;
    const double intensity = intensityOf(dot);
    return !chart.brushed
        || (chart.brushed->first <= intensity && intensity <= chart.brushed->second);
}

// The most that the machine reaches: FLOPs per second, or per joule.
double lineAt(const RooflineChart& chart, const RooflineMachine& machine, double intensity)
{
    return 1.0 / (chart.of_time ? machine.timeAt(intensity) : machine.energyAt(intensity));
}

double performanceOf(const RooflineDot& dot)
{
    return dot.flops / dot.cost;
}

constexpr double kGiga = 1e9;

// The usual unit for a performance of that size, such as GFLOP/s.
struct PerformanceUnit {
    double factor; // base units in this unit
    std::string text;
};

PerformanceUnit unitOf(const RooflineChart& chart, double performance)
{
    static constexpr std::array<std::pair<double, const char*>, 6> kFlopPrefixes{
        {{1e-15, "P"}, {1e-12, "T"}, {1e-9, "G"}, {1e-6, "M"}, {1e-3, "k"}, {1.0, ""}}};
    const auto fits = [performance](const auto& prefix) {
        return performance * prefix.first >= 0.9995;
    };
    const auto found = std::ranges::find_if(kFlopPrefixes, fits);
    const auto& [factor, prefix] = found == kFlopPrefixes.end() ? kFlopPrefixes.back() : *found;
    return {factor, std::string(prefix) + (chart.of_time ? "FLOP/s" : "FLOP/J")};
}

std::string performanceText(const RooflineChart& chart, double performance)
{
    const PerformanceUnit unit = unitOf(chart, performance);
    return shortNumber(performance * unit.factor) + ' ' + unit.text;
}

// Places names next to the largest dots, as long as none covers another. `dots`: largest first.
class DotNames {
public:
    explicit DotNames(const ChartAxes& axes)
        : m_axes(axes)
    {
    }

    void add(const RooflineDot& dot, Point at, double size)
    {
        constexpr std::size_t kMax = 8;
        constexpr double kApart = 13.0; // pixels between lines
        constexpr double kWidth = 110.0; // approximate width of a name
        // Places the name to the right of the dot, or to the left if the plot ends there.
        const double gap = size / 2.0 + 3.0;
        const double width = textWidth(dot.text, kSceneFont);
        const bool before =
            at.x + gap + width > m_axes.plot().right() && at.x - gap - width > m_axes.plot().x;
        const Point left{before ? at.x - gap - width : at.x + gap, at.y};
        const bool covers = std::ranges::any_of(m_named, [&](const Point& other) {
            return std::abs(other.y - left.y) < kApart && std::abs(other.x - left.x) < kWidth;
        });
        if (covers || m_named.size() == kMax)
            return;
        m_named.push_back(left);
        m_texts.push_back(
            SceneText{.at = {before ? at.x - gap : left.x, at.y},
                      .text = dot.text,
                      .align = before ? TextAlign::Right : TextAlign::Left,
                      .ink = Ink::Muted,
                      .room = before ? width : std::max(0.0, m_axes.plot().right() - left.x)});
    }

    // Call after all dots are painted, so that none covers a name.
    void paint(Scene& scene) const
    {
        scene.items.insert(scene.items.end(), m_texts.begin(), m_texts.end());
    }

private:
    const ChartAxes& m_axes;
    std::vector<Point> m_named;
    std::vector<SceneText> m_texts;
};

void paintMachine(Scene& scene, const RooflineChart& chart, const ChartAxes& axes, double factor,
                  std::size_t index, double low, double high)
{
    constexpr int kPoints = 96;
    const RooflineMachine& machine = chart.machines[index];
    ScenePath line{.points = {}, .paint = {Ink::Text, 0.8}, .width = 1.75, .dash = dashOf(index)};
    for (int i = 0; i <= kPoints; ++i) {
        const double x = low * std::pow(high / low, static_cast<double>(i) / kPoints);
        line.points.push_back({axes.toX(x),
                               std::clamp(axes.toY(factor * lineAt(chart, machine, x)),
                                          axes.plot().y, axes.plot().bottom())});
    }
    scene.items.push_back(line);
    const double ridge = machine.ridge();
    if (ridge <= low || ridge >= high)
        return;
    const double x = axes.toX(ridge);
    scene.items.push_back(ScenePath{
        {{x, axes.plot().y}, {x, axes.plot().bottom()}}, {Ink::Muted, 0.6}, 1.0, Dash::Dotted});
    scene.items.push_back(SceneText{.at = {x + 4.0, axes.plot().y + 8.0},
                                    .text = machine.label,
                                    .ink = Ink::Muted,
                                    .room = std::max(0.0, chart.frame.width - x - 4.0 - kMargin)});
}

} // namespace

double RooflineMachine::energyAt(double intensity) const
{
    return joules_per_flop + joules_per_byte / intensity + static_watts * timeAt(intensity);
}

double RooflineMachine::timeAt(double intensity) const
{
    return std::max(seconds_per_flop, seconds_per_byte / intensity);
}

double RooflineMachine::ridge() const
{
    return seconds_per_flop > 0.0 ? seconds_per_byte / seconds_per_flop : 0.0;
}

Scene layoutRoofline(const RooflineChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"Part", "FLOPs per byte", chart.of_time ? "GFLOP/s" : "GFLOP/J",
                           chart.of_time ? "s" : "J"};
    ChartAxes::Range x{.log = true};
    ChartAxes::Range y{.log = true};
    double largest = 0.0;
    std::vector<const RooflineDot*> dots;
    for (const RooflineDot& dot : chart.dots) {
        if (!isInside(chart, dot))
            continue;
        dots.push_back(&dot);
        largest = std::max(largest, dot.cost);
        x.add(intensityOf(dot));
        y.add(performanceOf(dot));
        scene.table.rows.push_back({dot.text, shortNumber(intensityOf(dot)),
                                    shortNumber(performanceOf(dot) / kGiga),
                                    shortNumber(dot.cost)});
    }
    if (dots.empty()) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    for (const RooflineMachine& machine : chart.machines) {
        if (!chart.brushed && machine.ridge() > 0.0)
            x.add(machine.ridge());
    }
    constexpr double kRoom = 1.6; // factor by which the axis extends on both sides
    x.low /= kRoom;
    x.high *= kRoom;
    for (const RooflineMachine& machine : chart.machines) {
        for (const double end : {x.low, x.high})
            y.add(lineAt(chart, machine, end));
    }
    const PerformanceUnit unit = unitOf(chart, y.high);
    y.low *= unit.factor;
    y.high *= unit.factor;
    ChartFrame frame = chart.frame;
    if (!frame.y_title.empty())
        frame.y_title = unit.text;
    const auto& legend = chart.series.size() > 1 ? chart.series : std::vector<std::string>();
    const ChartAxes axes(frame, x, y, legendHeight(legend, chart.frame.width));
    if (axes.tooSmall())
        return scene;
    paintLegend(scene, legend, kTitleHeight, false);
    axes.paint(scene);
    for (std::size_t i = 0; i < chart.machines.size(); ++i)
        paintMachine(scene, chart, axes, unit.factor, i, x.low, x.high);
    // Draws small dots above large ones, so that each can be reached.
    std::ranges::stable_sort(dots, std::ranges::greater(), &RooflineDot::cost);
    DotNames names(axes);
    for (const RooflineDot* dot : dots) {
        const Point at{axes.toX(intensityOf(*dot)), axes.toY(unit.factor * performanceOf(*dot))};
        const double size = std::max(kMinDot, kMaxDot * std::sqrt(dot->cost / largest));
        scene.items.push_back(
            SceneMarker{at, size, markerOf(dot->series), {seriesInk(dot->series), 0.7}});
        const double area = std::max(12.0, size);
        scene.marks.push_back({{at.x - area / 2.0, at.y - area / 2.0, area, area},
                               dot->text + ": " + shortNumber(intensityOf(*dot))
                                   + " FLOPs per byte, "
                                   + performanceText(chart, performanceOf(*dot)),
                               dot->link});
        names.add(*dot, at, size);
    }
    names.paint(scene);
    scene.summary = {"%1: %2 parts.", chart.frame.title, dots.size()};
    return scene;
}

} // namespace ep::viz
