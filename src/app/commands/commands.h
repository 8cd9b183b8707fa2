// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace CLI {
class App;
}

// The subcommands. Each add…() describes its options to the parser; when the person has chosen the
// subcommand, its action is what to do, with the exit status of the process.
namespace ep::app {

struct Invocation {
    int& argc;
    char** argv;
    std::function<int()> action;
};

void addRunCommand(CLI::App& app, Invocation& invocation);
void addTokenizeCommand(CLI::App& app, Invocation& invocation);
void addVerifyCommand(CLI::App& app, Invocation& invocation);
void addPowerCommand(CLI::App& app, Invocation& invocation);
void addDiagnosticsCommand(CLI::App& app, Invocation& invocation);
void addDoctorCommand(CLI::App& app, Invocation& invocation);
void addSelfTestCommand(CLI::App& app, Invocation& invocation);
void addModelsCommand(CLI::App& app, Invocation& invocation);
void addRunsCommand(CLI::App& app, Invocation& invocation);
void addRenderCommand(CLI::App& app, Invocation& invocation);
void addStudyCommand(CLI::App& app, Invocation& invocation);
void addPredictCommand(CLI::App& app, Invocation& invocation);
void addServeCommand(CLI::App& app, Invocation& invocation);
void addGuiCommand(CLI::App& app, Invocation& invocation);
void addDocumentationCommand(CLI::App& app, Invocation& invocation); // hidden

// All of them, with their examples: the one table of what the program takes, from which its help,
// man page and completions are made.
void describeCommandLine(CLI::App& app, Invocation& invocation);

} // namespace ep::app
