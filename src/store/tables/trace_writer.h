// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"

#include "ep/core/trace.h"

#include <bitset>
#include <span>
#include <string>
#include <unordered_map>

namespace ep::store {

// Writes the parts of one run's trace to their tables. Needs an open transaction and the row of the
// run; each function may be called several times, parents before children.
class TraceWriter {
public:
    TraceWriter(Database& database, std::string runId, Nanoseconds clockStart);

    Status writeAll(const RunTrace& trace);
    Status writeSamples(std::span<const PowerSample> samples);
    Status writeTokens(std::span<const TokenSpan> tokens);

private:
    // Key of the row of a layer or component, for its children.
    struct Place {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm; // always this for layers

        bool operator==(const Place&) const = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const;
    };
    struct PartTimes {
        std::optional<Nanoseconds> attention_ns;
        std::optional<Nanoseconds> mlp_ns;
    };

    Status writePhases(std::span<const PhaseSpan> phases);
    Status writeSections(std::span<const SectionSpan> sections);
    Status writeLayers(const RunTrace& trace);
    Status writeComponents(const RunTrace& trace);
    Status writeOperations(std::span<const OperationSpan> operations);

    // The row of a parent; creates one without values if the parent was interrupted.
    Result<std::int64_t> tokenRow(std::int32_t token);
    Result<std::int64_t> layerRow(std::int32_t token, std::int32_t layer);
    Result<std::int64_t> componentRow(const OperationSpan& operation);
    static std::unordered_map<Place, PartTimes, PlaceHash> partTimes(const RunTrace& trace);

    Database& m_database;
    std::string m_runId;
    Nanoseconds m_clockStart;
    std::unordered_map<std::int32_t, std::int64_t> m_tokens;
    std::unordered_map<Place, std::int64_t, PlaceHash> m_layers;
    std::unordered_map<Place, std::int64_t, PlaceHash> m_components; // those with operations
    std::bitset<kComponentCount> m_withOperations;
    std::int64_t m_nextToken = 0;
    std::int64_t m_nextLayer = 0;
    std::int64_t m_nextComponent = 0;
};

} // namespace ep::store
