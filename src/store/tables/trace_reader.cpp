// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_reader.h"

#include "sqlite/statement.h"
#include "tables/packed_span.h"
#include "tables/trace_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ep::store {

namespace {

constexpr std::int64_t kMaxHeads = 1 << 16;
using TakeSpan = std::function<void(Span&& span)>;

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

    // Fields without a place stay unchanged.
    template <typename Value>
    void operator()(PackField field, Value& value) const
    {
        if (has(field))
            read(field, value);
    }

private:
    std::size_t placeOf(PackField field) const { return static_cast<std::size_t>(m_place[field]); }

    template <typename Count>
    void read(PackField field, std::optional<Count>& value) const
    {
        value = static_cast<Count>(integer(field, m_place.count_bytes));
    }
    void read(PackField field, std::optional<Millijoules>& value) const
    {
        const auto number = std::bit_cast<double>(integer(field, 8));
        value = std::isnan(number) ? std::nullopt : std::optional(Millijoules{number});
    }
    void read(PackField field, Provenance& value) const
    {
        value = provenanceFromCode(integer(field, 1));
    }
    void read(PackField field, std::optional<float>& value) const { value = single(field, 0); }
    void read(PackField field, std::optional<ActivationStats>& stats) const
    {
        stats =
            ActivationStats{single(field, 0), single(field, 1), single(field, 2), single(field, 3)};
    }
    void read(PackField field, std::vector<float>& heads) const
    {
        const std::int32_t count = m_place.heads[headsBefore(static_cast<std::size_t>(field))];
        heads.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < heads.size(); ++i)
            heads[i] = single(field, i);
    }

    float single(PackField field, std::size_t index) const
    {
        const auto bits = integerAt(placeOf(field) + 4 * index, 4);
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    }
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

// End of the last field of a place; absent if the place is invalid.
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

// Steps by the ids of their rows in `tokens` and by their indices; both ranges are inclusive.
struct StepRows {
    std::int64_t first_id = std::numeric_limits<std::int64_t>::min();
    std::int64_t last_id = std::numeric_limits<std::int64_t>::max();
    std::int32_t first_token = std::numeric_limits<std::int32_t>::min();
    std::int32_t last_token = std::numeric_limits<std::int32_t>::max();
};

// Reads the spans of one run out of its packs (SpanPacker). The caller holds a reading
// transaction. Leaves out interrupted spans.
class SpanUnpacker {
public:
    enum class SectionsOf { WholeRun, OutsideSteps };

    SpanUnpacker(Database& database, std::string runId, Nanoseconds clockStart)
        : m_database(database)
        , m_runId(std::move(runId))
        , m_clockStart(clockStart)
    {
    }

    // Reads what the run's packs contain; call it first.
    Status readShapes()
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
            takeColumns(row, place.what.span.work);
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
            place.what.interrupted = place[PackField::Start] == 0;
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

    // Calls take for the spans step by step, in the order of the trace.
    Status forEach(SpanLevel level, const StepRows& rows, const TakeSpan& take)
    {
        static const std::string kSql = std::string("SELECT t.token_index, ") + kPackColumns
            + " FROM tokens t JOIN packs p ON p.token_id = t.id AND p.kind = ?2 WHERE t.run_id = "
              "?1 "
              "AND t.id BETWEEN ?3 AND ?4 AND t.token_index BETWEEN ?5 AND ?6 ORDER BY t.id, p.id";
        Statement query = m_database.prepare(kSql, kReadingRun);
        query.bind(m_runId, level, rows.first_id, rows.last_id, rows.first_token, rows.last_token);
        return unpackAll(level, query, take);
    }

