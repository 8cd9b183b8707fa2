// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_reader.h"

#include "sqlite/statement.h"
#include "tables/span_unpacker.h"
#include "tables/trace_columns.h"

#include <algorithm>
#include <vector>

namespace ep::store {

namespace {

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
        std::vector<SectionSpan> outside;
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
            done = m_spans.forEach(SpanKind::Section, rows, into(m_trace.sections));
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

    template <typename Span>
    static SpanUnpacker::TakeSpan into(std::vector<Span>& spans)
    {
        return [&spans](std::int32_t token, PackedSpan&& span) {
            if (span.time)
                unpack(span, token, spans.emplace_back());
        };
    }

    // Moves sections that begin before the piece to its front.
    void insertEarlier(std::vector<SectionSpan>& outside, Nanoseconds begin)
    {
        const auto later = std::find_if(outside.begin(), outside.end(), [&](const SectionSpan& s) {
            return s.time.begin_ns >= begin;
        });
        m_trace.sections.insert(m_trace.sections.begin(), outside.begin(), later);
        outside.erase(outside.begin(), later);
    }

    Status readDetails(const StepRows& rows)
    {
        Status done = m_spans.forEach(SpanKind::Layer, rows, into(m_trace.layers));
        if (done)
            done = m_spans.forEach(SpanKind::Component, rows, into(m_trace.components));
        if (done)
            done = m_spans.forEach(SpanKind::Operation, rows, into(m_trace.operations));
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

Status readPieces(Database& database, const std::string& runId, Nanoseconds clockStart,
                  RunSource::Parts parts, const RunSource::Take& take)
{
    return TraceReader(database, runId, clockStart).readPieces(parts, take);
}

} // namespace ep::store
