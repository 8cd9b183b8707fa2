// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/spans/trace_file.h"

#include <filesystem>
#include <string>

// Makes a run from an existing trace of operators, and from another program's power recording.
namespace ep::session {

struct TraceImportOptions {
    std::filesystem::path trace;
    std::filesystem::path power{}; // a recording as for import-power; empty: times only
    double offset_s = 0.0; // added to the times of the power
    CancelToken cancel{};
};

struct ImportedTrace {
    spans::TraceImport trace; // its parts were moved into the run
    Run run; // complete, not stored
};

// Reads and attributes, but stores nothing. The error is one sentence. Any thread.
Result<ImportedTrace> importTrace(const TraceImportOptions& options);

// The document that `runs import --json` prints.
std::string importedTraceJson(const ImportedTrace& imported, bool stored);

} // namespace ep::session
