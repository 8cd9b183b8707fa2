// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/diagnostics.h"

#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/safe_text.h"
#include "ep/session/log_file.h"

#include <fstream>
#include <memory>
#include <string>

namespace ep::app {

namespace {

struct DiagnosticsOptions {
    DatabaseOption database;
    std::string out{};
    bool sensors = true;
};

// Shows the complete text before saving anything, so that nobody passes on data they have not
// seen.
int collect(const DiagnosticsOptions& options)
{
    session::DiagnosticsRequest request{.database = options.database.path(),
                                        .resources = resourceFolder(),
                                        .log = session::defaultLogPath()};
    if (options.sensors)
        request.probeSources = [] { return power::probeSources(); };
    const std::string text = terminalText(session::collectDiagnostics(request));
    print(text);
    if (options.out.empty())
        return kExitDone;
    std::ofstream file(options.out, std::ios::binary);
    file << text;
    if (!file.flush()) {
        return fail(Error{
            ErrorCode::Io,
            {"Cannot write the diagnostics to %1; choose another file with --out.", options.out}});
    }
    printError("saved to " + options.out);
    return kExitDone;
}

} // namespace

void addDiagnosticsCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<DiagnosticsOptions>();
    CLI::App* command = app.add_subcommand(
        "diagnostics", "Show the contents of a bug report: no prompts, no responses, no names");
    command->add_option("--out", options->out, "Also save it to this file")->type_name("FILE");
    command->add_flag("!--no-sensors", options->sensors, "Do not probe the power sources");
    options->database.addTo(*command);
    command->callback(
        [options, &invocation] { invocation.action = [options] { return collect(*options); }; });
}

} // namespace ep::app
