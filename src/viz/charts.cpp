// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace ep::viz {
namespace {

constexpr double kRow = 26.0;
constexpr double kBar = 15.0;
constexpr double kClear = 4.0; // space between the axis and a text below a bar

SceneText labelOf(const Bar& bar, Point at, double room)
{
    return {.at = at,
            .text = bar.label,
            .align = TextAlign::Right,
            .room = room,
            .cut_in_middle = true};
}

// Up to this number of points, each has a tool tip.
constexpr std::size_t kMaxMarks = 3000;

std::vector<std::string> labelsOf(const LineChart& chart)
{
    std::vector<std::string> labels;
    for (const LineSeries& series : chart.series)
        labels.push_back(series.label);
    return labels;
}

// Keeps at most two points per pixel column: the lowest and the highest, in order.
std::vector<Point> thinned(std::vector<Point> points)
{
    std::vector<Point> kept;
    for (std::size_t at = 0; at < points.size();) {
        const double column = std::floor(points[at].x);
        std::size_t low = at;
        std::size_t high = at;
        std::size_t end = at;
        for (; end < points.size() && std::floor(points[end].x) == column; ++end) {
            if (points[end].y < points[low].y)
                low = end;
            if (points[end].y > points[high].y)
                high = end;
        }
        const auto [first, second] = std::minmax(low, high);
        kept.push_back(points[first]);
        if (second != first)
            kept.push_back(points[second]);
        at = end;
    }
    return kept;
}

void paintSeries(Scene& scene, const ChartAxes& axes, const LineSeries& series, std::size_t index)
{
    std::vector<Point> run;
    const auto flush = [&] {
        if (run.size() > 1 && series.joined) {
            const bool many = static_cast<double>(run.size()) > 2.0 * axes.plot().width;
            scene.items.push_back(
                ScenePath{many ? thinned(run) : run, {seriesInk(index)}, 1.75, dashOf(index)});
        }
        run.clear();
    };
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        const Point& value = series.points[i];
        if (!std::isfinite(value.y) || !std::isfinite(value.x)) {
            flush();
            continue;
        }
        const Point at{axes.toX(value.x), axes.toY(value.y)};
        if (series.steps && !run.empty())
            run.push_back({at.x, run.back().y});
        run.push_back(at);
        if (series.markers) {
            scene.items.push_back(SceneMarker{at, 6.0, markerOf(index), {seriesInk(index)}});
        }
        if (series.points.size() > kMaxMarks)
            continue;
        const std::string link = i < series.links.size() ? series.links[i] : std::string();
        scene.marks.push_back({{at.x - 6.0, at.y - 6.0, 12.0, 12.0},
                               i < series.texts.size()
                                   ? series.texts[i]
                                   : (series.label.empty() ? std::string() : series.label + ": ")
                                       + shortNumber(value.y) + " at " + shortNumber(value.x),
                               link});
    }
    flush();
}

