// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// How spans are packed into the table `packs` (docs/schema.md, "Packed spans"). A pack holds spans
// of one level and one step in the order of the trace. Its shape tells what each of them is and
// where its fields are in the bytes; most steps of a run share a few shapes.
namespace ep::store {

// A span with its place among the others of its step.
struct PackedSpan {
    Span span{};
    std::int32_t index = 0; // in its step, among the spans of its level
    std::optional<std::int32_t> parent{}; // index of the layer or component that contains it
    bool interrupted = false; // without a time: it exists only as a parent
    std::optional<Nanoseconds> attention_ns{}; // of layers, like mlp_ns
    std::optional<Nanoseconds> mlp_ns{};
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

// Calls visit(column, field) for each name of a place. A name that its level lacks is empty.
template <typename Packed, typename Visit>
void visitPlaceNames(Packed& packed, Visit&& visit)
{
    const SpanLevel level = packed.span.level;
    const bool isSection = level == SpanLevel::Section;
    const auto part = [&](const char* column, bool has, auto& field) {
        auto known = has ? std::optional(field) : std::nullopt;
        visit(column, known);
        if constexpr (!std::is_const_v<Packed>)
            field = known.value_or(field); // a damaged file may lack it
        return known.has_value();
    };
    visit("span", packed.index);
    visit("parent", packed.parent);
    part("phase", isSection, packed.span.phase);
    const bool section = part("section_name", isSection, packed.span.section);
    part("layer_index", !isSection, packed.span.layer);
    const bool component =
        part("component_name", level >= SpanLevel::Component, packed.span.component);
    const bool operation =
        part("operation_name", level == SpanLevel::Operation, packed.span.operation);
    if constexpr (!std::is_const_v<Packed>) {
        packed.span.level = section ? SpanLevel::Section
            : operation             ? SpanLevel::Operation
            : component             ? SpanLevel::Component
                                    : SpanLevel::Layer;
    }
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
template <typename Packed, typename Visit>
void visitPackFields(Packed& packed, const Visit& visit)
{
    constexpr bool kReads = !std::is_const_v<Packed>;
    auto& span = packed.span;
    EnergyValue energy = span.energy();
    const auto deviation = [&](PackField field, std::optional<Millijoules>& value) {
        if (span.level == SpanLevel::Section)
            return visit(field, value);
        std::optional<float> single =
            value ? std::optional(static_cast<float>(value->value)) : std::nullopt;
        visit(field, single);
        if (single)
            value = Millijoules{static_cast<double>(*single)};
    };
#define EP_PACK(field, column, encoding, member) visit(PackField::field, member);
#define EP_PACK_TIME(field, column, encoding, member)
#define EP_PACK_DEVIATION(field, column, encoding, member) deviation(PackField::field, member);
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
        span.setEnergy(energy);
        OperationExtras extras;
        if (span.level == SpanLevel::Operation)
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

} // namespace ep::store
