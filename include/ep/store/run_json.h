// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"

#include <string>
#include <vector>

// The JSON of a run (docs/run-format.md, resources/schema/run.schema.json).
namespace ep::store {

// The whole run, or only its summary. indent < 0: one line.
std::string runToJson(const Run& run, int indent = 2);
std::string summaryToJson(const RunSummary& summary, int indent = 2);
std::string summariesToJson(const std::vector<RunSummary>& summaries, int indent = 2);

// One CSV file per table into a folder that is created; RFC 4180, units in the headers.
Status exportCsv(const Run& run, const std::string& folder);

} // namespace ep::store
