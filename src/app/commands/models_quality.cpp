// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/session/quality.h"

#include <memory>

namespace ep::app {

namespace {

constexpr std::int64_t kMaxWindow = 1'000'000; // tokens

struct QualityOptions {
    session::RunRequest run{};
    DatabaseOption database;
    std::string text{};
    std::int64_t context = 0;
    std::int64_t stride = 0;
    bool no_save = false;
    bool json = false;
};

Result<QualityRecord> measure(const QualityOptions& options, const CancelToken& cancel)
{
    session::RunRequest run = options.run;
    if (const Status found = findFolders(run); !found)
        return found.error();
    ProgressLine progress;
    return session::measureQuality({.model = run.load.folder,
                                    .device = run.load.device,
                                    .dtype = run.load.dtype,
                                    .threads = run.load.threads,
                                    .cache = run.levers.cache,
                                    .text = options.text,
                                    .context = options.context,
                                    .stride = options.stride},
                                   progress.shown(), cancel);
}

int quality(const QualityOptions& options)
{
    const Interrupt interrupt;
    const auto record = measure(options, interrupt.token());
    if (!record)
        return fail(record.error());
    if (options.json) {
        printJson(session::qualityJson(*record) + '\n');
    } else {
        print(wrapped(record->model + ", " + record->dtype + " on " + record->device + ": "
                      + session::qualityText(*record) + ".")
              + '\n');
    }
    if (options.no_save)
        return kExitDone;
    const auto store = openToChange(options.database.path(), true);
    if (!store)
        return fail(store.error());
    const Status saved = (*store)->saveQuality(*record);
    return saved ? kExitDone : fail(saved.error());
}

} // namespace

void addQualityCommand(CLI::App& models, Invocation& invocation)
{
    auto options = std::make_shared<QualityOptions>();
    CLI::App* command = models.add_subcommand(
        "quality", "Measure how well a model in a number format predicts a text");
    addModel(*command, options->run);
    command
        ->add_option("--text-file", options->text,
                     "Text to predict: the kind that the model is for")
        ->required()
        ->type_name("FILE");
    addSetting(*command, options->run, "kv_cache");
    command
        ->add_option("--context", options->context,
                     "Tokens of a window (default: the model's context, at most 1024)")
        ->check(wholeFrom(2, kMaxWindow));
    command
        ->add_option("--stride", options->stride,
                     "Tokens between the starts of two windows (default: half the context)")
        ->check(wholeFrom(1, kMaxWindow));
    command->add_flag("--no-save", options->no_save, "Do not store the result");
    command->add_flag("--json", options->json, "Print the result as JSON");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return quality(*options); }; });
}

} // namespace ep::app
