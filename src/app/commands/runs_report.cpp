// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/json/document.h"
#include "ep/session/comparison.h"
#include "ep/session/explain.h"
#include "ep/ui/report.h"

#include <memory>

namespace ep::app {

namespace {

struct ReportOptions {
    DatabaseOption database{};
    std::vector<std::string> runs{};
    std::string out{};
    bool repeats = false;
    bool pdf = false;
    bool json = false;
};

Result<ui::ReportSubject> subjectOf(const store::Store& store, const ReportOptions& options)
{
    const auto ids = resolveAll(store, options.runs);
    if (!ids)
        return ids.error();
    std::vector<std::vector<std::string>> groups;
    if (options.repeats) {
        const auto stored = store.list();
        if (!stored)
            return stored.error();
        groups = session::withRepeats(*stored, *ids);
    } else {
        for (const std::string& id : *ids)
            groups.push_back({id});
    }
    auto loaded = session::loadGroups(store, groups);
    if (!loaded)
        return loaded.error();
    ui::ReportSubject subject;
    subject.groups = *std::move(loaded);
    subject.comparison = energy::compare(subject.groups);
    if (ids->size() == 1 && subject.groups.front().runs.size() == 1) {
        auto explanation = session::explainRun(store, ids->front());
        if (explanation)
            subject.explanation = *std::move(explanation);
    }
    return subject;
}

int writeReport(const ReportOptions& options, Invocation& invocation)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto subject = subjectOf(**store, options);
    if (!subject)
        return fail(subject.error());
    const auto files = ui::renderReport(invocation.argc, invocation.argv, **store, *subject,
                                        options.out, options.pdf);
    if (!files)
        return fail(files.error());
    if (options.json) {
        json::OrderedJson json{{"format", "energy-profiler-report"}, {"version", 1}};
        for (const std::filesystem::path& file : *files)
            json["files"].push_back(file.string());
        printAsJson(json);
        return kExitDone;
    }
    for (const std::filesystem::path& file : *files)
        print(file.string() + '\n');
    return kExitDone;
}

} // namespace

void addReportCommand(CLI::App& runs, Invocation& invocation)
{
    auto options = std::make_shared<ReportOptions>();
    CLI::App* command = runs.add_subcommand("report",
                                            "Write an HTML report of a run or of a comparison of 2 "
                                            "to 4 runs, and its charts as SVG and PNG");
    command->add_option("RUN", options->runs, "Ids of runs (or their beginnings)")
        ->required()
        ->expected(1, 4);
    addOutput(*command, "--out", options->out, "Output folder; created if necessary")
        ->required()
        ->type_name("DIR");
    command->add_flag("--repeats", options->repeats,
                      "Include all stored repeats of each run's configuration");
    command->add_flag("--pdf", options->pdf, "Also write the report as PDF");
    command->add_flag("--json", options->json, "Print the names of the files as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return writeReport(*options, invocation); };
    });
}

} // namespace ep::app
