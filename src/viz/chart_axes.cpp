// SPDX-License-Identifier: GPL-3.0-or-later
#include "chart_axes.h"

#include "tick_step.h"

#include "ep/core/format.h"
#include "ep/viz/axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ep::viz {

namespace {

constexpr double kTickLength = 4.0;
constexpr double kLegendGap = 18.0;
constexpr double kLegendMark = 26.0;

std::string tickLabel(double value, double step)
{
    if (std::abs(value) < step * 1e-6)
        return "0";
    if (std::abs(value) >= 1e4 || std::abs(value) < 1e-3)
        return shortNumber(value);
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 6);
    return formatFixed(value, decimals);
}

} // namespace

std::string shortNumber(double value, int digits)
{
    static constexpr std::array<std::pair<double, const char*>, 4> kMultiples{
        {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1.0, ""}}};
    if (value != 0.0 && std::abs(value) < 1.0)
        return formatSignificant(value, digits);
    for (const auto& [factor, prefix] : kMultiples) {
        if (std::abs(value) >= 0.9995 * factor
            && (factor > 1e3 || factor == 1.0 || std::abs(value) >= 1e4))
            return formatSignificant(value / factor, digits) + prefix;
    }
    return formatSignificant(value, digits);
}

std::string signedNumber(double value)
{
    return withSign(shortNumber(value), value);
}

void ChartAxes::Range::add(double value)
{
    if (!std::isfinite(value) || (log && !(value > 0.0)))
        return;
    low = std::min(low, value);
    high = std::max(high, value);
}

// Powers of ten, or the coarsest multiples of them that give at least two ticks in the range.
std::vector<ChartAxes::AxisTick> ChartAxes::powerTicks(const Range& range, int most)
{
    static const std::array<std::vector<double>, 3> kFactors{
        {{1.0}, {1.0, 2.0, 5.0}, {1.0, 2.0, 3.0, 5.0, 7.0}}};
    constexpr double kNarrow = 0.45; // decades; equal steps suit smaller ranges
    const double decades = std::log10(range.high / range.low);
    const std::size_t coarsest = decades < 1.0 || (decades < 2.5 && most >= 4) ? 1 : 0;
    const std::size_t finest = decades > kNarrow ? 2 : 1;
    std::vector<AxisTick> ticks;
    for (std::size_t i = coarsest; i <= finest && ticks.size() < 2; ++i) {
        ticks.clear();
        for (int power = static_cast<int>(std::floor(std::log10(range.low)));
             power <= static_cast<int>(std::ceil(std::log10(range.high))); ++power) {
            for (const double factor : kFactors[i]) {
                const double value = factor * std::pow(10.0, power);
                if (value >= range.low * (1 - 1e-9) && value <= range.high * (1 + 1e-9))
                    ticks.push_back({value, shortNumber(value, 1)});
            }
        }
    }
    return ticks;
}

std::vector<ChartAxes::AxisTick> ChartAxes::ticksOf(const Range& range, int most)
{
    if (range.log) {
        std::vector<AxisTick> ticks = powerTicks(range, most);
        if (ticks.size() > 1)
            return ticks; // otherwise equal steps
    }
    const double nice = tickStep(range.low, range.high, most);
    const double step = range.whole && nice > 0.0 ? std::max(1.0, std::round(nice)) : nice;
    if (!(step > 0.0))
        return {};
    std::vector<AxisTick> ticks;
    const TickMultiples inside = multiplesWithin(range.low, range.high, step);
    for (long long i = inside.first; i <= inside.last; ++i) {
        const double value = static_cast<double>(i) * step;
        ticks.push_back(
            {value, range.log && value >= 1e3 ? shortNumber(value) : tickLabel(value, step)});
    }
    return ticks;
}