    Status forEachSection(SectionsOf which, const TakeSpan& take)
    {
        static const std::string kSql = std::string("SELECT coalesce(t.token_index, -1), ")
            + kPackColumns
            + " FROM packs p LEFT JOIN tokens t ON t.id = p.token_id "
              "WHERE p.run_id = ?1 AND (?2 OR p.token_id IS NULL) ORDER BY p.id";
        Statement query = m_database.prepare(kSql, kReadingRun);
        query.bind(m_runId, which == SectionsOf::WholeRun);
        return unpackAll(SpanLevel::Section, query, take);
    }

private:
    Status unpackAll(SpanLevel level, Statement& query, const TakeSpan& take) const
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
            for (const PackedPlace& place : shape->places) {
                if (place.what.interrupted)
                    continue;
                Span span = decoded(place, wrappingSum(origin, m_clockStart), data.bytes);
                span.level = level; // a damaged file may state another
                span.token = token;
                take(std::move(span));
            }
        });
        if (!done)
            return done;
        return right ? Status() : Status(damaged());
    }

    const PackShape* shapeFor(std::int64_t shapeId, std::string_view bytes) const
    {
        const auto found = m_shapes.find(shapeId);
        const bool right =
            found != m_shapes.end() && bytes.size() >= static_cast<std::size_t>(found->second.size);
        return right ? &found->second : nullptr;
    }

    Error damaged() const
    {
        return {
            ErrorCode::InvalidInput,
            {"Cannot read the run in %1: its packed spans are damaged; delete the run, or use a "
             "backup of the file.",
             m_database.file().string()}};
    }

    static Span decoded(const PackedPlace& place, Nanoseconds origin, std::string_view bytes)
    {
        const Decoder from(bytes, place);
        PackedSpan packed = place.what;
        const auto start = from.integer(PackField::Start, place.start_bytes);
        const auto duration = from.integer(PackField::Duration, place.duration_bytes);
        const Nanoseconds begin = wrappingSum(origin, static_cast<Nanoseconds>(start));
        packed.span.time = {begin, wrappingSum(begin, static_cast<Nanoseconds>(duration))};
        visitPackFields(packed, from);
        return std::move(packed.span);
    }

    Database& m_database;
    const std::string m_runId;
    const Nanoseconds m_clockStart;
    std::unordered_map<std::int64_t, PackShape> m_shapes;
};

class TraceReader {
public:
    TraceReader(Database& database, const std::string& runId, Nanoseconds clockStart)
        : m_database(database)
        , m_runId(runId)
        , m_clockStart(clockStart)
        , m_spans(database, runId, clockStart)
    {
    }

    Result<RunTrace> read(TraceParts parts, const StepRows& rows)
    {
        Status done = m_spans.readShapes();
        if (parts != TraceParts::Details) {
            if (done)
                done = readSamples();
            if (done)
                done = readPhases();
        }
        if (parts == TraceParts::All || parts == TraceParts::Overview) {
            if (done)
                done = m_spans.forEachSection(SpanUnpacker::SectionsOf::WholeRun,
                                              into(m_trace.sections));
            if (done)
                done = readTokens(rows);
        }
        if (parts == TraceParts::All || parts == TraceParts::Details) {
            if (done)
                done = readDetails(rows);
        }
        if (!done)
            return done.error();
        return std::move(m_trace);
    }

    Status readPieces(RunSource::Parts parts, const RunSource::Take& take)
    {
        Status done = m_spans.readShapes();
        std::vector<Span> outside;
        if (done) {
            done = m_spans.forEachSection(SpanUnpacker::SectionsOf::OutsideSteps, into(outside));
        }
        if (!done)
            return done;
        std::vector<std::int64_t> ids;
        const Status found = forEachRow(
            "SELECT id FROM tokens WHERE run_id = ? ORDER BY id",
            [&](Statement& row) { row.take(ids.emplace_back()); }, m_runId);
        if (!found)
            return found;
        constexpr std::size_t kAtOnce = 32;
        for (std::size_t first = 0; first < ids.size(); first += kAtOnce) {
            const std::size_t last = std::min(first + kAtOnce, ids.size()) - 1;
            const StepRows rows{.first_id = ids[first], .last_id = ids[last]};
            m_trace = {};
            done = readSpans(SpanLevel::Section, rows);
            if (done)
                done = readTokens(rows);
            if (done && parts == RunSource::Parts::All)
                done = readDetails(rows);
            if (!m_trace.sections.empty())
                insertEarlier(outside, m_trace.sections.front().time.begin_ns);
            if (done)
                done = take(m_trace);
            if (!done)
                return done;
        }
        m_trace = {};
        m_trace.sections = std::move(outside);
        return take(m_trace);
    }

private:
    // Calls readRow(statement) for each row of the query.
    template <typename ReadRow, typename... Values>
    Status forEachRow(const std::string& sql, const ReadRow& readRow, const Values&... values)
    {
        Statement query = m_database.prepare(sql, kReadingRun);
        return query.bind(values...).forEachRow(readRow);
    }

    static TakeSpan into(std::vector<Span>& spans)
    {
        return [&spans](Span&& span) { spans.push_back(std::move(span)); };
    }

    Status readSpans(SpanLevel level, const StepRows& rows)
    {
        return m_spans.forEach(level, rows, into(m_trace.spans(level)));
    }

