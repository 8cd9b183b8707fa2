// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/commands.h"
#include "exit_status.h"
#include "terminal.h"

#include <CLI/CLI.hpp>

#include <exception>

namespace {

using namespace ep::app;

int runProgram(int argc, char** argv)
{
    CLI::App app;
    Invocation invocation{argc, argv, {}};
    describeCommandLine(app, invocation);

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
