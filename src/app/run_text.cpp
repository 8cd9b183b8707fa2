// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_text.h"

#include "energy_text.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/clock.h"
#include "ep/core/command_record.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_title.h"
#include "ep/core/run_tree.h"
#include "ep/core/server_record.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/token_ledger.h"
#include "ep/core/utf8.h"
#include "ep/energy/quality.h"

#include <cmath>

namespace ep::app {

namespace {

std::optional<Milliwatts> powerOf(std::optional<Millijoules> energy, Nanoseconds duration)
{
    if (!energy || duration <= 0)
        return std::nullopt;
    return meanPower(*energy, duration);
}

// Whether the remainder of a sum of many parts is only a rounding error.
bool isRounding(std::optional<Millijoules> rest, std::optional<Millijoules> whole)
{
    constexpr double kRelative = 1e-9;
    return rest && whole && std::abs(rest->value) <= kRelative * std::abs(whole->value);
}

// For a part with missing time, the energy of the known part; its power is unknown.
void addRow(TextTable& table, std::string title, const Tally& sum, std::string provenance)
{
    if (sum.partial())
        provenance += "; " + formatDuration(sum.uncovered_ns()) + " not covered";
    table.addRow({std::move(title), formatDuration(sum.duration_ns), formatEnergy(sum),
                  formatPower(powerOf(sum.complete(), sum.duration_ns)), std::move(provenance)});
}

std::string phaseTable(const Run& run)
{
    using Align = TextTable::Align;
    TextTable table({{"phase"},
                     {"time", Align::Right},
                     {"energy", Align::Right},
                     {"power", Align::Right},
                     {"provenance"}});
    const auto add = [&](std::string title, const Tally& sum) {
        addRow(table, std::move(title), sum, std::string(name(sum.provenance)));
    };
    for (const PhaseSpan& phase : run.trace.phases)
        add(std::string(name(phase.phase)), knownEnergy(run.trace, phase));
    Tally rest = remainderOfRun(run);
    if (isRounding(rest.energy_mj, run.metrics.energy.total_mj))
        rest.energy_mj = Millijoules{0.0};
    addRow(table, "remainder", rest, {});
    add("run", knownEnergy(run));
    return table.toString();
}

// Rows about a run whose tokens were not all computed one by one.
std::string ledgerTable(const Run& run)
{
    using Align = TextTable::Align;
    const TokenCounts counts = tokenCounts(run.info.execution);
    const TokenLedger ledger = tokenLedger(run.info, run.trace);
    TextTable table({{"tokens"}, {"number", Align::Right}, {"energy", Align::Right}});
    const auto add = [&](const char* title, const TokenLedger::Row& row) {
        table.addRow({title, std::to_string(row.tokens),
                      row.energy.spans > 0 ? formatEnergy(row.energy) : kMissingText});
    };
    if (counts.cached)
        add("prompt: cached", ledger.cached);
    add("prompt: computed", ledger.computed);
    if (!counts.draft.empty()) {
        add("drafted", ledger.drafted);
        add("  of these accepted", ledger.accepted);
        add("  of these rejected", ledger.rejected);
    }
    add(counts.draft.empty() ? "output" : "not drafted", ledger.own);
    table.addRow({"between steps", kMissingText, formatEnergy(ledger.between.energy)});
    return table.toString();
}

// Lists all figures that the run has.
std::string figureTable(const Run& run)
{
    TextTable table({{"figure"}, {"value"}});
    for (const RunFigureFacts& facts : kRunFigures) {
        if (const auto value = valueOf(facts.figure, run.info, run.metrics))
            table.addRow({facts.figure == RunFigure::JoulesPerToken ? "Energy per output token"
                                                                    : facts.title,
                          formatFigure(facts.figure, value)});
    }
    return table.toString();
}

std::string powerLine(const PowerInfo& power)
{
    std::string line = power.source;
    if (!power.detail.empty())
        line += " (" + power.detail + ")";
    if (!power.notice.empty())
        line += "; " + power.notice;
    return line;
}

std::string qualityLine(const PowerQuality& quality)
{
    const auto ms = [](double value) { return formatSignificant(value) + " ms"; };
    return std::to_string(quality.samples)
        + (quality.samples == 1 ? " sample; interval median " : " samples; interval median ")
        + ms(quality.median_interval_ms) + ", p95 " + ms(quality.p95_interval_ms) + ", asked "
        + std::to_string(quality.asked_interval_ms) + " ms; largest gap "
        + ms(quality.largest_gap_ms) + "; covers " + energy::coverageText(quality.coverage);
}

std::string engineLine(const ExecutionRecord& execution)
{
    std::string line = "attention: " + execution.attention;
    if (!execution.cache.empty())
        line += "; " + execution.cache + " cache";
    if (execution.peak_cache_bytes)
        line += ", at most " + formatBytes(*execution.peak_cache_bytes);
    return line;
}

// Text about a server that was measured from outside: its figures, what is missing, and why.
std::string serverText(const ServerRecord& server)
{
    std::string text = titledLine("server",
                                  server.engine + " at " + server.address + server.endpoint + " ("
                                      + server.way + ")");
    for (const auto& [title, value] : tokenRows(server))
        text += titledLine("tokens", std::string(title) + ": " + value);
    if (server.group && server.group->shared)
        text += titledLine("shared",
                           "with " + std::to_string(server.group->requests - 1)
                               + " overlapping requests, by tokens in flight");
    for (const std::string& refusal : server.refusals)
        text += titledLine("refused", refusal);
    for (const std::string& note : server.notes)
        text += titledLine("note", note);
    return text
        + titledLine("layers",
                     "not visible from outside: profile the model itself with "
                     "'energy-profiler run'");
}

std::string modelLine(const RunInfo& info)
{
    if (info.profiling.command && info.model.parameters == 0) {
        return info.model.name + (info.device == "recorded" ? "" : ", " + info.device)
            + (info.dtype.empty() ? "" : ", " + info.dtype);
    }
    if (info.profiling.server)
        return info.model.name;
    return info.model.name + ", " + formatCount(info.model.parameters) + " parameters, "
        + info.device + ", " + info.dtype;
}

std::string cell(const RunSummary& run, RunFigure figure)
{
    return formatCell(figure, valueOf(figure, run));
}

// Half of the 95 % interval, relative to the energy.
std::string intervalCell(const EnergyValue& energy)
{
    const auto sd = statedDeviation(energy.sd_mj, energy.provenance);
    return sd && energy.total_mj && energy.total_mj->value > 0.0
        ? formatPercent(kHalfInterval95 * (*sd / *energy.total_mj))
        : std::string(kMissingText);
}

std::string statusLine(const RunInfo& info)
{
    std::string line(name(info.status));
    if (!info.status_message.empty())
        line += ": " + info.status_message;
    return line;
}

} // namespace

std::string tokensLine(const RunInfo& info)
{
    const std::size_t sequences = info.batch.size();
    return (sequences > 1 ? std::to_string(sequences) + " sequences, " : std::string())
        + tokensText(inputTokens(info)) + " in, " + tokensText(outputTokens(info)) + " out";
}

std::string commandText(const Run& run)
{
    const CommandRecord& command = *run.info.profiling.command;
    const Nanoseconds duration = run.metrics.duration_ns;
    std::string text = titledLine("command", ep::commandText(command.arguments));
    if (const std::size_t stated = command.engine.find(": "); stated != std::string::npos)
        text += titledLine("engine", command.engine.substr(stated + 2));
    if (command.processor_ns) {
        text += "cpu      " + formatDuration(*command.processor_ns) + " in "
            + std::to_string(command.processes)
            + (command.processes == 1 ? " process" : " processes");
        if (duration > 0)
            text += ", "
                + formatSignificant(static_cast<double>(*command.processor_ns)
                                    / static_cast<double>(duration))
                + " processors on average";
        text += '\n';
    }
    if (command.peak_memory_bytes)
        text += "memory   at most " + formatBytes(*command.peak_memory_bytes) + '\n';
    for (const std::string& note : command.notes)
        text += titledLine("note", note);
    return text;
}

std::string shortId(const std::string& id)
{
    return id.substr(0, 8);
}

std::string utcTime(std::int64_t wallClockMs)
{
    constexpr std::size_t kDate = 10; // "2026-01-31T12:34:56.789Z"
    constexpr std::size_t kTime = 5;
    const std::string text = isoTimestamp(wallClockMs);
    return text.substr(0, kDate) + ' ' + text.substr(kDate + 1, kTime) + 'Z';
}

std::string summaryText(const Run& run, const energy::Tariff& tariff)
{
    const RunInfo& info = run.info;
    std::string text = phaseTable(run) + '\n' + figureTable(run) + '\n';
    if (tokenCounts(run.info.execution).any())
        text += ledgerTable(run) + '\n';
    const auto line = [&](const char* title, const std::string& value) {
        text += titledLine(title, value);
    };
    line("model", modelLine(info));
    if (info.profiling.server)
        text += serverText(*info.profiling.server);
    else if (info.profiling.command && !outputTokens(info))
        text += commandText(run);
    else if (info.profiling.command)
        text += commandText(run) + titledLine("tokens", tokensLine(info));
    else
        line("tokens", tokensLine(info));
    line("power", powerLine(info.power));
    if (info.power.quality)
        line("samples", qualityLine(*info.power.quality));
    if (!info.execution.attention.empty())
        line("engine", engineLine(info.execution));
    if (!info.profiling.kernels.empty())
        line("kernels", info.profiling.kernels);
    for (const std::string& note : info.execution.notes)
        line("note", note);
    line("status", statusLine(info));
    return text + energyDetails(run, tariff);
}

std::string answerText(const std::vector<AnswerSection>& sections)
{
    using Align = TextTable::Align;
    if (sections.empty())
        return {};
    TextTable table({{"section"},
                     {"tokens", Align::Right},
                     {"time", Align::Right},
                     {"energy", Align::Right},
                     {"per token", Align::Right}});
    for (const AnswerSection& section : sections) {
        table.addRow({std::string(section.name),
                      section.tokens > 0 ? std::to_string(section.tokens) : std::string("—"),
                      formatDuration(section.time.duration_ns()), formatEnergy(section.energy),
                      formatFigure(RunFigure::JoulesPerOutputToken, section.joulesPerToken())});
    }
    return '\n' + table.toString();
}

std::string requestLine(const Run& run)
{
    const RunInfo& info = run.info;
    const ServerRecord& server = *info.profiling.server;
    const RunSummary summary{info, run.metrics};
    const auto count = [](const std::optional<std::int64_t>& tokens) {
        return tokens ? std::to_string(*tokens) : std::string("?");
    };
    std::string line = shortId(info.id) + "  " + info.model.name + "  "
        + count(server.prompt_tokens) + " in, " + count(server.output_tokens) + " out, "
        + formatDuration(run.metrics.duration_ns) + ", " + formatEnergy(knownEnergy(summary)) + ", "
        + formatFigure(RunFigure::JoulesPerToken, valueOf(RunFigure::JoulesPerToken, summary))
        + ", " + cell(summary, RunFigure::JoulesPerTotalToken) + "/(in + out)";
    if (info.status != RunStatus::Complete)
        line += "; " + statusLine(info);
    if (!server.refusals.empty())
        line += "; " + server.refusals.front();
    return line;
}

std::string listText(const std::vector<RunSummary>& runs)
{
    using Align = TextTable::Align;
    constexpr std::size_t kPromptCharacters = 40;
    TextTable table({{"run"},
                     {"date"},
                     {"model", Align::Left, true},
                     {"status"},
                     {"tokens", Align::Right, false, 1},
                     {"time", Align::Right},
                     {"energy", Align::Right, false, 2},
                     {"± (95 %)", Align::Right, false, 4},
                     {"J/output token", Align::Right},
                     {"J/(in + out)", Align::Right, false, 3},
                     {"prompt", Align::Left, true}});
    for (const RunSummary& run : runs) {
        table.addRow({shortId(run.info.id), utcTime(run.info.created_at_ms), run.info.model.name,
                      std::string(name(run.info.status)), tokensText(outputTokens(run.info)),
                      cell(run, RunFigure::Duration), formatEnergy(knownEnergy(run)),
                      intervalCell(run.metrics.energy), cell(run, RunFigure::JoulesPerToken),
                      cell(run, RunFigure::JoulesPerTotalToken),
                      previewUtf8(runTitle(run.info), kPromptCharacters)});
    }
    return table.toString();
}

std::string lackOfEnergy(const power::SourceChoice& asked, const PowerInfo& power)
{
    return asked.kind == "auto" && power.source == "none" ? power.notice : std::string();
}

} // namespace ep::app
