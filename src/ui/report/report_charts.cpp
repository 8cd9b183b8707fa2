// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/report_charts.h"

#include "charts/heatmap_scene.h"
#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"
#include "ep/ui/charts/power_history.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
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

using energy::Comparison;
using energy::NodeCell;
using energy::RunGroup;

Nanoseconds originOf(const RunTrace& trace, PowerAlignment alignment)
{
    if (alignment == PowerAlignment::DecodeStart) {
        if (const PhaseSpan* decode = findPhase(trace, Phase::Decode))
            return decode->time.begin_ns;
    }
    return trace.time.begin_ns;
}

std::vector<viz::Point> powerPoints(const RunTrace& trace, PowerAlignment alignment)
{
    std::vector<viz::Point> points;
    if (alignment == PowerAlignment::TokenIndex) {
        for (const TokenSpan& token : trace.tokens) {
            auto power = token.power_snapshot_mw;
            if (!power && token.energy.total_mj && !token.time.empty())
                power = meanPower(*token.energy.total_mj, token.time.duration_ns());
            if (power)
                points.push_back({static_cast<double>(token.index), power->value});
        }
        return points;
    }
    const Nanoseconds origin = originOf(trace, alignment);
    for (const PowerSample& sample : trace.samples) {
        const auto power = totalPowerOf(sample);
        if (!power || intersection(sample.window, trace.time).empty())
            continue;
        points.push_back({toSeconds(sample.window.begin_ns - origin), power->value});
        points.push_back({toSeconds(sample.window.end_ns - origin), power->value});
    }
    return points;
}

const Run& firstOf(const RunGroup& group)
{
    return *group.runs.front().run;
}

std::vector<double> decodedTokens(const Run& run)
{
    std::vector<double> values;
    for (const TokenSpan& token : run.trace.tokens) {
        if (const auto energy = decodedEnergy(token))
            values.push_back(energy->value);
    }
    return values;
}

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
    std::vector<viz::Point> points;
    for (const auto& line : history.lines(channel, history.time(), kAllPoints)) {
        if (!points.empty())
            points.push_back({toSeconds(line.front().time - origin), kBreak});
        for (const auto& [time, milliwatts] : line)
            points.push_back({toSeconds(time - origin), milliwatts});
    }
    return points;
}

} // namespace

viz::ChartFrame frameOf(ChartSize size, std::string title)
{
    viz::ChartFrame frame;
    frame.width = size.width;
    frame.height = size.height;
    frame.title = std::move(title);
    return frame;
}

viz::DisplayUnit axisUnit(std::string_view unit, double largest)
{
    const std::string_view base = unit.substr(0, unit.find('/'));
    const bool milli = base == "mJ" || base == "mW" || base == "ms";
    if (!milli && base != "J" && base != "W" && base != "s")
        return {1.0, formatUnit(unit)};
    const double factor = milli ? 1.0 : 1e3;
    const viz::DisplayUnit shown =
        viz::displayUnit((milli ? "" : "m") + std::string(base), largest * factor);
    return {shown.factor * factor, shown.suffix + formatUnit(unit.substr(base.size()))};
}

viz::Scene linesIn(std::string_view unit, viz::LineChart chart)
{
    double largest = 0.0;
    for (const viz::LineSeries& series : chart.series) {
        for (const viz::Point& point : series.points)
            largest = std::fmax(largest, std::abs(point.y)); // ignores breaks
    }
    const viz::DisplayUnit shown = axisUnit(unit, largest);
    for (viz::LineSeries& series : chart.series) {
        for (viz::Point& point : series.points)
            point.y *= shown.factor;
    }
    chart.frame.y_title = shown.suffix;
    return layoutLines(chart);
}

viz::Scene distributionsIn(std::string_view unit, viz::DistributionChart chart)
{
    double largest = 0.0;
    for (const viz::DistributionGroup& group : chart.groups) {
        for (const double value : group.values)
            largest = std::max(largest, std::abs(value));
    }
    const viz::DisplayUnit shown = axisUnit(unit, largest);
    for (viz::DistributionGroup& group : chart.groups) {
        for (double& value : group.values)
            value *= shown.factor;
        if (group.mean)
            *group.mean *= shown.factor;
        if (group.interval)
            group.interval = {group.interval->first * shown.factor,
                              group.interval->second * shown.factor};
    }
    chart.frame.y_title = shown.suffix;
    return layoutDistributions(chart);
}