ChartAxes::ChartAxes(const ChartFrame& frame, Range x, Range y, double legendHeight)
    : m_frame(frame)
    , m_x(x)
    , m_y(y)
{
    // The topmost label of the axis extends half a line above the plot.
    const double top = kTitleHeight + legendHeight + (legendHeight > 0.0 ? kLine / 2.0 : 4.0);
    const double below = kLine + kTickLength + (frame.x_title.empty() ? 4.0 : kLine + 4.0)
        + (frame.note.empty() ? 4.0 : kLine + 4.0);
    m_plot.y = top;
    m_plot.height = std::max(0.0, frame.height - top - below);
    const int rows = std::max(2, static_cast<int>(m_plot.height / 36.0));
    if (m_y.empty())
        m_y = {0.0, 1.0, y.log};
    if (m_y.log) {
        m_y.low /= 1.25;
        m_y.high *= 1.25;
    } else {
        if (!(m_y.high > m_y.low))
            m_y.high = m_y.low + (m_y.low == 0.0 ? 1.0 : std::abs(m_y.low) * 0.1);
        const double step = niceStep(m_y.high - m_y.low, rows);
        m_y.low = std::floor(m_y.low / step + 1e-9) * step;
        m_y.high = std::ceil(m_y.high / step - 1e-9) * step;
    }
    m_yTicks = ticksOf(m_y, rows);
    double labels = 0.0;
    for (const AxisTick& tick : m_yTicks)
        labels = std::max(labels, textWidth(tick.label, kSceneFont));
    m_plot.x = kMargin + (frame.y_title.empty() ? 0.0 : kLine + 2.0) + labels + kTickLength + 4.0;
    m_plot.width = std::max(0.0, frame.width - m_plot.x - 2.0 * kMargin);
    if (m_x.empty())
        m_x = {0.0, 1.0, x.log};
    m_x.whole = frame.counts;
    if (!(m_x.high > m_x.low)) {
        const double room = m_x.log ? m_x.low * 0.5 : std::max(0.5, std::abs(m_x.low) * 0.05);
        m_x.low -= room;
        m_x.high += room;
    } else if (m_x.log) {
        m_x.low /= 1.15;
        m_x.high *= 1.15;
    }
}

double ChartAxes::toX(double value) const
{
    const double share = m_x.log ? std::log(value / m_x.low) / std::log(m_x.high / m_x.low)
                                 : (value - m_x.low) / (m_x.high - m_x.low);
    return m_plot.x + share * m_plot.width;
}

double ChartAxes::toY(double value) const
{
    const double share = m_y.log ? std::log(value / m_y.low) / std::log(m_y.high / m_y.low)
                                 : (value - m_y.low) / (m_y.high - m_y.low);
    return m_plot.bottom() - share * m_plot.height;
}

void ChartAxes::paint(Scene& scene, const std::vector<std::pair<double, std::string>>& xLabels,
                      bool xTicks) const
{
    for (const AxisTick& tick : m_yTicks) {
        const double y = toY(tick.value);
        scene.items.push_back(ScenePath{{{m_plot.x, y}, {m_plot.right(), y}}, {Ink::Grid}, 1.0});
        scene.items.push_back(SceneText{.at = {m_plot.x - kTickLength - 4.0, y},
                                        .text = tick.label,
                                        .align = TextAlign::Right,
                                        .ink = Ink::Muted});
    }
    std::vector<AxisTick> ticks;
    for (const auto& [value, label] : xLabels)
        ticks.push_back({value, label});
    if (ticks.empty() && xTicks)
        ticks = ticksOf(m_x, std::max(2, static_cast<int>(m_plot.width / 80.0)));
    const double baseline = m_plot.bottom();
    double free = -1e9; // right end of the previous label
    for (const AxisTick& tick : ticks) {
        const double x = toX(tick.value);
        scene.items.push_back(
            ScenePath{{{x, baseline}, {x, baseline + kTickLength}}, {Ink::Outline}, 1.0});
        const double half = textWidth(tick.label, kSceneFont) / 2.0;
        if (x - half < free || x + half > m_frame.width)
            continue;
        free = x + half + 6.0;
        scene.items.push_back(SceneText{.at = {x, baseline + kTickLength + kLine / 2.0 + 2.0},
                                        .text = tick.label,
                                        .align = TextAlign::Centre,
                                        .ink = Ink::Muted});
    }
    scene.items.push_back(
        ScenePath{{{m_plot.x, baseline}, {m_plot.right(), baseline}}, {Ink::Outline}, 1.0});
    if (!m_frame.x_title.empty()) {
        scene.items.push_back(
            SceneText{.at = {m_plot.centre().x, baseline + kTickLength + 1.5 * kLine + 4.0},
                      .text = m_frame.x_title,
                      .align = TextAlign::Centre,
                      .room = m_plot.width});
    }
    if (!m_frame.y_title.empty()) {
        scene.items.push_back(SceneText{.at = {kMargin + kLine / 2.0, m_plot.centre().y},
                                        .text = m_frame.y_title,
                                        .align = TextAlign::Centre,
                                        .upwards = true,
                                        .room = m_plot.height});
    }
}

