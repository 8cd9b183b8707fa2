// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <unordered_map>
#include <unordered_set>

namespace ep::store {

// Writes the two trees of a run, run > phase > section and run > token > layer > component >
// operation, with the remainder of each node as `remainder`.
class JsonTree {
public:
    // Both must outlive this object.
    JsonTree(JsonWriter& json, const Run& run);

    // The members of the object `run` that contain the trees.
    void write();

private:
    using Layers = std::vector<const LayerSpan*>;
    using Components = std::vector<const ComponentSpan*>;
    using Operations = std::vector<const OperationSpan*>;
    // The records of one step.
    struct Step {
        std::vector<const SectionSpan*> sections;
        Layers layers;
        Components components;
        Operations operations;
    };

    void writePhases();
    void writePhase(const PhaseSpan& phase);
    void writeTokens();
    void writeToken(const TokenSpan& token);
    void writeUnfinishedSteps();
    // These return the sum of the written nodes.
    Tally writeStep(const Step& step);
    void writeSection(const SectionSpan& section, bool withPhase);
    Tally writeLayer(const Step& step, std::int32_t layer);
    Tally writeComponents(const Components& components, const Operations& operations);
    void writeComponent(Component component, const ComponentSpan* span,
                        const Operations& operations);
    void writeSpanTime(const TimeRange* time);

    JsonWriter& m_json;
    const Run& m_run;
    const RunTrace& m_trace;
    std::unordered_map<std::int32_t, Step> m_steps;
    std::unordered_set<std::int32_t> m_finished; // steps that produced a token
};

} // namespace ep::store