    // Moves sections that begin before the piece to its front.
    void insertEarlier(std::vector<Span>& outside, Nanoseconds begin)
    {
        const auto later = std::find_if(outside.begin(), outside.end(),
                                        [&](const Span& s) { return s.time.begin_ns >= begin; });
        m_trace.sections.insert(m_trace.sections.begin(), outside.begin(), later);
        outside.erase(outside.begin(), later);
    }

    Status readDetails(const StepRows& rows)
    {
        Status done;
        for (const SpanLevel level : kStepLevels) {
            if (done)
                done = readSpans(level, rows);
        }
        return done;
    }

    // Adds a span of each row of its table.
    template <typename Span, typename... Values>
    Status readRows(std::vector<Span>& spans, const char* from, const Values&... values)
    {
        return forEachRow(
            "SELECT " + columnNames<Span>() + from,
            [&](Statement& row) { takeColumns(row, spans.emplace_back(), m_clockStart); }, m_runId,
            values...);
    }

    Status readSamples()
    {
        return readRows(m_trace.samples, " FROM power_samples WHERE run_id = ? ORDER BY id");
    }

    Status readPhases()
    {
        return readRows(m_trace.phases, " FROM phases WHERE run_id = ? ORDER BY id");
    }

    Status readTokens(const StepRows& rows)
    {
        return readRows(m_trace.tokens,
                        " FROM tokens WHERE run_id = ?1 AND id BETWEEN ?2 AND ?3 "
                        "AND vocabulary_id IS NOT NULL ORDER BY id", // NULL: the step was cut
                        rows.first_id, rows.last_id);
    }

    Database& m_database;
    const std::string& m_runId;
    Nanoseconds m_clockStart;
    SpanUnpacker m_spans;
    RunTrace m_trace;
};

// Reads only times and energies of tokens and phases, and tells the builder about the tokens.
struct KnownTotals {
    std::vector<TokenSpan> tokens; // tokens that were not interrupted
    std::vector<PhaseSpan> phases;
};

Result<KnownTotals> readKnownTotals(Database& database, const std::string& runId,
                                    BreakdownBuilder& builder)
{
    KnownTotals totals;
    Statement tokens =
        database.prepare("SELECT token_index, vocabulary_id, " + columnNames<TimeRange>() + ", "
                             + columnNames<EnergyValue>() + " FROM tokens WHERE run_id = ?",
                         kReadingRun);
    Status done = tokens.bind(runId).forEachRow([&](Statement& row) {
        TokenSpan token;
        std::optional<std::int32_t> vocabularyId; // absent if the step was interrupted
        row.take(token.index);
        row.take(vocabularyId);
        takeColumns(row, token.time);
        takeColumns(row, token.energy);
        builder.setProvenance(token.index, token.energy.provenance);
        if (vocabularyId)
            totals.tokens.push_back(std::move(token));
    });
    if (!done)
        return done.error();
    Statement phases = database.prepare(
        "SELECT " + columnNames<PhaseSpan>() + " FROM phases WHERE run_id = ?", kReadingRun);
    done = phases.bind(runId).forEachRow(
        [&](Statement& row) { takeColumns(row, totals.phases.emplace_back()); });
    if (!done)
        return done.error();
    return totals;
}

} // namespace

Result<RunTrace> readTrace(Database& database, const std::string& runId, Nanoseconds clockStart,
                           TraceParts parts, std::optional<TokenRange> tokens)
{
    StepRows rows;
    if (tokens) {
        rows.first_token = tokens->first;
        rows.last_token = tokens->last - 1;
    }
    return TraceReader(database, runId, clockStart).read(parts, rows);
}

Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId)
{
    BreakdownBuilder builder;
    const Result<KnownTotals> totals = readKnownTotals(database, runId, builder);
    if (!totals)
        return totals.error();
    SpanUnpacker spans(database, runId, 0);
    Status done = spans.readShapes();
    for (const SpanLevel level : kStepLevels) {
        if (done)
            done = spans.forEach(level, {}, [&](const Span& span) { builder.add(span); });
    }
    if (!done)
        return done.error();
    return builder.finish(PhaseErrors(totals->tokens, totals->phases));
}

Status readPieces(Database& database, const std::string& runId, Nanoseconds clockStart,
                  RunSource::Parts parts, const RunSource::Take& take)
{
    return TraceReader(database, runId, clockStart).readPieces(parts, take);
}

} // namespace ep::store
