// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of the block formats of weights, and plain code that computes with any of them: the
// portable version, and the fallback of the vector code for other instruction sets.
#pragma once

#include "block_layouts.h"
#include "kernels.h"
#include "simd.h"

namespace ep::model {
namespace {

// A format provides the place of a row and, for group g of that row, values() as bytes, and scale()
// and minimum() for each half of 16 values. A value is scale x (q - kZero), plus the minimum if
// there are minima. With kFloats, numbers are fractional: floats() returns those of a group.
template <typename BlockType, int kValues>
struct InBlocks {
    using Block = BlockType;
    using Place = const Block*;
    static constexpr int kGroups = kValues / kGroup; // per block
    static constexpr int kZero = 0;
    static constexpr bool kSigned = false;
    static constexpr bool kMinima = false;
    static constexpr bool kHalves = false; // true: each half has its own scale
    static constexpr bool kFloats = false;
    static EP_INLINE Place place(const WeightRows& w, Index row)
    {
        return static_cast<Place>(w.values) + row * (w.columns / kValues);
    }
    // The place of a group that is the first one in a block.
    static EP_INLINE Place at(Place row, Index group) { return row + group / kGroups; }
    static EP_INLINE const Block& blockOf(Place row, Index group) { return row[group / kGroups]; }
    static EP_INLINE int inside(Index group) { return static_cast<int>(group % kGroups); }
    static EP_INLINE float minimum(Place, Index, int) { return 0.0F; }
    static EP_INLINE float scale(Place row, Index group, int) requires requires(Block b) { b.d; }
    {
        return TypeF16::one(blockOf(row, group).d);
    }
    // Whether the factors of a block are numbers.
    static EP_INLINE bool finite(const Block& b)
    {
        bool finite = true;
        if constexpr (requires { b.d; })
            finite = (b.d & 0x7C00) != 0x7C00;
        if constexpr (requires { b.m; })
            finite &= (b.m & 0x7C00) != 0x7C00;
        return finite;
    }
};

EP_INLINE std::int8_t byteOf(int value)
{
    return static_cast<std::int8_t>(value);
}

// 32 numbers of four bits: the low nibbles of 16 bytes, then the high ones.
template <typename Number>
EP_INLINE void fromHalves(const std::uint8_t* q, std::int8_t* out, const Number& number)
{
    for (int i = 0; i < kGroup / 2; ++i) {
        out[i] = number(q[i] & 15, i);
        out[i + kGroup / 2] = number(q[i] >> 4, i + kGroup / 2);
    }
}

// An E8M0 number: a power of two.
EP_INLINE float powerOfTwo(int e)
{
    return __builtin_bit_cast(float, e == 0 ? 0x0040'0000 : e << 23);
}

// An E4M3 number: its bits are those of an f16 that is 256 times smaller.
EP_INLINE float valueOfE4M3(int bits)
{
    return TypeF16::one(static_cast<std::uint16_t>((bits & 0x80) << 8 | (bits & 0x7F) << 7))
        * 256.0F;
}

// Finishes a product with a row: applies the factor and bias of the row.
EP_INLINE float finished(const WeightRows& w, Index row, float value)
{
    return value * (w.scales ? w.scales[row] : 1.0F) + (w.bias ? w.bias[row] : 0.0F);
}

// --- Plain code for any format -------------------------------------------------------------------

EP_INLINE std::int32_t dotWhole(const std::int8_t* a, const std::int16_t* b, int count)
{
    std::int32_t sum = 0;
    for (int i = 0; i < count; ++i)
        sum += a[i] * b[i];
    return sum;
}

EP_INLINE float dotFloats(const float* a, const std::int16_t* b, int count)
{
    float sum = 0.0F;
    for (int i = 0; i < count; ++i)
        sum += a[i] * static_cast<float>(b[i]);
    return sum;
}

// The product of group `group` of a row with the same group of the activations.
template <typename Format>
EP_INLINE float dotGroup(const typename Format::Place& row, const BlockedRow& x, Index group)
{
    const std::int16_t* const q = x.values + group * kGroup;
    if constexpr (Format::kFloats) {
        float values[kGroup];
        Format::floats(row, group, values);
        return Format::scale(row, group, 0) * x.scales[group] * dotFloats(values, q, kGroup);
    } else if constexpr (Format::kHalves) {
        std::int8_t values[kGroup];
        Format::values(row, group, values);
        float total = 0.0F;
        float minima = 0.0F;
        for (int half = 0; half < 2; ++half) {
            for (int i = half * 16; i < half * 16 + 16; ++i)
                values[i] = byteOf(values[i] - Format::kZero);
            total += Format::scale(row, group, half)
                * static_cast<float>(dotWhole(values + half * 16, q + half * 16, 16));
            if constexpr (Format::kMinima)
                minima += Format::minimum(row, group, half) * x.half_sums[2 * group + half];
        }
        return total * x.scales[group] + minima;
    } else {
        std::int8_t values[kGroup];
        Format::values(row, group, values);
        const float scale = Format::scale(row, group, 0);
        const float offset =
            Format::minimum(row, group, 0) - static_cast<float>(Format::kZero) * scale;
        return scale * x.scales[group] * static_cast<float>(dotWhole(values, q, kGroup))
            + offset * x.sums[group];
    }
}

template <typename Format>
EP_INLINE void dequantizeGroup(const typename Format::Place& row, Index group, float* out)
{
    if constexpr (Format::kFloats) {
        Format::floats(row, group, out);
        const float scale = Format::scale(row, group, 0);
        for (int i = 0; i < kGroup; ++i)
            out[i] *= scale;
    } else {
        std::int8_t values[kGroup];
        Format::values(row, group, values);
        for (int half = 0; half < 2; ++half) {
            const float scale = Format::scale(row, group, half);
            const float minimum = Format::minimum(row, group, half);
            // The product needs at most 24 bits, so only the addition rounds. Formats without
            // minima skip the addition, which would turn -0 into 0.
            for (int i = half * 16; i < half * 16 + 16; ++i) {
                const float product = scale * static_cast<float>(values[i] - Format::kZero);
                out[i] = Format::kMinima ? product + minimum : product;
            }
        }
    }
}

// out[r] = weights[r, :] . x (+ bias[r]) for begin <= r < end.
template <typename Format>
void dotRowsPlainly(const WeightRows& w, const BlockedRow& x, float* out, Index begin, Index end)
{
    const Index groups = w.columns / kGroup;
    for (Index row = begin; row < end; ++row) {
        const auto place = Format::place(w, row);
        float value = 0.0F;
        for (Index group = 0; group < groups; ++group)
            value += dotGroup<Format>(place, x, group);
        out[row] = finished(w, row, value);
    }
}

template <typename Format>
EP_INLINE void dequantizeSpanPlainly(const typename Format::Place& row, Index group, float* out)
{
    for (int g = 0; g < 8; ++g)
        dequantizeGroup<Format>(row, group + g, out + g * kGroup);
}

} // namespace
} // namespace ep::model
