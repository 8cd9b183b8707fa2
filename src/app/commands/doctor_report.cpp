// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor_ways.h"
#include "exit_status.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/safe_text.h"
#include "ep/json/document.h"
#include "ep/session/diagnostics.h"
#include "ep/session/log_file.h"

#include <fstream>
#include <string>

namespace ep::app {

// Shows the complete text before saving anything, so that nobody passes on data they have not
// seen.
int reportDiagnostics(const DoctorOptions& options)
{
    session::DiagnosticsRequest request{.database = options.database.path(),
                                        .resources = resourceFolder(),
                                        .log = session::defaultLogPath()};
    if (options.sensors)
        request.probeSources = [] { return power::probeSources(); };
    const std::string text = terminalText(session::collectDiagnostics(request));
    if (options.json)
        printAsJson(json::OrderedJson(
            {{"format", "energy-profiler-diagnostics"}, {"version", 1}, {"text", text}}));
    else
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

} // namespace ep::app
