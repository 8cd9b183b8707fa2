// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_charts.h"

#include "charts/heatmap_scene.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"
#include "ep/viz/heatmap.h"
#include "ep/viz/metric.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace ep::ui {

namespace {

std::string noteOf(const Run& run)
{
    return said(
        "Joules: %1.",
        energyOriginText(run.info.power.source, run.metrics.energy.provenance).toStdString());
}

// The total and the rails that used most energy, in the order of the window.
std::vector<Channel> mainChannels(const PowerHistory& history)
{
    const auto usage = [&history](Channel channel) {
        const viz::TimeSeries& series = history.of(channel);
        return series.summary(series.time());
    };
    std::vector<Channel> channels;
    std::ranges::copy_if(kChannels, std::back_inserter(channels),
                         [&](Channel channel) { return !usage(channel).empty(); });
    while (channels.size() > viz::kSeriesCount)
        channels.erase(std::min_element(
            channels.begin(), channels.end() - 1, // the last: total
            [&](Channel a, Channel b) { return usage(a).integral < usage(b).integral; }));
    return channels;
}

// The line of the window, with all of its samples.
std::vector<viz::Point> powerLine(const PowerHistory& history, Channel channel, Nanoseconds origin)
{
    constexpr double kBreak = std::numeric_limits<double>::quiet_NaN();
    constexpr int kAllPoints = std::numeric_limits<int>::max();
    const viz::TimeSeries& series = history.of(channel);
    std::vector<viz::Point> points;
    for (const auto& line : series.lines(series.time(), kAllPoints, history.gapLimit())) {
        if (!points.empty())
            points.push_back({toSeconds(line.front().time - origin), kBreak});
        for (const auto& [time, milliwatts] : line)
            points.push_back({toSeconds(time - origin), milliwatts});
    }
    return points;
}

} // namespace

viz::Scene runPower(const Run& run, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Power"));
    chart.frame.empty = said("No power was recorded.");
    chart.frame.x_title = said("Seconds from the start of the run");
    chart.frame.note = noteOf(run);
    const PowerHistoryPtr history = powerHistoryOf(run.trace.samples);
    double largest = 0.0;
    for (const Channel channel : mainChannels(*history)) {
        viz::LineSeries& series = chart.series.emplace_back();
        series.label = title(channel).toStdString();
        series.points = powerLine(*history, channel, run.trace.time.begin_ns);
        for (const viz::Point& point : series.points)
            largest = std::fmax(largest, point.y); // ignores breaks
    }
    const viz::DisplayUnit unit = viz::displayUnit("mW", largest);
    for (viz::LineSeries& series : chart.series) {
        for (viz::Point& point : series.points)
            point.y *= unit.factor;
    }
    chart.frame.y_title = unit.suffix;
    return layoutLines(chart);
}

viz::Scene runTokens(const Run& run, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Energy of each decoded token"));
    chart.frame.x_title = said("Token");
    chart.frame.note = noteOf(run) + ' ' + said("Token 0, which includes the prefill, is omitted.");
    chart.frame.empty = said("No token has an energy.");
    viz::LineSeries series;
    double largest = 0.0;
    for (const TokenSpan& token : run.trace.tokens) {
        if (token.phase != Phase::Decode || !token.energy.total_mj || token.sequences < 1)
            continue;
        const double energy = token.energy.total_mj->value / token.sequences;
        largest = std::max(largest, energy);
        series.points.push_back({static_cast<double>(token.index), energy});
    }
    const viz::DisplayUnit unit = viz::displayUnit("mJ", largest);
    for (viz::Point& point : series.points)
        point.y *= unit.factor;
    chart.frame.y_title = unit.suffix;
    chart.series.push_back(std::move(series));
    return layoutLines(chart);
}

viz::Scene runPhases(const Run& run, ChartSize size)
{
    viz::BarChart chart;
    const bool energy = knownEnergy(run).energy_mj.has_value();
    chart.frame = frameOf(
        size, energy ? said("Energy by phase and section") : said("Time by phase and section"));
    chart.frame.x_title = energy ? said("Energy") : said("Time");
    chart.frame.empty = said("The run has no phases.");
    const auto add = [&](std::string label, const Tally& sum, std::size_t series) {
        viz::Bar bar;
        bar.label = std::move(label);
        bar.series = series;
        if (energy) {
            if (sum.energy_mj)
                bar.value = sum.energy_mj->value;
            bar.text = formatEnergy(sum);
        } else {
            bar.value = toMilliseconds(sum.duration_ns);
            bar.text = formatDuration(sum.duration_ns);
        }
        chart.bars.push_back(std::move(bar));
    };
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Idle)
            continue;
        add(term(viz::title(phase.phase)).toStdString(), knownEnergy(run.trace, phase), 0);
        std::map<Section, Tally> sections;
        for (const SectionSpan& section : run.trace.sections) {
            if (section.phase != phase.phase)
                continue;
            sections[section.section].add(tallyOf(section.time, section.energy));
        }
        for (const auto& [section, sum] : sections) {
            add((term(viz::title(phase.phase)) + QStringLiteral(": ") + term(viz::title(section)))
                    .toStdString(),
                sum, 1);
        }
    }
    return layoutBars(chart);
}

viz::Scene runLayers(const Run& run, const std::vector<ComponentTotal>& totals, ChartSize size)
{
    viz::HeatmapAccumulator accumulator;
    accumulator.add(totals);
    viz::HeatmapData data = accumulator.data(viz::HeatmapMetric::EnergyMj, viz::CellReduction::Sum);
    const bool energy = !data.allMissing();
    if (!energy)
        data = accumulator.data(viz::HeatmapMetric::TimeMs, viz::CellReduction::Sum);
    const HeatmapPaper paper{.width = size.width, .height = size.height};
    viz::Scene scene = heatmapScene(
        data,
        viz::layoutHeatmap(data, paper.width, paper.height, heatmapStyle(paper.font, paper.width)),
        viz::scaleOf(data), {.source = run.info.power.source, .steps = run.info.batch.size() > 1},
        paper);
    scene.title =
        energy ? said("Energy by layer and component") : said("Time by layer and component");
    if (data.empty())
        scene.empty = said("Layers were not recorded at this depth.");
    return scene;
}

} // namespace ep::ui
