// SPDX-License-Identifier: GPL-3.0-or-later
// Changes what a stored run says about itself, and how its energy is divided.
#include "exit_status.h"
#include "run_text.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/energy/attribute.h"
#include "ep/store/run_json.h"

namespace ep::app {

namespace {

// Returns the newest calibration that applies; otherwise the one stored in the run, which imported
// runs may have.
Result<std::optional<CalibrationRecord>> calibrationFor(const store::Store& store, const Run& run)
{
    auto known = store.calibration(calibrationKeyOf(run.info));
    if (known && !*known && run.info.power.attribution)
        return run.info.power.attribution->calibration;
    return known;
}

// Recomputes the energies of a run from its samples and spans.
Status reattribute(store::Store& store, const std::string& id, const RunsOptions& options)
{
    auto run = store.load(id);
    if (!run)
        return run.error();
    if (run->info.status == RunStatus::Running) {
        return Error{ErrorCode::Unsupported,
                     {"The run %1 is still in progress; wait for its end.", shortId(id)}};
    }
    if (run->trace.samples.empty()) {
        return Error{ErrorCode::Unsupported,
                     {"The run %1 has no power samples, so there is nothing to split; "
                      "energies need a power source during recording.",
                      shortId(id)}};
    }
    if (options.no_baseline)
        run->info.power.baseline.reset();
    energy::AttributionSettings settings{
        .method = attributionMethodFromName(options.attribution).value_or(AttributionMethod::Cost),
        .align = !options.no_align};
    if (settings.method == AttributionMethod::Calibrated) {
        auto calibration = calibrationFor(store, *run);
        if (!calibration)
            return calibration.error();
        settings.calibration = *std::move(calibration);
    }
    energy::attribute(*run, settings);
    return store.saveRun(*run);
}

// Adds the changes of tags, "+a" and "-b"; the problem, or empty.
std::string addTags(const RunsOptions& options, store::RunEdit& edit)
{
    std::vector<std::string> changes = options.tags;
    for (const std::string& change : options.command->remaining())
        changes.push_back(change);
    for (const std::string& tag : changes) {
        const std::string name = tag.substr(tag.empty() ? 0 : 1);
        if (name.empty() || (tag[0] != '+' && tag[0] != '-') || tag.starts_with("--")) {
            return "\"" + tag + "\" does not change a tag; write +name to add and -name to remove.";
        }
        (tag[0] == '+' ? edit.add_tags : edit.remove_tags).push_back(name);
    }
    return {};
}

int edit(const RunsOptions& options)
{
    store::RunEdit wanted = options.edit;
    if (const std::string problem = addTags(options, wanted); !problem.empty())
        return failUsage(problem);
    const bool edits = wanted.title || wanted.notes || wanted.experiment || !wanted.add_tags.empty()
        || !wanted.remove_tags.empty();
    if (!edits && options.attribution.empty()) {
        return failUsage("Nothing to change was given; use --title, --notes, --experiment or "
                         "--attribution, or write +name to add a tag and -name to remove one.");
    }
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return fail(id.error());
    if (!options.attribution.empty()) {
        if (const Status done = reattribute(**store, *id, options); !done)
            return fail(done.error());
    }
    if (edits) {
        if (const Status done = (*store)->edit(*id, wanted); !done)
            return fail(done.error());
    }
    const auto overview = (*store)->overview(*id);
    if (!overview)
        return fail(overview.error());
    const RunInfo& info = overview->run.info;
    if (options.json)
        printJson(store::summaryToJson({info, overview->run.metrics}) + '\n');
    else if (!options.attribution.empty() && info.power.attribution)
        print("Run " + shortId(*id) + ": "
              + energy::attributionFact(*info.power.attribution).english() + '\n');
    return kExitDone;
}

} // namespace

void addChangeCommands(RunsCommands& commands)
{
    const auto [editing, options] = commands.add(
        "edit", "Change title, notes, experiment and tags of a run, or divide its energy again",
        edit);
    addRun(*editing, *options);
    editing->add_option("CHANGE", options->tags, "+name adds a tag, -name removes it");
    editing->add_option("--title", options->edit.title, "Title, shown instead of the prompt");
    editing->add_option("--notes", options->edit.notes, "Notes, any text");
    editing->add_option("--experiment", options->edit.experiment, "Name of the experiment");
    CLI::Option* const attribution =
        editing
            ->add_option("--attribution", options->attribution,
                         "Recompute the energies from samples and spans; cost: by bytes, FLOPs and "
                         "time, where the data allow; calibrated: also by what `calibrate` "
                         "measured; or time")
            ->check(oneOf({"time", "cost", "calibrated"}))
            ->take_last();
    editing
        ->add_flag("--no-align", options->no_align,
                   "Do not shift the samples by the detected offset")
        ->needs(attribution);
    editing->add_flag("--no-baseline", options->no_baseline, "Discard the idle power")
        ->needs(attribution);
    editing->add_flag("--json", options->json, "Print the run's summary as JSON");
    // "-old" removes a tag here and is not an option, so -h is not one either.
    editing->set_help_flag("--help", "Print this help and exit");
    editing->allow_extras();
}

} // namespace ep::app
