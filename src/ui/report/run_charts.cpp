// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run_charts.h"

#include "text.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/ui/terms.h"
#include "ep/ui/theme.h"
#include "ep/viz/axis.h"
#include "ep/viz/metric.h"

#include <algorithm>
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

std::optional<double> railPower(const PowerSample& sample, Rail rail)
{
    if (sample.power_mw[rail])
        return sample.power_mw[rail]->value;
    if (sample.energy_mj[rail] && !sample.window.empty())
        return meanPower(*sample.energy_mj[rail], sample.window.duration_ns()).value;
    return std::nullopt;
}

} // namespace

viz::Scene runPower(const Run& run, ChartSize size)
{
    viz::LineChart chart;
    chart.frame = frameOf(size, said("Power"));
    chart.frame.empty = said("No power was recorded.");
    chart.frame.x_title = said("Seconds from the start of the run");
    chart.frame.note = noteOf(run);
    double largest = 0.0;
    // At most four lines, for readability. System power is shown if it is the total.
    for (const auto& [rail, label] :
         {std::pair(Rail::Cpu, "CPU"), std::pair(Rail::Gpu, "GPU"), std::pair(Rail::Ane, "ANE"),
          std::pair(Rail::Dram, "DRAM"), std::pair(Rail::System, "System")}) {
        viz::LineSeries series{.label = label, .points = {}};
        for (const PowerSample& sample : run.trace.samples) {
            const auto power = railPower(sample, rail);
            if (!power)
                continue;
            largest = std::max(largest, *power);
            series.points.push_back(
                {toSeconds(sample.window.begin_ns - run.trace.time.begin_ns), *power});
            series.points.push_back(
                {toSeconds(sample.window.end_ns - run.trace.time.begin_ns), *power});
        }
        if (!series.points.empty() && chart.series.size() < viz::kSeriesCount)
            chart.series.push_back(std::move(series));
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
    viz::DifferenceGrid grid;
    grid.one_sided = true;
    bool energy = !totals.empty();
    int layers = 0;
    std::vector<Component> components;
    for (const ComponentTotal& total : totals) {
        energy = energy && total.sum.complete();
        layers = std::max(layers, total.layer + 1);
        if (std::find(components.begin(), components.end(), total.component) == components.end())
            components.push_back(total.component);
    }
    std::sort(components.begin(), components.end());
    grid.frame = frameOf(
        size, energy ? said("Energy by layer and component") : said("Time by layer and component"));
    grid.frame.empty = said("Layers were not recorded at this depth.");
    grid.frame.note =
        (energy ? noteOf(run) + ' ' : std::string()) + said("Summed over all tokens.");
    for (int layer = 0; layer < layers; ++layer)
        grid.rows.push_back(std::to_string(layer));
    for (const Component component : components)
        grid.columns.emplace_back(viz::shortName(component));
    grid.values.resize(grid.rows.size() * grid.columns.size());
    double largest = 0.0;
    for (const ComponentTotal& total : totals) {
        const auto column = static_cast<std::size_t>(
            std::find(components.begin(), components.end(), total.component) - components.begin());
        const double value =
            energy ? total.sum.energy_mj->value : toMilliseconds(total.sum.duration_ns);
        largest = std::max(largest, value);
        grid.values[static_cast<std::size_t>(total.layer) * grid.columns.size() + column] = value;
    }
    const viz::DisplayUnit unit = viz::displayUnit(energy ? "mJ" : "ms", largest);
    for (auto& value : grid.values) {
        if (value)
            *value *= unit.factor;
    }
    grid.unit = unit.suffix;
    return layoutDifferences(grid);
}

} // namespace ep::ui
