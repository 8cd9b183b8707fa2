// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/packed_span.h"

#include <algorithm>

namespace ep::store {

std::int32_t lengthOf(const PackedPlace& place, PackField field)
{
    constexpr std::int32_t kFloat = 4;
    constexpr std::int32_t kDouble = 8;
    const auto index = static_cast<std::size_t>(field);
    switch (kPackFields[index].encoding) {
    case PackEncoding::Start:
        return place.start_bytes;
    case PackEncoding::Duration:
        return place.duration_bytes;
    case PackEncoding::Count:
        return place.count_bytes;
    case PackEncoding::Double:
        return kDouble;
    case PackEncoding::Float:
        return kFloat;
    case PackEncoding::Deviation:
        return place.what.span.level == SpanLevel::Section ? kDouble : kFloat;
    case PackEncoding::Code:
        return 1;
    case PackEncoding::Stats:
        return 4 * kFloat;
    case PackEncoding::Heads:
        return place.heads[headsBefore(index)] * kFloat;
    }
    return 0;
}

std::string placeColumns()
{
    std::string columns = "flops_estimate, bytes_estimate, start_bytes, duration_bytes, "
                          "count_bytes";
    for (const PackFieldFacts& field : kPackFields) {
        if (field.encoding == PackEncoding::Heads)
            columns.append(", ").append(field.column).append("_heads");
    }
    for (const PackFieldFacts& field : kPackFields)
        columns.append(", ").append(field.column).append("_at");
    return columns;
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
