// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_reader.h"

#include "ep/core/run.h"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace ep::store {

// Builds a run from the parts of its JSON. Times are relative to the start of the run until
// finish(). Missing values are derived where possible (docs/run-format.md).
class RunBuilder {
public:
    explicit RunBuilder(JsonProblem& problem)
        : m_problem(problem)
    {
    }

    void addToken(const Json& value, const JsonPlace& place);
    void addUnfinishedStep(const Json& value, const JsonPlace& place);
    void addSample(const Json& value, const JsonPlace& place);

    // Reads the rest of `run`, without the long lists.
    Run finish(const Json& value, const JsonPlace& place);

private:
    void claimStep(std::int32_t index, const JsonPlace& place);
    void readSection(const Json& value, const JsonPlace& place, SectionSpan section,
                     bool withPhase);
    void readStep(JsonObject& object, std::int32_t index, Phase phase);
    std::int32_t readLayer(const Json& value, const JsonPlace& place, std::int32_t token);
    void readComponent(const Json& value, const JsonPlace& place, const LayerSpan& layer);
    void readOperation(const Json& value, const JsonPlace& place, const ComponentSpan& component);
    void readPhase(const Json& value, const JsonPlace& place);
    void readRun(const Json& value, const JsonPlace& place, Run& run);
    void readPower(const Json& value, const JsonPlace& place);
    void derive(Run& run);

    // Sets the range from its first to its last token.
    void derivePhase(Phase phase);
    void shift();

    JsonProblem& m_problem;
    RunTrace m_trace;
    std::set<std::int32_t> m_steps; // indices of the steps so far
    Nanoseconds m_clockStart = 0;
    Nanoseconds m_duration = 0;
    bool m_durationGiven = false;
    bool m_metricsGiven = false;
    Json m_record;
};

} // namespace ep::store
