// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h, group by group, in plain code: what every instruction set can
// compute, and what the vector code of the others falls back to.
#pragma once

#include "block_layouts.h"
#include "kernels.h"
#include "simd.h"

namespace ep::model {
namespace {

// Scale and minimum of a group of Q4_K or Q5_K.
EP_INLINE void scaleAndMinimum(const std::uint8_t* s, int group, int& scale, int& minimum)
{
    if (group < 4) {
        scale = s[group] & 63;
        minimum = s[group + 4] & 63;
    } else {
        scale = (s[group + 4] & 15) | (s[group - 4] >> 6) << 4;
        minimum = (s[group + 4] >> 4) | (s[group] >> 6) << 4;
    }
}

// The same of all eight groups: bytes from the lowest one on.
struct SixBits {
    std::uint64_t scales, minima;
};

EP_INLINE SixBits sixBits(const std::uint8_t* s)
{
    std::uint32_t w[3];
    __builtin_memcpy(w, s, sizeof w);
    const auto both = [](std::uint32_t first, std::uint32_t second) {
        return static_cast<std::uint64_t>(second) << 32 | first;
    };
    return {.scales = both(w[0] & 0x3F3F3F3FU, (w[2] & 0x0F0F0F0FU) | (w[0] >> 2 & 0x30303030U)),
            .minima =
                both(w[1] & 0x3F3F3F3FU, (w[2] >> 4 & 0x0F0F0F0FU) | (w[1] >> 2 & 0x30303030U))};
}

// Each has the place of a row, and for group g of the row: values() as bytes, and scale() and
// minimum() of its halves of 16 values. A value is scale x (q - kZero), plus the minimum if the
// format has minima.
template <typename BlockType>
struct InBlocks {
    using Block = BlockType;
    using Place = const Block*;
    static constexpr int kGroups = sizeof(Block) < 64 ? 1 : kLargeBlock / kGroup; // of a block
    static constexpr bool kSigned = false;
    static constexpr bool kMinima = false;
    static constexpr bool kHalves = false; // their scales differ
    static EP_INLINE Place place(const WeightRows& w, Index row)
    {
        return static_cast<Place>(w.values) + row * (w.columns / kGroup / kGroups);
    }
    // The place of a group that begins a block.
    static EP_INLINE Place at(Place row, Index group) { return row + group / kGroups; }
    static EP_INLINE const Block& blockOf(Place row, Index group) { return row[group / kGroups]; }
    static EP_INLINE int inside(Index group) { return static_cast<int>(group % kGroups); }
    static EP_INLINE float minimum(Place, Index, int) { return 0.0F; }
};

struct FormatQ8_0 : InBlocks<BlockQ8_0> {
    static constexpr int kZero = 0;
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        __builtin_memcpy(out, row[group].q, kGroup);
    }
    static EP_INLINE float scale(Place row, Index group, int) { return TypeF16::one(row[group].d); }
};

struct FormatQ4_0 : InBlocks<BlockQ4_0> {
    static constexpr int kZero = 8;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const q = row[group].q;
        for (int i = 0; i < kGroup / 2; ++i) {
            out[i] = static_cast<std::int8_t>(q[i] & 15);
            out[i + kGroup / 2] = static_cast<std::int8_t>(q[i] >> 4);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int) { return TypeF16::one(row[group].d); }
};

template <typename LargeBlock>
struct WithMinima : InBlocks<LargeBlock> {
    using Base = InBlocks<LargeBlock>;
    using Block = LargeBlock;
    using Place = const Block*;
    static constexpr int kZero = 0;
    static constexpr bool kMinima = true;
    static EP_INLINE float scale(Place row, Index group, int)
    {
        const Block& b = Base::blockOf(row, group);
        int scale = 0;
        int minimum = 0;
        scaleAndMinimum(b.scales, Base::inside(group), scale, minimum);
        return TypeF16::one(b.d) * static_cast<float>(scale);
    }
    static EP_INLINE float minimum(Place row, Index group, int)
    {
        const Block& b = Base::blockOf(row, group);
        int scale = 0;
        int minimum = 0;
        scaleAndMinimum(b.scales, Base::inside(group), scale, minimum);
        return -(TypeF16::one(b.m) * static_cast<float>(minimum));
    }
    static EP_INLINE int low(const Block& b, int group, int i)
    {
        const int both = b.q[group / 2 * kGroup + i];
        return group % 2 == 0 ? both & 15 : both >> 4;
    }
};

struct FormatQ4_K : WithMinima<BlockQ4_K> {
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        for (int i = 0; i < kGroup; ++i)
            out[i] = static_cast<std::int8_t>(low(blockOf(row, group), inside(group), i));
    }
};

struct FormatQ5_K : WithMinima<BlockQ5_K> {
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        for (int i = 0; i < kGroup; ++i) {
            const int fifth = b.high[i] >> inside(group) & 1;
            out[i] = static_cast<std::int8_t>(low(b, inside(group), i) | fifth << 4);
        }
    }
};

