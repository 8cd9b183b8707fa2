// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/core/safe_text.h"
#include "ep/store/run_source.h"

#include <iosfwd>
#include <string>
#include <vector>

// The JSON of a run (docs/run-format.md, resources/schema/run.schema.json).
namespace ep::store {

// The complete run, or only its summary. indent < 0: one line.
std::string runToJson(const Run& run, int indent = 2);
std::string summaryToJson(const RunSummary& summary, int indent = 2);
std::string summariesToJson(const std::vector<RunSummary>& summaries, int indent = 2);

// Reads the output of runToJson() of this and earlier versions, also compressed, as well as
// partial documents: docs/run-format.md lists optional parts. Errors name the place.
Result<Run> runFromJson(std::istream& text);

// How much of a run its JSON has.
enum class JsonExtent {
    Complete,
    Overview, // only parts whose size is fixed: no tokens, no samples (run_overview.schema.json)
};

// Writes runToJson()'s text plus a line break, piece by piece. Errors are the source's.
Status writeJson(const RunSource& run, std::ostream& sink, int indent = 2,
                 JsonExtent extent = JsonExtent::Complete);

// Slices, power counters and energies in the JSON format of Chrome's trace viewer, which
// ui.perfetto.dev can open.
Status writeTrace(const RunSource& run, std::ostream& sink);

// Write JSON and traces to files, atomically; JSON is compressed if the name ends in .gz.
Status exportJson(const RunSource& run, const std::string& file);
Status exportTrace(const RunSource& run, const std::string& file);

// One CSV file per table, in a new folder; RFC 4180, units in the headers.
Status exportCsv(const RunSource& run, const std::string& folder,
                 CsvText formulas = CsvText::Quoted);
// Writes the files of exportCsv() to a zip archive.
Status exportCsvZip(const RunSource& run, const std::string& file,
                    CsvText formulas = CsvText::Quoted);

} // namespace ep::store
