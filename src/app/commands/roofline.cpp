// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/roofline.h"

#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "runs_options.h"
#include "terminal.h"

#include "ep/model/format.h"

#include <QCoreApplication>

#include <memory>
#include <string>
#include <vector>

namespace ep::app {

namespace {

struct RooflineOptions {
    DatabaseOption database;
    session::RooflineRequest request{};
    std::string power = "auto";
    bool json = false;
    bool no_save = false;
};

// Types, and formats for the type of most of their matrices.
std::vector<std::string> formats()
{
    std::vector<std::string> words = model::formatChoices();
    std::erase(words, "auto");
    for (const model::FormatRow& row : model::kFormats) {
        if (!row.short_name.empty())
            words.emplace_back(row.short_name);
    }
    return words;
}

int measure(RooflineOptions& options, Invocation& invocation)
{
    const auto choice = power::parseSourceChoice(options.power);
    if (!choice)
        return failUsage(choice.error().message);
    options.request.power = *choice;
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    const auto report =
        session::measureRoofline(options.request, session::realBackend(), interrupt.token());
    if (!report)
        return fail(report.error());
    if (!options.no_save) {
        const auto store = openToChange(options.database.path(), true);
        if (!store)
            return fail(store.error());
        for (const MachineRecord& record : report->limits) {
            if (const Status saved = (*store)->saveMachine(record); !saved)
                return fail(saved.error());
        }
    }
    if (options.json)
        printJson(session::rooflineToJson(*report) + '\n');
    else
        print(session::rooflineToText(*report));
    return kExitDone;
}

} // namespace

void addRooflineCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<RooflineOptions>();
    CLI::App* command = app.add_subcommand(
        "roofline",
        "Measure how fast this machine computes and reads memory, and what that costs; `runs why` "
        "compares runs with it");
    command
        ->add_option("--seconds", options->request.seconds,
                     "Duration of the measurement (default 10)")
        ->check(CLI::Range(2.0, 600.0));
    command
        ->add_option("--threads", options->request.threads,
                     "Threads (0, the default: as many as a run uses)")
        ->check(CLI::Range(0, 1024));
    command
        ->add_option("--dtype", options->request.dtypes,
                     "Number formats (default f32, bf16, f16 and int8; also those that --dtype of "
                     "`run` rounds to); can be repeated")
        ->check(CLI::IsMember(formats()))
        ->allow_extra_args(false);
    command->add_option("--power", options->power, "Power source, as for `run` (default auto)");
    command->add_flag("--no-save", options->no_save, "Do not store the limits");
    command->add_flag("--json", options->json, "Print the limits as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return measure(*options, invocation); };
    });
}

} // namespace ep::app
