// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"

#include "ep/core/trace.h"

#include <string>

namespace ep::store {

// The stored trace of a run but for its own time range; times count from clockStart. The caller
// holds a reading transaction, so that all tables belong together.
Result<RunTrace> readTrace(Database& database, const std::string& runId, Nanoseconds clockStart);

} // namespace ep::store
