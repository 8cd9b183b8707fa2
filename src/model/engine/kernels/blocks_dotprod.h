// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h and MLX's in vectors of 16 bytes, for the products of
// blocks_spans.h, with Arm's products of four bytes (sdot). An activation of 16 bits is 256 x a
// signed byte + another one: two products instead of widened weights, and as exact. The matrix
// products of bytes (i8mm) need two rows of weights side by side, which takes as many instructions
// as they save for one row of activations.
#pragma once

#include "block_formats.h"

#include <arm_neon.h>

namespace ep::model {
namespace {

// The bytes of a group: of each half.
struct Bytes {
    uint8x16_t first, second;
};

EP_INLINE uint8x16_t sixteenAt(const void* place)
{
    return vld1q_u8(static_cast<const std::uint8_t*>(place));
}

template <bool kHigh>
EP_INLINE uint8x16_t nibblesOf(uint8x16_t both)
{
    return kHigh ? vshrq_n_u8(both, 4) : vandq_u8(both, vdupq_n_u8(15));
}

// Eight numbers.
struct Floats {
    float32x4_t first, second;
};

EP_INLINE Floats floatsOf(int16x8_t v)
{
    return {vcvtq_f32_s32(vmovl_s16(vget_low_s16(v))), vcvtq_f32_s32(vmovl_high_s16(v))};
}

EP_INLINE Floats scaled(Floats v, float factor)
{
    return {vmulq_n_f32(v.first, factor), vmulq_n_f32(v.second, factor)};
}

// The factors d of eight blocks in a row.
template <typename Block>
EP_INLINE Floats factorsOf(const Block* b)
{
    uint16x8_t halves = vdupq_n_u16(b[0].d);
    halves = vsetq_lane_u16(b[1].d, halves, 1);
    halves = vsetq_lane_u16(b[2].d, halves, 2);
    halves = vsetq_lane_u16(b[3].d, halves, 3);
    halves = vsetq_lane_u16(b[4].d, halves, 4);
    halves = vsetq_lane_u16(b[5].d, halves, 5);
    halves = vsetq_lane_u16(b[6].d, halves, 6);
    halves = vsetq_lane_u16(b[7].d, halves, 7);
    const float16x8_t d = vreinterpretq_f16_u16(halves);
    return {vcvt_f32_f16(vget_low_f16(d)), vcvt_high_f32_f16(d)};
}

// Each: scales of the groups of a span, and what its activations are multiplied by for the zero and
// the minima (offsets); the bytes of a group.
struct KernelsQ8_0 : FormatQ8_0 {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(Place b) { return factorsOf(b); }
    static EP_INLINE Floats offsets(Place, Floats scales) { return scales; }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return {sixteenAt(b[kG].q), sixteenAt(b[kG].q + 16)};
    }
};

struct KernelsQ4_0 : FormatQ4_0 {
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(Place b) { return factorsOf(b); }
    static EP_INLINE Floats offsets(Place, Floats scales) { return scaled(scales, -8.0F); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        const uint8x16_t both = sixteenAt(b[kG].q);
        return {nibblesOf<false>(both), nibblesOf<true>(both)};
    }
};

template <typename Format>
struct VectorsWithMinima : Format {
    using Block = typename Format::Block;
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats numbers(std::uint64_t bytes, float factor)
    {
        return scaled(floatsOf(vreinterpretq_s16_u16(vmovl_u8(vcreate_u8(bytes)))), factor);
    }
    static EP_INLINE Floats scales(const Block* b)
    {
        return numbers(sixBits(b->scales).scales, TypeF16::one(b->d));
    }
    static EP_INLINE Floats offsets(const Block* b, Floats)
    {
        return numbers(sixBits(b->scales).minima, -TypeF16::one(b->m));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const std::uint8_t* const q = b->q + kG / 2 * kGroup;
        return {nibblesOf<kG % 2 != 0>(sixteenAt(q)), nibblesOf<kG % 2 != 0>(sixteenAt(q + 16))};
    }
};

using KernelsQ4_K = VectorsWithMinima<FormatQ4_K>;

struct KernelsQ5_K : VectorsWithMinima<FormatQ5_K> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const Bytes low = VectorsWithMinima<FormatQ5_K>::bytes<kG>(b);
        const auto with = [](uint8x16_t four, const std::uint8_t* fifth) {
            const uint8x16_t set = vtstq_u8(sixteenAt(fifth), vdupq_n_u8(1U << kG));
            return vorrq_u8(four, vandq_u8(set, vdupq_n_u8(16)));
        };
        return {with(low.first, b->high), with(low.second, b->high + 16)};
    }
};

