// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_writer.h"

#include "exchange/profiling_json.h"
#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include "ep/core/layer_block.h"

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

const std::string kInsertSample = insertInto(
    "power_samples",
    std::string("run_id, ") + kRangeColumns
        + ", arrival_ns, cpu_power_mw, gpu_power_mw, ane_power_mw, dram_power_mw, "
          "system_power_mw, total_power_mw, cpu_energy_mj, gpu_energy_mj, ane_energy_mj, "
          "dram_energy_mj, system_energy_mj, phase, phase_confidence, modelled");
const std::string kInsertPhase =
    insertInto("phases", std::string("run_id, phase, ") + kRangeColumns + ", " + kEnergyColumns);
const std::string kInsertSection =
    insertInto("pipeline_sections",
               std::string("run_id, phase, section_name, token_index, ") + kRangeColumns + ", "
                   + kEnergyColumns + ", " + kWorkColumns + ", " + kStatsColumns);
const std::string kInsertToken = insertInto(
    "tokens",
    std::string("id, run_id, token_index, sequences, position, vocabulary_id, text, phase, "
                "probability, power_snapshot_mw, ")
        + kRangeColumns + ", " + kEnergyColumns);
const std::string kInsertCutToken = insertInto("tokens", "id, run_id, token_index");
const std::string kInsertLayer =
    insertInto("layer_metrics",
               std::string("id, token_id, layer_index, attention_time_ms, mlp_time_ms, "
                           "energy_mj, ")
                   + kRangeColumns + ", " + kStatsColumns + ", " + kNotesColumns);
const std::string kInsertCutLayer = insertInto("layer_metrics", "id, token_id, layer_index");
const std::string kInsertComponent =
    insertInto("component_metrics",
               std::string("id, layer_metric_id, component_name, energy_mj, ") + kRangeColumns
                   + ", " + kStatsColumns + ", " + kWorkColumns + ", " + kNotesColumns);
const std::string kInsertCutComponent =
    insertInto("component_metrics", "id, layer_metric_id, component_name");
const std::string kInsertOperation =
    insertInto("deep_operation_metrics",
               std::string("component_metric_id, operation_name, energy_mj, ") + kRangeColumns
                   + ", tensor_mean, tensor_std, tensor_max, tensor_sparsity, " + kWorkColumns
                   + ", " + kNotesColumns + ", extra_metrics");

std::optional<double> milliseconds(const std::optional<Nanoseconds>& duration)
{
    if (!duration)
        return std::nullopt;
    return static_cast<double>(*duration) / 1e6; // like the tables' computed columns
}

// Row ids are assigned here, so that the ids of parents are known without a query.
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
{
}

Status TraceWriter::writeAll(const RunTrace& trace)
{
    for (const OperationSpan& operation : trace.operations)
        m_withOperations.set(static_cast<std::size_t>(operation.component));
    Status done = writeSamples(trace.samples);
    if (done)
        done = writePhases(trace.phases);
    if (done)
        done = writeSections(trace.sections);
    if (done)
        done = writeTokens(trace.tokens);
    if (done)
        done = writeLayers(trace);
    if (done)
        done = writeComponents(trace);
    if (done)
        done = writeOperations(trace.operations);
    return done;
}

