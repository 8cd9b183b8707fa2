// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/store/run_json.h"

namespace ep::app {

namespace {

int change(const RunsOptions& options, const store::RunEdit& edit)
{
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return fail(id.error());
    if (const Status done = (*store)->edit(*id, edit); !done)
        return fail(done.error());
    if (options.json) {
        const auto overview = (*store)->overview(*id);
        if (!overview)
            return fail(overview.error());
        printJson(store::summaryToJson({overview->run.info, overview->run.metrics}) + '\n');
    }
    return kExitDone;
}

int edit(const RunsOptions& options)
{
    const store::RunEdit& wanted = options.edit;
    if (!wanted.title && !wanted.notes && !wanted.experiment) {
        return failUsage("Nothing to change was given; use --title, --notes or --experiment.");
    }
    return change(options, wanted);
}

int tag(const RunsOptions& options)
{
    store::RunEdit edit;
    std::vector<std::string> changes = options.tags;
    for (const std::string& change : options.command->remaining())
        changes.push_back(change);
    if (changes.empty())
        return failUsage("No change was given; write +name to add a tag and -name to remove one.");
    for (const std::string& tag : changes) {
        const std::string name = tag.substr(tag.empty() ? 0 : 1);
        if (name.empty() || (tag[0] != '+' && tag[0] != '-') || tag.starts_with("--")) {
            return failUsage("\"" + tag
                             + "\" does not change a tag; write +name to add and -name to remove.");
        }
        (tag[0] == '+' ? edit.add_tags : edit.remove_tags).push_back(name);
    }
    return change(options, edit);
}

} // namespace

void addChangeCommands(RunsCommands& commands)
{
    const auto [editing, editOptions] =
        commands.add("edit", "Change the title, notes or experiment of a run", edit);
    addRun(*editing, *editOptions);
    editing->add_option("--title", editOptions->edit.title, "Title, shown instead of the prompt");
    editing->add_option("--notes", editOptions->edit.notes, "Notes, any text");
    editing->add_option("--experiment", editOptions->edit.experiment, "Name of the experiment");
    editing->add_flag("--json", editOptions->json, "Print the run's summary as JSON");

    const auto [tagging, tagOptions] = commands.add("tag", "Add and remove tags of a run", tag);
    addRun(*tagging, *tagOptions);
    tagging->add_flag("--json", tagOptions->json, "Print the run's summary as JSON");
    tagging->add_option("CHANGE", tagOptions->tags, "+name adds a tag, -name removes it");
    // "-old" removes a tag here and is not an option, so -h is not one either.
    tagging->set_help_flag("--help", "Print this help message and exit");
    tagging->allow_extras();
}

} // namespace ep::app