// Each half of a group has a scale of its own.
struct KernelsQ6_K : FormatQ6_K {
    static constexpr bool kOffsets = false;
    // Of the first or the last eight halves.
    static EP_INLINE Floats scales(const Block* b, int half)
    {
        return scaled(floatsOf(vmovl_s8(vld1_s8(b->scales + 8 * half))), TypeF16::one(b->d));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        constexpr int kQuarter = kG % 4;
        const std::uint8_t* const low = b->low + kG / 4 * 64 + kQuarter % 2 * kGroup;
        const std::uint8_t* const high = b->high + kG / 4 * kGroup;
        const auto both = [&](const std::uint8_t* four, const std::uint8_t* two) {
            const uint8x16_t all = sixteenAt(two);
            const uint8x16_t moved = kQuarter == 0 ? vshlq_n_u8(all, 4)
                : kQuarter == 1                    ? vshlq_n_u8(all, 2)
                : kQuarter == 2                    ? all
                                                   : vshrq_n_u8(all, 2);
            return vorrq_u8(nibblesOf<kQuarter >= 2>(sixteenAt(four)),
                            vandq_u8(moved, vdupq_n_u8(48)));
        };
        return {both(low, high), both(low + 16, high + 16)};
    }
};

// Scales and minima one by one: there are at most eight for 256 values.
template <typename Format>
struct VectorsMlx : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    template <typename Number>
    static EP_INLINE Floats eight(const Number& number)
    {
        return {float32x4_t{number(0), number(1), number(2), number(3)},
                float32x4_t{number(4), number(5), number(6), number(7)}};
    }
    static EP_INLINE Floats scales(const Place& row)
    {
        return eight([&](int g) { return Format::scale(row, g, 0); });
    }
    static EP_INLINE Floats offsets(const Place& row, Floats scales)
    {
        const Floats minima = eight([&](int g) { return Format::minimum(row, g, 0); });
        constexpr auto kZero = static_cast<float>(-Format::kZero);
        return {vfmaq_n_f32(minima.first, scales.first, kZero),
                vfmaq_n_f32(minima.second, scales.second, kZero)};
    }
};

struct KernelsMlx4 : VectorsMlx<FormatMlx4> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        const uint8x16_t both = sixteenAt(row.values + kG * kBytes);
        const uint8x16_t even = nibblesOf<false>(both);
        const uint8x16_t odd = nibblesOf<true>(both);
        return {vzip1q_u8(even, odd), vzip2q_u8(even, odd)};
    }
};

// Four numbers in three bytes: these go to the lowest 24 bits of 32, and each number to a byte.
struct KernelsMlx6 : VectorsMlx<FormatMlx6> {
    static EP_INLINE uint8x16_t spread(uint8x16_t bytes, uint8x16_t places)
    {
        const uint32x4_t v = vreinterpretq_u32_u8(vqtbl1q_u8(bytes, places));
        const auto part = [](uint32x4_t moved, std::uint32_t mask) {
            return vandq_u32(moved, vdupq_n_u32(mask));
        };
        return vreinterpretq_u8_u32(vorrq_u32(
            vorrq_u32(part(v, 0x3F), part(vshlq_n_u32(v, 2), 0x3F00)),
            vorrq_u32(part(vshlq_n_u32(v, 4), 0x3F0000), part(vshlq_n_u32(v, 6), 0x3F000000))));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        // 24 bytes as 16 from the first and 16 from the ninth on, so that none is beyond the group.
        const std::uint8_t* const in = row.values + kG * kBytes;
        const uint8x16_t places{0, 1, 2, 255, 3, 4, 5, 255, 6, 7, 8, 255, 9, 10, 11, 255};
        return {spread(sixteenAt(in), places),
                spread(sixteenAt(in + 8), vqaddq_u8(places, vdupq_n_u8(4)))};
    }
};

struct KernelsMlx8 : VectorsMlx<FormatMlx8> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        const std::uint8_t* const in = row.values + kG * kBytes;
        const uint8x16_t top = vdupq_n_u8(128);
        return {veorq_u8(sixteenAt(in), top), veorq_u8(sixteenAt(in + 16), top)};
    }
};

// --- Products ------------------------------------------------------------------------------------

using Sum = float32x4_t;

EP_INLINE float sumOf(Sum v)
{
    return vaddvq_f32(v);
}

struct SpanOfActivations {
    const std::int16_t* values;
    Floats scales, sums;
};

EP_INLINE SpanOfActivations spanAt(const BlockedRow& x, Index span)
{
    const float* const scales = x.scales + span * 8;
    const float* const sums = x.sums + span * 8;
    return {x.values + span * 8 * kGroup,
            {vld1q_f32(scales), vld1q_f32(scales + 4)},
            {vld1q_f32(sums), vld1q_f32(sums + 4)}};
}

// The upper and the lower bytes of 16 values; these are signed, so that those are rounded.
struct BytesOfActivations {
    int8x16_t high, low;
};

