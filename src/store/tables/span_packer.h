// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"
#include "tables/packed_span.h"

#include <bitset>
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

    // Spans of one kind and one step, in the order of the trace. tokenRow: id of the step's row in
    // `tokens`; empty outside of steps.
    Status add(SpanKind kind, std::optional<std::int64_t> tokenRow,
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

    Status addPack(SpanKind kind, std::optional<std::int64_t> tokenRow,
                   std::span<const PackedSpan> spans);
    static Need needOf(std::span<const PackedSpan> spans);
    void describe(SpanKind kind, std::span<const PackedSpan> spans, const Need& need);
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

} // namespace ep::store