viz::BarChart energyBars(ChartSize size, std::string title, std::string empty, double largest)
{
    viz::BarChart chart{.frame = frameOf(size, std::move(title)), .bars = {}};
    chart.frame.empty = std::move(empty);
    chart.frame.x_title = axisUnit("mJ", largest).suffix;
    return chart;
}

std::string provenanceNote(const Comparison& comparison)
{
    QStringList ways;
    for (const energy::GroupFacts& group : comparison.groups)
        ways << energyOriginText(group.source, group.provenance);
    ways.removeDuplicates();
    return said("Joules: %1.", ways.join(QLatin1String(", ")).toStdString());
}

std::string titleOf(const energy::DifferenceNode& node)
{
    using Kind = energy::DifferenceNode::Kind;
    if (node.layer) {
        const std::string& word = node.word; // "layer 3", "layers 6-7"
        const char* const pattern = word.starts_with("layers") ? "Layers %1" : "Layer %1";
        return term({pattern, word.substr(word.find(' ') + 1)}).toStdString();
    }
    if (node.depth == 2 && node.phase)
        return term(viz::title(*node.phase)).toStdString();
    switch (node.kind) {
    case Kind::Run:
        break;
    case Kind::Section:
        return term(viz::title(*node.section)).toStdString();
    case Kind::Component:
        return term(viz::title(*node.component)).toStdString();
    case Kind::RestOfLayers:
        return term(title(Remainder::RestOfLayers)).toStdString();
    case Kind::RestOfRun:
        return term(title(Remainder::RestOfRun)).toStdString();
    }
    return said("Run");
}

viz::Scene powerOverlay(const std::vector<RunGroup>& groups, const Comparison& comparison,
                        PowerAlignment alignment, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Power"));
    chart.frame.empty = said("No power was recorded.");
    chart.frame.x_title = alignment == PowerAlignment::TokenIndex ? said("Token")
        : alignment == PowerAlignment::RunStart                   ? said("Seconds from the start")
                                                : said("Seconds from the first decoded token");
    chart.frame.note = provenanceNote(comparison)
        + (groups.size() > 1 ? ' ' + said("The first run of each group.") : std::string());
    for (std::size_t g = 0; g < groups.size(); ++g)
        chart.series.push_back(
            {labelOf(comparison, g), powerPoints(firstOf(groups[g]).trace, alignment)});
    return linesIn("mW", std::move(chart));
}

std::string labelOf(const Comparison& comparison, std::size_t group)
{
    return term(comparison.groups[group].label).toStdString();
}

viz::Scene cumulativeEnergy(const std::vector<RunGroup>& groups, const Comparison& comparison,
                            ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Cumulative energy of the tokens"));
    chart.frame.empty = said("No token has an energy.");
    chart.frame.x_title = said("Token");
    chart.frame.note = provenanceNote(comparison) + ' ' + said("Token 0 includes the prefill.");
    for (std::size_t g = 0; g < groups.size(); ++g) {
        viz::LineSeries& series = chart.series.emplace_back();
        series.label = labelOf(comparison, g);
        double sum = 0.0;
        for (const TokenSpan& token : firstOf(groups[g]).trace.tokens) {
            if (!token.energy.total_mj)
                break; // further charts would be too small
            sum += token.energy.total_mj->value;
            series.points.push_back({static_cast<double>(token.index), sum});
        }
    }
    return linesIn("mJ", std::move(chart));
}

viz::Scene energyDistributions(const std::vector<RunGroup>& groups, const Comparison& comparison,
                               ChartSize size)
{
    const bool repeated = std::any_of(groups.begin(), groups.end(),
                                      [](const RunGroup& group) { return group.runs.size() > 1; });
    if (repeated)
        return metricDistributions(comparison, RunFigure::JoulesPerToken, size);
    viz::DistributionChart chart;
    chart.frame = frameOf(size, said("Energy of the decoded tokens"));
    chart.frame.empty = said("No token has an energy.");
    chart.frame.note = said(
        "Every dot is a token; box: quartiles; diamond: mean with the 95 % interval for this run.");
    for (std::size_t g = 0; g < groups.size(); ++g) {
        viz::DistributionGroup group{.label = labelOf(comparison, g),
                                     .values = decodedTokens(firstOf(groups[g]))};
        if (const auto& tokens = comparison.groups[g].tokens) {
            group.mean = tokens->mean * 1e3;
            group.interval = {tokens->ci95.low * 1e3, tokens->ci95.high * 1e3};
        }
        chart.groups.push_back(std::move(group));
    }
    return distributionsIn("mJ/token", std::move(chart));
}

