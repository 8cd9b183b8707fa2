// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/component_totals.h"

#include "sqlite/statement.h"
#include "tables/trace_columns.h"

#include <algorithm>

namespace ep::store {

namespace {

constexpr const char* kColumns =
    "layer_index, component_name, token_count, span_count, duration_ns, energy_mj, "
    "energy_provenance, energy_span_count, energy_duration_ns, stats_span_count, activation_mean, "
    "activation_std, activation_max, activation_sparsity, flops_estimate, bytes_estimate, "
    "energy_sd_mj";

} // namespace

Status writeTotals(Database& database, const std::string& runId,
                   const std::vector<ComponentTotal>& totals)
{
    static const std::string kSql = std::string("INSERT INTO component_totals (run_id, ") + kColumns
        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Statement insert = database.prepare(kSql, "save the run");
    for (const ComponentTotal& total : totals) {
        insert.bind(runId, total.layer, total.component, total.tokens, total.sum.spans,
                    total.sum.duration_ns, total.sum.energy_mj, total.sum.provenance,
                    total.sum.energy_spans, total.sum.energy_duration_ns, total.stats_spans);
        appendColumns(insert, total.stats);
        appendColumns(insert, total.work);
        insert.append(total.sum.sd_mj);
        if (const Status done = insert.run(); !done)
            return done;
    }
    return {};
}

Result<std::vector<ComponentTotal>> readTotals(Database& database, const std::string& runId)
{
    static const std::string kSql =
        std::string("SELECT ") + kColumns + " FROM component_totals WHERE run_id = ?";
    Statement query = database.prepare(kSql, "read the run");
    std::vector<ComponentTotal> totals;
    const Status done = query.bind(runId).forEachRow([&](Statement& row) {
        ComponentTotal& total = totals.emplace_back();
        row.get(total.layer, total.component, total.tokens, total.sum.spans, total.sum.duration_ns,
                total.sum.energy_mj, total.sum.provenance, total.sum.energy_spans,
                total.sum.energy_duration_ns, total.stats_spans);
        takeColumns(row, total.stats);
        takeColumns(row, total.work);
        row.take(total.sum.sd_mj);
    });
    if (!done)
        return done.error();
    std::sort(totals.begin(), totals.end(), [](const ComponentTotal& a, const ComponentTotal& b) {
        return a.layer != b.layer ? a.layer < b.layer : a.component < b.component;
    });
    return totals;
}

} // namespace ep::store
