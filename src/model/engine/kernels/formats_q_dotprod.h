// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_q.h in NEON's 16-byte vectors, for the products of blocks_spans.h.
#pragma once

#include "formats_q.h"
#include "vectors_dotprod.h"

namespace ep::model {
namespace {

// Each struct provides the scales of the groups of a span, the factors by which the sums of its
// activations are multiplied to account for the zero and the minima (offsets), and the bytes of a
// group.
struct KernelsQ8_0 : FormatQ8_0 {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(Place b) { return factorsOf<&Block::d>(b); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return {sixteenAt(b[kG].q), sixteenAt(b[kG].q + 16)};
    }
};

struct KernelsQ4_0 : FormatQ4_0 {
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(Place b) { return factorsOf<&Block::d>(b); }
    static EP_INLINE Floats offsets(Place, Floats scales) { return scaled(scales, -8.0F); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return halvesOf(b[kG].q);
    }
};

// d q + m
template <typename Format>
struct VectorsWithMinimum : Format {
    using Place = typename Format::Place;
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(Place b) { return factorsOf<&Format::Block::d>(b); }
    static EP_INLINE Floats offsets(Place b, Floats) { return factorsOf<&Format::Block::m>(b); }
};

struct KernelsQ4_1 : VectorsWithMinimum<FormatQ4_1> {
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return halvesOf(b[kG].q);
    }
};

template <typename BlockType>
EP_INLINE Bytes withFifthBits(const BlockType& b)
{
    const uint8x16_t masks{1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    const auto fifths = [&](const std::uint8_t* high) {
        const uint8x16_t spread = vcombine_u8(vdup_n_u8(high[0]), vdup_n_u8(high[1]));
        return vandq_u8(vtstq_u8(spread, masks), vdupq_n_u8(16));
    };
    const Bytes low = halvesOf(b.q);
    return {vorrq_u8(low.first, fifths(b.high)), vorrq_u8(low.second, fifths(b.high + 2))};
}

struct KernelsQ5_0 : FormatQ5_0 {
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(Place b) { return factorsOf<&Block::d>(b); }
    static EP_INLINE Floats offsets(Place, Floats scales) { return scaled(scales, -16.0F); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return withFifthBits(b[kG]);
    }
};

struct KernelsQ5_1 : VectorsWithMinimum<FormatQ5_1> {
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return withFifthBits(b[kG]);
    }
};

// Selects two bits of each of 32 bytes.
template <int kG>
EP_INLINE Bytes twoBitsOf(const std::uint8_t* q)
{
    const auto two = [](const std::uint8_t* place) {
        const uint8x16_t all = sixteenAt(place);
        constexpr int kShift = 2 * (kG % 4);
        const uint8x16_t moved = kShift == 0 ? all : vshrq_n_u8(all, kShift == 0 ? 1 : kShift);
        return vandq_u8(moved, vdupq_n_u8(3));
    };
    return {two(q + kG / 4 * kGroup), two(q + kG / 4 * kGroup + 16)};
}

// Each half of a group has its own scale and minimum.
struct KernelsQ2_K : FormatQ2_K {
    static constexpr bool kOffsets = false;
    // The bytes of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE std::uint64_t both(const Block* b, int half)
    {
        std::uint64_t bytes = 0;
        __builtin_memcpy(&bytes, b->scales + 8 * half, sizeof bytes);
        return bytes;
    }
    static EP_INLINE Floats scales(const Block* b, int half)
    {
        return scaledBytes(both(b, half) & 0x0F0F0F0F0F0F0F0FULL, TypeF16::one(b->d));
    }
    static EP_INLINE Floats minima(const Block* b, int half)
    {
        return scaledBytes(both(b, half) >> 4U & 0x0F0F0F0F0F0F0F0FULL, -TypeF16::one(b->m));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return twoBitsOf<kG>(b->q);
    }
};

struct KernelsQ3_K : FormatQ3_K {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(const Block* b, int half)
    {
        std::uint32_t w[3];
        __builtin_memcpy(w, b->scales, sizeof w);
        const auto four = [&](std::uint32_t low, int shift) {
            return static_cast<std::uint64_t>((low & 0x0F0F0F0FU)
                                              | (w[2] >> shift & 0x03030303U) << 4U);
        };
        const std::uint64_t eight = half == 0 ? four(w[0], 0) | four(w[1], 2) << 32U
                                              : four(w[0] >> 4U, 4) | four(w[1] >> 4U, 6) << 32U;
        const int16x8_t whole = vreinterpretq_s16_u16(vmovl_u8(vcreate_u8(eight)));
        return scaled(floatsOf(vsubq_s16(whole, vdupq_n_s16(32))), TypeF16::one(b->d));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        const Bytes low = twoBitsOf<kG>(b->q);
        const auto with = [](uint8x16_t two, const std::uint8_t* third) {
            const uint8x16_t set = vtstq_u8(sixteenAt(third), vdupq_n_u8(1U << kG));
            return vorrq_u8(two, vandq_u8(set, vdupq_n_u8(4)));
        };
        return {with(low.first, b->high), with(low.second, b->high + 16)};
    }
};

template <typename Format>
struct VectorsWithMinima : Format {
    using Block = typename Format::Block;
    static constexpr bool kOffsets = true;
    static EP_INLINE Floats scales(const Block* b)
    {
        return scaledBytes(sixBits(b->scales).scales, TypeF16::one(b->d));
    }
    static EP_INLINE Floats offsets(const Block* b, Floats)
    {
        return scaledBytes(sixBits(b->scales).minima, -TypeF16::one(b->m));
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

// Each half of a group has its own scale.
struct KernelsQ6_K : FormatQ6_K {
    static constexpr bool kOffsets = false;
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
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

} // namespace
} // namespace ep::model
