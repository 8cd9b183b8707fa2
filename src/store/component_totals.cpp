// SPDX-License-Identifier: GPL-3.0-or-later
#include "component_totals.h"

#include "statement.h"
#include "trace_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace ep::store {

namespace {

constexpr const char* kColumns =
    "layer_index, component_name, token_count, span_count, duration_ns, energy_mj, "
    "energy_provenance, energy_span_count, energy_duration_ns, stats_span_count, activation_mean, "
    "activation_std, activation_max, activation_sparsity, flops_estimate, bytes_estimate";

// Sums in double: a thousand floats would lose digits. A part that is not a number makes its sum
// none.
struct StatsSum {
    double mean_abs = 0.0;
    double std = 0.0;
    double max_abs = 0.0;
    double sparsity = 0.0;

    void add(const ActivationStats& stats)
    {
        mean_abs += static_cast<double>(stats.mean_abs);
        std += static_cast<double>(stats.std);
        max_abs = std::isnan(stats.max_abs) ? max_abs
                                            : std::max(max_abs, static_cast<double>(stats.max_abs));
        sparsity += static_cast<double>(stats.sparsity);
    }
    ActivationStats mean(std::int64_t count) const
    {
        const auto n = static_cast<double>(count);
        return {static_cast<float>(mean_abs / n), static_cast<float>(std / n),
                static_cast<float>(max_abs), static_cast<float>(sparsity / n)};
    }
};

struct Cell {
    ComponentTotal total;
    StatsSum stats;
    std::int32_t last_token = kNoToken;
    std::int64_t work_spans = 0;
    SpanWork work;
};

using Row = std::array<Cell, kComponentCount>;

void add(Cell& cell, const ComponentSpan& span, Provenance ofToken)
{
    ComponentTotal& total = cell.total;
    if (total.spans == 0 || span.token != cell.last_token)
        ++total.tokens;
    cell.last_token = span.token;
    ++total.spans;
    const Nanoseconds duration = difference(span.time.end_ns, span.time.begin_ns);
    total.duration_ns = sum(total.duration_ns, duration);
    if (span.energy_mj) {
        // A component has a share of its token's energy: attributed at best.
        const Provenance own = std::max(ofToken, Provenance::Attributed);
        total.provenance = total.energy_mj ? std::max(total.provenance, own) : own;
        total.energy_mj = total.energy_mj.value_or(Millijoules{0.0}) + *span.energy_mj;
        ++total.energy_spans;
        total.energy_duration_ns = sum(total.energy_duration_ns, duration);
    }
    if (span.stats) {
        ++total.stats_spans;
        cell.stats.add(*span.stats);
    }
    if (span.work) {
        ++cell.work_spans;
        cell.work.flops = sum(cell.work.flops, span.work->flops);
        cell.work.bytes = sum(cell.work.bytes, span.work->bytes);
    }
}

} // namespace

std::vector<ComponentTotal> totalsOf(const RunTrace& trace)
{
    std::unordered_map<std::int32_t, Provenance> provenance;
    for (const TokenSpan& token : trace.tokens)
        provenance[token.index] = token.energy.provenance;
    std::unordered_map<std::int32_t, Row> rows;
    const ComponentSpan* before = nullptr;
    Row* row = nullptr;
    Provenance ofToken = Provenance::Missing;
    for (const ComponentSpan& span : trace.components) {
        // Spans of one token and layer are adjacent.
        if (!before || before->layer != span.layer)
            row = &rows[span.layer];
        if (!before || before->token != span.token) {
            const auto found = provenance.find(span.token);
            ofToken = found == provenance.end() ? Provenance::Missing : found->second;
        }
        Cell& cell = (*row)[static_cast<std::size_t>(span.component)];
        cell.total.layer = span.layer;
        cell.total.component = span.component;
        add(cell, span, ofToken);
        before = &span;
    }

    std::vector<ComponentTotal> totals;
    for (auto& [layer, cells] : rows) {
        for (Cell& cell : cells) {
            if (cell.total.spans == 0)
                continue;
            if (cell.total.stats_spans > 0)
                cell.total.stats = cell.stats.mean(cell.total.stats_spans);
            if (cell.work_spans == cell.total.spans)
                cell.total.work = cell.work;
            totals.push_back(cell.total);
        }
    }
    std::sort(totals.begin(), totals.end(), [](const ComponentTotal& a, const ComponentTotal& b) {
        return a.layer != b.layer ? a.layer < b.layer : a.component < b.component;
    });
    return totals;
}

Status writeTotals(Database& database, const std::string& runId,
                   const std::vector<ComponentTotal>& totals)
{
    static const std::string kSql = std::string("INSERT INTO component_totals (run_id, ") + kColumns
        + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    Statement insert = database.prepare(kSql, "save the run");
    for (const ComponentTotal& total : totals) {
        insert.bind(runId, total.layer, total.component, total.tokens, total.spans,
                    total.duration_ns, total.energy_mj, total.provenance, total.energy_spans,
                    total.energy_duration_ns, total.stats_spans);
        appendStats(insert, total.stats);
        appendWork(insert, total.work);
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
        row.get(total.layer, total.component, total.tokens, total.spans, total.duration_ns,
                total.energy_mj, total.provenance, total.energy_spans, total.energy_duration_ns,
                total.stats_spans);
        takeStats(row, total.stats);
        takeWork(row, total.work);
    });
    if (!done)
        return done.error();
    std::sort(totals.begin(), totals.end(), [](const ComponentTotal& a, const ComponentTotal& b) {
        return a.layer != b.layer ? a.layer < b.layer : a.component < b.component;
    });
    return totals;
}

} // namespace ep::store
