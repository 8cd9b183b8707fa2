// SPDX-License-Identifier: GPL-3.0-or-later
// Operations on NEON's 16-byte vectors for the block formats of weights (blocks_dotprod.h).
#pragma once

#include "block_formats.h"

#include <arm_neon.h>

namespace ep::model {
namespace {

// The bytes of a group, one vector per half.
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

// Eight floats.
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

// The factors d, or m, of eight consecutive blocks.
template <auto kMember, typename Block>
EP_INLINE Floats factorsOf(const Block* b)
{
    uint16x8_t halves = vdupq_n_u16(b[0].*kMember);
    halves = vsetq_lane_u16(b[1].*kMember, halves, 1);
    halves = vsetq_lane_u16(b[2].*kMember, halves, 2);
    halves = vsetq_lane_u16(b[3].*kMember, halves, 3);
    halves = vsetq_lane_u16(b[4].*kMember, halves, 4);
    halves = vsetq_lane_u16(b[5].*kMember, halves, 5);
    halves = vsetq_lane_u16(b[6].*kMember, halves, 6);
    halves = vsetq_lane_u16(b[7].*kMember, halves, 7);
    const float16x8_t d = vreinterpretq_f16_u16(halves);
    return {vcvt_f32_f16(vget_low_f16(d)), vcvt_high_f32_f16(d)};
}

// Bytes converted to floats, times a factor.
EP_INLINE Floats scaledBytes(std::uint64_t bytes, float factor)
{
    return scaled(floatsOf(vreinterpretq_s16_u16(vmovl_u8(vcreate_u8(bytes)))), factor);
}

// E8M0 numbers; below, E4M3 numbers times a factor.
EP_INLINE float32x4_t powersOfTwo(uint32x4_t e)
{
    return vreinterpretq_f32_u32(vmaxq_u32(vshlq_n_u32(e, 23), vdupq_n_u32(0x0040'0000)));
}

EP_INLINE Floats valuesOfE4M3(uint8x8_t bytes, float factor)
{
    const uint16x8_t words = vmovl_u8(bytes);
    const uint16x8_t signs = vshlq_n_u16(vandq_u16(words, vdupq_n_u16(0x80)), 8);
    const uint16x8_t others = vshlq_n_u16(vandq_u16(words, vdupq_n_u16(0x7F)), 7);
    const float16x8_t small = vreinterpretq_f16_u16(vorrq_u16(signs, others));
    return scaled({vcvt_f32_f16(vget_low_f16(small)), vcvt_high_f32_f16(small)}, 256.0F * factor);
}

// The numbers of a codebook at the indices in the bytes, each below 16.
EP_INLINE Bytes lookedUp(const std::int8_t (&book)[16], Bytes places)
{
    const uint8x16_t numbers = vreinterpretq_u8_s8(vld1q_s8(book));
    return {vqtbl1q_u8(numbers, places.first), vqtbl1q_u8(numbers, places.second)};
}

// The low nibbles of 16 bytes, then the high ones; and both interleaved.
EP_INLINE Bytes halvesOf(const void* place)
{
    const uint8x16_t both = sixteenAt(place);
    return {nibblesOf<false>(both), nibblesOf<true>(both)};
}

EP_INLINE Bytes byTurns(const void* place)
{
    const Bytes halves = halvesOf(place);
    return {vzip1q_u8(halves.first, halves.second), vzip2q_u8(halves.first, halves.second)};
}

} // namespace
} // namespace ep::model
