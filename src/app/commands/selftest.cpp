// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/executable_path.h"
#include "ep/session/self_test.h"

#include <QCoreApplication>

#include <memory>

namespace ep::app {

namespace {

struct SelfTestOptions {
    DatabaseOption database; // accepted by every subcommand; unused, since the test makes its own
    bool json = false;
    double seconds = 5.0;
};

int testSelf(const SelfTestOptions& options, Invocation& invocation)
{
    const QCoreApplication application(invocation.argc, invocation.argv);
    const Interrupt interrupt;
    const session::SelfTestReport report = session::selfTest(
        {.model = resourceFolder() / "models" / "demo-llama-5m",
         .program = executablePath(),
         .load_seconds = options.seconds},
        session::realBackend(), interrupt.token(), [&](const session::SelfCheck& check) {
            if (!options.json)
                print(session::lineOf(check) + '\n');
        });
    if (report.cancelled) {
        printError("Cancelled.");
        return kExitCancelled;
    }
    if (options.json)
        printJson(session::selfTestJson(report));
    if (report.failed() == 0)
        return kExitDone;
    printError(
        std::to_string(report.failed()) + " of " + std::to_string(report.checks.size())
        + " checks failed; each says what to do. Attach the output of `selftest --json` to a "
          "bug report.");
    return kExitFailed;
}

} // namespace

void addSelfTestCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<SelfTestOptions>();
    CLI::App* command = app.add_subcommand(
        "selftest",
        "Test everything the program depends on, on this machine; takes under two minutes");
    command->add_flag("--json", options->json, "Print the checks as JSON, for a bug report");
    command
        ->add_option("--seconds", options->seconds,
                     "Duration of the load for the power sources (default 5)")
        ->check(CLI::Range(1.0, 60.0));
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return testSelf(*options, invocation); };
    });
}

} // namespace ep::app
