// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sqlite/database.h"
#include "tables/packed_span.h"

#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

namespace ep::store {

// Steps by the ids of their rows in `tokens` and by their indices; both ranges are inclusive.
struct StepRows {
    std::int64_t first_id = std::numeric_limits<std::int64_t>::min();
    std::int64_t last_id = std::numeric_limits<std::int64_t>::max();
    std::int32_t first_token = std::numeric_limits<std::int32_t>::min();
    std::int32_t last_token = std::numeric_limits<std::int32_t>::max();
};

// Reads the spans of one run out of its packs (SpanPacker). The caller holds a reading
// transaction. Interrupted spans have no time.
class SpanUnpacker {
public:
    using TakeSpan = std::function<void(std::int32_t token, PackedSpan&& span)>;
    enum class SectionsOf { WholeRun, OutsideSteps };

    SpanUnpacker(Database& database, std::string runId, Nanoseconds clockStart);

    // Reads what the run's packs contain; call it first.
    Status readShapes();

    // Calls take for the spans step by step, in the order of the trace.
    Status forEach(SpanKind kind, const StepRows& rows, const TakeSpan& take);
    Status forEachSection(SectionsOf which, const TakeSpan& take);

private:
    Status unpackAll(Statement& query, const TakeSpan& take) const;
    const PackShape* shapeFor(std::int64_t shapeId, std::string_view bytes) const;
    Error damaged() const;
    static PackedSpan decoded(const PackedPlace& place, Nanoseconds origin, std::string_view bytes);

    Database& m_database;
    const std::string m_runId;
    const Nanoseconds m_clockStart;
    std::unordered_map<std::int64_t, PackShape> m_shapes;
};

} // namespace ep::store
