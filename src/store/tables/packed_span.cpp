// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/packed_span.h"

#include <algorithm>

namespace ep::store {

std::string_view name(SpanKind kind)
{
    static constexpr std::array<std::string_view, 4> kNames{"section", "layer", "component",
                                                            "operation"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(PackField field)
{
    static constexpr std::array<std::string_view, kPackFieldCount> kNames{
        "start",  "duration", "energy",      "provenance", "cpu",     "gpu",    "ane",     "dram",
        "system", "sd",       "alternative", "attention",  "mlp",     "stats",  "flops",   "bytes",
        "killed", "variance", "expert",      "rows",       "entropy", "weight", "sparsity"};
    return kNames[static_cast<std::size_t>(field)];
}

std::int32_t lengthOf(const PackedPlace& place, PackField field)
{
    constexpr std::int32_t kFloat = 4;
    constexpr std::int32_t kDouble = 8;
    switch (field) {
    case PackField::Start:
        return place.start_bytes;
    case PackField::Duration:
        return place.duration_bytes;
    case PackField::Energy:
    case PackField::Cpu:
    case PackField::Gpu:
    case PackField::Ane:
    case PackField::Dram:
    case PackField::System:
        return kDouble;
    case PackField::Provenance:
        return 1;
    case PackField::Sd:
    case PackField::Alternative:
        return place.what.section ? kDouble : kFloat;
    case PackField::Attention:
    case PackField::Mlp:
    case PackField::Flops:
    case PackField::Bytes:
    case PackField::Expert:
    case PackField::Rows:
        return place.count_bytes;
    case PackField::Stats:
        return 4 * kFloat;
    case PackField::Killed:
    case PackField::Variance:
        return kFloat;
    case PackField::Entropy:
        return place.heads[0] * kFloat;
    case PackField::Weight:
        return place.heads[1] * kFloat;
    case PackField::Sparsity:
        return place.heads[2] * kFloat;
    }
    return 0;
}

std::string placeColumns()
{
    std::string columns = "flops_estimate, bytes_estimate, start_bytes, duration_bytes, "
                          "count_bytes, entropy_heads, weight_heads, sparsity_heads";
    for (std::size_t i = 0; i < kPackFieldCount; ++i)
        columns.append(", ").append(name(static_cast<PackField>(i))).append("_at");
    return columns;
}

PackedSpan packed(const SectionSpan& span)
{
    PackedSpan packed;
    packed.phase = span.phase;
    packed.section = span.section;
    packed.time = span.time;
    packed.energy = span.energy;
    packed.work = span.work;
    packed.stats = span.stats;
    return packed;
}

PackedSpan packed(const LayerSpan& span)
{
    PackedSpan packed;
    packed.layer = span.layer;
    packed.time = span.time;
    packed.energy.total_mj = span.energy_mj;
    packed.notes = span.energy_notes;
    packed.stats = span.stats;
    return packed;
}

PackedSpan packed(const ComponentSpan& span)
{
    PackedSpan packed;
    packed.layer = span.layer;
    packed.component = span.component;
    packed.time = span.time;
    packed.energy.total_mj = span.energy_mj;
    packed.notes = span.energy_notes;
    packed.work = span.work;
    packed.stats = span.stats;
    return packed;
}

PackedSpan packed(const OperationSpan& span)
{
    PackedSpan packed;
    packed.layer = span.layer;
    packed.component = span.component;
    packed.operation = span.operation;
    packed.time = span.time;
    packed.energy.total_mj = span.energy_mj;
    packed.notes = span.energy_notes;
    packed.work = span.work;
    packed.stats = span.stats;
    packed.extras = span.extras;
    return packed;
}

void unpack(const PackedSpan& span, std::int32_t token, SectionSpan& section)
{
    section.phase = span.phase.value_or(Phase::Idle);
    section.section = span.section.value_or(Section::Tokenization);
    section.token = token;
    section.time = *span.time;
    section.energy = span.energy;
    section.work = span.work;
    section.stats = span.stats;
}

void unpack(const PackedSpan& span, std::int32_t token, LayerSpan& layer)
{
    layer.token = token;
    layer.layer = span.layer.value_or(kNoLayer);
    layer.time = *span.time;
    layer.energy_mj = span.energy.total_mj;
    layer.energy_notes = span.notes;
    layer.stats = span.stats;
}

void unpack(const PackedSpan& span, std::int32_t token, ComponentSpan& component)
{
    component.token = token;
    component.layer = span.layer.value_or(kNoLayer);
    component.component = span.component.value_or(Component::InputLayernorm);
    component.time = *span.time;
    component.energy_mj = span.energy.total_mj;
    component.energy_notes = span.notes;
    component.work = span.work;
    component.stats = span.stats;
}

void unpack(const PackedSpan& span, std::int32_t token, OperationSpan& operation)
{
    operation.token = token;
    operation.layer = span.layer.value_or(kNoLayer);
    operation.component = span.component.value_or(Component::Attention);
    operation.operation = span.operation.value_or(Operation::QkMatmul);
    operation.time = *span.time;
    operation.energy_mj = span.energy.total_mj;
    operation.energy_notes = span.notes;
    operation.work = span.work;
    operation.stats = span.stats;
    operation.extras = span.extras;
}

std::uint64_t packedCode(Provenance provenance)
{
    const auto* found = std::find(kPackedProvenances.begin(), kPackedProvenances.end(), provenance);
    return static_cast<std::uint64_t>(found - kPackedProvenances.begin());
}

Provenance provenanceFromCode(std::uint64_t code)
{
    return code < kPackedProvenances.size() ? kPackedProvenances[code] : Provenance::Missing;
}

} // namespace ep::store
