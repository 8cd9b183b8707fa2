// SPDX-License-Identifier: GPL-3.0-or-later
#include "exit_status.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/core/clock.h"
#include "ep/session/explain.h"

namespace ep::app {

namespace {

struct WhyOptions {
    int attempt = 0; // number of the remedy to try; 0: none
};

// Prints the study that tries a remedy, and stores the prediction.
int printStudy(const RunsOptions& options, const std::string& id,
               const session::Explanation& explanation, int number)
{
    const auto count = static_cast<int>(explanation.remedies.size());
    if (number > count)
        return failUsage(
            "--try is " + std::to_string(number) + ", but there "
            + (count == 1 ? "is 1 action" : "are " + std::to_string(count) + " actions")
            + " for this run.");
    const energy::Remedy& remedy = explanation.remedies[static_cast<std::size_t>(number) - 1];
    const auto store = openToChange(options.database.path());
    if (!store)
        return fail(store.error());
    const auto overview = (*store)->overview(id);
    if (!overview)
        return fail(overview.error());
    const RunInfo& info = overview->run.info;
    const auto study = session::studyFor(info, remedy);
    if (!study)
        return fail(study.error());
    AdviceRecord advice =
        session::adviceFor(info, remedy, explanation.diagnosis.of_time, study->name);
    advice.created_at_ms = wallClockMs();
    if (remedy.share) {
        if (const Status saved = (*store)->saveAdvice(advice); !saved)
            return fail(saved.error());
    }
    print(session::studyToJson(*study) + '\n');
    return kExitDone;
}

int explain(const RunsOptions& options, const WhyOptions& chosen)
{
    const auto store = openExisting(options.database.path());
    if (!store)
        return fail(store.error());
    const auto id = (*store)->resolveId(options.run);
    if (!id)
        return fail(id.error());
    const auto explanation = session::explainRun(**store, *id);
    if (!explanation)
        return fail(explanation.error());
    if (chosen.attempt > 0)
        return printStudy(options, *id, *explanation, chosen.attempt);
    if (options.json)
        printJson(session::explanationToJson(*explanation) + '\n');
    else
        print(wrappedLines(session::explanationToText(*explanation)));
    return kExitDone;
}

} // namespace

void addWhyCommand(RunsCommands& commands)
{
    const auto chosen = std::make_shared<WhyOptions>();
    const auto [command, options] = commands.add(
        "why", "Explain where the energy or time of a run went, and what to do about it",
        [chosen](const RunsOptions& all) { return explain(all, *chosen); });
    addRun(*command, *options);
    command
        ->add_option("--try", chosen->attempt,
                     "Print the study that tries the N-th action, for `study FILE`")
        ->check(wholeFrom(1, 100));
    command->add_flag("--json", options->json, "Print the explanation as JSON");
}

} // namespace ep::app
