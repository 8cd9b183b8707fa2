// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/energy/attribute.h"
#include "ep/store/run_json.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace ep::app {

namespace {

namespace fs = std::filesystem;
using store::ImportReport;
using store::Store;

bool endsWith(const std::string& text, const char* ending)
{
    return std::string_view(text).ends_with(ending);
}

int exportOne(const Store& store, const std::string& id, const RunsOptions& options)
{
    const auto run = store.load(id);
    if (!run)
        return fail(run.error());
    if (options.out == "-" && options.format != "csv") {
        std::ostringstream text;
        if (options.format == "trace")
            store::writeTrace(*run, text);
        else
            store::writeJson(*run, text);
        print(text.str());
        return kExitDone;
    }
    Status written;
    if (options.format == "trace")
        written = store::exportTrace(*run, options.out);
    else if (options.format == "json")
        written = store::exportJson(*run, options.out);
    else if (endsWith(options.out, ".zip"))
        written = store::exportCsvZip(*run, options.out);
    else
        written = store::exportCsv(*run, options.out);
    return written ? kExitDone : fail(written.error());
}

int exportRuns(const RunsOptions& options)
{
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
        print("Copied " + std::to_string(report->imported.size()) + " runs, "
              + std::to_string(report->skipped.size()) + " were there or go on\n");
        return kExitDone;
    }
    if (ids->size() > 1) {
        return fail(Error{ErrorCode::InvalidInput,
                          "One run makes one " + options.format
                              + " export; name a single run, or use --format sqlite."});
    }
    return exportOne(**store, ids->front(), options);
}

bool isDatabase(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    char head[16] = {};
    stream.read(head, sizeof head);
    return std::string_view(head, static_cast<std::size_t>(stream.gcount()))
        .starts_with("SQLite format 3");
}

Result<ImportReport> importFile(Store& store, const std::string& name)
{
    std::error_code failed;
    if (!fs::is_regular_file(name, failed)) {
        return Error{ErrorCode::NotFound,
                     "There is no file " + name
                         + "; name the JSON of a run or a run database to import."};
    }
    if (isDatabase(name))
        return store.importDatabase(name);
    std::ifstream stream(name, std::ios::binary);
    auto run = store::runFromJson(stream);
    if (!run)
        return Error{run.error().code, name + ": " + run.error().message};
    energy::completeEnergies(*run);
    const auto added = store.importRun(*run);
    if (!added)
        return added.error();
    ImportReport report;
    (*added ? report.imported : report.skipped).push_back(run->info.id);
    return report;
}

// What was imported before a file that is wrong stays, and is told.
int importRuns(const RunsOptions& options)
{
    const auto store = openToChange(options.database.path(), true);
    if (!store)
        return fail(store.error());
    ImportReport all;
    int status = kExitDone;
    for (const std::string& file : options.runs) {
        const auto report = importFile(**store, file);
        if (!report) {
            status = fail(report.error());
            break;
        }
        all.imported.insert(all.imported.end(), report->imported.begin(), report->imported.end());
        all.skipped.insert(all.skipped.end(), report->skipped.begin(), report->skipped.end());
    }
    if (options.json) {
        print(nlohmann::ordered_json({{"imported", all.imported}, {"skipped", all.skipped}}).dump(2)
              + '\n');
        return status;
    }
    for (const std::string& id : all.imported)
        print("Imported " + printable(id) + '\n');
    if (!all.skipped.empty()) {
        print("Skipped " + std::to_string(all.skipped.size())
              + " that are there already, or go on elsewhere\n");
    }
    return status;
}

} // namespace

void addExchangeCommands(RunsCommands& commands)
{
    const auto [exporting, exportOptions] =
        commands.add("export", "Write runs to files", exportRuns);
    exportOptions->format = "json";
    addRuns(*exporting, *exportOptions);
    exporting
        ->add_option("--format", exportOptions->format,
                     "json (default), csv, trace (Perfetto, chrome://tracing) or sqlite")
        ->check(CLI::IsMember({"json", "csv", "trace", "sqlite"}));
    exporting
        ->add_option("--out", exportOptions->out,
                     "File (-: stdout); for csv a folder to be made, or a name that ends in .zip")
        ->required()
        ->type_name("PATH");

    const auto [importing, importOptions] =
        commands.add("import", "Add runs from JSON files and from other databases", importRuns);
    importing->add_option("FILE", importOptions->runs, "JSON of a run, or a run database")
        ->required();
    importing->add_flag("--json", importOptions->json, "The ids as JSON");
}

} // namespace ep::app
