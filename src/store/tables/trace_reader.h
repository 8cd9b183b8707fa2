// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/token_range.h"
#include "ep/core/trace.h"

#include <optional>
#include <string>

namespace ep::store {

enum class TraceParts {
    All,
    Overview, // without layers, components and operations
    Details, // only those
};

// The stored trace of a run without its own time range; times count from clockStart. The caller
// holds a reading transaction, so that all tables are consistent. tokens: restricts the steps, if
// given.
Result<RunTrace> readTrace(Database& database, const std::string& runId, Nanoseconds clockStart,
                           TraceParts parts, std::optional<TokenRange> tokens = std::nullopt);

} // namespace ep::store
