// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/record_fields.h"

#include "ep/core/trace.h"

#include <optional>
#include <type_traits>

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

// Deviation and alternative of a span's energy, in single precision.
template <typename Any>
struct EnergyNotes {
    static std::optional<float> single(const std::optional<Millijoules>& energy)
    {
        return energy ? std::optional(static_cast<float>(energy->value)) : std::nullopt;
    }
    static std::optional<Millijoules> energy(const std::optional<float>& single)
    {
        return single ? std::optional(Millijoules{static_cast<double>(*single)}) : std::nullopt;
    }

    // Calls visit(name, value) for both.
    template <typename Visit>
    void visitBoth(const Visit& visit) const
    {
        std::optional<float> sd = single(span.sd_mj);
        std::optional<float> alternative = single(span.alternative_mj);
        visit("energy_sd_mj", sd);
        visit("energy_alternative_mj", alternative);
        if constexpr (!std::is_const_v<Any>) {
            span.sd_mj = energy(sd);
            span.alternative_mj = energy(alternative);
        }
    }

    Any& span;
};
template <typename Any>
EnergyNotes(Any&) -> EnergyNotes<Any>;

inline constexpr SpanField kTimeField{"", "start_ns"};
inline constexpr SpanField kWorkField{"", "flops", SpanField::Order::Second};
inline constexpr SpanField kNotesField{"", "energy_sd_mj"};
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

// A span without a place among its siblings: its level says which fields it has.
template <MaybeConst<Span> Any, typename Visit>
void visitSpanFields(Any& span, Visit&& visit)
{
    const bool isSection = span.level == SpanLevel::Section;
    const bool isLayer = span.level == SpanLevel::Layer;
    const bool isComponent = span.level == SpanLevel::Component;
    const bool isOperation = span.level == SpanLevel::Operation;
    if (isSection) {
        visit(SpanField{"phase"}, span.phase);
        visit(key("section_name", "section"), span.section);
    }
    visit(kTokenField, span.token);
    if (!isSection)
        visit(isLayer ? key("layer_index", "layer") : SpanField{"layer_index"}, span.layer);
    if (isComponent || isOperation)
        visit(isComponent ? key("component_name", "component") : SpanField{"component_name"},
              span.component);
    if (isOperation)
        visit(key("operation_name", "operation"), span.operation);
    visit(kTimeField, span.time);
    if (isSection) {
        EnergyValue energy = span.energy();
        visit(SpanField{"energy_mj", "energy"}, energy);
        if constexpr (!std::is_const_v<Any>)
            span.setEnergy(energy);
        visit(kWorkField, span.work);
    } else {
        std::optional<Millijoules> energy = span.energy_mj;
        visit(SpanField{"energy_mj", "energy_mj"}, energy);
        if constexpr (!std::is_const_v<Any>)
            span.energy_mj = energy;
    }
    visit(second(isOperation ? "tensor_" : "activation_", "activation"), span.stats);
    if (isComponent || isOperation)
        visit(kWorkField, span.work);
    if (!isSection)
        visit(kNotesField, EnergyNotes{span});
    if (isOperation)
        visit(second("extra_metrics", "extras"), span.extras);
}

} // namespace ep::store