EP_INLINE BytesOfActivations bytesOfActivations(const std::int16_t* x)
{
    const int16x8_t first = vld1q_s16(x);
    const int16x8_t second = vld1q_s16(x + 8);
    const int16x8_t zero = vdupq_n_s16(0);
    return {vraddhn_high_s16(vraddhn_s16(first, zero), second, zero),
            vuzp1q_s8(vreinterpretq_s8_s16(first), vreinterpretq_s8_s16(second))};
}

struct GroupOfActivations {
    BytesOfActivations first, second;
};

template <int kG>
EP_INLINE GroupOfActivations activationsOf(const SpanOfActivations& x)
{
    const std::int16_t* const values = x.values + kG * kGroup;
    return {bytesOfActivations(values), bytesOfActivations(values + 16)};
}

// What the products of the groups, or of their halves, are multiplied by.
template <typename Format>
EP_INLINE void storeFactors(const typename Format::Place& row, const SpanOfActivations& x,
                            float* factors, Sum& sum)
{
    if constexpr (Format::kHalves) {
        for (int half = 0; half < 2; ++half) {
            const Floats scales = Format::scales(row, half);
            const float32x4_t twice = half == 0 ? x.scales.first : x.scales.second;
            vst1q_f32(factors + 8 * half, vmulq_f32(scales.first, vzip1q_f32(twice, twice)));
            vst1q_f32(factors + 8 * half + 4, vmulq_f32(scales.second, vzip2q_f32(twice, twice)));
        }
    } else {
        const Floats scales = Format::scales(row);
        vst1q_f32(factors, vmulq_f32(scales.first, x.scales.first));
        vst1q_f32(factors + 4, vmulq_f32(scales.second, x.scales.second));
        if constexpr (Format::kOffsets) {
            const Floats offsets = Format::offsets(row, scales);
            sum = vfmaq_f32(sum, offsets.first, x.sums.first);
            sum = vfmaq_f32(sum, offsets.second, x.sums.second);
        }
    }
}

// sums + the products of half a group with the upper, or the lower, bytes of its activations.
template <typename Format>
EP_INLINE int32x4_t plusProducts(int32x4_t sums, uint8x16_t weights, int8x16_t x)
{
    int8x16_t q = vreinterpretq_s8_u8(weights);
    if constexpr (Format::kHalves)
        q = vsubq_s8(q, vdupq_n_s8(Format::kZero));
    return vdotq_s32(sums, q, x);
}

template <typename Format, int kG>
EP_INLINE Sum plusGroup(const typename Format::Place& row, const GroupOfActivations& x,
                        const float* factors, Sum sum)
{
    const Bytes w = Format::template bytes<kG>(row);
    const auto plus = [](int32x4_t sums, uint8x16_t weights, int8x16_t bytes) {
        return plusProducts<Format>(sums, weights, bytes);
    };
    const int32x4_t none = vdupq_n_s32(0);
    if constexpr (Format::kHalves) {
        const int32x4_t first = vshlq_n_s32(plus(none, w.first, x.first.high), 8);
        const int32x4_t second = vshlq_n_s32(plus(none, w.second, x.second.high), 8);
        sum = vfmaq_n_f32(sum, vcvtq_f32_s32(plus(first, w.first, x.first.low)), factors[2 * kG]);
        return vfmaq_n_f32(sum, vcvtq_f32_s32(plus(second, w.second, x.second.low)),
                           factors[2 * kG + 1]);
    } else {
        int32x4_t sums = plus(plus(none, w.first, x.first.high), w.second, x.second.high);
        sums = vshlq_n_s32(sums, 8);
        sums = plus(plus(sums, w.first, x.first.low), w.second, x.second.low);
        return vfmaq_n_f32(sum, vcvtq_f32_s32(sums), factors[kG]);
    }
}

// --- Widening ------------------------------------------------------------------------------------

// Group kG of the span at `at`, which is group `group` of the row.
template <typename Format, int kG>
EP_INLINE void widenVectors(const typename Format::Place& at, const typename Format::Place& row,
                            Index group, float* out)
{
    const Bytes all = Format::template bytes<kG>(at);
    for (int half = 0; half < 2; ++half) {
        // As signed bytes: those of unsigned formats are below 64.
        const int8x16_t q = vreinterpretq_s8_u8(half == 0 ? all.first : all.second);
        const float scale = Format::scale(row, group + kG, half);
        const float32x4_t minimum = vdupq_n_f32(Format::minimum(row, group + kG, half));
        float* const to = out + kG * kGroup + half * 16;
        const auto eight = [&](int16x8_t words, float* place) {
            const Floats product =
                scaled(floatsOf(vsubq_s16(words, vdupq_n_s16(Format::kZero))), scale);
            vst1q_f32(place, Format::kMinima ? vaddq_f32(product.first, minimum) : product.first);
            vst1q_f32(place + 4,
                      Format::kMinima ? vaddq_f32(product.second, minimum) : product.second);
        };
        eight(vmovl_s8(vget_low_s8(q)), to);
        eight(vmovl_high_s8(q), to + 8);
    }
}

} // namespace
} // namespace ep::model
