// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/comparison.h"
#include "ep/json/document.h"
#include "ep/session/events.h"

#include <optional>
#include <string>
#include <vector>

// Runs as the API reports them, with the names and units of its original design: flat objects,
// milliseconds, millijoules; null if not measured. openapi.cpp describes the shapes.
namespace ep::api {

using Json = json::OrderedJson;

Json runItem(const RunSummary& run); // for the list of runs
Json runSummary(const Run& run); // with phases, components and token statistics
Json runPipeline(const Run& run); // phases and their sections
// Figures of 2 to 4 runs, one group each, and their differences from the first one.
Json runComparison(const std::vector<energy::RunGroup>& groups);

// Builds the messages of the WebSocket. Times are milliseconds since the start of the run.
struct LiveRun {
    std::string id;
    Nanoseconds zero_ns = 0;
};
Json powerMessage(const LiveRun& run, const PowerSample& sample);
Json sectionMessage(const LiveRun& run, const session::SectionEvent& event, bool end);
Json tokenMessage(const LiveRun& run, const session::TokenComplete& token);
Json layerMessage(const LiveRun& run, const session::TokenComplete& token);
Json componentMessage(const LiveRun& run, const session::TokenComplete& token);
// The deep operations of one token of a finished run.
Json operationMessage(const LiveRun& run, const RunTrace& trace, std::int32_t token);
Json completeMessage(const session::RunFinished& finished);

} // namespace ep::api
