// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/record_fields.h"

#include "ep/core/trace.h"

// The fields of spans and samples, each named once: the tables of the database, the CSV and the
// JSON, all of them written and read, are derived from these lists. A new field of a token needs a
// line here, a column in a new migration (resources/schema), a line in run.schema.json, and one
// each in docs/schema.md and docs/run-format.md. pack_fields.def lists the bytes of packed fields.
//
// visitSpanFields(span, visit) calls visit(SpanField, value) in the order of the columns.
namespace ep::store {

struct SpanField {
    const char* column = ""; // name of the column, or the end of the names of several columns
    const char* member = ""; // name in JSON; empty: implied by the place in the tree
    enum class Order { First, Second } order = Order::First; // all First fields come first in JSON
    bool required = false; // required in JSON
};

// A point in time rather than a range.
template <typename Time>
struct Instant {
    Time& ns;
};
template <typename Time>
Instant(Time&) -> Instant<Time>;

inline constexpr SpanField kTimeField{"", "start_ns"};
inline constexpr SpanField kWorkField{"", "flops", SpanField::Order::Second};
inline constexpr SpanField kNotesField{"", "energy_sd_mj"};
inline constexpr SpanField kLayerField{"layer_index", ""};
inline constexpr SpanField kComponentField{"component_name", ""};
inline constexpr SpanField kTokenField{"token_index", ""};

constexpr SpanField second(const char* column, const char* member)
{
    return {column, member, SpanField::Order::Second};
}
constexpr SpanField key(const char* column, const char* member)
{
    return {column, member, SpanField::Order::First, true};
}

template <MaybeConst<PowerSample> Span, typename Visit>
void visitSpanFields(Span& sample, Visit&& visit)
{
    visit(kTimeField, sample.window);
    visit(SpanField{"arrival_ns", "arrival_ns"}, Instant{sample.arrival_ns});
    visit(second("power_mw", "power_mw"), sample.power_mw);
    visit(SpanField{"total_power_mw", "total_mw"}, sample.total_mw);
    visit(second("energy_mj", "energy_mj"), sample.energy_mj);
    visit(second("phase", "phase"), sample.phase);
    visit(second("phase_confidence", "phase_confidence"), sample.phase_confidence);
    visit(second("modelled", "modelled"), sample.modelled);
}

template <MaybeConst<PhaseSpan> Span, typename Visit>
void visitSpanFields(Span& phase, Visit&& visit)
{
    visit(key("phase", "phase"), phase.phase);
    visit(kTimeField, phase.time);
    visit(SpanField{"energy_mj", "energy"}, phase.energy);
}

template <MaybeConst<SectionSpan> Span, typename Visit>
void visitSpanFields(Span& section, Visit&& visit)
{
    visit(SpanField{"phase"}, section.phase);
    visit(key("section_name", "section"), section.section);
    visit(kTokenField, section.token);
    visit(kTimeField, section.time);
    visit(SpanField{"energy_mj", "energy"}, section.energy);
    visit(kWorkField, section.work);
    visit(second("activation_", "activation"), section.stats);
}

template <MaybeConst<TokenSpan> Span, typename Visit>
void visitSpanFields(Span& token, Visit&& visit)
{
    visit(SpanField{"token_index", "index"}, token.index);
    visit(SpanField{"sequences", "sequences"}, token.sequences);
    visit(SpanField{"position", "position"}, token.position);
    visit(SpanField{"vocabulary_id", "id"}, token.id);
    visit(SpanField{"text", "text"}, token.text);
    visit(SpanField{"phase", "phase"}, token.phase);
    visit(second("probability", "probability"), token.probability);
    visit(second("power_snapshot_mw", "power_snapshot_mw"), token.power_snapshot_mw);
    visit(second("processor_ns", "processor_ns"), token.processor_ns);
    visit(second("preemptions", "preemptions"), token.preemptions);
    visit(second("drafted", "drafted"), token.drafted);
    visit(kTimeField, token.time);
    visit(second("energy_mj", "energy"), token.energy);
}

template <MaybeConst<LayerSpan> Span, typename Visit>
void visitSpanFields(Span& layer, Visit&& visit)
{
    visit(kTokenField, layer.token);
    visit(key("layer_index", "layer"), layer.layer);
    visit(kTimeField, layer.time);
    visit(SpanField{"energy_mj", "energy_mj"}, layer.energy_mj);
    visit(second("activation_", "activation"), layer.stats);
    visit(kNotesField, layer.energy_notes);
}

template <MaybeConst<ComponentSpan> Span, typename Visit>
void visitSpanFields(Span& component, Visit&& visit)
{
    visit(kTokenField, component.token);
    visit(kLayerField, component.layer);
    visit(key("component_name", "component"), component.component);
    visit(kTimeField, component.time);
    visit(SpanField{"energy_mj", "energy_mj"}, component.energy_mj);
    visit(second("activation_", "activation"), component.stats);
    visit(kWorkField, component.work);
    visit(kNotesField, component.energy_notes);
}

template <MaybeConst<OperationSpan> Span, typename Visit>
void visitSpanFields(Span& operation, Visit&& visit)
{
    visit(kTokenField, operation.token);
    visit(kLayerField, operation.layer);
    visit(kComponentField, operation.component);
    visit(key("operation_name", "operation"), operation.operation);
    visit(kTimeField, operation.time);
    visit(SpanField{"energy_mj", "energy_mj"}, operation.energy_mj);
    visit(second("tensor_", "activation"), operation.stats);
    visit(kWorkField, operation.work);
    visit(kNotesField, operation.energy_notes);
    visit(second("extra_metrics", "extras"), operation.extras);
}

} // namespace ep::store