Status TraceWriter::writeSamples(std::span<const PowerSample> samples)
{
    Statement insert = m_database.prepare(kInsertSample, kSavingRun);
    for (const PowerSample& sample : samples) {
        insert.bind(m_runId);
        appendRange(insert, sample.window, m_clockStart);
        insert.append(wrappingDifference(sample.arrival_ns, m_clockStart));
        appendRails(insert, sample.power_mw);
        insert.append(sample.total_mw);
        appendRails(insert, sample.energy_mj);
        insert.append(sample.phase);
        insert.append(sample.phase_confidence);
        insert.append(sample.modelled);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Status TraceWriter::writePhases(std::span<const PhaseSpan> phases)
{
    Statement insert = m_database.prepare(kInsertPhase, kSavingRun);
    for (const PhaseSpan& phase : phases) {
        insert.bind(m_runId, phase.phase);
        appendRange(insert, phase.time, m_clockStart);
        appendEnergy(insert, phase.energy);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Status TraceWriter::writeSections(std::span<const SectionSpan> sections)
{
    Statement insert = m_database.prepare(kInsertSection, kSavingRun);
    for (const SectionSpan& section : sections) {
        insert.bind(m_runId, section.phase, section.section);
        if (section.token == kNoToken)
            insert.append(nullptr);
        else
            insert.append(section.token);
        appendRange(insert, section.time, m_clockStart);
        appendEnergy(insert, section.energy);
        appendWork(insert, section.work);
        appendStats(insert, section.stats);
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
        insert.bind(m_nextToken, m_runId, token.index, token.sequences, token.position, token.id,
                    token.text, token.phase, token.probability, token.power_snapshot_mw);
        appendRange(insert, token.time, m_clockStart);
        appendEnergy(insert, token.energy);
        if (const Status done = insert.run(); !done)
            return done;
        m_tokens.emplace(token.index, m_nextToken++);
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

Status TraceWriter::writeLayers(const RunTrace& trace)
{
    if (const Status claimed = claimRowIds(m_database, "layer_metrics", m_nextLayer); !claimed)
        return claimed;
    const auto times = partTimes(trace);
    m_layers.reserve(trace.layers.size());
    Statement insert = m_database.prepare(kInsertLayer, kSavingRun);
    for (const LayerSpan& layer : trace.layers) {
        const Result<std::int64_t> token = tokenRow(layer.token);
        if (!token)
            return token.error();
        const Place place{layer.token, layer.layer};
        const auto found = times.find(place);
        const PartTimes parts = found == times.end() ? PartTimes{} : found->second;
        insert.bind(m_nextLayer, *token, layer.layer, milliseconds(parts.attention_ns),
                    milliseconds(parts.mlp_ns), layer.energy_mj);
        appendRange(insert, layer.time, m_clockStart);
        appendStats(insert, layer.stats);
        appendNotes(insert, layer.energy_notes);
        if (const Status done = insert.run(); !done)
            return done;
        m_layers.emplace(place, m_nextLayer++);
    }
    return {};
}

Status TraceWriter::writeComponents(const RunTrace& trace)
{
    if (const Status claimed = claimRowIds(m_database, "component_metrics", m_nextComponent);
        !claimed)
        return claimed;
    Statement insert = m_database.prepare(kInsertComponent, kSavingRun);
    for (const ComponentSpan& component : trace.components) {
        const Result<std::int64_t> layer = layerRow(component.token, component.layer);
        if (!layer)
            return layer.error();
        insert.bind(m_nextComponent, *layer, component.component, component.energy_mj);
        appendRange(insert, component.time, m_clockStart);
        appendStats(insert, component.stats);
        appendWork(insert, component.work);
        appendNotes(insert, component.energy_notes);
        if (const Status done = insert.run(); !done)
            return done;
        if (m_withOperations.test(static_cast<std::size_t>(component.component))) {
            m_components.emplace(Place{component.token, component.layer, component.component},
                                 m_nextComponent);
        }
        ++m_nextComponent;
    }
    return {};
}

Status TraceWriter::writeOperations(std::span<const OperationSpan> operations)
{
    Statement insert = m_database.prepare(kInsertOperation, kSavingRun);
    for (const OperationSpan& operation : operations) {
        const Result<std::int64_t> component = componentRow(operation);
        if (!component)
            return component.error();
        insert.bind(*component, operation.operation, operation.energy_mj);
        appendRange(insert, operation.time, m_clockStart);
        appendStats(insert, operation.stats);
        appendWork(insert, operation.work);
        appendNotes(insert, operation.energy_notes);
        insert.append(extrasText(operation.extras));
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
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

Result<std::int64_t> TraceWriter::layerRow(std::int32_t token, std::int32_t layer)
{
    const auto [place, isNew] = m_layers.try_emplace(Place{token, layer}, m_nextLayer);
    if (isNew) {
        const Result<std::int64_t> parent = tokenRow(token);
        if (!parent)
            return parent.error();
        Statement insert = m_database.prepare(kInsertCutLayer, kSavingRun);
        if (const Status done = insert.bind(m_nextLayer++, *parent, layer).run(); !done)
            return done.error();
    }
    return place->second;
}

Result<std::int64_t> TraceWriter::componentRow(const OperationSpan& operation)
{
    const Place wanted{operation.token, operation.layer, operation.component};
    const auto [place, isNew] = m_components.try_emplace(wanted, m_nextComponent);
    if (isNew) {
        const Result<std::int64_t> parent = layerRow(operation.token, operation.layer);
        if (!parent)
            return parent.error();
        Statement insert = m_database.prepare(kInsertCutComponent, kSavingRun);
        if (const Status done = insert.bind(m_nextComponent++, *parent, operation.component).run();
            !done)
            return done.error();
    }
    return place->second;
}

} // namespace ep::store