void paintGroup(Scene& scene, const ChartAxes& axes, const DistributionGroup& group,
                std::size_t index, double left, double width)
{
    std::vector<double> sorted = group.values;
    std::sort(sorted.begin(), sorted.end());
    const Paint paint{seriesInk(index)};
    const double box = std::min(70.0, width * 0.32);
    const double boxX = left + width * 0.5 - box - 8.0;
    const double dots = left + width * 0.5 + 8.0;
    const double spread = std::min(60.0, width * 0.28);
    const double top = axes.toY(quantileOf(sorted, 0.75));
    const double bottom = axes.toY(quantileOf(sorted, 0.25));
    const double middle = axes.toY(quantileOf(sorted, 0.5));
    if (sorted.size() > 2) {
        const double whisker = boxX + box / 2.0;
        scene.items.push_back(ScenePath{
            {{whisker, axes.toY(sorted.back())}, {whisker, axes.toY(sorted.front())}}, paint, 1.0});
        scene.items.push_back(
            SceneRect{{boxX, top, box, std::max(1.0, bottom - top)}, Paint{Ink::Surface}, {}});
        scene.items.push_back(
            SceneRect{{boxX, top, box, std::max(1.0, bottom - top)}, Paint{paint.ink, 0.2}, paint});
        scene.items.push_back(ScenePath{{{boxX, middle}, {boxX + box, middle}}, paint, 2.5});
    }
    const std::size_t step = 1 + sorted.size() / kManyValues;
    for (std::size_t i = 0; i < sorted.size(); i += step) {
        // Golden-ratio offsets spread neighbouring points deterministically.
        const double shift =
            sorted.size() == 1 ? 0.5 : std::fmod(static_cast<double>(i) * 0.6180339887, 1.0);
        scene.items.push_back(SceneMarker{{dots + shift * spread, axes.toY(sorted[i])},
                                          5.0,
                                          markerOf(index),
                                          {paint.ink, sorted.size() > 60 ? 0.45 : 0.9}});
    }
    if (group.mean) {
        const double x = dots + spread + 12.0;
        if (group.interval) {
            const double low = axes.toY(group.interval->first);
            const double high = axes.toY(group.interval->second);
            scene.items.push_back(ScenePath{{{x, low}, {x, high}}, {Ink::Text}, 1.5});
            for (const double end : {low, high}) {
                scene.items.push_back(
                    ScenePath{{{x - 4.0, end}, {x + 4.0, end}}, {Ink::Text}, 1.5});
            }
        }
        scene.items.push_back(
            SceneMarker{{x, axes.toY(*group.mean)}, 8.0, MarkerShape::Diamond, {Ink::Text}});
    }
    scene.marks.push_back({{left, axes.plot().y, width, axes.plot().height},
                           group.label + ": " + std::to_string(sorted.size()) + " values, median "
                               + shortNumber(quantileOf(sorted, 0.5)) + ", quartiles "
                               + shortNumber(quantileOf(sorted, 0.25)) + " and "
                               + shortNumber(quantileOf(sorted, 0.75)),
                           {}});
}

bool shown(const ScatterChart& chart, double x, double y)
{
    return std::isfinite(x) && std::isfinite(y) && (!chart.log_x || x > 0.0)
        && (!chart.log_y || y > 0.0);
}

std::vector<Point> placed(const ScatterChart& chart, const ChartAxes& axes,
                          const std::vector<Point>& values)
{
    std::vector<Point> points;
    for (const Point& value : values) {
        if (!shown(chart, value.x, value.y))
            continue;
        const Point at{axes.toX(value.x), axes.toY(value.y)};
        points.push_back({at.x, std::clamp(at.y, axes.plot().y, axes.plot().bottom())});
    }
    return points;
}

void paintFit(Scene& scene, const ScatterChart& chart, const ChartAxes& axes)
{
    for (const double guide : chart.guides) {
        const double y = axes.toY(guide);
        scene.items.push_back(ScenePath{
            {{axes.plot().x, y}, {axes.plot().right(), y}}, {Ink::Muted}, 1.25, Dash::Dotted});
    }
    std::vector<Point> band = placed(chart, axes, chart.band_high);
    const std::vector<Point> low = placed(chart, axes, chart.band_low);
    band.insert(band.end(), low.rbegin(), low.rend());
    if (band.size() > 2)
        scene.items.push_back(ScenePath{band, {Ink::Muted, 0.18}, 0.0, Dash::Solid, true});
    const auto curve = placed(chart, axes, chart.curve);
    if (curve.size() > 1)
        scene.items.push_back(ScenePath{curve, {Ink::Text}, 1.75, Dash::Dashed});
    const auto front = placed(chart, axes, chart.front);
    if (front.size() > 1)
        scene.items.push_back(ScenePath{front, {Ink::Text, 0.7}, 1.5});
}

constexpr double kMinPixels = 3.0;
constexpr double kLegend = 34.0;

void paintLegendBar(Scene& scene, double largest, const std::string& unit, double top)
{
    constexpr int kColours = 41; // odd, so that one is neutral
    constexpr double kWidth = 200.0;
    const double x = kMargin + textWidth('-' + shortNumber(largest) + ' ' + unit, kSceneFont) + 6.0;
    addColourBar(scene, {std::round(x), top, kWidth, 12.0}, kColours,
                 [](double fraction) { return Paint{.difference = 2.0 * fraction - 1.0}; });
    const std::string end = shortNumber(largest) + ' ' + unit;
    scene.items.push_back(SceneText{.at = {x - 6.0, top + 6.0},
                                    .text = '-' + end,
                                    .align = TextAlign::Right,
                                    .ink = Ink::Muted});
    scene.items.push_back(
        SceneText{.at = {x + kWidth + 6.0, top + 6.0}, .text = '+' + end, .ink = Ink::Muted});
}

