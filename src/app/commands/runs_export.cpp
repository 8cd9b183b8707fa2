// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "interrupt.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/json/document.h"
#include "ep/session/otlp.h"
#include "ep/store/run_json.h"
#include "ep/store/run_tables.h"

#include <algorithm>
#include <ostream>

namespace ep::app {

namespace {

using store::Store;

int exportOne(const Store& store, const std::string& id, const RunsOptions& options)
{
    const auto run = store.source(id);
    if (!run)
        return fail(run.error());
    if (options.out == "-") {
        const Status written = writeStream("-", [&](std::ostream& sink) {
            return options.format == "trace" ? store::writeTrace(**run, sink)
                                             : store::writeJson(**run, sink);
        });
        return written ? kExitDone : fail(written.error());
    }
    const Status written = options.format == "trace" ? store::exportTrace(**run, options.out)
                                                     : store::exportJson(**run, options.out);
    return written ? kExitDone : fail(written.error());
}

int printExported(const RunsOptions& options, const std::vector<std::string>& exported,
                  const std::vector<std::string>& skipped)
{
    printAsJson(json::OrderedJson({{"format", "energy-profiler-exported"},
                                   {"version", 1},
                                   {"file_format", options.format},
                                   {"out", options.out},
                                   {"exported", exported},
                                   {"skipped", skipped}}));
    return kExitDone;
}

// The named runs, or those that the filters select, oldest first.
Result<std::vector<std::string>> chosenRuns(const Store& store, const RunsOptions& options)
{
    if (!options.runs.empty())
        return resolveAll(store, options.runs);
    auto found = store.list(options.filter, options.limit);
    if (!found)
        return found.error();
    std::vector<std::string> ids;
    for (const RunSummary& run : *found) {
        if (run.info.status != RunStatus::Running)
            ids.push_back(run.info.id);
    }
    std::reverse(ids.begin(), ids.end());
    if (ids.empty()) {
        return Error{ErrorCode::NotFound,
                     "No run matches these filters; see energy-profiler runs list."};
    }
    return ids;
}

bool filtered(const RunsOptions& options)
{
    return options.all || options.limit > 0 || !(options.filter == RunFilter{});
}

// Exports one table, or those of all kinds into a folder.
Status exportTables(const Store& store, const std::vector<std::string>& ids,
                    const RunsOptions& options, const CancelToken& cancel)
{
    const store::TableOptions form{.json_lines = options.format == "jsonl",
                                   .formulas = options.formulas()};
    if (const auto kind = store::tableKindFromName(options.table)) {
        if (options.out == "-") {
            return writeStream("-", [&](std::ostream& sink) {
                return store::writeTable(store, ids, *kind, form, sink, cancel);
            });
        }
        return store::exportTable(store, ids, *kind, form, options.out, options.append, cancel);
    }
    std::vector<store::TableKind> kinds(store::kTableKinds.begin(), store::kTableKinds.end());
    if (!options.full)
        std::erase_if(kinds, store::isOfSpans);
    return store::exportTables(store, ids, kinds, form, options.out, options.append, cancel);
}

std::vector<std::string> tableNames()
{
    std::vector<std::string> names;
    for (const store::TableKind kind : store::kTableKinds)
        names.emplace_back(name(kind));
    return names;
}

// Why options contradict each other; empty: they do not.
std::string contradiction(const RunsOptions& options, bool tables)
{
    if (options.json && options.out == "-")
        return "With --out - the run is already written to standard output; omit --json.";
    if (options.runs.empty() && !filtered(options))
        return "Name the runs to export, choose them with filters such as --model, or take all "
               "with --all.";
    if (!options.runs.empty() && filtered(options))
        return "Name the runs to export, or choose them with filters, but not both.";
    if (!options.table.empty() && options.format != "csv" && options.format != "jsonl")
        return "--table needs --format csv or jsonl.";
    if (options.append && !tables)
        return "--append needs --format csv or jsonl.";
    if (options.full && (!tables || !options.table.empty()))
        return "--full adds tables to those of --format csv or jsonl; one is chosen with --table.";
    if (options.append && options.out.ends_with(".zip"))
        return "An archive cannot be appended to; omit --append or name a folder.";
    if (options.append && options.out == "-")
        return "Standard output cannot be appended to; omit --append.";
    if (options.format == "sqlite" && options.out == "-")
        return "A database cannot be written to standard output; name a file with --out.";
    if (tables && options.table.empty() && options.out == "-")
        return "Standard output takes one table; choose it with --table.";
    return {};
}

// Exports spans for OpenTelemetry, made from the summaries.
int exportSpans(const Store& store, const std::vector<std::string>& ids, const RunsOptions& options)
{
    auto runs = store.list();
    if (!runs)
        return fail(runs.error());
    std::erase_if(*runs, [&](const RunSummary& run) {
        return std::ranges::find(ids, run.info.id) == ids.end();
    });
    const Status written = writeStream(options.out, [&](std::ostream& sink) {
        session::writeOtlp(*runs, sink);
        return Status();
    });
    if (!written)
        return fail(written.error());
    return options.json ? printExported(options, ids, {}) : kExitDone;
}

int exportRuns(const RunsOptions& options)
{
    const bool tables = options.format == "csv" || options.format == "jsonl";
    if (const std::string problem = contradiction(options, tables); !problem.empty())
        return failUsage(problem);
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto ids = chosenRuns(**store, options);
    if (!ids)
        return fail(ids.error());
    if (tables) {
        const Interrupt interrupt;
        const Status written = exportTables(**store, *ids, options, interrupt.token());
        if (!written)
            return fail(written.error());
        if (options.json)
            return printExported(options, *ids, {});
        if (options.out != "-")
            print("Exported " + counted(std::ssize(*ids), "run") + '\n');
        return kExitDone;
    }
    if (options.format == "otlp")
        return exportSpans(**store, *ids, options);
    if (options.format == "sqlite") {
        const auto report = (*store)->copyTo(options.out, *ids);
        if (!report)
            return fail(report.error());
        if (options.json)
            return printExported(options, report->imported, report->skipped);
        print("Copied " + counted(std::ssize(report->imported), "run") + ", "
              + std::to_string(report->skipped.size())
              + " skipped (already there or in progress)\n");
        return kExitDone;
    }
    if (ids->size() > 1) {
        return failUsage({"One run makes one %1 export; name a single run, or use --format csv, "
                          "jsonl or sqlite.",
                          options.format});
    }
    const int status = exportOne(**store, ids->front(), options);
    return status == kExitDone && options.json ? printExported(options, *ids, {}) : status;
}

} // namespace

void addExportCommand(RunsCommands& commands)
{
    const auto [exporting, exportOptions] =
        commands.add("export", "Export runs to files", exportRuns);
    exportOptions->format = "json";
    exporting->add_option(
        "RUN", exportOptions->runs,
        "Ids of runs or their beginnings; last is the newest run; without any, the filters choose");
    addFilter(*exporting, *exportOptions);
    exporting->add_flag("--all", exportOptions->all, "All runs");
    exporting
        ->add_option(
            "--format", exportOptions->format,
            "Format: json (default), csv, jsonl (one JSON object per row), trace "
            "(Perfetto, chrome://tracing), otlp (OpenTelemetry, one span for each run) or sqlite")
        ->check(oneOf({"json", "csv", "jsonl", "trace", "otlp", "sqlite"}));
    exporting
        ->add_option("--table", exportOptions->table,
                     "csv and jsonl: one table with the rows of all runs")
        ->check(oneOf(tableNames()));
    exporting->add_flag("--full", exportOptions->full,
                        "csv and jsonl: also the tables with a row for each layer, component and "
                        "operation of each token");
    exporting->add_flag("--append", exportOptions->append,
                        "Add the rows at the end of an existing table with the same columns");
    addOutput(
        *exporting, "--out", exportOptions->out,
        "Output file (-: stdout); for json compressed if it ends in .gz; for several tables a "
        "folder, or an archive if it ends in .zip")
        ->required()
        ->type_name("PATH");
    exporting->add_flag("--raw-cells", exportOptions->raw_cells,
                        "csv: do not escape text that a spreadsheet would read as a formula");
    exporting->add_flag("--json", exportOptions->json, "Print what was written as JSON");
}

} // namespace ep::app
