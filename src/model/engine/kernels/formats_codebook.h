// SPDX-License-Identifier: GPL-3.0-or-later
// The formats of block_layouts.h whose four bits are an index into a codebook, in plain
// code.
#pragma once

#include "block_formats.h"
#include "codebooks.h"

namespace ep::model {
namespace {

struct FormatIQ4_NL : InBlocks<BlockIQ4_NL, 32> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        fromHalves(row[group].q, out, [](int q, int) { return kNonLinear[q]; });
    }
};

// The scales of the eight groups, minus 32.
EP_INLINE int scaleOf(const BlockIQ4_XS& b, int group)
{
    return ((b.low[group / 2] >> 4 * (group % 2) & 15) | (b.high >> 2 * group & 3) << 4) - 32;
}

struct FormatIQ4_XS : InBlocks<BlockIQ4_XS, kLargeBlock> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        fromHalves(blockOf(row, group).q + inside(group) * kGroup / 2, out,
                   [](int q, int) { return kNonLinear[q]; });
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        const Block& b = blockOf(row, group);
        return TypeF16::one(b.d) * static_cast<float>(scaleOf(b, inside(group)));
    }
};

struct FormatMXFP4 : InBlocks<BlockMXFP4, 32> {
    static constexpr bool kSigned = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        fromHalves(row[group].q, out, [](int q, int) { return kE2M1Doubled[q]; });
    }
    static EP_INLINE float scale(Place row, Index group, int)
    {
        return powerOfTwo(row[group].e) * 0.5F;
    }
    // 12 (twice the largest code) x 2^(e - 128) has to stay below 2^128; e = 255 is NaN.
    static EP_INLINE bool finite(const Block& b) { return b.e <= 252; }
};

struct FormatNVFP4 : InBlocks<BlockNVFP4, 64> {
    static constexpr bool kSigned = true;
    static constexpr bool kHalves = true;
    static EP_INLINE void values(Place row, Index group, std::int8_t* out)
    {
        for (int half = 0; half < 2; ++half) {
            const std::uint8_t* const q = blockOf(row, group).q[2 * inside(group) + half];
            for (int i = 0; i < 8; ++i) {
                out[half * 16 + i] = kE2M1Doubled[q[i] & 15];
                out[half * 16 + i + 8] = kE2M1Doubled[q[i] >> 4];
            }
        }
    }
    // The sign of the scale is ignored, and E4M3's NaN counts as 0.
    static EP_INLINE float scale(Place row, Index group, int half)
    {
        const int bits = blockOf(row, group).scales[2 * inside(group) + half] & 0x7F;
        return bits == 0x7F ? 0.0F : valueOfE4M3(bits) * 0.5F;
    }
};

} // namespace
} // namespace ep::model
