// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_ways.h"
#include "exit_status.h"
#include "interrupt.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/executable_path.h"
#include "ep/session/self_test.h"

#include <QCoreApplication>

namespace ep::app {

int testSelf(const DoctorOptions& options, Invocation& invocation)
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
        + " checks failed; each says what to do. Attach the output of `doctor --test --json` to a "
          "bug report.");
    return kExitFailed;
}

} // namespace ep::app
