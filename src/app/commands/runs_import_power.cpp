// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "interrupt.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/core/number_text.h"
#include "ep/session/import_power.h"

namespace ep::app {

namespace {

struct ImportPowerOptions {
    std::string power;
    std::string requests;
    std::vector<std::string> rails;
    std::string unit;
    double period_s = 0.0;
    std::string zone;
    std::string offset;
    std::string dates;
    std::string decimal;
    std::string energies;
};

std::string railsText(const powerlog::Recording& recording)
{
    TextTable table({{"rail"},
                     {"energy", TextTable::Align::Right},
                     {"rule"},
                     {"samples", TextTable::Align::Right},
                     {"covered", TextTable::Align::Right},
                     {"least", TextTable::Align::Right},
                     {"most", TextTable::Align::Right}});
    for (const powerlog::RailRecording& rail : recording.rails) {
        table.addRow({rail.name,
                      rail.poor ? std::string(kMissingText)
                                : formatEnergy(Millijoules{rail.joules * kMillijoulesPerJoule}),
                      powerlog::title(rail.rule), std::to_string(rail.samples),
                      formatSignificant(rail.covered_s) + " s",
                      formatPower(Milliwatts{rail.least_w * 1e3}),
                      formatPower(Milliwatts{rail.most_w * 1e3})});
    }
    return table.toString();
}

std::string phasesText(const session::PowerImport& imported)
{
    if (imported.phases.empty())
        return {};
    TextTable table({{"request"},
                     {"phase"},
                     {"time", TextTable::Align::Right},
                     {"tokens", TextTable::Align::Right},
                     {"windows", TextTable::Align::Right},
                     {"energy", TextTable::Align::Right},
                     {"J/token", TextTable::Align::Right},
                     {"edges", TextTable::Align::Right}});
    for (const session::ImportedPhase& phase : imported.phases) {
        const auto perToken = phase.joulesPerToken();
        table.addRow(
            {std::to_string(phase.request + 1)
                 + (phase.requests > 1 ? " to " + std::to_string(phase.request + phase.requests)
                                       : ""),
             std::string(name(phase.phase)), formatDuration(phase.time.duration_ns()),
             phase.tokens ? std::to_string(*phase.tokens) : kMissingText,
             std::to_string(phase.windows),
             phase.joules ? formatEnergy(Millijoules{*phase.joules * 1e3}) : kMissingText,
             perToken ? formatSignificant(*perToken, 5) : kMissingText,
             phase.joules ? "± " + formatEnergy(Millijoules{phase.edge_joules * 1e3})
                          : kMissingText});
    }
    return '\n' + table.toString();
}

std::string text(const session::PowerImport& imported, bool stored)
{
    const powerlog::Recording& recording = imported.recording;
    std::string all = recording.format_title + ", " + std::to_string(recording.rows)
        + (recording.rows == 1 ? " row" : " rows") + ", verdict "
        + powerlog::verdictName(recording.verdict()) + "\n\n" + railsText(recording)
        + phasesText(imported);
    if (!imported.notes.empty())
        all += '\n';
    for (const std::string note : imported.notes)
        all += "- " + note + '\n';
    return all + (stored ? "\nStored as " + imported.run.info.id + '\n' : "");
}

int importPower(const RunsOptions& options, const ImportPowerOptions& own)
{
    const Interrupt interrupt;
    session::PowerImportOptions request{.power = own.power, .requests = own.requests};
    request.read.rails = own.rails;
    request.read.unit = own.unit;
    request.read.cancel = interrupt.token();
    if (own.period_s > 0.0)
        request.read.period_s = own.period_s;
    if (own.dates == "day-first")
        request.read.dates = powerlog::DateOrder::DayFirst;
    else if (own.dates == "month-first")
        request.read.dates = powerlog::DateOrder::MonthFirst;
    if (!own.decimal.empty())
        request.read.decimal = own.decimal == "comma" ? DecimalSign::Comma : DecimalSign::Point;
    if (!own.energies.empty())
        request.read.energies =
            own.energies == "total" ? powerlog::Energies::Total : powerlog::Energies::Rows;
    if (!own.zone.empty()) {
        auto zone = session::zoneFrom(own.zone);
        if (!zone)
            return failUsage(zone.error().message);
        request.read.to_utc = *std::move(zone);
    }
    if (own.offset == "auto") {
        if (own.requests.empty())
            return failUsage("--offset auto aligns the power with requests; give them with "
                             "--requests.");
        request.find_offset = true;
    } else if (!own.offset.empty()) {
        const auto seconds = readNumber(own.offset);
        constexpr double kMax = 4e9;
        if (!seconds || !(*seconds > -kMax && *seconds < kMax))
            return failUsage("--offset takes a number of seconds, or auto.");
        request.offset_s = *seconds;
    }
    const auto imported = session::importPower(request);
    if (!imported)
        return fail(imported.error());
    return storeImport(options, imported->run,
                       session::importedPowerJson(*imported, !options.dry_run),
                       text(*imported, !options.dry_run));
}

} // namespace

void addImportPowerCommand(RunsCommands& commands)
{
    auto own = std::make_shared<ImportPowerOptions>();
    const auto [command, options] =
        commands.add("import-power", "Import another program's recording of power",
                     [own](const RunsOptions& shared) { return importPower(shared, *own); });
    command->add_option("POWER", own->power, "Log of power: nvidia-smi, powermetrics, ...")
        ->required();
    command
        ->add_option("--requests", own->requests,
                     "Requests that were answered meanwhile: vLLM benchmark result, usage as JSON "
                     "lines, llama-bench, log of llama-server, or CSV")
        ->type_name("FILE");
    command->add_option("--rail", own->rails, "Only these rails")->type_name("NAME");
    command->add_option("--unit", own->unit, "Unit of values whose unit the file does not state")
        ->type_name("W|mW|...");
    command->add_option("--period", own->period_s, "Seconds between rows of a file without times")
        ->check(CLI::PositiveNumber)
        ->type_name("S");
    command
        ->add_option("--zone", own->zone,
                     "Time zone of times without one: +02:00, UTC, Europe/Berlin")
        ->type_name("ZONE");
    command
        ->add_option("--offset", own->offset,
                     "Seconds to add to the times of the power; auto: align it with the requests")
        ->type_name("S|auto");
    command->add_option("--dates", own->dates, "Order of dates such as 03/04/2026")
        ->check(CLI::IsMember({"day-first", "month-first"}));
    command
        ->add_option("--decimal", own->decimal,
                     "Decimal sign of numbers such as 1,500, if the file leaves it open")
        ->check(CLI::IsMember({"point", "comma"}));
    command
        ->add_option(
            "--energies", own->energies,
            "What energies are, if the file leaves it open: of each row, or a running total")
        ->check(CLI::IsMember({"rows", "total"}));
    command->add_flag("--dry-run", options->dry_run, "Read and report, but store nothing");
    command->add_flag("--json", options->json, "Print the result as JSON");
}

} // namespace ep::app
