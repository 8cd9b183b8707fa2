// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/commands.h"
#include "exit_status.h"
#include "terminal.h"

#include "ep/session/environment.h"

#include <CLI/CLI.hpp>

#include <exception>

namespace {

using namespace ep::app;

int runProgram(int argc, char** argv)
{
    CLI::App app("Shows where the joules of a transformer's inference go. Without a subcommand the "
                 "window opens.",
                 "energy-profiler");
    app.set_version_flag("--version", "energy-profiler " + ep::session::applicationVersion());
    app.require_subcommand(0, 1);
    app.failure_message(CLI::FailureMessage::simple);

    Invocation invocation{argc, argv, {}};
    addRunCommand(app, invocation);
    addTokenizeCommand(app, invocation);
    addVerifyCommand(app, invocation);
    addPowerCommand(app, invocation);
    addDoctorCommand(app, invocation);
    addRunsCommand(app, invocation);
    addModelsCommand(app, invocation);
    addGuiCommand(app, invocation);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) // help and version
            return app.exit(error);
        printError(std::string(error.what()) + "; energy-profiler --help lists what there is");
        return kExitUsage;
    }
    const int status = invocation.action();
    if (const ep::Status flushed = flushOutput(); !flushed)
        return fail(flushed.error());
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return runProgram(argc, argv);
    } catch (const std::exception& exception) {
        printError(std::string("unexpected error: ") + exception.what());
        return kExitFailed;
    }
}
