// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

// The subcommands. Each add…() declares its options to the parser; the action of the subcommand
// that was given on the command line does the work and returns the exit status of the process.
namespace ep::app {

struct Invocation {
    int& argc;
    char** argv;
    std::function<int()> action;
};

void addRunCommand(CLI::App& app, Invocation& invocation);
void addAttachCommand(CLI::App& app, Invocation& invocation);
void addRecordCommand(CLI::App& app, Invocation& invocation);
void addDoctorCommand(CLI::App& app, Invocation& invocation);
void addCalibrateCommand(CLI::App& app, Invocation& invocation);
void addModelsCommand(CLI::App& app, Invocation& invocation);
void addTokenizeCommand(CLI::App& models, Invocation& invocation);
void addVerifyCommand(CLI::App& models, Invocation& invocation);
void addQualityCommand(CLI::App& models, Invocation& invocation);
void addRunsCommand(CLI::App& app, Invocation& invocation);
void addStudyCommand(CLI::App& app, Invocation& invocation);
void addPaysCommand(CLI::App& app, Invocation& invocation);
void addPredictCommand(CLI::App& app, Invocation& invocation);
void addDbCommand(CLI::App& app, Invocation& invocation);
void addServeCommand(CLI::App& app, Invocation& invocation);
void addGuiCommand(CLI::App& app, Invocation& invocation);
void addDocumentationCommand(CLI::App& app, Invocation& invocation); // hidden

// All subcommands, with their examples: the single description of the command line, from which
// the help, the man page and the completions are generated.
void describeCommandLine(CLI::App& app, Invocation& invocation);

} // namespace ep::app
