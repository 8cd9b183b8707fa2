// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_text.h"

#include "terminal.h"
#include "text_table.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/run_figure.h"
#include "ep/core/run_part.h"
#include "ep/core/run_title.h"
#include "ep/core/run_tree.h"
#include "ep/core/stated_deviation.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/token_ledger.h"
#include "ep/core/utf8.h"
#include "ep/energy/baseline.h"

#include <algorithm>
#include <cmath>

namespace ep::app {

namespace {

std::optional<Milliwatts> powerOf(std::optional<Millijoules> energy, Nanoseconds duration)
{
    if (!energy || duration <= 0)
        return std::nullopt;
    return meanPower(*energy, duration);
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
    add(inText(title(Remainder::BetweenPhases)), remainderOfRun(run));
    add("run", knownEnergy(run));
    return table.toString();
}

// Rows about a run whose tokens were not all computed one by one.
std::string ledgerTable(const Run& run)
{
    using Align = TextTable::Align;
    TextTable table({{"tokens"}, {"number", Align::Right}, {"energy", Align::Right}});
    for (const LedgerLine& line : ledgerLines(run.info, run.trace)) {
        table.addRow({line.word, line.counted ? std::to_string(line.row.tokens) : kMissingText,
                      formatEnergy(line.row.energy)});
    }
    return table.toString();
}

// Lists all figures that the run has.
std::string figureTable(const Run& run)
{
    TextTable table({{"figure"}, {"value"}});
    for (const RunFigureFacts& facts : kRunFigures) {
        if (const auto value = valueOf(facts.figure, run.info, run.metrics))
            table.addRow({facts.title, formatFigure(facts.figure, value)});
    }
    return table.toString();
}

std::string railTable(const Run& run)
{
    using Align = TextTable::Align;
    TextTable table({{"rail"},
                     {"energy", Align::Right},
                     {"net", Align::Right},
                     {"peak", Align::Right},
                     {"at", Align::Right}});
    const EnergyValue& energy = run.metrics.energy;
    const auto net =
        energy::netRails(energy.rails_mj, run.metrics.duration_ns, run.info.power.baseline);
    const auto peaks = peaksOf(run.trace);
    for (const Rail rail : kRails) {
        if (!energy.rails_mj[rail])
            continue;
        const auto& peak = peaks[rail];
        const auto highest = peakPower(peak ? std::optional(peak->power) : std::nullopt,
                                       meanPower(*energy.rails_mj[rail], run.metrics.duration_ns));
        table.addRow({std::string(name(rail)), formatEnergy(energy.rails_mj[rail]),
                      formatEnergy(net[rail]),
                      highest ? formatPower(*highest) : std::string(kMissingText),
                      peak ? formatDuration(peak->at_ns - run.trace.time.begin_ns)
                           : std::string(kMissingText)});
    }
    if (const auto outside = energy::outsideRails(energy))
        table.addRow(
            {"not in any rail", formatEnergy(outside), kMissingText, kMissingText, kMissingText});
    return table.toString();
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

} // namespace

std::string factLines(const energy::FactSubject& run, energy::FactPlace place)
{
    std::string text;
    for (const energy::Fact& fact : energy::factsOf(run, place)) {
        const bool titled =
            fact.kind == energy::FactKind::Titled || fact.kind == energy::FactKind::Stated;
        text += titledLine(fact.word,
                           (titled ? fact.term + std::string(": ") : "") + fact.value.english());
    }
    return text;
}

std::string beforeResponse(const RunInfo& info, const std::string& prompt)
{
    const bool line = info.chat_template && !prompt.empty() && !prompt.ends_with('\n');
    return line ? prompt + '\n' : prompt;
}

std::string furtherSequences(const RunInfo& info)
{
    std::string text;
    for (std::size_t i = 1; i < info.batch.size(); ++i) {
        const BatchSequence& sequence = info.batch[i];
        text += "\n\n[" + std::to_string(i + 1) + "] " + beforeResponse(info, sequence.prompt)
            + sequence.response;
    }
    return text;
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
    std::string text = phaseTable(run) + '\n' + figureTable(run) + '\n';
    if (tokenCounts(run.info).any())
        text += ledgerTable(run) + '\n';
    text += factLines({run.info, run.metrics, &run.trace, tariff}, energy::kInDetails);
    return run.metrics.energy.total_mj ? text + '\n' + railTable(run) : text;
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
                     {heading(RunFigure::JoulesPerOutputToken), Align::Right}});
    for (const AnswerSection& section : sections) {
        table.addRow({std::string(section.name),
                      section.tokens > 0 ? std::to_string(section.tokens) : kMissingText,
                      formatDuration(section.time.duration_ns()), formatEnergy(section.energy),
                      formatCell(RunFigure::JoulesPerOutputToken, section.joulesPerToken())});
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
        line += "; " + energy::factOf({info, run.metrics}, "status").value.english();
    if (!server.refusals.empty())
        line += "; " + server.refusals.front().english();
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
                     {heading(RunFigure::JoulesPerToken), Align::Right},
                     {heading(RunFigure::JoulesPerTotalToken), Align::Right, false, 3},
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

Message lackOfEnergy(const power::SourceChoice& asked, const PowerInfo& power)
{
    return asked.kind == "auto" && power.source == "none" ? power.notice : Message();
}

} // namespace ep::app
