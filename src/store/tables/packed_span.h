// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/span_fields.h"

#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

// How spans are packed into the table `packs` (docs/schema.md, "Packed spans"). A pack holds spans
// of one kind and one step in the order of the trace. Its shape tells what each of them is and
// where its fields are in the bytes; most steps of a run share a few shapes.
namespace ep::store {

enum class SpanKind : std::uint8_t { Section, Layer, Component, Operation };

std::string_view name(SpanKind kind); // in the column `kind`

// A span of any kind; fields that its kind lacks are empty.
struct PackedSpan {
    std::int32_t index = 0; // in its step, among the spans of its kind
    std::optional<std::int32_t> parent{}; // index of the layer or component that contains it
    std::optional<Phase> phase{};
    std::optional<Section> section{};
    std::optional<std::int32_t> layer{};
    std::optional<Component> component{};
    std::optional<Operation> operation{};
    std::optional<TimeRange> time{}; // empty if interrupted: the span exists only as a parent
    EnergyValue energy{}; // for sections only: provenance and rails as well
    SpanEnergyNotes notes{}; // for all kinds except sections, which have them in `energy`
    std::optional<ActivationStats> stats{};
    std::optional<SpanWork> work{};
    std::optional<Nanoseconds> attention_ns{}; // of layers, like those in the next line
    std::optional<Nanoseconds> mlp_ns{};
    SharedExtras extras{};
};

// The codes of provenances in packs. They must not change, so they are the enumeration's values
// from before imported energies were added.
inline constexpr std::array kPackedProvenances{Provenance::Measured,   Provenance::Attributed,
                                               Provenance::Calibrated, Provenance::Modelled,
                                               Provenance::Missing,    Provenance::Imported};
std::uint64_t packedCode(Provenance provenance);
Provenance provenanceFromCode(std::uint64_t code); // Provenance::Missing for an unknown code

// Fields that are stored in the bytes of a pack (pack_fields.def).
enum class PackField : std::uint8_t {
#define EP_PACK(field, column, encoding, member) field,
#include "tables/pack_fields.def"
};
enum class PackEncoding : std::uint8_t {
    Start,
    Duration,
    Count,
    Double,
    Float,
    Deviation,
    Code,
    Stats,
    Heads,
};
struct PackFieldFacts {
    std::string_view column; // column of pack_spans, without "_at" or "_heads"
    PackEncoding encoding;
};
inline constexpr auto kPackFields = std::to_array<PackFieldFacts>({
#define EP_PACK(field, column, encoding, member) {#column, PackEncoding::encoding},
#include "tables/pack_fields.def"
});
inline constexpr std::size_t kPackFieldCount = kPackFields.size();

// Number of fields before this one that have one value per head.
constexpr std::size_t headsBefore(std::size_t field)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < field; ++i)
        count += kPackFields[i].encoding == PackEncoding::Heads ? 1 : 0;
    return count;
}
using HeadCounts = std::array<std::int32_t, headsBefore(kPackFieldCount)>;

// A row of pack_spans: what one span of a shape is, and where its fields are.
struct PackedPlace {
    PackedSpan what{}; // index, parent and names; work if it is the same in all packs of the shape
    std::int32_t start_bytes = 0; // length of the fields Start and Duration,
    std::int32_t duration_bytes = 0;
    std::int32_t count_bytes = 0; // bytes of all other integers
    HeadCounts heads{}; // number of values in the fields with one value per head
    std::array<std::int32_t, kPackFieldCount> at{}; // position in the bytes, from 1 on; 0: absent

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

// Calls visit(PackField, name, value) for an operation's figures; the names are those in the JSON.
template <typename Extras, typename Visit>
void visitExtras(Extras& extras, const Visit& visit)
{
#define EP_PACK(field, column, encoding, member)
#define EP_PACK_EXTRA(field, column, encoding, member)                                             \
    visit(PackField::field, #member, extras.member);
#include "tables/pack_fields.def"
}

// Calls visit(PackField, value) for each field except the time. If visit changes a value, the span
// changes, unless it is const.
template <typename Span, typename Visit>
void visitPackFields(Span& span, const Visit& visit)
{
    constexpr bool kReads = !std::is_const_v<Span>;
#define EP_PACK(field, column, encoding, member) visit(PackField::field, span.member);
#define EP_PACK_TIME(field, column, encoding, member)
#define EP_PACK_DEVIATION(field, column, encoding, member)                                         \
    if (span.section)                                                                              \
        visit(PackField::field, span.energy.member);                                               \
    else                                                                                           \
        visit(PackField::field, span.notes.member);
#define EP_PACK_WORK(field, column, encoding, member)                                              \
    {                                                                                              \
        auto part = span.work ? std::optional(span.work->member) : std::nullopt;                   \
        visit(PackField::field, part);                                                             \
        if constexpr (kReads) {                                                                    \
            if (part && !span.work)                                                                \
                span.work.emplace();                                                               \
            if (part)                                                                              \
                span.work->member = *part;                                                         \
        }                                                                                          \
    }
#define EP_PACK_EXTRA(field, column, encoding, member)
#include "tables/pack_fields.def"
    const auto visitExtra = [&](PackField field, const char*, auto& value) { visit(field, value); };
    if constexpr (kReads) {
        OperationExtras extras;
        if (span.operation)
            visitExtras(extras, visitExtra);
        span.extras = SharedExtras(std::move(extras));
    } else if (span.extras) {
        visitExtras(*span.extras, visitExtra);
    }
}

// Size of a field in bytes.
std::int32_t lengthOf(const PackedPlace& place, PackField field);

// Columns of pack_spans after shape_id and the names, in the order of PackedPlace.
std::string placeColumns();

namespace detail {

// Finds the place of a span's field in its packed form.
template <typename Value, typename Packed>
auto& packedPart(Packed& packed)
{
    constexpr bool kMayLack = std::is_enum_v<Value> || std::is_same_v<Value, TimeRange>;
    using Part = std::conditional_t<kMayLack, std::optional<Value>, Value>;
    using Reference = std::conditional_t<std::is_const_v<Packed>, const Part&, Part&>;
    return std::get<Reference>(std::tie(packed.phase, packed.section, packed.component,
                                        packed.operation, packed.time, packed.energy,
                                        packed.energy.total_mj, packed.notes, packed.stats,
                                        packed.work, packed.extras));
}

constexpr bool isToken(const SpanField& field)
{
    return std::string_view(field.column) == kTokenField.column;
}

} // namespace detail

template <typename Span>
PackedSpan packed(const Span& span)
{
    PackedSpan packed;
    visitSpanFields(span, [&](const SpanField& field, const auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (!std::is_same_v<Value, std::int32_t>)
            detail::packedPart<Value>(packed) = value;
        else if (!detail::isToken(field))
            packed.layer = value;
    });
    return packed;
}

// The inverse; `packed.time` must be set.
template <typename Span>
void unpack(const PackedSpan& packed, std::int32_t token, Span& span)
{
    span = {};
    visitSpanFields(span, [&](const SpanField& field, auto& value) {
        using Value = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::int32_t>) {
            value = detail::isToken(field) ? token : packed.layer.value_or(kNoLayer);
        } else {
            const auto& part = detail::packedPart<Value>(packed);
            if constexpr (std::is_same_v<decltype(part), const Value&>)
                value = part;
            else
                value = part.value_or(value); // a damaged file may lack it
        }
    });
}

} // namespace ep::store
