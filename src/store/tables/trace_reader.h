// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/run_tree.h"
#include "ep/core/trace.h"
#include "ep/core/trace_lookup.h"
#include "ep/store/run_source.h"

#include <optional>
#include <string>

namespace ep::store {

enum class TraceParts {
    All,
    Overview, // without layers, components and operations
    Details, // layers, components and operations only
    Head, // only samples and phases
};

// The stored trace of a run without its own time range; times are relative to clockStart. The
// caller holds a reading transaction, so that all tables are consistent. tokens: restricts the
// steps, for Details.
Result<RunTrace> readTrace(Database& database, const std::string& runId, Nanoseconds clockStart,
                           TraceParts parts, std::optional<TokenRange> tokens = std::nullopt);

// The sections, tokens, layers, components and operations of that trace, a few steps at a time.
Status readPieces(Database& database, const std::string& runId, Nanoseconds clockStart,
                  RunSource::Parts parts, const RunSource::Take& take);

// The sums of that trace.
Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId);

} // namespace ep::store