// Where the cells are, and how large.
struct CellArea {
    double left = 0.0;
    double top = 0.0;
    double width = 0.0;
    double height = 0.0;
    double gap = 0.0; // between cells
    bool upwards = false; // column labels run upwards if one is wider than its column

    Rect at(std::size_t row, std::size_t column) const
    {
        return {left + width * static_cast<double>(column), top + height * static_cast<double>(row),
                width - gap, height - gap};
    }
};

double widestLabel(const std::vector<std::string>& labels)
{
    double width = 0.0;
    for (const std::string& label : labels)
        width = std::max(width, textWidth(label, kSceneFont));
    return width;
}

CellArea cellAreaOf(const DifferenceGrid& grid)
{
    CellArea area;
    area.left = kMargin + widestLabel(grid.rows) + 8.0;
    area.width = std::floor((grid.frame.width - area.left - kMargin)
                            / static_cast<double>(grid.columns.size()));
    const double columnLabels = widestLabel(grid.columns);
    area.upwards = columnLabels + 6.0 > area.width;
    area.top = kTitleHeight + (area.upwards ? columnLabels + 8.0 : kLine + 4.0);
    const double below = kLegend + (grid.frame.note.empty() ? 0.0 : kLine);
    area.height = std::min(
        32.0,
        std::floor((grid.frame.height - area.top - below) / static_cast<double>(grid.rows.size())));
    area.gap = area.height >= 8.0 && area.width >= 8.0 ? 1.0 : 0.0;
    return area;
}

// In the cells, all numbers have the decimals of the largest one, as in a heatmap; a value that
// rounds to zero has no sign.
std::string cellNumber(double value, double largest)
{
    const int decimals =
        largest > 0.0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 0, 6) : 0;
    if (std::abs(value) < 0.5 * std::pow(10.0, -decimals))
        return "0";
    return withSign(formatFixed(value, decimals), value);
}

void paintColumnLabels(Scene& scene, const DifferenceGrid& grid, const CellArea& cells)
{
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
        const double x = cells.left + cells.width * (static_cast<double>(c) + 0.5);
        scene.items.push_back(
            SceneText{.at = {x, cells.upwards ? cells.top - 6.0 : cells.top - kLine / 2.0},
                      .text = grid.columns[c],
                      .align = cells.upwards ? TextAlign::Left : TextAlign::Centre,
                      .ink = Ink::Muted,
                      .upwards = cells.upwards});
    }
}

// Paints a row and adds it to the table of the scene. `largest`: value of the strongest colour.
void paintRow(Scene& scene, const DifferenceGrid& grid, const CellArea& cells, std::size_t r,
              double largest)
{
    std::vector<std::string> row{grid.rows[r]};
    const std::size_t columns = grid.columns.size();
    for (std::size_t c = 0; c < columns; ++c) {
        const auto& value = grid.values[r * columns + c];
        const Rect area = cells.at(r, c);
        const std::string number = value ? signedNumber(*value) : std::string();
        row.push_back(value ? number : "\u2014");
        scene.marks.push_back({area,
                               grid.rows[r] + ", " + grid.columns[c] + ": "
                                   + (value ? number + ' ' + grid.unit : "no value"),
                               {}});
        if (!value) {
            scene.items.push_back(SceneRect{area, {}, {}, Provenance::Missing});
            continue;
        }
        const double share = largest > 0.0 ? *value / largest : 0.0;
        const Paint paint{Ink::Surface, 1.0, share};
        scene.items.push_back(SceneRect{area, paint});
        const std::string shown = cellNumber(*value, largest);
        if (cells.height >= 15.0 && cells.width >= textWidth(shown, 11.0) + 4.0) {
            scene.items.push_back(SceneText{
                .at = area.centre(), .text = shown, .align = TextAlign::Centre, .on = paint});
        }
    }
    scene.table.rows.push_back(std::move(row));
}

