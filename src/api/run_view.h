// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/energy/comparison.h"
#include "ep/session/events.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

// What the API says about runs, in the names and units of the seed design: flat objects,
// milliseconds, millijoules; what was not measured is null. The shapes are described in
// openapi.cpp.
namespace ep::api {

using Json = nlohmann::ordered_json;

// Quantities as their number.
template <typename T>
Json orNull(const std::optional<T>& value)
{
    if constexpr (requires(T one) { one.value; })
        return value ? Json(value->value) : Json();
    else
        return value ? Json(*value) : Json();
}

std::string dumped(const Json& json);

Json runItem(const RunSummary& run); // of the list of runs
Json runSummary(const Run& run); // with phases, components and the tokens' statistics
Json runPipeline(const Run& run); // phases and their sections
// Figures of 2 to 4 runs, a group each, side by side and their differences to the first one.
Json runComparison(const std::vector<energy::RunGroup>& groups);

// The messages of the WebSocket. Times are milliseconds since the begin of the run.
struct LiveRun {
    std::string id;
    Nanoseconds zero_ns = 0;
};
Json powerMessage(const LiveRun& run, const PowerSample& sample);
Json sectionMessage(const LiveRun& run, const session::SectionEvent& event, bool end);
Json tokenMessage(const LiveRun& run, const session::TokenComplete& token);
Json layerMessage(const LiveRun& run, const session::TokenComplete& token);
Json componentMessage(const LiveRun& run, const session::TokenComplete& token);
// The deep operations of a finished run's token.
Json operationMessage(const LiveRun& run, const RunTrace& trace, std::int32_t token);
Json completeMessage(const session::RunFinished& finished);

} // namespace ep::api
