// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiling_text.h"

#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace ep::app {

namespace {

// "+2.1 %"
std::string change(double share)
{
    return (share < 0.0 ? "-" : "+") + formatPercent(share < 0.0 ? -share : share);
}

std::string costLine(const ProfilingRecord& record, Nanoseconds duration)
{
    const auto ns = [](double value) { return formatSignificant(value) + " ns"; };
    std::string line =
        formatPercent(static_cast<double>(record.cost_ns) / static_cast<double>(duration))
        + " of the run's time was spent recording: " + formatCount(record.spans) + " spans at "
        + ns(record.span_cost_ns);
    if (record.statistics > 0)
        line += ", " + formatCount(record.statistics) + " statistics at "
            + ns(record.statistic_cost_ns);
    return line + "; " + formatBytes(record.memory_bytes);
}

std::string twinLine(const TwinRecord& twin)
{
    const auto share = [](Nanoseconds clean, Nanoseconds now) {
        return clean > 0 ? change(static_cast<double>(now - clean) / static_cast<double>(clean))
                         : std::string(kMissingText);
    };
    std::string line = "compared with a run without recording: prefill "
        + share(twin.clean_prefill_ns, twin.prefill_ns) + ", decode "
        + share(twin.clean_decode_ns, twin.decode_ns) + " time; ";
    line += twin.different_tokens == 0 ? "the same " + std::to_string(twin.tokens) + " tokens"
                                       : std::to_string(twin.different_tokens) + " of "
            + std::to_string(twin.tokens) + " tokens differ";
    if (twin.clean_mj && twin.instrumented_mj) {
        line += "; energies are from the run without (" + formatEnergy(Millijoules{*twin.clean_mj})
            + ", with " + formatEnergy(Millijoules{*twin.instrumented_mj}) + ")";
    }
    return line;
}

// The sums of one part over all tokens and layers.
struct Part {
    std::int64_t spans = 0;
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj = Millijoules{0.0};
    std::map<std::string, std::pair<double, std::int64_t>> figures; // sum and count

    void add(Nanoseconds duration, const std::optional<Millijoules>& energy)
    {
        ++spans;
        duration_ns += duration;
        if (energy_mj && energy)
            *energy_mj += *energy;
        else
            energy_mj.reset();
    }

    void addFigure(const std::string& name, std::optional<double> value)
    {
        if (!value)
            return;
        auto& [sum, number] = figures[name];
        sum += *value;
        ++number;
    }

    void addFigures(const OperationExtras& extras)
    {
        addFigure("entropy", meanOf(extras.attention_entropy));
        addFigure("max weight", meanOf(extras.max_attention_weight));
        addFigure("sparse", meanOf(extras.attention_sparsity));
        addFigure("killed", extras.activation_kill_ratio);
        addFigure("variance ratio", extras.variance_ratio);
    }

    std::string figuresText() const
    {
        std::string text;
        for (const auto& [name, mean] : figures) {
            text += (text.empty() ? "" : ", ") + name + ' '
                + formatSignificant(mean.first / static_cast<double>(mean.second));
        }
        return text;
    }
};

class PartsTable {
public:
    explicit PartsTable(Nanoseconds whole)
        : m_whole(whole)
        , m_table({{"part"},
                   {"spans", TextTable::Align::Right},
                   {"time", TextTable::Align::Right},
                   {"of layers", TextTable::Align::Right},
                   {"energy", TextTable::Align::Right},
                   {"mean of"}})
    {
    }

    void add(const std::string& title, const Part& part)
    {
        m_table.addRow({title, std::to_string(part.spans), formatDuration(part.duration_ns),
                        m_whole > 0 ? formatPercent(static_cast<double>(part.duration_ns)
                                                    / static_cast<double>(m_whole))
                                    : kMissingText,
                        formatEnergy(part.energy_mj), part.figuresText()});
    }

    // The part of the parent that its children do not account for.
    void addRemainder(const std::string& title, const Part& parent, const Part& children)
    {
        Part rest;
        rest.duration_ns = parent.duration_ns - children.duration_ns;
        rest.energy_mj.reset();
        if (parent.energy_mj && children.energy_mj)
            rest.energy_mj = *parent.energy_mj - *children.energy_mj;
        m_table.addRow({title, "", formatDuration(rest.duration_ns),
                        m_whole > 0 ? formatPercent(static_cast<double>(rest.duration_ns)
                                                    / static_cast<double>(m_whole))
                                    : kMissingText,
                        formatEnergy(rest.energy_mj), ""});
    }

    std::string text() const { return m_table.toString(); }

private:
    Nanoseconds m_whole;
    TextTable m_table;
};

void join(Part& sum, const Part& part)
{
    sum.duration_ns += part.duration_ns;
    if (sum.energy_mj && part.energy_mj)
        *sum.energy_mj += *part.energy_mj;
    else
        sum.energy_mj.reset();
}

} // namespace

std::string profilingText(const Run& run)
{
    const ProfilingRecord& record = run.info.profiling;
    std::string text;
    const auto line = [&](const char* title, const std::string& value) {
        text += title + value + '\n';
    };
    if (record.spans > 0 && run.metrics.duration_ns > 0)
        line("profiler ", costLine(record, run.metrics.duration_ns));
    if (record.clock != "host" || !record.clock_note.empty()) {
        line("clock    ",
             record.clock + (record.clock_note.empty() ? "" : ": " + record.clock_note));
    }
    if (record.exact_slowdown)
        line("exact    ",
             "synchronising made a token take " + formatSignificant(*record.exact_slowdown)
                 + " times as long");
    if (record.twin)
        line("twin     ", twinLine(*record.twin));
    return text;
}

std::string partsText(const Run& run)
{
    const RunTrace& trace = run.trace;
    if (trace.components.empty())
        return {};
    Part layers;
    for (const LayerSpan& layer : trace.layers)
        layers.add(layer.time.duration_ns(), layer.energy_mj);
    std::map<Component, Part> components;
    for (const ComponentSpan& span : trace.components)
        components[span.component].add(span.time.duration_ns(), span.energy_mj);
    std::map<std::pair<Component, Operation>, Part> operations;
    for (const OperationSpan& span : trace.operations) {
        Part& part = operations[{span.component, span.operation}];
        part.add(span.time.duration_ns(), span.energy_mj);
        if (span.extras)
            part.addFigures(*span.extras);
    }

    PartsTable table(layers.duration_ns);
    Part all;
    for (const auto& [component, part] : components) {
        table.add(std::string(name(component)), part);
        join(all, part);
        Part inside;
        bool any = false;
        for (const auto& [key, operation] : operations) {
            if (key.first != component)
                continue;
            any = true;
            table.add("  " + std::string(name(key.second)), operation);
            join(inside, operation);
        }
        if (any)
            table.addRemainder("  remainder", part, inside);
    }
    table.addRemainder("remainder", layers, all);
    table.add("layers", layers);
    return table.text();
}

} // namespace ep::app
