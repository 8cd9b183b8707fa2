// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_words.h"
#include "commands.h"
#include "exit_status.h"
#include "record_front.h"
#include "recording_options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/command_words.h"
#include "ep/session/find_program.h"

#include <QCoreApplication>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace ep::app {

namespace {

struct RecordOptions : RecordingOptions {
    std::vector<std::string> words{}; // words of the command, without the `--` before them
    bool python = false;
    bool automatic = false;
    std::string depth = "module";
    bool twin = false;
    std::string spans_file{};
};

Status addPython(const RecordOptions& options, session::RecordTarget& target)
{
    target.spans_file = options.spans_file;
    if (!options.python && !options.automatic)
        return {};
    target.python = resourceFolder() / "python";
    std::error_code ignored;
    if (!std::filesystem::exists(target.python / "energy_profiler_spans.py", ignored))
        return Error{ErrorCode::NotFound,
                     "The Python file energy_profiler_spans.py of this program is not there: "
                     "install the program again."};
    target.automatic = options.automatic;
    target.depth = *depthFromName(options.depth);
    target.twin = options.twin;
    return {};
}

int recordCommand(const RecordOptions& options, Invocation& invocation)
{
    std::vector<std::string> command = options.words;
    const std::vector<std::string>& after = wordsAfterDashes();
    command.insert(command.end(), after.begin(), after.end());
    if (command.empty()) {
        printError("There is no command to record: give one after --, as in 'energy-profiler "
                   "record -- python3 app.py'.");
        return kExitUsage;
    }
    int status = 0;
    if (const Status found = session::findProgram(command.front(), status); !found) {
        static_cast<void>(fail(found.error()));
        return status;
    }
    if (!options.json.empty()) {
        if (const Status writable = checkWritable(options.json); !writable)
            return fail(writable.error());
    }
    session::RunRequest request;
    options.applyTo(request);
    request.depth = Depth::None;
    session::RecordTarget& target = request.record.emplace();
    target.arguments = std::move(command);
    target.own_group = false; // the terminal's keys go to the command
    target.umask = umaskAtStart();
    if (const Status added = addPython(options, target); !added)
        return fail(added.error());
    const QCoreApplication application(invocation.argc, invocation.argv);
    RecordFront front({.request = std::move(request),
                       .json = options.json,
                       .full = options.full,
                       .details = options.details});
    return front.exec();
}

} // namespace

void addRecordCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<RecordOptions>();
    CLI::App* command = app.add_subcommand(
        "record", "Run a command and measure it: its energy, power, processor time and memory");
    command
        ->add_option("command", options->words,
                     "The command and its arguments, after -- if any of them begins with a dash")
        ->type_name("COMMAND");
    options->power.addTo(*command);
    command
        ->add_option("--baseline-seconds", options->baseline_seconds,
                     "Duration of the idle power measurement before the run")
        ->check(realFrom(0.0, 86'400.0));
    command->add_flag("--python", options->python,
                      "Let the command import energy_profiler_spans, which sends spans");
    command->add_flag("--auto", options->automatic,
                      "The same, and record transformers, mlx-lm and llama-cpp-python when they "
                      "are imported, without a change to the script");
    command
        ->add_option("--depth", options->depth,
                     "What --auto and attach() send: none (tokens), module (default), deep")
        ->check(CLI::IsMember({"none", "module", "deep"}));
    command->add_flag("--twin", options->twin,
                      "With --auto: generate once without hooks first, which shows what they cost");
    command
        ->add_option("--spans-file", options->spans_file,
                     "File that the command writes its spans to, instead of a socket")
        ->type_name("FILE");
    options->addKeeping(*command, "Print the run as JSON after the output of the command");
    command->callback([options, &invocation] {
        options->readJson();
        options->source = options->power.choice();
        invocation.action = [options, &invocation] { return recordCommand(*options, invocation); };
    });
}

} // namespace ep::app
