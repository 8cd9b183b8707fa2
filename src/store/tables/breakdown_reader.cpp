// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/breakdown_reader.h"

#include "sqlite/statement.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace ep::store {

namespace {

struct Place {
    std::int32_t token = 0;
    std::int32_t layer = 0;
    Component component = Component::InputLayernorm;
};
using Places = std::unordered_map<std::int64_t, Place>;

struct IdRange {
    std::int64_t first = 0;
    std::int64_t last = -1;
};

// Rows of one run are adjacent (trace_reader.cpp), so that a range of ids is read in file order;
// rows of other runs in the range have no known parent.
class Reader {
public:
    Reader(Database& database, const std::string& runId)
        : m_database(database)
        , m_runId(runId)
    {
    }

    Result<RunBreakdown> read()
    {
        for (const auto step :
             {&Reader::tokens, &Reader::layers, &Reader::components, &Reader::operations}) {
            if (const Status done = (this->*step)(); !done)
                return done.error();
        }
        return m_builder.finish();
    }

private:
    template <typename ReadRow, typename... Values>
    Status forEachRow(const std::string& sql, const ReadRow& readRow, const Values&... values)
    {
        Statement query = m_database.prepare(sql, kReadingRun);
        return query.bind(values...).forEachRow(readRow);
    }

    Status tokens()
    {
        return forEachRow(
            "SELECT token_index, energy_provenance FROM tokens WHERE run_id = ?",
            [this](Statement& row) {
                std::int32_t token = 0;
                Provenance ofToken = Provenance::Missing;
                row.get(token, ofToken);
                m_builder.setProvenance(token, ofToken);
            },
            m_runId);
    }

    Status layers()
    {
        return forEachRow(
            "SELECT l.id, t.token_index, l.layer_index, l.start_ns IS NULL, "
            "coalesce(l.duration_ns, 0), l.energy_mj FROM tokens t "
            "JOIN layer_metrics l ON l.token_id = t.id WHERE t.run_id = ?",
            [this](Statement& row) {
                std::int64_t id = 0;
                Place place;
                bool cut = false;
                Nanoseconds duration = 0;
                std::optional<Millijoules> energy;
                row.get(id, place.token, place.layer, cut, duration, energy);
                m_layers.emplace(id, place);
                if (m_layerIds.last < m_layerIds.first)
                    m_layerIds = {id, id};
                m_layerIds = {std::min(m_layerIds.first, id), std::max(m_layerIds.last, id)};
                if (!cut)
                    m_builder.addLayer(place.token, place.layer, duration, energy);
            },
            m_runId);
    }

    Result<IdRange> children(const std::string& table, const std::string& parent,
                             const IdRange& parents)
    {
        IdRange range;
        const Status done = forEachRow(
            "SELECT coalesce(min(id), 0), coalesce(max(id), -1) FROM " + table + " WHERE " + parent
                + " BETWEEN ? AND ?",
            [&](Statement& row) { row.get(range.first, range.last); }, parents.first, parents.last);
        if (!done)
            return done.error();
        return range;
    }

    Status components()
    {
        const auto ids = children("component_metrics", "layer_metric_id", m_layerIds);
        if (!ids)
            return ids.error();
        const auto operations = children("deep_operation_metrics", "component_metric_id", *ids);
        if (!operations)
            return operations.error();
        m_operationIds = *operations;
        const bool deep = m_operationIds.last >= m_operationIds.first;
        return forEachRow(
            "SELECT id, layer_metric_id, component_name, start_ns IS NULL, "
            "coalesce(duration_ns, 0), energy_mj FROM component_metrics WHERE id BETWEEN ? AND ?",
            [&](Statement& row) {
                std::int64_t id = 0;
                std::int64_t layerId = 0;
                Component component = Component::InputLayernorm;
                bool cut = false;
                Nanoseconds duration = 0;
                std::optional<Millijoules> energy;
                row.get(id, layerId, component, cut, duration, energy);
                const auto layer = m_layers.find(layerId);
                if (layer == m_layers.end())
                    return;
                Place place = layer->second;
                place.component = component;
                if (deep)
                    m_components.emplace(id, place);
                if (!cut)
                    m_builder.addComponent(place.token, place.layer, component, duration, energy);
            },
            ids->first, ids->last);
    }

    Status operations()
    {
        return forEachRow(
            "SELECT component_metric_id, operation_name, duration_ns, energy_mj, "
            "json_extract(extra_metrics, '$.attention_entropy'), "
            "json_extract(extra_metrics, '$.activation_kill_ratio'), "
            "json_extract(extra_metrics, '$.variance_ratio') "
            "FROM deep_operation_metrics WHERE id BETWEEN ? AND ?",
            [this](Statement& row) {
                std::int64_t componentId = 0;
                Operation operation = Operation::QkMatmul;
                Nanoseconds duration = 0;
                std::optional<Millijoules> energy;
                std::optional<double> entropy;
                std::optional<double> killed;
                std::optional<double> variance;
                row.get(componentId, operation, duration, energy, entropy, killed, variance);
                const auto component = m_components.find(componentId);
                if (component == m_components.end())
                    return;
                const Place& place = component->second;
                m_builder.addOperation(place.token, place.layer, place.component, operation,
                                       duration, energy);
                ExtrasSum extras;
                extras.attention_entropy.add(entropy);
                extras.activation_kill_ratio.add(killed);
                extras.variance_ratio.add(variance);
                m_builder.addExtras(place.layer, place.component, extras);
            },
            m_operationIds.first, m_operationIds.last);
    }

    Database& m_database;
    const std::string& m_runId;
    BreakdownBuilder m_builder;
    IdRange m_layerIds;
    IdRange m_operationIds;
    Places m_layers;
    Places m_components; // only if there are operations
};

} // namespace

Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId)
{
    return Reader(database, runId).read();
}

} // namespace ep::store