viz::Scene metricDistributions(const Comparison& comparison, RunFigure metric, ChartSize size)
{
    viz::DistributionChart chart;
    chart.frame = frameOf(size, term(title(metric)).toStdString());
    chart.frame.empty = said("No run has this figure.");
    chart.frame.note =
        said("Every dot is a run; box: quartiles; diamond: mean with its 95 % interval.");
    const energy::MetricRow* row = comparison.row(metric);
    for (std::size_t g = 0; row && g < row->groups.size(); ++g) {
        const energy::MetricCell& cell = row->groups[g];
        viz::DistributionGroup group{.label = labelOf(comparison, g), .values = cell.values};
        if (cell.statistics.n > 0)
            group.mean = cell.statistics.mean;
        if (const auto& ci = cell.statistics.ci95)
            group.interval = {ci->low, ci->high};
        chart.groups.push_back(std::move(group));
    }
    return distributionsIn(factsOf(metric).unit, std::move(chart));
}

viz::Scene layerDifferences(const Comparison& comparison, std::size_t group, NodeQuantity quantity,
                            ChartSize size)
{
    const bool energy = quantity == NodeQuantity::Energy;
    const energy::LayerDifferences& layers = comparison.layers;
    viz::DifferenceGrid grid;
    const std::string label =
        group < comparison.groups.size() ? labelOf(comparison, group) : std::string();
    const std::string baseline = labelOf(comparison, comparison.options.baseline);
    grid.frame = frameOf(size,
                         energy ? said("Energy, %1 minus %2", label, baseline)
                                : said("Time, %1 minus %2", label, baseline));
    grid.frame.empty = layers.layers == 0
        ? said("Recorded with depth none; repeat the runs with depth module to see layers.")
        : energy ? said("No layer has an energy on both sides.")
                 : said("No layer has a time on both sides.");
    grid.frame.note = term(title(comparison.options.normalisation)).toStdString()
        + (energy ? "; " + provenanceNote(comparison) : ".");
    grid.rows = layers.labels;
    for (const Component component : layers.components)
        grid.columns.emplace_back(viz::shortName(component));
    const auto& all = energy ? layers.energy_mj : layers.time_ms;
    double largest = 0.0;
    for (const NodeCell& cell : all.at(group)) {
        grid.values.push_back(cell.difference);
        if (cell.difference)
            largest = std::max(largest, std::abs(*cell.difference));
    }
    // In the unit of the largest difference, the small ones would be strings of zeros.
    const viz::DisplayUnit unit = viz::displayUnit(energy ? "mJ" : "ms", largest / 10.0);
    for (auto& value : grid.values) {
        if (value)
            *value *= unit.factor;
    }
    grid.unit = unit.suffix;
    return layoutDifferences(grid);
}

viz::Scene runPower(const Run& run, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Power"));
    chart.frame.empty = said("No power was recorded.");
    chart.frame.x_title = said("Seconds from the start of the run");
    chart.frame.note = noteOf(run);
    const PowerHistoryPtr history = powerHistoryOf(run.trace.samples);
    for (const Channel channel : mainChannels(*history))
        chart.series.push_back(
            {title(channel).toStdString(), powerLine(*history, channel, run.trace.time.begin_ns)});
    return linesIn("mW", std::move(chart));
}

viz::Scene runTokens(const Run& run, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Energy of each decoded token"));
    chart.frame.x_title = said("Token");
    chart.frame.note = noteOf(run) + ' ' + said("Token 0, which includes the prefill, is omitted.");
    chart.frame.empty = said("No token has an energy.");
    viz::LineSeries& series = chart.series.emplace_back();
    for (const TokenSpan& token : run.trace.tokens) {
        if (const auto energy = decodedEnergy(token))
            series.points.push_back({static_cast<double>(token.index), energy->value});
    }
    return linesIn("mJ", std::move(chart));
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
        for (const Span& section : run.trace.sections) {
            if (section.phase != phase.phase)
                continue;
            sections[section.section].add(tallyOf(section));
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
