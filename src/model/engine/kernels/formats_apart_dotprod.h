// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_apart.h in NEON's 16-byte vectors, for the products of blocks_spans.h.
#pragma once

#include "formats_apart.h"
#include "vectors_dotprod.h"

namespace ep::model {
namespace {

// Loads scales and minima one by one: 256 values have eight at most.
template <typename Number>
EP_INLINE Floats eightNumbers(const Number& number)
{
    return {float32x4_t{number(0), number(1), number(2), number(3)},
            float32x4_t{number(4), number(5), number(6), number(7)}};
}

template <typename Format>
struct VectorsMlx : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(const Place& row)
    {
        return eightNumbers([&](int g) { return Format::scale(row, g, 0); });
    }
    static EP_INLINE Floats offsets(const Place& row, Floats scales)
    {
        const Floats minima = eightNumbers([&](int g) { return Format::minimum(row, g, 0); });
        constexpr auto kZero = static_cast<float>(-Format::kZero);
        return {vfmaq_n_f32(minima.first, scales.first, kZero),
                vfmaq_n_f32(minima.second, scales.second, kZero)};
    }
};

struct KernelsMlx4 : VectorsMlx<FormatMlx<4>> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return byTurns(row.values + kG * kBytes);
    }
};

// Four kBits-bit numbers in the lowest bits of each 32-bit lane, spread to one byte each. The
// numbers of lane i begin at bit 4 kBits i, in the middle of a byte for odd lanes if kBits is odd.
template <int kBits>
struct KernelsOfBits : VectorsMlx<FormatMlx<kBits>> {
    using Place = typename FormatMlx<kBits>::Place;
    static constexpr int kBytes = FormatMlx<kBits>::kBytes;

    // Spreads lanes `first` to `first` + 3, read from the 16 bytes that start at `begin`.
    static EP_INLINE uint8x16_t four(uint8x16_t all, int first, int begin)
    {
        std::uint8_t places[16];
        for (int i = 0; i < 16; ++i) {
            const bool there = i % 4 < (kBits + 1) / 2;
            places[i] = static_cast<std::uint8_t>(
                there ? kBits * (first + i / 4) / 2 + i % 4 - begin : 255);
        }
        uint32x4_t v = vreinterpretq_u32_u8(vqtbl1q_u8(all, vld1q_u8(places)));
        if constexpr (kBits % 2 != 0)
            v = vshlq_u32(v, int32x4_t{0, -4, 0, -4});
        const auto part = [](uint32x4_t moved, int byte) {
            return vandq_u32(moved, vdupq_n_u32(((1U << kBits) - 1U) << 8 * byte));
        };
        return vreinterpretq_u8_u32(
            vorrq_u32(vorrq_u32(part(v, 0), part(vshlq_n_u32(v, 8 - kBits), 1)),
                      vorrq_u32(part(vshlq_n_u32(v, 2 * (8 - kBits)), 2),
                                part(vshlq_n_u32(v, 3 * (8 - kBits)), 3))));
    }
    // Reads no byte beyond the group.
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        const std::uint8_t* const in = row.values + kG * kBytes;
        if constexpr (kBytes > 16) {
            return {four(sixteenAt(in), 0, 0), four(sixteenAt(in + kBytes - 16), 4, kBytes - 16)};
        } else {
            const auto [low, high] = twoWords<kBytes>(in);
            const uint8x16_t all = vcombine_u8(vcreate_u8(low), vcreate_u8(high));
            return {four(all, 0, 0), four(all, 4, 0)};
        }
    }
};

using KernelsMlx1 = KernelsOfBits<1>;
using KernelsMlx2 = KernelsOfBits<2>;
using KernelsMlx3 = KernelsOfBits<3>;
using KernelsMlx5 = KernelsOfBits<5>;
using KernelsMlx6 = KernelsOfBits<6>;

struct KernelsMlx8 : VectorsMlx<FormatMlx<8>> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        const std::uint8_t* const in = row.values + kG * kBytes;
        const uint8x16_t top = vdupq_n_u8(128);
        return {veorq_u8(sixteenAt(in), top), veorq_u8(sixteenAt(in + 16), top)};
    }
};

// The vectors of formats without offsets. Loads scales one by one, like VectorsMlx.
template <typename Format>
struct VectorsApart : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(const Place& row)
    {
        return eightNumbers([&](int g) { return Format::scale(row, g, 0); });
    }
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE Floats scales(const Place& row, int half)
    {
        return eightNumbers([&](int i) { return Format::scale(row, 4 * half + i / 2, i % 2); });
    }
};

struct KernelsMlxMxfp4 : VectorsApart<FormatMlxMxfp4> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return lookedUp(kE2M1Doubled, byTurns(row.values + kG * kBytes));
    }
};

struct KernelsMlxNvfp4 : VectorsApart<FormatMlxNvfp4> {
    template <int kG>
    static EP_INLINE Bytes bytes(const Place& row)
    {
        return lookedUp(kE2M1Doubled, byTurns(row.values + kG * kBytes));
    }
};

struct KernelsFp8 : VectorsApart<FormatFp8> {
    // The sums of the products of a group, in f32: the numbers vary too widely for bytes.
    template <int kG>
    static EP_INLINE float32x4_t product(const Place& row, const std::int16_t* x)
    {
        const std::uint8_t* const in = row.values + kG * kBytes;
        float32x4_t sum = vdupq_n_f32(0.0F);
        for (int i = 0; i < kGroup; i += 8) {
            const Floats weights = valuesOfE4M3(vld1_u8(in + i), 1.0F);
            const Floats activations = floatsOf(vld1q_s16(x + i));
            sum = vfmaq_f32(sum, weights.first, activations.first);
            sum = vfmaq_f32(sum, weights.second, activations.second);
        }
        return sum;
    }
};

} // namespace
} // namespace ep::model
