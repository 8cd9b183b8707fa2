// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "run_row.h"

// Whole runs in the tables. All but readRun() need an open write transaction.
namespace ep::store {

Error noSuchRun(const Database& database, const std::string& id);

// The caller holds a reading transaction, so that all tables belong together.
Result<Run> readRun(Database& database, const std::string& id);

// The row of a new run; one that is running gets the mark of this process.
Status insertRow(Database& database, RunRow row);

// Puts the run in the place of what is there under its id.
Status replaceRun(Database& database, const Run& run);

// Whether there was such a run.
Result<bool> deleteRun(Database& database, const std::string& id);

// Marks runs whose process has ended as interrupted. Opens its own transaction, if it has to.
Status recoverInterrupted(Database& database);

} // namespace ep::store
