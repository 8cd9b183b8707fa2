// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"
#include "tables/run_row.h"
#include "tables/trace_reader.h"

#include "ep/core/run_tree.h"
#include "ep/store/store.h"

// Complete runs in the tables. All functions except those that read need an open write
// transaction.
namespace ep::store {

Error noSuchRun(const Database& database, const std::string& id);

// The caller holds a reading transaction, so all tables are consistent.
Result<Run> readRun(Database& database, const std::string& id, TraceParts parts = TraceParts::All);

// The layers, components and operations of one step.
Result<RunTrace> readSteps(Database& database, const std::string& id, TokenRange tokens);

// Both functions require the row of the run.
Status writeTotals(Database& database, const std::string& runId,
                   const std::vector<ComponentTotal>& totals);
Result<std::vector<ComponentTotal>> readTotals(Database& database, const std::string& runId);

// Inserts the row of a new run; a running one gets the mark of this process.
Status insertRow(Database& database, RunRow row);

// Replaces the stored run with the same id.
Status replaceRun(Database& database, const Run& run);

// Whether the run exists, and not only in the trash.
Result<bool> isPresent(Database& database, const std::string& id, const std::string& doing);

// False: a run with this id already exists. One in the trash is replaced.
Result<bool> addRun(Database& database, const Run& run);

// An error if the run is still being recorded, because changes would be lost when it ends.
Status checkIsOver(Database& database, const std::string& id);

Status editRun(Database& database, const std::string& id, const RunEdit& changes);

// Returns whether the run existed.
Result<bool> deleteRun(Database& database, const std::string& id);

// Runs that a live process is recording.
Result<std::vector<std::string>> runsThatGoOn(Database& database);

// Turns a run whose recording stopped without an end into an interrupted one: derives its range,
// the phases prefill and decode, and its metrics from the committed tokens and samples. The range
// is that of the tokens, so the time to the first token counts from the start of the prefill.
void completeInterrupted(Run& run);

// Marks runs whose process has ended as interrupted. Opens its own transaction if necessary.
Status recoverInterrupted(Database& database);

} // namespace ep::store
