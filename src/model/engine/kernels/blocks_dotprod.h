// SPDX-License-Identifier: GPL-3.0-or-later
// Matmuls and dequantization of block formats in 16-byte vectors, for blocks_spans.h, with Arm's
// products of four bytes (sdot). A 16-bit activation is 256 x one signed byte + another: two
// products replace the dequantization of the weights and are as exact. Matrix products of bytes
// (i8mm) need two rows of weights side by side, and arranging them takes as many instructions as
// are saved for one row of activations.
#pragma once

#include "formats_apart_dotprod.h"
#include "formats_codebook_dotprod.h"
#include "formats_q_dotprod.h"

namespace ep::model {
namespace {

// --- Matmuls -------------------------------------------------------------------------------------

using Sum = float32x4_t;

EP_INLINE float sumOf(Sum v)
{
    return vaddvq_f32(v);
}

struct SpanOfActivations {
    const std::int16_t* values;
    const float* half_sums;
    Floats scales, sums;
};

EP_INLINE SpanOfActivations spanAt(const BlockedRow& x, Index span)
{
    const float* const scales = x.scales + span * 8;
    const float* const sums = x.sums + span * 8;
    return {x.values + span * 8 * kGroup,
            x.half_sums + span * 16,
            {vld1q_f32(scales), vld1q_f32(scales + 4)},
            {vld1q_f32(sums), vld1q_f32(sums + 4)}};
}

// Upper and lower bytes of 16 values. The lower ones are signed, so the upper ones are rounded.
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
    const std::int16_t* values;
    BytesOfActivations first, second;
};

template <int kG>
EP_INLINE GroupOfActivations activationsOf(const SpanOfActivations& x)
{
    const std::int16_t* const values = x.values + kG * kGroup;
    return {values, bytesOfActivations(values), bytesOfActivations(values + 16)};
}

// The factors for the products of the groups, or of their halves.
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
            if constexpr (Format::kMinima) {
                const Floats minima = Format::minima(row, half);
                sum = vfmaq_f32(sum, minima.first, vld1q_f32(x.half_sums + 8 * half));
                sum = vfmaq_f32(sum, minima.second, vld1q_f32(x.half_sums + 8 * half + 4));
            }
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

// sums + products of half a group with the upper, or the lower, bytes of its activations.
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
    if constexpr (Format::kFloats) {
        return vfmaq_n_f32(sum, Format::template product<kG>(row, x.values), factors[kG]);
    } else {
        const Bytes w = Format::template bytes<kG>(row);
        const auto plus = [](int32x4_t sums, uint8x16_t weights, int8x16_t bytes) {
            return plusProducts<Format>(sums, weights, bytes);
        };
        const int32x4_t none = vdupq_n_s32(0);
        if constexpr (Format::kHalves) {
            const int32x4_t first = vshlq_n_s32(plus(none, w.first, x.first.high), 8);
            const int32x4_t second = vshlq_n_s32(plus(none, w.second, x.second.high), 8);
            sum =
                vfmaq_n_f32(sum, vcvtq_f32_s32(plus(first, w.first, x.first.low)), factors[2 * kG]);
            return vfmaq_n_f32(sum, vcvtq_f32_s32(plus(second, w.second, x.second.low)),
                               factors[2 * kG + 1]);
        } else {
            int32x4_t sums = plus(plus(none, w.first, x.first.high), w.second, x.second.high);
            sums = vshlq_n_s32(sums, 8);
            sums = plus(plus(sums, w.first, x.first.low), w.second, x.second.low);
            return vfmaq_n_f32(sum, vcvtq_f32_s32(sums), factors[kG]);
        }
    }
}

// --- Dequantizing --------------------------------------------------------------------------------

// Group kG of the span at `at`, which is group number `group` in its row.
template <typename Format, int kG>
EP_INLINE void dequantizeVectors(const typename Format::Place& at,
                                 const typename Format::Place& row, Index group, float* out)
{
    if constexpr (Format::kFloats) {
        dequantizeGroup<Format>(row, group + kG, out + kG * kGroup);
    } else {
        const Bytes all = Format::template bytes<kG>(at);
        for (int half = 0; half < 2; ++half) {
            // Reinterpreted as signed bytes: unsigned formats stay below 64.
            const int8x16_t q = vreinterpretq_s8_u8(half == 0 ? all.first : all.second);
            const float scale = Format::scale(row, group + kG, half);
            const float32x4_t minimum = vdupq_n_f32(Format::minimum(row, group + kG, half));
            float* const to = out + kG * kGroup + half * 16;
            const auto eight = [&](int16x8_t words, float* place) {
                const Floats product =
                    scaled(floatsOf(vsubq_s16(words, vdupq_n_s16(Format::kZero))), scale);
                vst1q_f32(place,
                          Format::kMinima ? vaddq_f32(product.first, minimum) : product.first);
                vst1q_f32(place + 4,
                          Format::kMinima ? vaddq_f32(product.second, minimum) : product.second);
            };
            eight(vmovl_s8(vget_low_s8(q)), to);
            eight(vmovl_high_s8(q), to + 8);
        }
    }
}

} // namespace
} // namespace ep::model
