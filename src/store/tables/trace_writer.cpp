// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_writer.h"

#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include "ep/core/component_kinds.h"
#include "ep/core/own_part.h"

#include <bitset>
#include <utility>

namespace ep::store {

namespace {

// "INSERT INTO table (columns) VALUES (?, ...)"
std::string insertInto(const std::string& table, const std::string& columns)
{
    std::string marks = "?";
    for (const char c : columns) {
        if (c == ',')
            marks += ", ?";
    }
    return "INSERT INTO " + table + " (" + columns + ") VALUES (" + marks + ")";
}

const std::string kInsertSample =
    insertInto("power_samples", "run_id, " + columnNames<PowerSample>());
const std::string kInsertPhase = insertInto("phases", "run_id, " + columnNames<PhaseSpan>());
const std::string kInsertToken = insertInto("tokens", "id, run_id, " + columnNames<TokenSpan>());
const std::string kInsertCutToken = insertInto("tokens", "id, run_id, token_index");

// Row ids are assigned here, so that no query is needed for the ids of parents.
Status claimRowIds(Database& database, const std::string& table, std::int64_t& next)
{
    if (next != 0)
        return {};
    const auto free =
        database.queryInteger("SELECT coalesce(max(id), 0) + 1 FROM " + table, kSavingRun);
    if (!free)
        return free.error();
    next = *free;
    return {};
}

} // namespace

std::size_t TraceWriter::PlaceHash::operator()(const Place& place) const
{
    const auto token = static_cast<std::uint64_t>(static_cast<std::uint32_t>(place.token));
    const auto layer = static_cast<std::uint64_t>(static_cast<std::uint32_t>(place.layer));
    const auto component = static_cast<std::uint64_t>(place.component);
    return static_cast<std::size_t>((token << 32) ^ (layer << 8) ^ component)
        * std::size_t{0x9e3779b97f4a7c15U};
}

TraceWriter::TraceWriter(Database& database, std::string runId, Nanoseconds clockStart)
    : m_database(database)
    , m_runId(std::move(runId))
    , m_clockStart(clockStart)
    , m_packer(database, m_runId, clockStart)
{
}

Status TraceWriter::writeAll(const RunTrace& trace)
{
    Status done = writeSamples(trace.samples);
    if (done)
        done = writePhases(trace.phases);
    if (done)
        done = writeTokens(trace.tokens);
    if (done)
        done = writeSpans(trace);
    return done;
}

Status TraceWriter::writeSamples(std::span<const PowerSample> samples)
{
    Statement insert = m_database.prepare(kInsertSample, kSavingRun);
    for (const PowerSample& sample : samples) {
        insert.bind(m_runId);
        appendColumns(insert, sample, m_clockStart);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Status TraceWriter::writePhases(std::span<const PhaseSpan> phases)
{
    Statement insert = m_database.prepare(kInsertPhase, kSavingRun);
    for (const PhaseSpan& phase : phases) {
        insert.bind(m_runId);
        appendColumns(insert, phase, m_clockStart);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Status TraceWriter::writeTokens(std::span<const TokenSpan> tokens)
{
    if (const Status claimed = claimRowIds(m_database, "tokens", m_nextToken); !claimed)
        return claimed;
    Statement insert = m_database.prepare(kInsertToken, kSavingRun);
    for (const TokenSpan& token : tokens) {
        insert.bind(m_nextToken, m_runId);
        appendColumns(insert, token, m_clockStart);
        if (const Status done = insert.run(); !done)
            return done;
        m_tokens.emplace(token.index, m_nextToken++);
    }
    return {};
}

Status TraceWriter::findTokens()
{
    if (const Status claimed = claimRowIds(m_database, "tokens", m_nextToken); !claimed)
        return claimed;
    Statement query =
        m_database.prepare("SELECT token_index, id FROM tokens WHERE run_id = ?", kSavingRun);
    return query.bind(m_runId).forEachRow([&](Statement& row) {
        std::int32_t index = 0;
        std::int64_t id = 0;
        row.get(index, id);
        m_tokens.emplace(index, id);
    });
}

// Layers and components get their indices before their children.
Status TraceWriter::writeSpans(const RunTrace& trace)
{
    const auto times = partTimes(trace);
    m_layers.indices.reserve(trace.layers.size());
    std::bitset<kComponentSlots> withOperations;
    for (const OperationSpan& operation : trace.operations)
        withOperations.set(static_cast<std::size_t>(operation.component));

    std::unordered_map<std::int32_t, std::int32_t> sections;
    std::unordered_map<std::int32_t, std::int32_t> operations;
    Status done = pack(SpanKind::Section, trace.sections,
                       [&](const SectionSpan& section, PackedSpan& packed) {
                           packed.index = sections[section.token]++;
                       });
    if (done) {
        done = pack(SpanKind::Layer, trace.layers, [&](const LayerSpan& layer, PackedSpan& packed) {
            const Place place{layer.token, layer.layer};
            packed.index = m_layers.next[layer.token]++;
            m_layers.indices.emplace(place, packed.index);
            if (const auto found = times.find(place); found != times.end()) {
                packed.attention_ns = found->second.attention_ns;
                packed.mlp_ns = found->second.mlp_ns;
            }
        });
    }
    if (done) {
        done = pack(SpanKind::Component, trace.components,
                    [&](const ComponentSpan& span, PackedSpan& packed) {
                        packed.parent = indexOfLayer(span.token, span.layer);
                        packed.index = m_components.next[span.token]++;
                        if (withOperations.test(static_cast<std::size_t>(span.component)))
                            m_components.indices.emplace(
                                Place{span.token, span.layer, span.component}, packed.index);
                    });
    }
    if (done) {
        done = pack(SpanKind::Operation, trace.operations,
                    [&](const OperationSpan& span, PackedSpan& packed) {
                        packed.parent = indexOfComponent(span);
                        packed.index = operations[span.token]++;
                    });
    }
    if (done)
        done = packCut(SpanKind::Layer, m_layers);
    if (done)
        done = packCut(SpanKind::Component, m_components);
    return done;
}

template <typename Span, typename Describe>
Status TraceWriter::pack(SpanKind kind, const std::vector<Span>& spans, const Describe& describe)
{
    std::vector<PackedSpan> step;
    for (std::size_t begin = 0; begin < spans.size();) {
        const std::int32_t token = spans[begin].token;
        step.clear();
        std::size_t end = begin;
        for (; end < spans.size() && spans[end].token == token; ++end)
            describe(spans[end], step.emplace_back(packed(spans[end])));
        std::optional<std::int64_t> row;
        if (token != kNoToken) {
            const auto found = tokenRow(token);
            if (!found)
                return found.error();
            row = *found;
        }
        if (const Status done = m_packer.add(kind, row, step); !done)
            return done;
        begin = end;
    }
    return {};
}

Status TraceWriter::packCut(SpanKind kind, const Parents& parents)
{
    for (const auto& [token, spans] : parents.cut) {
        const auto row = tokenRow(token);
        if (!row)
            return row.error();
        if (const Status done = m_packer.add(kind, *row, spans); !done)
            return done;
    }
    return {};
}

std::unordered_map<TraceWriter::Place, TraceWriter::PartTimes, TraceWriter::PlaceHash>
TraceWriter::partTimes(const RunTrace& trace)
{
    std::unordered_map<Place, PartTimes, PlaceHash> times;
    times.reserve(trace.layers.size());
    for (const ComponentSpan& component : trace.components) {
        const LayerBlock block = blockOf(component.component);
        if (block == LayerBlock::Neither)
            continue;
        PartTimes& layer = times[{component.token, component.layer}];
        auto& duration = block == LayerBlock::Attention ? layer.attention_ns : layer.mlp_ns;
        duration = duration.value_or(0) + component.time.duration_ns();
    }
    return times;
}

Result<std::int64_t> TraceWriter::tokenRow(std::int32_t token)
{
    const auto [place, isNew] = m_tokens.try_emplace(token, m_nextToken);
    if (isNew) {
        Statement insert = m_database.prepare(kInsertCutToken, kSavingRun);
        if (const Status done = insert.bind(m_nextToken++, m_runId, token).run(); !done)
            return done.error();
    }
    return place->second;
}

std::int32_t TraceWriter::indexOfLayer(std::int32_t token, std::int32_t layer)
{
    const auto [place, isNew] = m_layers.indices.try_emplace(Place{token, layer});
    if (isNew) {
        place->second = m_layers.next[token]++;
        PackedSpan& cut = m_layers.cut[token].emplace_back();
        cut.index = place->second;
        cut.layer = layer;
    }
    return place->second;
}

std::int32_t TraceWriter::indexOfComponent(const OperationSpan& operation)
{
    const auto [place, isNew] = m_components.indices.try_emplace(
        Place{operation.token, operation.layer, operation.component});
    if (isNew) {
        place->second = m_components.next[operation.token]++;
        PackedSpan& cut = m_components.cut[operation.token].emplace_back();
        cut.index = place->second;
        cut.parent = indexOfLayer(operation.token, operation.layer);
        cut.layer = operation.layer;
        cut.component = operation.component;
    }
    return place->second;
}

} // namespace ep::store
