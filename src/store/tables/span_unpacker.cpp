// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/span_unpacker.h"

#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace ep::store {

namespace {

constexpr std::int64_t kMaxHeads = 1 << 16;
constexpr const char* kPackColumns = "p.shape_id, p.origin_ns, p.data";

class Decoder {
public:
    Decoder(std::string_view bytes, const PackedPlace& place)
        : m_bytes(bytes)
        , m_place(place)
    {
    }

    bool has(PackField field) const { return m_place[field] > 0; }

    std::uint64_t integer(PackField field, std::int32_t bytes) const
    {
        return integerAt(placeOf(field), static_cast<std::size_t>(bytes));
    }
    std::optional<std::int64_t> count(PackField field) const
    {
        if (!has(field))
            return std::nullopt;
        return static_cast<std::int64_t>(integer(field, m_place.count_bytes));
    }
    std::optional<Millijoules> real(PackField field) const
    {
        if (!has(field))
            return std::nullopt;
        const auto value = std::bit_cast<double>(integer(field, 8));
        return std::isnan(value) ? std::nullopt : std::optional(Millijoules{value});
    }
    float single(PackField field, std::size_t index = 0) const
    {
        const auto bits = integerAt(placeOf(field) + 4 * index, 4);
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
    std::optional<float> optionalSingle(PackField field) const
    {
        return has(field) ? std::optional(single(field)) : std::nullopt;
    }
    std::vector<float> singles(PackField field, std::int32_t count) const
    {
        std::vector<float> values(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = single(field, i);
        return values;
    }

private:
    std::size_t placeOf(PackField field) const { return static_cast<std::size_t>(m_place[field]); }
    std::uint64_t integerAt(std::size_t at, std::size_t bytes) const
    {
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
            value |= std::uint64_t{static_cast<unsigned char>(m_bytes[at - 1 + i])} << (8 * i);
        return value;
    }

    std::string_view m_bytes;
    const PackedPlace& m_place;
};

void decodeEnergy(const Decoder& from, PackedSpan& span)
{
    span.energy.total_mj = from.real(PackField::Energy);
    if (!span.section) {
        if (from.has(PackField::Sd))
            span.notes.sd_mj = from.single(PackField::Sd);
        if (from.has(PackField::Alternative))
            span.notes.alternative_mj = from.single(PackField::Alternative);
        return;
    }
    if (from.has(PackField::Provenance)) {
        span.energy.provenance = provenanceFromCode(from.integer(PackField::Provenance, 1));
    }
    for (std::size_t rail = 0; rail < kRailCount; ++rail)
        span.energy.rails_mj.values[rail] =
            from.real(static_cast<PackField>(static_cast<std::size_t>(PackField::Cpu) + rail));
    span.energy.sd_mj = from.real(PackField::Sd);
    span.energy.alternative_mj = from.real(PackField::Alternative);
}

void decodeExtras(const Decoder& from, const PackedPlace& place, PackedSpan& span)
{
    const auto narrow = [](std::optional<std::int64_t> value) {
        return value ? std::optional(static_cast<std::int32_t>(*value)) : std::nullopt;
    };
    OperationExtras extras;
    if (from.has(PackField::Entropy))
        extras.attention_entropy = from.singles(PackField::Entropy, place.heads[0]);
    if (from.has(PackField::Weight))
        extras.max_attention_weight = from.singles(PackField::Weight, place.heads[1]);
    if (from.has(PackField::Sparsity))
        extras.attention_sparsity = from.singles(PackField::Sparsity, place.heads[2]);
    extras.activation_kill_ratio = from.optionalSingle(PackField::Killed);
    extras.variance_ratio = from.optionalSingle(PackField::Variance);
    extras.expert = narrow(from.count(PackField::Expert));
    extras.rows = narrow(from.count(PackField::Rows));
    span.extras = SharedExtras(std::move(extras));
}

// The end of the last field of a place, or none if the place cannot be right.
std::optional<std::int64_t> endOf(const PackedPlace& place)
{
    for (const std::int32_t bytes : {place.start_bytes, place.duration_bytes, place.count_bytes}) {
        if (bytes < 0 || bytes > 8)
            return std::nullopt;
    }
    for (const std::int32_t count : place.heads) {
        if (count < 0 || count > kMaxHeads)
            return std::nullopt;
    }
    if ((place[PackField::Start] > 0) != (place[PackField::Duration] > 0))
        return std::nullopt;
    std::int64_t end = 0;
    for (std::size_t i = 0; i < kPackFieldCount; ++i) {
        const auto field = static_cast<PackField>(i);
        if (place[field] < 0)
            return std::nullopt;
        if (place[field] > 0)
            end = std::max(end, std::int64_t{place[field]} - 1 + lengthOf(place, field));
    }
    return end;
}

} // namespace

SpanUnpacker::SpanUnpacker(Database& database, std::string runId, Nanoseconds clockStart)
    : m_database(database)
    , m_runId(std::move(runId))
    , m_clockStart(clockStart)
{
}

Status SpanUnpacker::readShapes()
{
    static const std::string kSql = [] {
        const PackedPlace none;
        std::string names = "p.shape_id";
        visitPlaceNames(std::as_const(none.what), [&](const char* column, const auto&) {
            names.append(", ").append(column);
        });
        return "SELECT " + names + ", " + placeColumns()
            + " FROM pack_shapes s JOIN pack_spans p ON p.shape_id = s.id WHERE s.run_id = ? "
              "ORDER BY s.id, p.span";
    }();
    bool right = true;
    Statement query = m_database.prepare(kSql, kReadingRun);
    const Status done = query.bind(m_runId).forEachRow([&](Statement& row) {
        std::int64_t id = 0;
        PackedPlace place;
        row.take(id);
        visitPlaceNames(place.what, [&](const char*, auto& field) { row.take(field); });
        takeWork(row, place.what.work);
        row.take(place.start_bytes);
        row.take(place.duration_bytes);
        row.take(place.count_bytes);
        for (std::int32_t& heads : place.heads)
            row.take(heads);
        for (std::int32_t& at : place.at) {
            std::optional<std::int32_t> present;
            row.take(present);
            at = present.value_or(0);
        }
        PackShape& shape = m_shapes[id];
        const auto end = endOf(place);
        right = right && end;
        shape.size = std::max(shape.size, end.value_or(0));
        shape.places.push_back(std::move(place));
    });
    if (!done)
        return done;
    return right ? Status() : Status(damaged());
}

Status SpanUnpacker::forEach(SpanKind kind, const StepRows& rows, const TakeSpan& take)
{
    static const std::string kSql = std::string("SELECT t.token_index, ") + kPackColumns
        + " FROM tokens t JOIN packs p ON p.token_id = t.id AND p.kind = ?2 WHERE t.run_id = ?1 "
          "AND t.id BETWEEN ?3 AND ?4 AND t.token_index BETWEEN ?5 AND ?6 ORDER BY t.id, p.id";
    Statement query = m_database.prepare(kSql, kReadingRun);
    query.bind(m_runId, kind, rows.first_id, rows.last_id, rows.first_token, rows.last_token);
    return unpackAll(query, take);
}

Status SpanUnpacker::forEachSection(SectionsOf which, const TakeSpan& take)
{
    static const std::string kSql = std::string("SELECT coalesce(t.token_index, -1), ")
        + kPackColumns
        + " FROM packs p LEFT JOIN tokens t ON t.id = p.token_id "
          "WHERE p.run_id = ?1 AND (?2 OR p.token_id IS NULL) ORDER BY p.id";
    Statement query = m_database.prepare(kSql, kReadingRun);
    query.bind(m_runId, which == SectionsOf::WholeRun);
    return unpackAll(query, take);
}

Status SpanUnpacker::unpackAll(Statement& query, const TakeSpan& take) const
{
    bool right = true;
    const Status done = query.forEachRow([&](Statement& row) {
        std::int32_t token = kNoToken;
        std::int64_t shapeId = 0;
        Nanoseconds origin = 0;
        Blob data;
        row.get(token, shapeId, origin, data);
        const PackShape* shape = shapeFor(shapeId, data.bytes);
        right = right && shape != nullptr;
        if (!right)
            return;
        for (const PackedPlace& place : shape->places)
            take(token, decoded(place, wrappingSum(origin, m_clockStart), data.bytes));
    });
    if (!done)
        return done;
    return right ? Status() : Status(damaged());
}

const PackShape* SpanUnpacker::shapeFor(std::int64_t shapeId, std::string_view bytes) const
{
    const auto found = m_shapes.find(shapeId);
    const bool right =
        found != m_shapes.end() && bytes.size() >= static_cast<std::size_t>(found->second.size);
    return right ? &found->second : nullptr;
}

Error SpanUnpacker::damaged() const
{
    return {ErrorCode::InvalidInput,
            std::string("Cannot ") + kReadingRun + " in " + m_database.file().string()
                + ": its packed spans are damaged; delete the run, or use a backup of the file."};
}

PackedSpan SpanUnpacker::decoded(const PackedPlace& place, Nanoseconds origin,
                                 std::string_view bytes)
{
    const Decoder from(bytes, place);
    PackedSpan span = place.what;
    if (from.has(PackField::Start)) {
        const auto start = from.integer(PackField::Start, place.start_bytes);
        const auto duration = from.integer(PackField::Duration, place.duration_bytes);
        const Nanoseconds begin = wrappingSum(origin, static_cast<Nanoseconds>(start));
        span.time = TimeRange{begin, wrappingSum(begin, static_cast<Nanoseconds>(duration))};
    }
    decodeEnergy(from, span);
    span.attention_ns = from.count(PackField::Attention);
    span.mlp_ns = from.count(PackField::Mlp);
    if (from.has(PackField::Stats))
        span.stats =
            ActivationStats{from.single(PackField::Stats, 0), from.single(PackField::Stats, 1),
                            from.single(PackField::Stats, 2), from.single(PackField::Stats, 3)};
    if (const auto flops = from.count(PackField::Flops))
        span.work = SpanWork{*flops, from.count(PackField::Bytes).value_or(0)};
    if (span.operation)
        decodeExtras(from, place, span);
    return span;
}

} // namespace ep::store
