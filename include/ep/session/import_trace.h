// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/spans/trace_file.h"

#include <filesystem>
#include <string>

// A run from a trace of operators that exists already, with another program's recording of power.
namespace ep::session {

struct TraceImportOptions {
    std::filesystem::path trace;
    std::filesystem::path power{}; // a recording that import-power reads; empty: times only
    double offset_s = 0.0; // added to the times of the power
    CancelToken cancel{};
};

struct ImportedTrace {
    spans::TraceImport trace; // its parts have been moved into the run
    Run run; // complete, not stored
};

// Reads and attributes; stores nothing. The error is one sentence. Any thread.
Result<ImportedTrace> importTrace(const TraceImportOptions& options);

// The document that `runs import-trace --json` prints.
std::string importedTraceJson(const ImportedTrace& imported, bool stored);

} // namespace ep::session
