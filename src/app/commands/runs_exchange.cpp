// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/session/run_file.h"
#include "ep/store/run_json.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace ep::app {

namespace {

using store::ImportReport;
using store::Store;

bool endsWith(const std::string& text, const char* ending)
{
    return std::string_view(text).ends_with(ending);
}

int exportOne(const Store& store, const std::string& id, const RunsOptions& options)
{
    const auto run = store.source(id);
    if (!run)
        return fail(run.error());
    if (options.out == "-" && options.format != "csv") {
        const Status written = writeStream("-", [&](std::ostream& sink) {
            return options.format == "trace" ? store::writeTrace(**run, sink)
                                             : store::writeJson(**run, sink);
        });
        return written ? kExitDone : fail(written.error());
    }
    Status written;
    if (options.format == "trace")
        written = store::exportTrace(**run, options.out);
    else if (options.format == "json")
        written = store::exportJson(**run, options.out);
    else if (endsWith(options.out, ".zip"))
        written = store::exportCsvZip(**run, options.out, options.formulas());
    else
        written = store::exportCsv(**run, options.out, options.formulas());
    return written ? kExitDone : fail(written.error());
}

int printExported(const RunsOptions& options, const std::vector<std::string>& exported,
                  const std::vector<std::string>& skipped)
{
    printJson(nlohmann::ordered_json({{"format", options.format},
                                      {"out", options.out},
                                      {"exported", exported},
                                      {"skipped", skipped}})
                  .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
              + '\n');
    return kExitDone;
}

int exportRuns(const RunsOptions& options)
{
    if (options.json && options.out == "-")
        return failUsage(
            "With --out - the run is already written to standard output; omit --json.");
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto ids = resolveAll(**store, options.runs);
    if (!ids)
        return fail(ids.error());
    if (options.format == "sqlite") {
        const auto report = (*store)->copyTo(options.out, *ids);
        if (!report)
            return fail(report.error());
        if (options.json)
            return printExported(options, report->imported, report->skipped);
        print("Copied " + std::to_string(report->imported.size()) + " runs, "
              + std::to_string(report->skipped.size())
              + " skipped (already there or in progress)\n");
        return kExitDone;
    }
    if (ids->size() > 1) {
        return fail(Error{ErrorCode::InvalidInput,
                          "One run makes one " + options.format
                              + " export; name a single run, or use --format sqlite."});
    }
    const int status = exportOne(**store, ids->front(), options);
    return status == kExitDone && options.json ? printExported(options, *ids, {}) : status;
}

// Runs imported before an invalid file are kept and reported.
int importRuns(const RunsOptions& options)
{
    const auto store = openToChange(options.database.path(), true);
    if (!store)
        return fail(store.error());
    ImportReport all;
    int status = kExitDone;
    for (const std::string& file : options.runs) {
        const auto report = session::importRunFile(**store, file);
        if (!report) {
            status = fail(report.error());
            break;
        }
        all.imported.insert(all.imported.end(), report->imported.begin(), report->imported.end());
        all.skipped.insert(all.skipped.end(), report->skipped.begin(), report->skipped.end());
    }
    if (options.json) {
        printJson(
            nlohmann::ordered_json({{"imported", all.imported}, {"skipped", all.skipped}}).dump(2)
            + '\n');
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

} // namespace

void addExchangeCommands(RunsCommands& commands)
{
    const auto [exporting, exportOptions] =
        commands.add("export", "Export runs to files", exportRuns);
    exportOptions->format = "json";
    addRuns(*exporting, *exportOptions);
    exporting
        ->add_option("--format", exportOptions->format,
                     "Format: json (default), csv, trace (Perfetto, chrome://tracing) or sqlite")
        ->check(CLI::IsMember({"json", "csv", "trace", "sqlite"}));
    exporting
        ->add_option(
            "--out", exportOptions->out,
            "Output file (-: stdout); for json compressed if it ends in .gz; for csv a new "
            "folder, or a name ending in .zip")
        ->required()
        ->type_name("PATH");
    exporting->add_flag("--raw-cells", exportOptions->raw_cells,
                        "csv: do not escape text that a spreadsheet would read as a formula");
    exporting->add_flag("--json", exportOptions->json, "Print what was written as JSON");

    const auto [importing, importOptions] =
        commands.add("import", "Import runs from JSON files and other databases", importRuns);
    importing->add_option("FILE", importOptions->runs, "JSON of a run, or a run database")
        ->required();
    importing->add_flag("--json", importOptions->json, "Print the ids as JSON");
}

} // namespace ep::app
