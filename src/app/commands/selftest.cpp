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
    DatabaseOption database; // every subcommand takes it; this one has a database of its own
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
                print(printable(session::lineOf(check)) + '\n');
        });
    if (report.cancelled) {
        printError("Cancelled.");
        return kExitCancelled;
    }
    if (options.json)
        print(session::selfTestJson(report));
    if (report.failed() == 0)
        return kExitDone;
    printError(std::to_string(report.failed()) + " of " + std::to_string(report.checks.size())
               + " checks failed: each says what to do; `selftest --json` is what a report of it "
                 "should hold.");
    return kExitFailed;
}

} // namespace

void addSelfTestCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<SelfTestOptions>();
    CLI::App* command = app.add_subcommand(
        "selftest", "Test on this machine all that the program depends on; takes under two minutes");
    command->add_flag("--json", options->json, "The checks as JSON, for the report of a fault");
    command
        ->add_option("--seconds", options->seconds,
                     "Length of the load that power sources measure (default 5)")
        ->check(CLI::Range(1.0, 60.0));
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return testSelf(*options, invocation); };
    });
}

} // namespace ep::app
