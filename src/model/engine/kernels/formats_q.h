// SPDX-License-Identifier: GPL-3.0-or-later
// The Q formats of block_layouts.h in plain code.
#pragma once

#include "block_formats.h"

namespace ep::model {
namespace {

struct FormatQ8_0 : InBlocks<BlockQ8_0, 32> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        __builtin_memcpy(out, row[group].q, kGroup);
    }
};

struct FormatQ4_0 : InBlocks<BlockQ4_0, 32> {
    static constexpr int kZero = 8;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        fromHalves(row[group].q, out, [](int q, int) { return byteOf(q); });
    }
};

// d q + m
template <typename BlockType>
struct WithMinimum : InBlocks<BlockType, 32> {
    static constexpr bool kMinima = true;
    static EP_INLINE float minimum(const BlockType* row, Index group, int)
    {
        return TypeF16::one(row[group].m);
    }
};

struct FormatQ4_1 : WithMinimum<BlockQ4_1> {
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        fromHalves(row[group].q, out, [](int q, int) { return byteOf(q); });
    }
};

template <typename BlockType>
EP_INLINE void withFifthBits(const BlockType& b, std::int8_t* out)
{
    fromHalves(b.q, out,
               [&](int q, int i) { return byteOf(q | (b.high[i / 8] >> i % 8 & 1) << 4); });
}

struct FormatQ5_0 : InBlocks<BlockQ5_0, 32> {
    static constexpr int kZero = 16;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        withFifthBits(row[group], out);
    }
};

struct FormatQ5_1 : WithMinimum<BlockQ5_1> {
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        withFifthBits(row[group], out);
    }
};

// Number i of group `inside` where 32 bytes hold four groups of two-bit numbers.
EP_INLINE int twoBits(const std::uint8_t* q, int inside, int i)
{
    return q[inside / 4 * kGroup + i] >> 2 * (inside % 4) & 3;
}

struct FormatQ2_K : InBlocks<BlockQ2_K, kLargeBlock> {
    static constexpr bool kMinima = true;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        for (int i = 0; i < kGroup; ++i)
            out[i] = byteOf(twoBits(blockOf(row, group).q, inside(group), i));
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        return TypeF16::one(b.d) * static_cast<float>(b.scales[2 * inside(group) + half] & 15);
    }
    static EP_INLINE float minimum(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        return -(TypeF16::one(b.m) * static_cast<float>(b.scales[2 * inside(group) + half] >> 4));
    }
};

struct FormatQ3_K : InBlocks<BlockQ3_K, kLargeBlock> {
    static constexpr int kZero = 4;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        const Block& b = blockOf(row, group);
        for (int i = 0; i < kGroup; ++i) {
            const int third = b.high[i] >> inside(group) & 1;
            out[i] = byteOf(twoBits(b.q, inside(group), i) | third << 2);
        }
    }
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const Block& b = blockOf(row, group);
        const int i = 2 * inside(group) + half;
        const int low = i < 8 ? b.scales[i] & 15 : b.scales[i - 8] >> 4;
        const int whole = low | (b.scales[8 + i % 4] >> 2 * (i / 4) & 3) << 4;
        return TypeF16::one(b.d) * static_cast<float>(whole - 32);
    }
};

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

// All eight groups, little-endian.
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

template <typename LargeBlock>
struct WithMinima : InBlocks<LargeBlock, kLargeBlock> {
    using Base = InBlocks<LargeBlock, kLargeBlock>;
    using Block = LargeBlock;
    using Place = const Block*;
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

struct FormatQ6_K : InBlocks<BlockQ6_K, kLargeBlock> {
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

} // namespace
} // namespace ep::model
