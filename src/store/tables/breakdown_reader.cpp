// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/breakdown_reader.h"

#include "sqlite/statement.h"
#include "tables/span_unpacker.h"
#include "tables/trace_columns.h"

namespace ep::store {

namespace {

ExtrasSum sumOf(const OperationExtras& extras)
{
    ExtrasSum sum;
    sum.add(extras);
    return sum;
}

// Reads only times and energies of tokens and phases, and tells the builder about the tokens.
struct Totals {
    std::vector<TokenSpan> tokens; // tokens that were not interrupted
    std::vector<PhaseSpan> phases;
};

Result<Totals> readTotals(Database& database, const std::string& runId, BreakdownBuilder& builder)
{
    Totals totals;
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

Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId)
{
    BreakdownBuilder builder;
    const Result<Totals> totals = readTotals(database, runId, builder);
    if (!totals)
        return totals.error();
    SpanUnpacker spans(database, runId, 0);
    Status done = spans.readShapes();
    const auto read = [&](auto span, SpanKind kind, const auto& add) {
        if (!done)
            return;
        done = spans.forEach(kind, {}, [&](std::int32_t token, PackedSpan&& packed) {
            if (!packed.time)
                return;
            unpack(packed, token, span);
            add(span);
        });
    };
    read(LayerSpan(), SpanKind::Layer, [&](const LayerSpan& span) {
        builder.addLayer(span.token, span.layer, span.time.duration_ns(), span.energy_mj,
                         span.energy_notes.deviation());
    });
    read(ComponentSpan(), SpanKind::Component, [&](const ComponentSpan& span) {
        builder.addComponent(span.token, span.layer, span.component, span.time.duration_ns(),
                             span.energy_mj, span.energy_notes.deviation());
    });
    read(OperationSpan(), SpanKind::Operation, [&](const OperationSpan& span) {
        builder.addOperation(span.token, span.layer, span.component, span.operation,
                             span.time.duration_ns(), span.energy_mj,
                             span.energy_notes.deviation());
        if (span.extras)
            builder.addExtras(span.layer, span.component, sumOf(*span.extras));
    });
    if (!done)
        return done.error();
    return builder.finish(PhaseErrors(totals->tokens, totals->phases));
}

} // namespace ep::store
