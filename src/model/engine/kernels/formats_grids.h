// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h below four bits per number other than the Q formats: grid points,
// and numbers of one or two bits, in plain code.
#pragma once

#include "block_formats.h"
#include "codebooks.h"

namespace ep::model {
namespace {

template <int kCount>
EP_INLINE void withSigns(const std::int8_t (&point)[kCount], unsigned signs, std::int8_t* out)
{
    for (int i = 0; i < kCount; ++i) {
        const int sign = -static_cast<int>(signs >> i & 1U);
        out[i] = byteOf((point[i] ^ sign) - sign);
    }
}

// The eighth sign makes the number of minus signs even.
EP_INLINE unsigned eightSigns(unsigned seven)
{
    return (seven & 127U) | (static_cast<unsigned>(__builtin_popcount(seven & 127U) & 1)) << 7U;
}

struct FormatIQ2_XXS : InBlocks<BlockIQ2_XXS, kLargeBlock> {
    static constexpr bool kSigned = true;
    static EP_INLINE unsigned signsAndScale(Place row, Index group)
    {
        const std::uint16_t* const q = blockOf(row, group).q + 4 * inside(group);
        return q[2] | static_cast<unsigned>(q[3]) << 16U;
    }
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint16_t* const q = blockOf(row, group).q + 4 * inside(group);
        const unsigned signs = signsAndScale(row, group);
        for (int i = 0; i < 4; ++i) {
            withSigns(kGridIq2Xxs.values[q[i / 2] >> 8 * (i % 2) & 255], eightSigns(signs >> 7 * i),
                      out + 8 * i);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        return TypeF16::one(blockOf(row, group).d)
            * (0.5F + static_cast<float>(signsAndScale(row, group) >> 28U)) * 0.25F;
    }
};

struct FormatIQ2_XS : InBlocks<BlockIQ2_XS, kLargeBlock> {
    static constexpr bool kSigned = true;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint16_t* const q = blockOf(row, group).q + 4 * inside(group);
        for (int i = 0; i < 4; ++i)
            withSigns(kGridIq2Xs.values[q[i] & 511], eightSigns(q[i] >> 9U), out + 8 * i);
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        const int whole = b.scales[inside(group)] >> 4 * half & 15;
        return TypeF16::one(b.d) * (0.5F + static_cast<float>(whole)) * 0.25F;
    }
};

struct FormatIQ2_S : InBlocks<BlockIQ2_S, kLargeBlock> {
    static constexpr bool kSigned = true;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int first = 4 * inside(group);
        for (int i = 0; i < 4; ++i) {
            const int point = b.q[first + i] | (b.high[inside(group)] >> 2 * i & 3) << 8;
            withSigns(kGridIq2S.values[point], b.signs[first + i], out + 8 * i);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        const int whole = b.scales[inside(group)] >> 4 * half & 15;
        return TypeF16::one(b.d) * (0.5F + static_cast<float>(whole)) * 0.25F;
    }
};

struct FormatIQ3_XXS : InBlocks<BlockIQ3_XXS, kLargeBlock> {
    static constexpr bool kSigned = true;
    static EP_INLINE std::uint32_t signsAndScale(Place row, Index group)
    {
        std::uint32_t word = 0;
        __builtin_memcpy(&word, blockOf(row, group).signs + 4 * inside(group), sizeof word);
        return word;
    }
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const q = blockOf(row, group).q + 8 * inside(group);
        const std::uint32_t word = signsAndScale(row, group);
        for (int i = 0; i < 8; ++i) {
            const unsigned signs = eightSigns(word >> 7 * (i / 2));
            withSigns(kGridIq3Xxs.values[q[i]], signs >> 4 * (i % 2), out + 4 * i);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        return TypeF16::one(blockOf(row, group).d)
            * (0.5F + static_cast<float>(signsAndScale(row, group) >> 28U)) * 0.5F;
    }
};

struct FormatIQ3_S : InBlocks<BlockIQ3_S, kLargeBlock> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int g = inside(group);
        for (int i = 0; i < 8; ++i) {
            const int point = b.q[8 * g + i] | (b.high[g] >> i & 1) << 8;
            withSigns(kGridIq3S.values[point],
                      static_cast<unsigned>(b.signs[4 * g + i / 2] >> 4 * (i % 2)), out + 4 * i);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        const Block& b = blockOf(row, group);
        const int whole = b.scales[inside(group) / 2] >> 4 * (inside(group) % 2) & 15;
        return TypeF16::one(b.d) * static_cast<float>(1 + 2 * whole);
    }
};

