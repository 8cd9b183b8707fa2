// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of formats_codebook.h in NEON's 16-byte vectors, for the products of
// blocks_spans.h.
#pragma once

#include "formats_codebook.h"
#include "vectors_dotprod.h"

namespace ep::model {
namespace {

struct KernelsIQ4_NL : FormatIQ4_NL {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(Place b) { return factorsOf<&Block::d>(b); }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return lookedUp(kNonLinear, halvesOf(b[kG].q));
    }
};

struct KernelsIQ4_XS : FormatIQ4_XS {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(const Block* b)
    {
        std::uint32_t nibbles = 0;
        __builtin_memcpy(&nibbles, b->low, sizeof nibbles);
        const auto four = [&](std::uint32_t low, std::uint32_t high) {
            const uint32x4_t l = vshlq_u32(vdupq_n_u32(low), int32x4_t{0, -4, -8, -12});
            const uint32x4_t h = vshlq_u32(vdupq_n_u32(high), int32x4_t{0, -2, -4, -6});
            const uint32x4_t whole = vorrq_u32(vandq_u32(l, vdupq_n_u32(15)),
                                               vshlq_n_u32(vandq_u32(h, vdupq_n_u32(3)), 4));
            return vcvtq_f32_s32(vsubq_s32(vreinterpretq_s32_u32(whole), vdupq_n_s32(32)));
        };
        return scaled({four(nibbles, b->high), four(nibbles >> 16U, b->high >> 8U)},
                      TypeF16::one(b->d));
    }
    template <int kG>
    static EP_INLINE Bytes bytes(const Block* b)
    {
        return lookedUp(kNonLinear, halvesOf(b->q + kG * kGroup / 2));
    }
};

struct KernelsMXFP4 : FormatMXFP4 {
    static constexpr bool kOffsets = false;
    static EP_INLINE Floats scales(Place b)
    {
        const uint32x4_t first{b[0].e, b[1].e, b[2].e, b[3].e};
        const uint32x4_t second{b[4].e, b[5].e, b[6].e, b[7].e};
        return scaled({powersOfTwo(first), powersOfTwo(second)}, 0.5F);
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        return lookedUp(kE2M1Doubled, halvesOf(b[kG].q));
    }
};

struct KernelsNVFP4 : FormatNVFP4 {
    static constexpr bool kOffsets = false;
    // Scales of the first eight half groups of a block (half 0), or of the last eight.
    static EP_INLINE Floats scales(Place b, int half)
    {
        std::uint32_t w[2];
        __builtin_memcpy(&w[0], b[2 * half].scales, sizeof w[0]);
        __builtin_memcpy(&w[1], b[2 * half + 1].scales, sizeof w[1]);
        const uint8x8_t bytes =
            vand_u8(vcreate_u8(w[0] | static_cast<std::uint64_t>(w[1]) << 32U), vdup_n_u8(0x7F));
        return valuesOfE4M3(vbic_u8(bytes, vceq_u8(bytes, vdup_n_u8(0x7F))), 0.5F);
    }
    template <int kG>
    static EP_INLINE Bytes bytes(Place b)
    {
        const Bytes halves = halvesOf(b[kG / 2].q[kG % 2 * 2]);
        return lookedUp(kE2M1Doubled,
                        {vcombine_u8(vget_low_u8(halves.first), vget_low_u8(halves.second)),
                         vcombine_u8(vget_high_u8(halves.first), vget_high_u8(halves.second))});
    }
};

} // namespace
} // namespace ep::model
