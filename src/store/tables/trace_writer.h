// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"
#include "tables/packed_span.h"

#include "ep/core/trace.h"

#include <bitset>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace ep::store {

using PackFields = std::bitset<kPackFieldCount>;

// Writes the spans of one run into packs. Needs an open transaction and the row of the run.
class SpanPacker {
public:
    SpanPacker(Database& database, std::string runId, Nanoseconds clockStart);

    // Spans of one level and one step, in the order of the trace. tokenRow: id of the step's row in
    // `tokens`; empty outside of steps.
    Status add(SpanLevel level, std::optional<std::int64_t> tokenRow,
               std::span<const PackedSpan> spans);

private:
    // How much room the bytes of a pack need.
    struct Need {
        Nanoseconds origin_ns = 0; // earliest begin
        std::int32_t start_bytes = 0;
        std::int32_t duration_bytes = 0;
        std::int32_t count_bytes = 0;
        // Fields that the spans of the pack have, because at least one of them has them.
        PackFields fields{};
    };

    Status addPack(SpanLevel level, std::optional<std::int64_t> tokenRow,
                   std::span<const PackedSpan> spans);
    static Need needOf(std::span<const PackedSpan> spans);
    void describe(SpanLevel level, std::span<const PackedSpan> spans, const Need& need);
    static bool fits(const PackShape& shape, std::span<const PackedSpan> spans, const Need& need);
    Result<const PackShape*> makeShape(std::span<const PackedSpan> spans, const Need& need,
                                       std::vector<PackShape>& known);
    Status insertShape(const PackShape& shape);
    void encode(std::span<const PackedSpan> spans, const Need& need, const PackShape& shape);

    Database& m_database;
    const std::string m_runId;
    const Nanoseconds m_clockStart;
    std::string m_description; // description of a pack without what differs from step to step
    std::string m_bytes;
    std::unordered_map<std::string, std::vector<PackShape>> m_shapes; // by description, newest last
};

// Writes the parts of one run's trace to their tables; spans are packed. Needs an open transaction
// and the row of the run.
class TraceWriter {
public:
    TraceWriter(Database& database, std::string runId, Nanoseconds clockStart);

    Status writeAll(const RunTrace& trace);
    // May be called several times.
    Status writeSamples(std::span<const PowerSample> samples);
    Status writeTokens(std::span<const TokenSpan> tokens);

private:
    // Key of a layer or component, by which its children find it.
    struct Place {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm; // constant for layers

        bool operator==(const Place&) const = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const;
    };
    struct PartTimes {
        std::optional<Nanoseconds> attention_ns;
        std::optional<Nanoseconds> mlp_ns;
    };
    // Indices of layers or components within their step, and the interrupted ones, which exist
    // only as parents.
    struct Parents {
        std::unordered_map<Place, std::int32_t, PlaceHash> indices;
        std::unordered_map<std::int32_t, std::int32_t> next; // next index, by token
        std::map<std::int32_t, std::vector<PackedSpan>> cut; // by token
    };

    // Writes each to a row, with this statement for its table.
    template <typename Of>
    Status writeRows(const std::string& insertion, std::span<const Of> rows);
    Status writeSpans(const RunTrace& trace); // sections, layers, components and operations
    // Packs the spans of each step; place(packed) sets index and parent.
    template <typename SetPlace>
    Status pack(SpanLevel level, const std::vector<Span>& spans, const SetPlace& place);
    Status packCut(SpanLevel level, const Parents& parents);

    // Returns the row of a step; creates one without values if the step was interrupted.
    Result<std::int64_t> tokenRow(std::int32_t token);
    std::int32_t indexOfLayer(const Span& child);
    std::int32_t indexOfComponent(const Span& operation);
    static std::unordered_map<Place, PartTimes, PlaceHash> partTimes(const RunTrace& trace);

    Database& m_database;
    std::string m_runId;
    Nanoseconds m_clockStart;
    SpanPacker m_packer;
    std::unordered_map<std::int32_t, std::int64_t> m_tokens;
    Parents m_layers;
    Parents m_components; // indices of components that have operations
    std::int64_t m_nextToken = 0;
};

} // namespace ep::store
