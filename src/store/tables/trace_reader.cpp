// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/trace_reader.h"

#include "exchange/profiling_json.h"
#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include <limits>
#include <unordered_map>

namespace ep::store {

namespace {

// Tables are read in the order of their row ids, which is the order of the trace. The rows of a
// run's layers, components and operations are adjacent, since they were written by one transaction:
// a range of ids is read without sorting, and rows of other runs in it are skipped.
class TraceReader {
public:
    TraceReader(Database& database, const std::string& runId, Nanoseconds clockStart,
                std::optional<TokenRange> tokens)
        : m_database(database)
        , m_runId(runId)
        , m_clockStart(clockStart)
        , m_tokenRange(tokens)
    {
    }

    Result<RunTrace> read(TraceParts parts)
    {
        Status done;
        if (parts != TraceParts::Details) {
            done = readSamples();
            if (done)
                done = readPhases();
            if (done)
                done = readSections();
        }
        if (done)
            done = readTokens();
        if (parts == TraceParts::Details)
            m_trace.tokens.clear(); // only needed as parents
        if (parts != TraceParts::Overview) {
            if (done)
                done = readLayers();
            if (done)
                done = readComponents();
            if (done)
                done = readOperations();
        }
        if (!done)
            return done.error();
        return std::move(m_trace);
    }

private:
    struct IdRange {
        std::int64_t first = 0;
        std::int64_t last = -1;
    };
    struct Place {
        std::int32_t token = 0;
        std::int32_t layer = 0;
        Component component = Component::InputLayernorm;
    };

    std::int32_t firstToken() const
    {
        return m_tokenRange ? m_tokenRange->first : std::numeric_limits<std::int32_t>::min();
    }
    std::int32_t lastToken() const
    {
        return m_tokenRange ? m_tokenRange->last - 1 : std::numeric_limits<std::int32_t>::max();
    }

    // Calls readRow(statement) for each row of the query.
    template <typename ReadRow, typename... Values>
    Status forEachRow(const std::string& sql, const ReadRow& readRow, const Values&... values)
    {
        Statement query = m_database.prepare(sql, kReadingRun);
        return query.bind(values...).forEachRow(readRow);
    }

    // The ids of the rows whose parent is in a range.
    Result<IdRange> childRange(const std::string& table, const std::string& parentColumn,
                               const IdRange& parents)
    {
        IdRange range;
        const Status done = forEachRow(
            "SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM " + table + " WHERE "
                + parentColumn + " BETWEEN ? AND ?",
            [&](Statement& row) { row.get(range.first, range.last); }, parents.first, parents.last);
        if (!done)
            return done.error();
        return range;
    }

    Status readSamples()
    {
        static const std::string kSql = std::string("SELECT ") + kRangeColumns
            + ", arrival_ns, cpu_power_mw, gpu_power_mw, ane_power_mw, dram_power_mw, "
              "system_power_mw, total_power_mw, cpu_energy_mj, gpu_energy_mj, ane_energy_mj, "
              "dram_energy_mj, system_energy_mj, phase, phase_confidence, modelled "
              "FROM power_samples WHERE run_id = ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                PowerSample& sample = m_trace.samples.emplace_back();
                takeRange(row, sample.window, m_clockStart);
                Nanoseconds arrival = 0;
                row.take(arrival);
                sample.arrival_ns = wrappingSum(arrival, m_clockStart);
                takeRails(row, sample.power_mw);
                row.take(sample.total_mw);
                takeRails(row, sample.energy_mj);
                row.take(sample.phase);
                row.take(sample.phase_confidence);
                row.take(sample.modelled);
            },
            m_runId);
    }

