// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/safe_text.h"

#include <iosfwd>
#include <string>
#include <vector>

// The JSON of a run (docs/run-format.md, resources/schema/run.schema.json).
namespace ep::store {

// The whole run, or only its summary. indent < 0: one line.
std::string runToJson(const Run& run, int indent = 2);
std::string summaryToJson(const RunSummary& summary, int indent = 2);
std::string summariesToJson(const std::vector<RunSummary>& summaries, int indent = 2);

// Reads what runToJson() writes, of this and earlier versions, and less: docs/run-format.md says
// what may be left out. Errors name the place.
Result<Run> runFromJson(std::istream& text);

// The same text as runToJson() and a line break, piece by piece.
void writeJson(const Run& run, std::ostream& sink, int indent = 2);

// Slices, power counters and joules in the JSON of Chrome's trace viewer, which ui.perfetto.dev
// opens.
void writeTrace(const Run& run, std::ostream& sink);

// The same two as files, which appear whole or not at all.
Status exportJson(const Run& run, const std::string& file);
Status exportTrace(const Run& run, const std::string& file);

// One CSV file per table into a folder that is created; RFC 4180, units in the headers.
Status exportCsv(const Run& run, const std::string& folder, CsvText formulas = CsvText::Quoted);
// The same files in a zip archive.
Status exportCsvZip(const Run& run, const std::string& file, CsvText formulas = CsvText::Quoted);

} // namespace ep::store
