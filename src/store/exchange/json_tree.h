// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "exchange/json_writer.h"
#include "exchange/run_sums.h"

#include "ep/core/run.h"
#include "ep/core/tally.h"

#include <unordered_map>

namespace ep::store {

// Writes the two trees of a run, run > phase > section and run > token > layer > component >
// operation, with the remainder of each node as `remainder`.
class JsonTree {
public:
    // All must outlive this object.
    JsonTree(JsonWriter& json, const RunSource& source, const RunSums& sums);

    // Members of the object `run`: the phases with their sections, and what grows with the run.
    void writePhases();
    Status writeSteps(); // fails if the source does

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

    void collectSteps(const RunTrace& piece);
    void writeAnswerSections();
    void writePhase(std::size_t index);
    Status writeTokens();
    void writePiece(const RunTrace& piece);
    void writeToken(const TokenSpan& token, const Step& step);
    void writeUnfinishedSteps();
    // These return the sum of the written nodes.
    Tally writeStep(const Step& step);
    void writeSection(const SectionSpan& section, bool withPhase);
    Tally writeLayer(const Step& step, std::int32_t layer);
    Tally writeComponents(const Components& components, const Operations& operations);
    void writeComponent(Component component, const ComponentSpan* span,
                        const Operations& operations);

    JsonWriter& m_json;
    const RunSource& m_source;
    const RunSums& m_sums;
    const Run& m_run; // head of the run
    std::unordered_map<std::int32_t, Step> m_steps; // steps of the current piece
    RunTrace m_unfinished; // steps that produced no token
};

} // namespace ep::store
