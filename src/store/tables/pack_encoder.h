// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables/packed_span.h"

#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ep::store {

// Writes the fields of one span at their places; leaves out fields without a place.
class PackEncoder {
public:
    PackEncoder(std::string& bytes, const PackedPlace& place)
        : m_bytes(bytes)
        , m_place(place)
    {
    }

    void integer(PackField field, std::uint64_t value, std::int32_t bytes) const
    {
        for (std::size_t i = 0, at = placeOf(field); at > 0 && i < static_cast<std::size_t>(bytes);
             ++i)
            m_bytes[at - 1 + i] = static_cast<char>(value >> (8 * i));
    }

    template <typename Count>
    void operator()(PackField field, const std::optional<Count>& value) const
    {
        integer(field, static_cast<std::uint64_t>(value.value_or(0)), m_place.count_bytes);
    }
    void operator()(PackField field, const std::optional<Millijoules>& value) const
    {
        constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
        integer(field, std::bit_cast<std::uint64_t>(value ? value->value : kNan), 8);
    }
    void operator()(PackField field, Provenance value) const
    {
        integer(field, packedCode(value), 1);
    }
    void operator()(PackField field, float value) const { single(field, value, 0); }
    void operator()(PackField field, const std::optional<float>& value) const
    {
        single(field, value.value_or(0.0F), 0);
    }
    void operator()(PackField field, const std::optional<ActivationStats>& stats) const
    {
        if (stats)
            singles(field,
                    std::array{stats->mean_abs, stats->std, stats->max_abs, stats->sparsity});
    }
    void operator()(PackField field, const std::vector<float>& heads) const
    {
        singles(field, heads);
    }

private:
    std::size_t placeOf(PackField field) const { return static_cast<std::size_t>(m_place[field]); }
    void single(PackField field, float value, std::size_t index) const
    {
        const std::size_t at = placeOf(field);
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (std::size_t i = 0; at > 0 && i < 4; ++i)
            m_bytes[at - 1 + 4 * index + i] = static_cast<char>(bits >> (8 * i));
    }
    template <typename Values>
    void singles(PackField field, const Values& values) const
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            single(field, values[i], i);
    }

    std::string& m_bytes;
    const PackedPlace& m_place;
};

} // namespace ep::store
