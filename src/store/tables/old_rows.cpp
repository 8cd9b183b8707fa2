// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/old_rows.h"

#include "exchange/profiling_json.h"
#include "sqlite/statement.h"
#include "tables/trace_columns.h"
#include "tables/trace_writer.h"

namespace ep::store {

namespace {

constexpr const char* kUpdating = "update the run database";

// Reads one run's rows; times count from the start of the run, as in the file. Rows without a time
// were parents of interrupted spans, which the packer makes itself.
class OldRows {
public:
    OldRows(Database& database, const std::string& runId)
        : m_database(database)
        , m_runId(runId)
    {
    }

    Result<RunTrace> read()
    {
        for (const auto part :
             {&OldRows::sections, &OldRows::layers, &OldRows::components, &OldRows::operations}) {
            if (const Status done = (this->*part)(); !done)
                return done.error();
        }
        return std::move(m_trace);
    }

private:
    template <typename ReadRow>
    Status forEachRow(const std::string& sql, const ReadRow& readRow)
    {
        Statement query = m_database.prepare(sql, kUpdating);
        return query.bind(m_runId).forEachRow(readRow);
    }

    Status sections()
    {
        return forEachRow(std::string("SELECT phase, section_name, token_index, ") + kRangeColumns
                              + ", " + kEnergyColumns + ", " + kWorkColumns + ", " + kStatsColumns
                              + " FROM old_sections WHERE run_id = ? ORDER BY id",
                          [&](Statement& row) {
                              SectionSpan& section = m_trace.sections.emplace_back();
                              std::optional<std::int32_t> token;
                              row.get(section.phase, section.section, token);
                              section.token = token.value_or(kNoToken);
                              takeRange(row, section.time, 0);
                              takeEnergy(row, section.energy);
                              takeWork(row, section.work);
                              takeStats(row, section.stats);
                          });
    }

    Status layers()
    {
        return forEachRow(
            "SELECT t.token_index, l.layer_index, l.energy_mj, l.start_ns, l.duration_ns, "
            "l.activation_mean, l.activation_std, l.activation_max, l.activation_sparsity, "
            "l.energy_sd_mj, l.energy_alternative_mj FROM tokens t "
            "JOIN old_layers l ON l.token_id = t.id "
            "WHERE t.run_id = ? AND l.start_ns IS NOT NULL ORDER BY l.id",
            [&](Statement& row) {
                LayerSpan& layer = m_trace.layers.emplace_back();
                row.get(layer.token, layer.layer, layer.energy_mj);
                takeRange(row, layer.time, 0);
                takeStats(row, layer.stats);
                takeNotes(row, layer.energy_notes);
            });
    }

    Status components()
    {
        return forEachRow(
            "SELECT t.token_index, l.layer_index, c.component_name, c.energy_mj, c.start_ns, "
            "c.duration_ns, c.activation_mean, c.activation_std, c.activation_max, "
            "c.activation_sparsity, c.flops_estimate, c.bytes_estimate, c.energy_sd_mj, "
            "c.energy_alternative_mj FROM tokens t JOIN old_layers l ON l.token_id = t.id "
            "JOIN old_components c ON c.layer_metric_id = l.id "
            "WHERE t.run_id = ? AND c.start_ns IS NOT NULL ORDER BY c.id",
            [&](Statement& row) {
                ComponentSpan& component = m_trace.components.emplace_back();
                row.get(component.token, component.layer, component.component, component.energy_mj);
                takeRange(row, component.time, 0);
                takeStats(row, component.stats);
                takeWork(row, component.work);
                takeNotes(row, component.energy_notes);
            });
    }

    Status operations()
    {
        return forEachRow(
            "SELECT t.token_index, l.layer_index, c.component_name, o.operation_name, "
            "o.energy_mj, o.extra_metrics, o.start_ns, o.duration_ns, o.tensor_mean, "
            "o.tensor_std, o.tensor_max, o.tensor_sparsity, o.flops_estimate, o.bytes_estimate, "
            "o.energy_sd_mj, o.energy_alternative_mj FROM tokens t "
            "JOIN old_layers l ON l.token_id = t.id "
            "JOIN old_components c ON c.layer_metric_id = l.id "
            "JOIN old_operations o ON o.component_metric_id = c.id "
            "WHERE t.run_id = ? ORDER BY o.id",
            [&](Statement& row) {
                OperationSpan& operation = m_trace.operations.emplace_back();
                std::optional<std::string> extras;
                row.get(operation.token, operation.layer, operation.component, operation.operation,
                        operation.energy_mj, extras);
                if (extras)
                    operation.extras = readExtrasText(*extras);
                takeRange(row, operation.time, 0);
                takeStats(row, operation.stats);
                takeWork(row, operation.work);
                takeNotes(row, operation.energy_notes);
            });
    }

    Database& m_database;
    const std::string& m_runId;
    RunTrace m_trace;
};

Status packRun(Database& database, const std::string& runId)
{
    const auto trace = OldRows(database, runId).read();
    if (!trace)
        return trace.error();
    TraceWriter writer(database, runId, 0);
    if (const Status found = writer.findTokens(); !found)
        return found;
    return writer.writeSpans(*trace);
}

// Mean lengths of rows where they were not measured, as in version 2.
constexpr const char* kUpdateSizes =
    "UPDATE profiling_runs SET stored_bytes = 1000 + length(prompt) + length(response) "
    "+ 140 * (SELECT count(*) FROM power_samples s WHERE s.run_id = profiling_runs.id) "
    "+ 150 * (SELECT count(*) FROM tokens t WHERE t.run_id = profiling_runs.id) "
    "+ 90 * (SELECT count(*) FROM pack_shapes s JOIN pack_spans p ON p.shape_id = s.id "
    "WHERE s.run_id = profiling_runs.id) "
    "+ (SELECT coalesce(sum(length(p.data) + 110), 0) FROM packs p "
    "WHERE p.run_id = profiling_runs.id) "
    "+ (SELECT coalesce(sum(length(p.data) + 40), 0) FROM tokens t JOIN packs p "
    "ON p.token_id = t.id AND p.kind <> 'section' WHERE t.run_id = profiling_runs.id) "
    "WHERE stored_bytes IS NOT NULL";

} // namespace

Status packOldRows(Database& database)
{
    std::vector<std::string> ids;
    {
        Statement query =
            database.prepare("SELECT id FROM profiling_runs ORDER BY rowid", kUpdating);
        const Status done = query.forEachRow([&](Statement& row) { row.take(ids.emplace_back()); });
        if (!done)
            return done;
    }
    for (const std::string& id : ids) {
        if (const Status packed = packRun(database, id); !packed)
            return packed;
    }
    // Children first: nothing refers to a table when it goes.
    return database.execute(std::string(kUpdateSizes)
                                + "; DROP TABLE old_operations; DROP TABLE old_components; "
                                  "DROP TABLE old_layers; DROP TABLE old_sections",
                            kUpdating);
}

} // namespace ep::store
