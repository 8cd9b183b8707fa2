// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands/commands.h"
#include "examples.h"
#include "help_text.h"

#include "ep/session/environment.h"

#include <CLI/CLI.hpp>

#include <cstdlib>

namespace ep::app {

void describeCommandLine(CLI::App& app, Invocation& invocation)
{
    app.name("energy-profiler");
    app.description("Shows where the joules of a transformer's inference go. Without a subcommand, "
                    "opens the window.");
    app.formatter_fn([](const CLI::App* command, const std::string& path, CLI::AppFormatMode mode) {
        return helpText(*command, path, mode == CLI::AppFormatMode::All);
    });
    app.set_help_flag("-h,--help", "Print this help and exit");
    app.set_help_all_flag("--help-all", "Print also the options that are rarely needed");
    app.set_version_flag("--version", "energy-profiler " + session::applicationVersion(),
                         "Print the version and exit");
    app.add_flag_callback(
        "--trace-sql", [] { static_cast<void>(::setenv("EP_TRACE_SQL", "1", 1)); },
        "Write each statement of the database to stderr, with its duration and without values");
    app.require_subcommand(0, 1);
    app.failure_message(CLI::FailureMessage::simple);
    addRunCommand(app, invocation);
    addAttachCommand(app, invocation);
    addRecordCommand(app, invocation);
    addStudyCommand(app, invocation);
    addPaysCommand(app, invocation);
    addPredictCommand(app, invocation);
    addRunsCommand(app, invocation);
    addModelsCommand(app, invocation);
    addDoctorCommand(app, invocation);
    addCalibrateCommand(app, invocation);
    addDbCommand(app, invocation);
    addServeCommand(app, invocation);
    addDocumentationCommand(app, invocation);
    addGuiCommand(app, invocation); // last: the default without a subcommand
    addExamples(app);
}

} // namespace ep::app