// Eight times a point, plus or minus one.
EP_INLINE void besidePoint(int point, bool less, std::int8_t* out)
{
    for (int i = 0; i < 8; ++i)
        out[i] = byteOf(kGridIq1.values[point][i] + (less ? -1 : 1));
}

struct FormatIQ1_S : InBlocks<BlockIQ1_S, kLargeBlock> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int high = b.high[inside(group)];
        for (int i = 0; i < 4; ++i) {
            const int point = b.q[4 * inside(group) + i] | (high >> 3 * i & 7) << 8;
            besidePoint(point, (high & 0x8000) != 0, out + 8 * i);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        const Block& b = blockOf(row, group);
        const int whole = 2 * (b.high[inside(group)] >> 12 & 7) + 1;
        return TypeF16::one(b.d) * static_cast<float>(whole) * 0.125F;
    }
};

struct FormatIQ1_M : InBlocks<BlockIQ1_M, kLargeBlock> {
    static constexpr bool kSigned = true;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        for (int i = 0; i < 4; ++i) {
            const int at = 4 * inside(group) + i;
            const int high = b.high[at / 2] >> 4 * (at % 2) & 15;
            besidePoint(b.q[at] | (high & 7) << 8, (high & 8) != 0, out + 8 * i);
        }
    }
    static EP_INLINE int wordOf(const Block& b, int i)
    {
        return b.scales[2 * i] | b.scales[2 * i + 1] << 8;
    }
    static EP_INLINE int factorOf(const Block& b)
    {
        int bits = 0;
        for (int i = 0; i < 4; ++i)
            bits |= (wordOf(b, i) >> 12) << 4 * i;
        return bits;
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        const int g = inside(group);
        const int whole = 2 * (wordOf(b, g / 2) >> (6 * (g % 2) + 3 * half) & 7) + 1;
        return TypeF16::one(static_cast<Half>(factorOf(b))) * static_cast<float>(whole) * 0.125F;
    }
    static EP_INLINE bool finite(const Block& b) { return (factorOf(b) & 0x7C00) != 0x7C00; }
};

struct FormatTQ2_0 : InBlocks<BlockTQ2_0, kLargeBlock> {
    static constexpr int kZero = 1;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int g = inside(group);
        for (int i = 0; i < kGroup; ++i)
            out[i] = byteOf(b.q[g / 4 * kGroup + i] >> 2 * (g % 4) & 3);
    }
};

struct FormatTQ1_0 : InBlocks<BlockTQ1_0, kLargeBlock> {
    static constexpr int kZero = 1;
    // A byte is a fraction in base 3: multiplying it by a power of three moves the digit at
    // `place` in front of the point.
    static EP_INLINE std::int8_t digit(int byte, int place)
    {
        constexpr int kPowers[5] = {1, 3, 9, 27, 81};
        return byteOf((byte * kPowers[place] & 255) * 3 >> 8);
    }
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        const int g = inside(group);
        if (g < 5) { // the first 32 bytes
            for (int i = 0; i < kGroup; ++i)
                out[i] = digit(b.q[i], g);
            return;
        }
        for (int i = 0; i < kGroup; ++i) { // 80 numbers in 16 bytes, then 16 in 4 bytes
            const int at = (g - 5) * kGroup + i;
            out[i] =
                at < 80 ? digit(b.q[32 + at % 16], at / 16) : digit(b.last[at % 4], (at - 80) / 4);
        }
    }
};

struct FormatQ2_0 : InBlocks<BlockQ2_0, 64> {
    static constexpr int kZero = 1;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const q = blockOf(row, group).q + 8 * inside(group);
        for (int i = 0; i < kGroup; ++i)
            out[i] = byteOf(q[i / 4] >> 2 * (i % 4) & 3);
    }
};

struct FormatQ1_0 : InBlocks<BlockQ1_0, 128> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const std::uint8_t* const q = blockOf(row, group).q + 4 * inside(group);
        for (int i = 0; i < kGroup; ++i)
            out[i] = byteOf(2 * (q[i / 8] >> i % 8 & 1) - 1);
    }
};

} // namespace
} // namespace ep::model