struct FormatQ6_K : InBlocks<BlockQ6_K> {
    static constexpr int kZero = 32;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int half = inside(group) / 4;
        const int quarter = inside(group) % 4;
        const std::uint8_t* const low = b.low + half * 64 + quarter % 2 * kGroup;
        const std::uint8_t* const high = b.high + half * kGroup;
        for (int i = 0; i < kGroup; ++i) {
            const int bits = quarter < 2 ? low[i] & 15 : low[i] >> 4;
            out[i] = static_cast<std::int8_t>(bits | (high[i] >> 2 * quarter & 3) << 4);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        return TypeF16::one(b.d) * static_cast<float>(b.scales[2 * inside(group) + half]);
    }
};

// MLX's affine formats: a stream of numbers of so many bits, and apart from it a scale and a
// minimum ("bias") for each `columns` of a row.
template <int kBits>
struct FormatMlx {
    struct Place {
        const std::uint8_t* values;
        Index group; // of all rows
        int shift; // 1 << shift groups have a common scale
        const GroupScales* scales;
    };
    static constexpr int kGroups = 1;
    static constexpr bool kHalves = false;
    static constexpr bool kSigned = kBits == 8; // as q - 128, for products of signed bytes
    static constexpr int kZero = kBits == 8 ? -128 : 0;
    static constexpr bool kMinima = true;
    static constexpr Index kBytes = kGroup * kBits / 8; // of a group

    static EP_INLINE Place place(const WeightRows& w, Index row)
    {
        return at({.values = static_cast<const std::uint8_t*>(w.values),
                   .group = 0,
                   .shift = __builtin_ctzll(static_cast<std::uint64_t>(w.groups.columns / kGroup)),
                   .scales = &w.groups},
                  row * (w.columns / kGroup));
    }
    static EP_INLINE Place at(Place place, Index group)
    {
        place.values += group * kBytes;
        place.group += group;
        return place;
    }
    static EP_INLINE void values(const Place& row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const in = row.values + group * kBytes;
        for (int i = 0; i < kGroup; ++i) {
            const int bit = i * kBits;
            // A number may begin in one byte and end in the next one.
            const int word = in[bit / 8] | (bit % 8 + kBits > 8 ? in[bit / 8 + 1] << 8 : 0);
            const int q = word >> bit % 8 & ((1 << kBits) - 1);
            out[i] = static_cast<std::int8_t>(kSigned ? q + kZero : q);
        }
    }
    static EP_INLINE float number(const void* numbers, Index index, GroupScales::Type type)
    {
        switch (type) {
        case GroupScales::Type::F16:
            return TypeF16::one(static_cast<const std::uint16_t*>(numbers)[index]);
        case GroupScales::Type::BF16:
            return TypeBF16::one(static_cast<const std::uint16_t*>(numbers)[index]);
        case GroupScales::Type::F32:
            break;
        }
        return static_cast<const float*>(numbers)[index];
    }
    static EP_INLINE float scale(const Place& row, Index group, int)
    {
        return number(row.scales->scales, (row.group + group) >> row.shift, row.scales->type);
    }
    static EP_INLINE float minimum(const Place& row, Index group, int)
    {
        return number(row.scales->biases, (row.group + group) >> row.shift, row.scales->type);
    }
};

using FormatMlx4 = FormatMlx<4>;
using FormatMlx6 = FormatMlx<6>;
using FormatMlx8 = FormatMlx<8>;

// --- Plain code for any of them ------------------------------------------------------------------

EP_INLINE std::int32_t dotWhole(const std::int8_t* a, const std::int16_t* b, int count)
{
    std::int32_t sum = 0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

// The product of group `group` of a row with the same group of the activations.
template <typename Format>
EP_INLINE float dotGroup(const typename Format::Place& row, const BlockedRow& x, Index group)
{
    const std::int16_t* const q = x.values + group * kGroup;
    std::int8_t values[kGroup];
    Format::values(row, group, values);
    if constexpr (Format::kHalves) { // without minima
        float total = 0.0F;
        for (int half = 0; half < 2; ++half) {
            for (int i = half * 16; i < half * 16 + 16; ++i)
                values[i] = static_cast<std::int8_t>(values[i] - Format::kZero);
            total += Format::scale(row, group, half)
                * static_cast<float>(dotWhole(values + half * 16, q + half * 16, 16));
        }
        return total * x.scales[group];
    } else {
        const float scale = Format::scale(row, group, 0);
        const float offset =
            Format::minimum(row, group, 0) - static_cast<float>(Format::kZero) * scale;
        return scale * x.scales[group] * static_cast<float>(dotWhole(values, q, kGroup))
            + offset * x.sums[group];
    }
}

template <typename Format>
EP_INLINE void widenGroup(const typename Format::Place& row, Index group, float* out)
{
    std::int8_t values[kGroup];
    Format::values(row, group, values);
    for (int half = 0; half < 2; ++half) {
        const float scale = Format::scale(row, group, half);
        const float minimum = Format::minimum(row, group, half);
        // The product needs at most 24 bits, so that the sum is the only rounding. Without minima
        // nothing is added, which would turn -0 into 0.
        for (int i = half * 16; i < half * 16 + 16; ++i) {
            const float product = scale * static_cast<float>(values[i] - Format::kZero);
            out[i] = Format::kMinima ? product + minimum : product;
        }
    }
}

} // namespace
} // namespace ep::model
