// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_words.h"
#include "commands.h"
#include "exit_status.h"
#include "record_front.h"
#include "recording_options.h"
#include "terminal.h"

#include "ep/session/find_program.h"

#include <QCoreApplication>

#include <memory>
#include <string>
#include <vector>

namespace ep::app {

namespace {

struct RecordOptions : RecordingOptions {
    std::vector<std::string> words{}; // of the command, without a `--` before it
};

int recordCommand(const RecordOptions& options, Invocation& invocation)
{
    std::vector<std::string> command = options.words;
    const std::vector<std::string>& after = commandWords();
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
    target.own_group = false; // the keys of the terminal are for the command
    target.umask = umaskAtStart();
    const QCoreApplication application(invocation.argc, invocation.argv);
    RecordFront front(std::move(request), options.json);
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
    options->power.addTo(*command, "--power");
    command
        ->add_option("--baseline-seconds", options->baseline_seconds,
                     "Duration of the idle power measurement before the run")
        ->check(realFrom(0.0, 86'400.0));
    options->addKeeping(*command,
                        "Write the run as JSON (-: stdout, after the output of the command)");
    command->callback([options, &invocation] {
        options->source = options->power.choice();
        invocation.action = [options, &invocation] { return recordCommand(*options, invocation); };
    });
}

} // namespace ep::app
