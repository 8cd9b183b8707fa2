// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "interrupt.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/core/number_text.h"
#include "ep/json/document.h"
#include "ep/session/import_kind.h"
#include "ep/session/import_power.h"
#include "ep/session/import_trace.h"
#include "ep/session/run_file.h"

#include <optional>

namespace ep::app {

namespace {

struct ImportOptions {
    std::vector<std::string> files;
    std::string as; // kind of the files; empty: determined by their content
    std::string power; // recording of the power during a trace
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
    std::string all = recording.format_title + ", " + counted(recording.rows, "row") + ", verdict "
        + powerlog::verdictName(recording.verdict()) + "\n\n" + railsText(recording)
        + phasesText(imported);
    if (!imported.notes.empty())
        all += '\n';
    for (const Message& note : imported.notes)
        all += "- " + note.english() + '\n';
    return all + (stored ? "\nStored as " + imported.run.info.id + '\n' : "");
}

// Seconds to add to the times of the power; absent: not a number.
std::optional<double> offsetOf(const ImportOptions& own)
{
    if (own.offset.empty())
        return 0.0;
    const auto seconds = readNumber(own.offset);
    constexpr double kMax = 4e9;
    return seconds && *seconds > -kMax && *seconds < kMax ? std::optional(*seconds) : std::nullopt;
}

int importPower(const RunsOptions& options, const ImportOptions& own)
{
    const Interrupt interrupt;
    session::PowerImportOptions request{.power = own.files.front(), .requests = own.requests};
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
    } else {
        const auto seconds = offsetOf(own);
        if (!seconds)
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

std::string traceText(const session::ImportedTrace& imported, bool stored)
{
    const spans::TraceImport& trace = imported.trace;
    std::string all = counted(trace.events, "event") + ", "
        + counted(trace.operators, "outermost operator") + " in "
        + formatDuration(trace.operator_ns) + '\n';
    if (!trace.way.empty())
        all += "mapped " + formatPercent(trace.mappedShare()) + " of their time by " + trace.way
            + ": " + counted(imported.run.info.output_tokens, "token") + ", "
            + counted(imported.run.info.model.layers, "layer") + '\n';
    for (const std::string& name : imported.run.info.profiling.command->spans->unknown)
        all += "not mapped: " + name + '\n';
    for (const Message& note : trace.notes)
        all += "- " + note.english() + '\n';
    return all + (stored ? "\nStored as " + imported.run.info.id + '\n' : "");
}

int importTrace(const RunsOptions& options, const ImportOptions& own)
{
    const auto offset = offsetOf(own);
    if (!offset)
        return failUsage("--offset takes a number of seconds; auto is for a recording of power.");
    const Interrupt interrupt;
    const auto imported = session::importTrace({.trace = own.files.front(),
                                                .power = own.power,
                                                .offset_s = *offset,
                                                .cancel = interrupt.token()});
    if (!imported)
        return fail(imported.error());
    if (imported->trace.way.empty() && !options.dry_run) {
        return fail({ErrorCode::InvalidInput,
                     {"%1 was not stored: nothing in it could be mapped to the parts of a model; "
                      "record it with with_stack=True or record_shapes=True.",
                      own.files.front()}});
    }
    return storeImport(options, imported->run,
                       session::importedTraceJson(*imported, !options.dry_run),
                       traceText(*imported, !options.dry_run));
}

// Runs that precede an invalid file stay imported and are reported.
int importRuns(const RunsOptions& options, const ImportOptions& own)
{
    const auto store = openToChange(options.database.path(), true);
    if (!store)
        return fail(store.error());
    store::ImportReport all;
    int status = kExitDone;
    for (const std::string& file : own.files) {
        const auto report = session::importRunFile(**store, file);
        if (!report) {
            status = fail(report.error());
            break;
        }
        all.imported.insert(all.imported.end(), report->imported.begin(), report->imported.end());
        all.skipped.insert(all.skipped.end(), report->skipped.begin(), report->skipped.end());
    }
    if (options.json) {
        printAsJson(json::OrderedJson({{"format", "energy-profiler-imported"},
                                       {"version", 1},
                                       {"imported", all.imported},
                                       {"skipped", all.skipped}}));
        return status;
    }
    for (const std::string& id : all.imported)
        print("Imported " + id + '\n');
    if (!all.skipped.empty()) {
        print("Skipped " + std::to_string(all.skipped.size())
              + " that already exist or are in progress elsewhere\n");
    }
    return status;
}

// An option that only some kinds have.
struct KindOption {
    const char* name;
    bool power;
    bool trace;
};

constexpr KindOption kKindOptions[] = {
    {"--requests", true, false}, {"--rail", true, false},     {"--unit", true, false},
    {"--period", true, false},   {"--zone", true, false},     {"--dates", true, false},
    {"--decimal", true, false},  {"--energies", true, false}, {"--offset", true, true},
    {"--dry-run", true, true},   {"--power", false, true},
};

std::string titleOf(session::ImportKind kind)
{
    return kind == session::ImportKind::Power ? "a recording of power"
        : kind == session::ImportKind::Trace  ? "a trace"
                                              : "a file of runs";
}

int importFiles(const RunsOptions& options, const ImportOptions& own)
{
    using session::ImportKind;
    std::optional<ImportKind> kind;
    for (const std::string& file : own.files) {
        const auto found = own.as.empty() ? session::importKindOf(file)
                                          : Result(*session::importKindFromName(own.as));
        if (!found)
            return fail(found.error());
        if (own.files.size() > 1 && *found != ImportKind::Runs)
            return failUsage(file + " is " + titleOf(*found) + ": import it by itself.");
        kind = *found;
    }
    for (const KindOption& option : kKindOptions) {
        const bool fits = (*kind == ImportKind::Power && option.power)
            || (*kind == ImportKind::Trace && option.trace);
        if (options.command->count(option.name) > 0 && !fits)
            return failUsage(own.files.front() + " is " + titleOf(*kind)
                             + ", for which there is no " + option.name
                             + "; --as states another kind of file.");
    }
    return *kind == ImportKind::Power ? importPower(options, own)
        : *kind == ImportKind::Trace  ? importTrace(options, own)
                                      : importRuns(options, own);
}

} // namespace

void addImportCommand(RunsCommands& commands)
{
    auto own = std::make_shared<ImportOptions>();
    const auto [command, options] =
        commands.add("import",
                     "Import runs, another program's recording of power, or a trace of "
                     "torch.profiler (Chrome or Perfetto JSON)",
                     [own](const RunsOptions& shared) { return importFiles(shared, *own); });
    command
        ->add_option(
            "FILE", own->files,
            "JSON of a run, a run database, a log of power (nvidia-smi, powermetrics, ...) "
            "or a trace; recognised by its content")
        ->required();
    command->add_option("--as", own->as, "What the file is, instead of what its content says")
        ->check(oneOf({"runs", "power", "trace"}));
    command
        ->add_option("--power", own->power, "Of a trace: the recording of power of the same time")
        ->type_name("FILE");
    command
        ->add_option("--requests", own->requests,
                     "Requests that were answered meanwhile: vLLM benchmark result, usage as JSON "
                     "lines, llama-bench, log of llama-server, or CSV")
        ->type_name("FILE");
    command->add_option("--rail", own->rails, "Only these rails")->type_name("NAME");
    command->add_option("--unit", own->unit, "Unit of values whose unit the file does not state")
        ->type_name("W|mW|...");
    command->add_option("--period", own->period_s, "Seconds between rows of a file without times")
        ->check(realFrom(1e-6, 1e9))
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
        ->check(oneOf({"day-first", "month-first"}));
    command
        ->add_option("--decimal", own->decimal,
                     "Decimal sign of numbers such as 1,500, if the file leaves it open")
        ->check(oneOf({"point", "comma"}));
    command
        ->add_option(
            "--energies", own->energies,
            "What energies are, if the file leaves it open: of each row, or a running total")
        ->check(oneOf({"rows", "total"}));
    command->add_flag("--dry-run", options->dry_run, "Read and report, but store nothing");
    command->add_flag("--json", options->json, "Print the result as JSON");
}

} // namespace ep::app
