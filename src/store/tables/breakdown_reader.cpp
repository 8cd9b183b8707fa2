// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/breakdown_reader.h"

#include "sqlite/statement.h"
#include "tables/span_unpacker.h"

namespace ep::store {

namespace {

ExtrasSum sumOf(const OperationExtras& extras)
{
    ExtrasSum sum;
    sum.add(extras);
    return sum;
}

} // namespace

Result<RunBreakdown> readBreakdown(Database& database, const std::string& runId)
{
    BreakdownBuilder builder;
    {
        Statement query = database.prepare(
            "SELECT token_index, energy_provenance FROM tokens WHERE run_id = ?", kReadingRun);
        const Status done = query.bind(runId).forEachRow([&](Statement& row) {
            std::int32_t token = 0;
            Provenance ofToken = Provenance::Missing;
            row.get(token, ofToken);
            builder.setProvenance(token, ofToken);
        });
        if (!done)
            return done.error();
    }
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
    return builder.finish();
}

} // namespace ep::store