Scene emptyScene(const ChartFrame& frame)
{
    Scene scene;
    scene.width = frame.width;
    scene.height = frame.height;
    scene.title = frame.title;
    const double room = std::max(0.0, frame.width - 2.0 * kMargin);
    if (!frame.title.empty()) {
        scene.items.push_back(SceneText{.at = {kMargin, kTitleHeight / 2.0 + 2.0},
                                        .text = frame.title,
                                        .bold = true,
                                        .room = room});
    }
    if (!frame.note.empty()) {
        scene.items.push_back(SceneText{.at = {kMargin, frame.height - kLine / 2.0 - 2.0},
                                        .text = frame.note,
                                        .ink = Ink::Muted,
                                        .room = room});
    }
    return scene;
}

void addColourBar(Scene& scene, const Rect& area, int colours, Paint (*paintAt)(double fraction))
{
    double left = area.x;
    for (int i = 0; i < colours; ++i) { // at whole pixels, so that no line separates the colours
        const double right = std::round(area.x + area.width * (i + 1) / colours);
        scene.items.push_back(
            SceneRect{{left, area.y, right - left, area.height}, paintAt((i + 0.5) / colours)});
        left = right;
    }
    scene.items.push_back(
        SceneRect{.rect = {area.x + 0.5, area.y + 0.5, area.width - 1.0, area.height - 1.0},
                  .stroke = Paint{Ink::Outline}});
}

MarkerShape markerOf(std::size_t series)
{
    return static_cast<MarkerShape>(series % kSeriesCount);
}

Dash dashOf(std::size_t series)
{
    return static_cast<Dash>(series % kSeriesCount);
}

namespace {

// Calls place(x, row) for each label; returns the number of rows.
template <typename Place>
int flowLegend(const std::vector<std::string>& labels, double width, const Place& place)
{
    double x = kMargin;
    int row = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const double need = kLegendMark + 6.0 + textWidth(labels[i], kSceneFont) + kLegendGap;
        if (x > kMargin && x + need > width) {
            x = kMargin;
            ++row;
        }
        place(i, x, row);
        x += need;
    }
    return labels.empty() ? 0 : row + 1;
}

} // namespace

double legendHeight(const std::vector<std::string>& labels, double width)
{
    return kLine * flowLegend(labels, width, [](std::size_t, double, int) {});
}

void paintLegend(Scene& scene, const std::vector<std::string>& labels, double top, bool lines)
{
    flowLegend(labels, scene.width, [&](std::size_t i, double x, int row) {
        const double y = top + kLine * (row + 0.5);
        if (lines) {
            scene.items.push_back(
                ScenePath{{{x, y}, {x + kLegendMark, y}}, {seriesInk(i)}, 2.0, dashOf(i)});
        }
        scene.items.push_back(
            SceneMarker{{x + kLegendMark / 2.0, y}, 7.0, markerOf(i), {seriesInk(i)}});
        scene.items.push_back(
            SceneText{.at = {x + kLegendMark + 6.0, y},
                      .text = labels[i],
                      .room = std::max(0.0, scene.width - x - kLegendMark - 6.0 - kMargin)});
    });
}

} // namespace ep::viz
