// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/core/clock.h"
#include "ep/json/document.h"

namespace ep::app {

namespace {

using Json = json::OrderedJson;
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
    store::PruneRule rule = options.rule;
    if (options.older_than_days >= 0)
        rule.before_ms = wallClockMs() - options.older_than_days * kDayMs;
    if (rule.empty() && options.runs.empty()) {
        return failUsage("No run to delete was given: name runs, or use --keep-last, --older-than "
                         "or --untagged.");
    }
    if (!rule.empty() && !options.runs.empty())
        return failUsage("Name the runs to delete, or choose them by rules, but not both.");
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto ids = rule.empty() ? resolveAll(**store, options.runs) : (*store)->select(rule);
    if (!ids)
        return fail(ids.error());
    if (ids->empty() && !options.json)
        print("No run to delete\n");
    return deleteAll(**store, *ids, options);
}

} // namespace

void addDeleteCommand(RunsCommands& commands)
{
    const auto [deleting, options] =
        commands.add("delete", "Delete runs, named or all that match the given rules", remove);
    addRuns(*deleting, *options);
    deleting->get_option("RUN")->required(false);
    deleting->add_option("--keep-last", options->rule.keep_last, "Keep the N newest runs")
        ->check(wholeFrom(0, store::PruneRule::kMostKept));
    deleting->add_option("--older-than", options->older_than_days, "Only runs older than N days")
        ->check(wholeFrom(0, store::PruneRule::kMostDays));
    deleting->add_flag("--untagged", options->rule.only_untagged, "Only runs without tags");
    deleting->add_flag("--dry-run", options->dry_run, "Only list the runs");
    deleting->add_flag("--json", options->json, "Print the deleted ids as JSON");
}

} // namespace ep::app
