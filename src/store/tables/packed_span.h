// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// How spans are packed into the table `packs` (docs/schema.md, "Packed spans"). A pack holds spans
// of one kind and one step in the order of the trace. Its shape tells what each of them is and
// where its fields are in the bytes; most steps of a run share a few shapes.
namespace ep::store {

enum class SpanKind : std::uint8_t { Section, Layer, Component, Operation };

std::string_view name(SpanKind kind); // in the column `kind`

// A span of any kind; what it does not have is empty.
struct PackedSpan {
    std::int32_t index = 0; // in its step, among the spans of its kind
    std::optional<std::int32_t> parent{}; // index of the layer or component that contains it
    std::optional<Phase> phase{};
    std::optional<Section> section{};
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
    std::optional<TimeRange> time{}; // empty: interrupted, only there as a parent
    EnergyValue energy{}; // provenance and rails of sections only
    SpanEnergyNotes notes{}; // of all but sections, which have them in `energy`
    std::optional<ActivationStats> stats{};
    std::optional<SpanWork> work{};
    std::optional<Nanoseconds> attention_ns{}; // of layers, as in the next line
    std::optional<Nanoseconds> mlp_ns{};
    SharedExtras extras{};
};

// The codes of provenances in packs, which must not change: those of the enumeration before it had
// imported energies.
inline constexpr std::array kPackedProvenances{Provenance::Measured,   Provenance::Attributed,
                                               Provenance::Calibrated, Provenance::Modelled,
                                               Provenance::Missing,    Provenance::Imported};
std::uint64_t packedCode(Provenance provenance);
Provenance provenanceFromCode(std::uint64_t code); // Missing for a code that is not known

// Fields that stand in the bytes of a pack; the columns of pack_spans have their names.
enum class PackField : std::uint8_t {
    Start,
    Duration,
    Energy,
    Provenance,
    Cpu,
    Gpu,
    Ane,
    Dram,
    System,
    Sd,
    Alternative,
    Attention,
    Mlp,
    Stats, // four numbers
    Flops,
    Bytes,
    Killed,
    Variance,
    Expert,
    Rows,
    Entropy, // the last three: a number for each head
    Weight,
    Sparsity,
};
inline constexpr std::size_t kPackFieldCount = 23;
std::string_view name(PackField field);

// A row of pack_spans: what one span of a shape is, and where its fields are.
struct PackedPlace {
    PackedSpan what{}; // index, parent and names; work if it is the same in all packs of the shape
    std::int32_t start_bytes = 0; // lengths of the fields Start and Duration,
    std::int32_t duration_bytes = 0;
    std::int32_t count_bytes = 0; // and of all other whole numbers
    std::array<std::int32_t, 3> heads{}; // numbers in Entropy, Weight and Sparsity
    std::array<std::int32_t, kPackFieldCount> at{}; // position in the bytes, from 1; 0: absent

    std::int32_t& operator[](PackField field) { return at[static_cast<std::size_t>(field)]; }
    std::int32_t operator[](PackField field) const { return at[static_cast<std::size_t>(field)]; }
};

struct PackShape {
    std::int64_t id = 0;
    std::vector<PackedPlace> places;
    std::int64_t size = 0; // bytes of a pack
};

// Calls visit(column, field) for the names of a place.
template <typename Span, typename Visit>
void visitPlaceNames(Span& span, Visit&& visit)
{
    visit("span", span.index);
    visit("parent", span.parent);
    visit("phase", span.phase);
    visit("section_name", span.section);
    visit("layer_index", span.layer);
    visit("component_name", span.component);
    visit("operation_name", span.operation);
}

// Bytes of a field.
std::int32_t lengthOf(const PackedPlace& place, PackField field);

// Columns of pack_spans after shape_id and the names, in the order of PackedPlace.
std::string placeColumns();

PackedSpan packed(const SectionSpan& span);
PackedSpan packed(const LayerSpan& span);
PackedSpan packed(const ComponentSpan& span);
PackedSpan packed(const OperationSpan& span);

// The inverse; `span.time` must be set.
void unpack(const PackedSpan& span, std::int32_t token, SectionSpan& section);
void unpack(const PackedSpan& span, std::int32_t token, LayerSpan& layer);
void unpack(const PackedSpan& span, std::int32_t token, ComponentSpan& component);
void unpack(const PackedSpan& span, std::int32_t token, OperationSpan& operation);

} // namespace ep::store
