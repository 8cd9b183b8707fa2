// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/safe_text.h"
#include "ep/energy/comparison.h"

#include <string>
#include <vector>

namespace ep::store {
class Store;
}

// Reads stored runs for a comparison, and writes a comparison as JSON. Any thread.
namespace ep::session {

// Reads the runs of each group, with the totals of their components instead of their spans.
Result<std::vector<energy::RunGroup>> loadGroups(const store::Store& store,
                                                 const std::vector<std::vector<std::string>>& ids,
                                                 const CancelToken& cancel = {},
                                                 const ProgressFn& progress = {});

// Each id together with the ids of all stored repeats of its run, newest first; an id that is a
// repeat of an earlier one does not form a group.
std::vector<std::vector<std::string>> withRepeats(const std::vector<RunSummary>& stored,
                                                  const std::vector<std::string>& ids);
// Groups ids whose runs are repeats of each other.
std::vector<std::vector<std::string>> groupedByRepeats(const std::vector<RunSummary>& stored,
                                                       const std::vector<std::string>& ids);

// resources/schema/comparison.schema.json. indent < 0: one line.
std::string comparisonToJson(const energy::Comparison& comparison, int indent = 2);
// The object "comparison" of that schema.
std::string sideToJson(const energy::SideTest& test, const Message& a, const Message& b);
// The tree as a table, with one line for each node and group except the baseline.
std::string treeToCsv(const energy::Comparison& comparison, CsvText formulas = CsvText::Quoted);

} // namespace ep::session