// Index of the value that is farthest from zero; absent if none is known.
std::optional<std::size_t> largestValue(const DifferenceGrid& grid)
{
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < grid.values.size(); ++i) {
        if (grid.values[i]
            && (!found || std::abs(*grid.values[i]) > std::abs(*grid.values[*found])))
            found = i;
    }
    return found;
}

} // namespace

Scene layoutBars(const BarChart& chart)
{
    double labels = 0.0;
    double texts = 0.0;
    for (const Bar& bar : chart.bars) {
        labels = std::max(labels, textWidth(bar.label, kSceneFont));
        texts = std::max(texts, textWidth(bar.text, kSceneFont));
    }
    ChartFrame frame = chart.frame;
    labels = std::min(labels, frame.width * 0.5);
    const double left = kMargin + labels + 10.0;
    // The width of a text is an estimate: a label may reach into the margin.
    const double labelRoom = std::min(left - 8.0 - kClear, frame.width * 0.5);
    const double room = frame.width - left - 2.0 * kMargin - 8.0;
    // Texts next to the bars would leave no room for the bars, so the texts are below.
    const bool below = room - texts < 40.0;
    const double width = below ? room : room - texts;
    const double row = below ? kRow + kLine : kRow;
    frame.height = kTitleHeight
        + row * static_cast<double>(std::max<std::size_t>(chart.bars.size(), 3)) + 2.0 * kLine;
    Scene scene = emptyScene(frame);
    scene.table.columns = {"", chart.frame.x_title};
    double largest = 0.0;
    const Bar* first = nullptr;
    for (const Bar& bar : chart.bars) {
        scene.table.rows.push_back({bar.label, bar.text});
        if (!bar.value)
            continue;
        first = first ? first : &bar;
        largest = std::max({largest, *bar.value, bar.interval ? bar.interval->second : 0.0});
    }
    if (!first || !(largest > 0.0)) {
        scene.empty = frame.empty;
        return scene;
    }
    if (width < 40.0)
        return scene;
    for (std::size_t i = 0; i < chart.bars.size(); ++i) {
        const Bar& bar = chart.bars[i];
        const double y = kTitleHeight + row * static_cast<double>(i) + kRow / 2.0;
        scene.items.push_back(labelOf(bar, {left - 8.0, y}, labelRoom));
        double end = left;
        if (bar.value) {
            const double length = std::max(1.0, *bar.value / largest * width);
            scene.items.push_back(
                SceneRect{{left, y - kBar / 2.0, length, kBar}, Paint{seriesInk(bar.series)}});
            end = left + length;
            if (bar.interval) {
                const double low = left + std::max(0.0, bar.interval->first) / largest * width;
                const double high = left + bar.interval->second / largest * width;
                scene.items.push_back(ScenePath{{{low, y}, {high, y}}, {Ink::Text}, 1.5});
                for (const double x : {low, high})
                    scene.items.push_back(
                        ScenePath{{{x, y - 4.0}, {x, y + 4.0}}, {Ink::Text}, 1.5});
                end = std::max(end, high);
            }
        }
        const Point at =
            below ? Point{kMargin, y + (kRow + kLine) / 2.0 - 4.0} : Point{end + 8.0, y};
        scene.items.push_back(SceneText{.at = at, .text = bar.text, .ink = Ink::Muted});
        scene.marks.push_back({{kMargin, y - kRow / 2.0, frame.width - 2.0 * kMargin, row},
                               bar.label + ": " + bar.text,
                               bar.link});
    }
    const auto axis = [&](double from, double to) {
        scene.items.push_back(ScenePath{{{left, from}, {left, to}}, {Ink::Outline}, 1.0});
    };
    if (below) { // only if the texts are below; otherwise the line would cross them
        for (std::size_t i = 0; i < chart.bars.size(); ++i) {
            const double top = kTitleHeight + row * static_cast<double>(i);
            axis(top, top + kRow - kClear);
        }
    } else {
        axis(kTitleHeight, frame.height - 2.0 * kLine);
    }
    scene.summary = {chart.bars.size() == 1 ? "%1: %2 bar; first %3 with %4."
                                            : "%1: %2 bars; first %3 with %4.",
                     frame.title, chart.bars.size(), first->label, first->text};
    return scene;
}

