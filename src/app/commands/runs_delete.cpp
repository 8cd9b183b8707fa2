// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"

#include <nlohmann/json.hpp>

namespace ep::app {

namespace {

using Json = nlohmann::ordered_json;
using store::Store;

constexpr std::int64_t kDayMs = 86'400'000;

int deleteAll(Store& store, const std::vector<std::string>& ids, const RunsOptions& options)
{
    for (const std::string& id : ids) {
        if (!options.dry_run) {
            if (const Status status = store.remove(id); !status)
                return fail(status.error());
        }
        if (!options.json)
            print((options.dry_run ? "Would delete " : "Deleted ") + id + '\n');
    }
    if (options.json)
        printAsJson(
            Json({{"format", "energy-profiler-deleted"}, {"version", 1}, {"deleted", ids}}));
    return kExitDone;
}

// Deletes all or none: an invalid id is detected before the first run is deleted.
int remove(const RunsOptions& options)
{
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto ids = resolveAll(**store, options.runs);
    return ids ? deleteAll(**store, *ids, options) : fail(ids.error());
}

int prune(const RunsOptions& options)
{
    store::PruneRule rule = options.rule;
    if (options.older_than_days >= 0)
        rule.before_ms = wallClockMs() - options.older_than_days * kDayMs;
    if (rule.empty()) {
        return failUsage("No rule selects the runs to delete; use --keep-last, --older-than or "
                         "--untagged.");
    }
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto ids = (*store)->select(rule);
    if (!ids)
        return fail(ids.error());
    if (ids->empty() && !options.json)
        print("No run to delete\n");
    return deleteAll(**store, *ids, options);
}

int showSize(const Store& store, bool json)
{
    const auto size = store.size();
    if (!size)
        return fail(size.error());
    if (json) {
        Json runs = Json::array();
        for (const store::RunSize& run : size->runs)
            runs.push_back({{"id", run.id}, {"bytes", run.bytes ? Json(*run.bytes) : Json()}});
        printAsJson(Json({{"format", "energy-profiler-sizes"},
                          {"version", 1},
                          {"file_bytes", size->file_bytes},
                          {"free_bytes", size->free_bytes},
                          {"runs", std::move(runs)}}));
        return kExitDone;
    }
    TextTable table({{"run"}, {"size", TextTable::Align::Right}});
    for (const store::RunSize& run : size->runs)
        table.addRow({run.id, run.bytes ? formatBytes(*run.bytes) : kMissingText});
    table.addRow({"file size", formatBytes(size->file_bytes)});
    table.addRow({"free space", formatBytes(size->free_bytes)});
    print(table.toString());
    return kExitDone;
}

int size(const RunsOptions& options)
{
    const auto store = openExisting(options.database.path());
    return store ? showSize(**store, options.json) : fail(store.error());
}

int vacuum(const RunsOptions& options)
{
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    ProgressLine line;
    const auto show = line.shown();
    Status done = (*store)->emptyTrash({}, show);
    if (done)
        done = (*store)->vacuum({}, show);
    line.clear();
    if (!done)
        return fail(done.error());
    return options.json ? showSize(**store, true) : kExitDone;
}

} // namespace

void addDeleteCommands(RunsCommands& commands)
{
    const auto [deleting, deleteOptions] = commands.add("delete", "Delete runs", remove);
    addRuns(*deleting, *deleteOptions);
    deleting->add_flag("--json", deleteOptions->json, "Print the deleted ids as JSON");

    const auto [pruning, pruneOptions] =
        commands.add("prune", "Delete the runs that match all given rules", prune);
    pruning->add_option("--keep-last", pruneOptions->rule.keep_last, "Keep the N newest runs")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 40));
    pruning
        ->add_option("--older-than", pruneOptions->older_than_days, "Only runs older than N days")
        ->check(CLI::Range(std::int64_t{0}, std::int64_t{100'000}));
    pruning->add_flag("--untagged", pruneOptions->rule.only_untagged, "Only runs without tags");
    pruning->add_flag("--dry-run", pruneOptions->dry_run, "Only list the runs");
    pruning->add_flag("--json", pruneOptions->json, "Print the ids as JSON");

    const auto [sizing, sizeOptions] =
        commands.add("size", "Show the disk space used by the runs and the file", size);
    sizing->add_flag("--json", sizeOptions->json, "Print the sizes as JSON");

    const auto [shrinking, shrinkOptions] =
        commands.add("vacuum", "Return the space of deleted runs to the disk", vacuum);
    shrinking->add_flag("--json", shrinkOptions->json, "Print the resulting sizes as JSON");
}

} // namespace ep::app