    Status readPhases()
    {
        static const std::string kSql = std::string("SELECT phase, ") + kRangeColumns + ", "
            + kEnergyColumns + " FROM phases WHERE run_id = ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                PhaseSpan& phase = m_trace.phases.emplace_back();
                row.take(phase.phase);
                takeRange(row, phase.time, m_clockStart);
                takeEnergy(row, phase.energy);
            },
            m_runId);
    }

    Status readSections()
    {
        static const std::string kSql = std::string("SELECT phase, section_name, token_index, ")
            + kRangeColumns + ", " + kEnergyColumns + ", " + kWorkColumns + ", " + kStatsColumns
            + " FROM pipeline_sections WHERE run_id = ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                SectionSpan& section = m_trace.sections.emplace_back();
                row.take(section.phase);
                row.take(section.section);
                std::optional<std::int32_t> token;
                row.take(token);
                section.token = token.value_or(kNoToken);
                takeRange(row, section.time, m_clockStart);
                takeEnergy(row, section.energy);
                takeWork(row, section.work);
                takeStats(row, section.stats);
            },
            m_runId);
    }

    Status readTokens()
    {
        static const std::string kSql =
            std::string("SELECT id, token_index, vocabulary_id, sequences, position, text, phase, "
                        "probability, power_snapshot_mw, ")
            + kRangeColumns + ", " + kEnergyColumns
            + " FROM tokens WHERE run_id = ?1 AND token_index BETWEEN ?2 AND ?3 ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                std::int64_t id = 0;
                TokenSpan token;
                std::optional<std::int32_t> vocabularyId;
                row.get(id, token.index, vocabularyId);
                m_tokens.emplace(id, token.index);
                if (!vocabularyId) // the step was interrupted
                    return;
                token.id = *vocabularyId;
                row.take(token.sequences);
                row.take(token.position);
                row.take(token.text);
                row.take(token.phase);
                row.take(token.probability);
                row.take(token.power_snapshot_mw);
                takeRange(row, token.time, m_clockStart);
                takeEnergy(row, token.energy);
                m_trace.tokens.push_back(std::move(token));
            },
            m_runId, firstToken(), lastToken());
    }

    Status readLayers()
    {
        const Status found = forEachRow(
            "SELECT coalesce(min(l.id), 0), coalesce(max(l.id), -1) "
            "FROM tokens t JOIN layer_metrics l ON l.token_id = t.id "
            "WHERE t.run_id = ?1 AND t.token_index BETWEEN ?2 AND ?3",
            [&](Statement& row) { row.get(m_layerIds.first, m_layerIds.last); }, m_runId,
            firstToken(), lastToken());
        if (!found)
            return found;
        static const std::string kSql = std::string("SELECT id, token_id, layer_index, ")
            + "start_ns IS NULL, energy_mj, " + kRangeColumns + ", " + kStatsColumns + ", "
            + kNotesColumns + " FROM layer_metrics WHERE id BETWEEN ? AND ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                std::int64_t id = 0;
                std::int64_t tokenId = 0;
                bool cut = false;
                LayerSpan layer;
                row.get(id, tokenId, layer.layer, cut);
                const auto token = m_tokens.find(tokenId);
                if (token == m_tokens.end())
                    return;
                layer.token = token->second;
                m_layers.emplace(id, Place{layer.token, layer.layer});
                if (cut)
                    return;
                row.take(layer.energy_mj);
                takeRange(row, layer.time, m_clockStart);
                takeStats(row, layer.stats);
                takeNotes(row, layer.energy_notes);
                m_trace.layers.push_back(layer);
            },
            m_layerIds.first, m_layerIds.last);
    }

    Status readComponents()
    {
        const Result<IdRange> range =
            childRange("component_metrics", "layer_metric_id", m_layerIds);
        if (!range)
            return range.error();
        m_componentIds = *range;
        const auto operations =
            childRange("deep_operation_metrics", "component_metric_id", m_componentIds);
        if (!operations)
            return operations.error();
        m_operationIds = *operations;
        const bool wanted = m_operationIds.last >= m_operationIds.first;
        static const std::string kSql =
            std::string("SELECT id, layer_metric_id, component_name, start_ns IS NULL, "
                        "energy_mj, ")
            + kRangeColumns + ", " + kStatsColumns + ", " + kWorkColumns + ", " + kNotesColumns
            + " FROM component_metrics WHERE id BETWEEN ? AND ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                std::int64_t id = 0;
                std::int64_t layerId = 0;
                bool cut = false;
                ComponentSpan component;
                row.get(id, layerId, component.component, cut);
                const auto layer = m_layers.find(layerId);
                if (layer == m_layers.end())
                    return;
                component.token = layer->second.token;
                component.layer = layer->second.layer;
                if (wanted) {
                    m_components.emplace(
                        id, Place{component.token, component.layer, component.component});
                }
                if (cut)
                    return;
                row.take(component.energy_mj);
                takeRange(row, component.time, m_clockStart);
                takeStats(row, component.stats);
                takeWork(row, component.work);
                takeNotes(row, component.energy_notes);
                m_trace.components.push_back(component);
            },
            m_componentIds.first, m_componentIds.last);
    }

    Status readOperations()
    {
        static const std::string kSql =
            std::string("SELECT component_metric_id, operation_name, energy_mj, ") + kRangeColumns
            + ", tensor_mean, tensor_std, tensor_max, tensor_sparsity, " + kWorkColumns + ", "
            + kNotesColumns
            + ", extra_metrics FROM deep_operation_metrics WHERE id BETWEEN ? AND ? ORDER BY id";
        return forEachRow(
            kSql,
            [&](Statement& row) {
                std::int64_t componentId = 0;
                OperationSpan operation;
                row.get(componentId, operation.operation, operation.energy_mj);
                const auto component = m_components.find(componentId);
                if (component == m_components.end())
                    return;
                operation.token = component->second.token;
                operation.layer = component->second.layer;
                operation.component = component->second.component;
                takeRange(row, operation.time, m_clockStart);
                takeStats(row, operation.stats);
                takeWork(row, operation.work);
                takeNotes(row, operation.energy_notes);
                std::optional<std::string> extras;
                row.take(extras);
                if (extras)
                    operation.extras = readExtrasText(*extras);
                m_trace.operations.push_back(std::move(operation));
            },
            m_operationIds.first, m_operationIds.last);
    }

    Database& m_database;
    const std::string& m_runId;
    Nanoseconds m_clockStart;
    std::optional<TokenRange> m_tokenRange; // restricts the steps
    RunTrace m_trace;
    IdRange m_layerIds;
    IdRange m_componentIds;
    IdRange m_operationIds;
    std::unordered_map<std::int64_t, std::int32_t> m_tokens; // row id to index
    std::unordered_map<std::int64_t, Place> m_layers;
    std::unordered_map<std::int64_t, Place> m_components; // only if there are operations
};

} // namespace

Result<RunTrace> readTrace(Database& database, const std::string& runId, Nanoseconds clockStart,
                           TraceParts parts, std::optional<TokenRange> tokens)
{
    return TraceReader(database, runId, clockStart, tokens).read(parts);
}

} // namespace ep::store