Scene layoutLines(const LineChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"Series", chart.frame.x_title, chart.frame.y_title};
    ChartAxes::Range x;
    ChartAxes::Range y;
    std::size_t points = 0;
    for (const LineSeries& series : chart.series) {
        for (const Point& point : series.points) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                continue;
            x.add(point.x);
            y.add(point.y);
            ++points;
            scene.table.rows.push_back({series.label, shortNumber(point.x), shortNumber(point.y)});
        }
    }
    if (points == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    y.add(0.0);
    const auto labels = chart.series.size() > 1 ? labelsOf(chart) : std::vector<std::string>();
    const ChartAxes axes(chart.frame, x, y, legendHeight(labels, chart.frame.width));
    if (axes.tooSmall())
        return scene;
    paintLegend(scene, labels, kTitleHeight, true);
    axes.paint(scene, chart.x_labels);
    for (std::size_t i = 0; i < chart.series.size(); ++i)
        paintSeries(scene, axes, chart.series[i], i);
    scene.summary = {"%1: %2 series, %3 points, from %4 to %5.",
                     chart.frame.title,
                     chart.series.size(),
                     points,
                     shortNumber(y.low),
                     shortNumber(y.high)};
    return scene;
}

Scene layoutDistributions(const DistributionChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"Group", chart.frame.y_title};
    ChartAxes::Range y;
    std::size_t values = 0;
    for (const DistributionGroup& group : chart.groups) {
        values += group.values.size();
        for (const double value : group.values) {
            y.add(value);
            scene.table.rows.push_back({group.label, shortNumber(value)});
        }
        if (group.interval && !group.values.empty()) {
            y.add(group.interval->first);
            y.add(group.interval->second);
        }
    }
    if (values == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    const ChartAxes axes(chart.frame, {0.0, 1.0}, y, 0.0);
    if (axes.tooSmall())
        return scene;
    const double width = axes.plot().width / static_cast<double>(chart.groups.size());
    std::vector<std::pair<double, std::string>> labels;
    for (std::size_t i = 0; i < chart.groups.size(); ++i) {
        const auto place =
            (static_cast<double>(i) + 0.5) / static_cast<double>(chart.groups.size());
        labels.emplace_back(place, chart.groups[i].label);
    }
    axes.paint(scene, labels, false);
    for (std::size_t i = 0; i < chart.groups.size(); ++i) {
        if (!chart.groups[i].values.empty()) {
            paintGroup(scene, axes, chart.groups[i], i,
                       axes.plot().x + width * static_cast<double>(i), width);
        }
    }
    scene.summary = {"%1 of %2 groups with %3 values.", chart.frame.title, chart.groups.size(),
                     values};
    return scene;
}

Scene layoutScatter(const ScatterChart& chart)
{
    Scene scene = emptyScene(chart.frame);
    scene.table.columns = {"", chart.frame.x_title, chart.frame.y_title};
    ChartAxes::Range x{.log = chart.log_x};
    ChartAxes::Range y{.log = chart.log_y};
    std::size_t points = 0;
    for (const ScatterPoint& point : chart.points) {
        if (!shown(chart, point.x, point.y))
            continue;
        x.add(point.x);
        y.add(point.y);
        ++points;
        scene.table.rows.push_back({point.text, shortNumber(point.x), shortNumber(point.y)});
    }
    if (points == 0) {
        scene.empty = chart.frame.empty;
        return scene;
    }
    if (!chart.log_y)
        y.add(0.0);
    for (const auto& values : {chart.guides, chart.reached}) {
        for (const double value : values)
            y.add(value);
    }
    if (!chart.log_x) {
        const double room = (x.high - x.low) * 0.04;
        x = {std::max(x.low >= 0.0 ? 0.0 : x.low - room, x.low - room), x.high + room};
    }
    const auto& legend = chart.series.size() > 1 ? chart.series : std::vector<std::string>();
    const ChartAxes axes(chart.frame, x, y, legendHeight(legend, chart.frame.width));
    if (axes.tooSmall())
        return scene;
    paintLegend(scene, legend, kTitleHeight, false);
    axes.paint(scene);
    paintFit(scene, chart, axes);
    for (const ScatterPoint& point : chart.points) {
        if (!shown(chart, point.x, point.y))
            continue;
        const Point at{axes.toX(point.x), axes.toY(point.y)};
        const Paint paint{seriesInk(point.series), 0.85};
        scene.items.push_back(SceneMarker{at, 8.0, markerOf(point.series), paint});
        if (point.marked)
            scene.items.push_back(SceneMarker{at, 14.0, MarkerShape::Circle, {Ink::Text}, true});
        scene.marks.push_back({{at.x - 8.0, at.y - 8.0, 16.0, 16.0}, point.text, point.link});
    }
    if (chart.knee && shown(chart, chart.knee->first.x, chart.knee->first.y)) {
        const Point at{axes.toX(chart.knee->first.x), axes.toY(chart.knee->first.y)};
        // There are no points below and to the right: they would be better than the knee.
        constexpr double kBeside = 12.0;
        const double room = axes.plot().right() - textWidth(chart.knee->second, kSceneFont);
        scene.items.push_back(SceneText{.at = {std::min(at.x + kBeside, room), at.y + kBeside},
                                        .text = chart.knee->second,
                                        .bold = true});
    }
    scene.summary = {"%1: %2 runs.", chart.frame.title, points};
    return scene;
}

Scene layoutCourse(const CourseChart& chart)
{
    ScatterChart scatter{.frame = chart.frame, .points = {}, .guides = chart.guides};
    for (const CourseStep& step : chart.steps) {
        scatter.points.push_back({step.x, step.y, step.text});
        scatter.curve.push_back({step.x, step.y});
        if (!step.interval)
            continue;
        scatter.band_low.push_back({step.x, step.interval->first});
        scatter.band_high.push_back({step.x, step.interval->second});
    }
    if (!scatter.band_low.empty())
        scatter.reached = {scatter.band_low.back().y, scatter.band_high.back().y};
    Scene scene = layoutScatter(scatter);
    if (!chart.steps.empty())
        scene.summary = {"%1: %2", chart.frame.title, chart.steps.back().text};
    return scene;
}

Scene layoutDifferences(const DifferenceGrid& grid)
{
    Scene scene = emptyScene(grid.frame);
    const std::size_t columns = grid.columns.size();
    scene.table.columns.emplace_back("");
    scene.table.columns.insert(scene.table.columns.end(), grid.columns.begin(), grid.columns.end());
    const auto where = largestValue(grid);
    if (!where || columns == 0) {
        scene.empty = grid.frame.empty;
        return scene;
    }
    const double largest = std::abs(*grid.values[*where]);
    const CellArea cells = cellAreaOf(grid);
    if (cells.width < kMinPixels || cells.height < kMinPixels)
        return scene;
    paintColumnLabels(scene, grid, cells);
    const auto labelStep = static_cast<std::size_t>(std::max(1.0, std::ceil(14.0 / cells.height)));
    for (std::size_t r = 0; r < grid.rows.size(); ++r) {
        if (r % labelStep == 0) {
            scene.items.push_back(SceneText{
                .at = {cells.left - 8.0, cells.top + cells.height * (static_cast<double>(r) + 0.5)},
                .text = grid.rows[r],
                .align = TextAlign::Right,
                .ink = Ink::Muted});
        }
        paintRow(scene, grid, cells, r, largest);
    }
    const double bottom = cells.top + cells.height * static_cast<double>(grid.rows.size());
    scene.items.push_back(
        SceneRect{{cells.left, cells.top, cells.width * static_cast<double>(columns) - cells.gap,
                   bottom - cells.top - cells.gap},
                  {},
                  Paint{Ink::Grid}});
    paintLegendBar(scene, largest, grid.unit, bottom + 12.0);
    scene.summary = {"%1: the largest is %2 at %3.", grid.frame.title,
                     signedNumber(*grid.values[*where]) + ' ' + grid.unit,
                     sequence({grid.rows[*where / columns], grid.columns[*where % columns]}, ", ")};
    return scene;
}

} // namespace ep::viz
