// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Block formats of weights as in GGUF files (ggml's formats). A row is a sequence of blocks. In
// every format a value is scale x number + minimum, where the number is a one-byte integer, and
// scale and minimum apply to 32 or 16 values. A half is an f16 as a bit pattern.
namespace ep::model {

using Half = std::uint16_t;

inline constexpr int kGroup = 32; // values in a group of weights, and of activations
inline constexpr int kLargeBlock = 256; // values in a block of the K and most IQ formats

// --- 32 values -----------------------------------------------------------------------------------

struct BlockQ8_0 { // d q
    Half d;
    std::int8_t q[kGroup];
};

struct BlockQ4_0 { // d (q - 8)
    Half d;
    std::uint8_t q[kGroup / 2]; // low nibbles: values 0 to 15, high nibbles: 16 to 31
};

struct BlockQ4_1 { // d q + m
    Half d;
    Half m;
    std::uint8_t q[kGroup / 2];
};

struct BlockQ5_0 { // d (q - 16)
    Half d;
    std::uint8_t high[kGroup / 8]; // one bit per value: its fifth bit
    std::uint8_t q[kGroup / 2];
};

struct BlockQ5_1 { // d q + m
    Half d;
    Half m;
    std::uint8_t high[kGroup / 8];
    std::uint8_t q[kGroup / 2];
};

struct BlockIQ4_NL { // d kNonLinear[q]
    Half d;
    std::uint8_t q[kGroup / 2];
};

struct BlockMXFP4 { // 2^(e - 128) kE2M1Doubled[q]
    std::uint8_t e;
    std::uint8_t q[kGroup / 2];
};

// --- 64 and 128 values ---------------------------------------------------------------------------

struct BlockNVFP4 { // per 16 values: scale / 2 kE2M1Doubled[q], the scale in E4M3
    std::uint8_t scales[4];
    std::uint8_t q[4][8]; // low nibbles first, then high ones
};

struct BlockQ2_0 { // d (q - 1)
    Half d;
    std::uint8_t q[16]; // two bits per value, lowest first
};

struct BlockQ1_0 { // d, or -d where the bit is 0
    Half d;
    std::uint8_t q[16];
};

// --- 256 values ----------------------------------------------------------------------------------

struct BlockQ2_K { // per 16 values: d scale q - m minimum
    std::uint8_t scales[kLargeBlock / 16]; // low nibbles: scales, high nibbles: minima
    std::uint8_t q[kLargeBlock / 4]; // 32 bytes for four groups: the lowest two bits, the next ..
    Half d;
    Half m;
};

// 6-bit scales, biased by 32, for 16 values each: the low 4 bits of scales 0 to 7 are the low
// nibbles of bytes 0 to 7, those of the others the high nibbles; the upper 2 bits of scale i are
// in byte 8 + i % 4, starting at bit 2 (i / 4).
struct BlockQ3_K { // d scale (q - 4)
    std::uint8_t high[kLargeBlock / 8]; // bit g of byte i: the third bit of value i of group g
    std::uint8_t q[kLargeBlock / 4]; // as in Q2_K
    std::uint8_t scales[12];
    Half d;
};

// 6-bit scales and minima of 8 groups. Groups 0 to 3: the low 6 bits of bytes 0 to 3 (scales) and
// 4 to 7 (minima). Groups 4 to 7: the low 4 bits are in bytes 8 to 11, scales in the low nibbles,
// minima in the high ones; the upper 2 bits are at the top of bytes 0 to 7.
struct BlockQ4_K { // d scale q - m minimum
    Half d;
    Half m;
    std::uint8_t scales[12];
    std::uint8_t q[kLargeBlock / 2]; // 32 bytes per two groups: low nibbles, then high ones
};

struct BlockQ5_K {
    Half d;
    Half m;
    std::uint8_t scales[12];
    std::uint8_t high[kLargeBlock / 8]; // bit g of byte i: the fifth bit of value i of group g
    std::uint8_t q[kLargeBlock / 2];
};

// Two halves of 128 values, each with four groups. The low 4 bits of groups 0 and 1 are the low
// nibbles of 64 bytes, those of groups 2 and 3 the high nibbles; bits 2g and 2g + 1 of `high` are
// the upper two bits of group g.
struct BlockQ6_K { // d scale (q - 32)
    std::uint8_t low[kLargeBlock / 2];
    std::uint8_t high[kLargeBlock / 4];
    std::int8_t scales[kLargeBlock / 16]; // for 16 values each
    Half d;
};

struct BlockIQ4_XS { // d (scale - 32) kNonLinear[q]
    Half d;
    std::uint16_t high; // two bits per group: upper bits of its scale
    std::uint8_t low[4]; // four bits per group
    std::uint8_t q[kLargeBlock / 2]; // 16 bytes per group, as in Q4_0
};

// Eight values are one point of a grid, with a sign for each value. With signs in 7 bits, the
// eighth sign makes the number of minus signs even.
struct BlockIQ2_XXS { // d (scale + 1/2) / 4 point
    Half d;
    std::uint16_t q[kLargeBlock / 8]; // of a group: four bytes for points, four times 7 bits for
                                      // signs, and 4 bits for the scale
};

struct BlockIQ2_XS {
    Half d;
    std::uint16_t q[kLargeBlock / 8]; // 9 bits for a point, 7 for signs
    std::uint8_t scales[kLargeBlock / 32]; // two 4-bit scales, for 16 values each
};

struct BlockIQ2_S {
    Half d;
    std::uint8_t q[kLargeBlock / 8]; // low 8 bits of a point
    std::uint8_t signs[kLargeBlock / 8];
    std::uint8_t high[kLargeBlock / 32]; // per group: two more bits for each of four points
    std::uint8_t scales[kLargeBlock / 32];
};

// Four values are one point.
struct BlockIQ3_XXS { // d (scale + 1/2) / 2 point
    Half d;
    std::uint8_t q[kLargeBlock / 4];
    std::uint8_t signs[kLargeBlock / 8]; // per group: four times 7 bits, and 4 bits for the scale
};

struct BlockIQ3_S { // d (1 + 2 scale) point
    Half d;
    std::uint8_t q[kLargeBlock / 4];
    std::uint8_t high[kLargeBlock / 32]; // per group: ninth bit of each of eight points
    std::uint8_t signs[kLargeBlock / 8];
    std::uint8_t scales[kLargeBlock / 64]; // two 4-bit scales, for 32 values each
};

// Eight values are one point; an eighth is added to each value or subtracted from it.
struct BlockIQ1_S { // d (2 scale + 1) (point +- 1/8)
    Half d;
    std::uint8_t q[kLargeBlock / 8];
    std::uint16_t high[kLargeBlock / 32]; // of a group: three more bits for each of four points,
                                          // three bits for the scale, and one for the sign
};

// The upper four bits of each 16-bit word of `scales` are part of d; the others are 3-bit scales
// of 16 values each.
struct BlockIQ1_M {
    std::uint8_t q[kLargeBlock / 8];
    std::uint8_t
        high[kLargeBlock / 16]; // four bits for a point: three more index bits, and the sign
    std::uint8_t scales[kLargeBlock / 32];
};

struct BlockTQ2_0 { // d (q - 1)
    std::uint8_t q[kLargeBlock / 4]; // as in Q2_K
    Half d;
};

// A byte holds five three-valued numbers as the base-3 digits of a fraction of 256; the last four
// bytes hold four each. Numbers of adjacent values are in adjacent bytes: 32, then 16, then 4.
struct BlockTQ1_0 { // d (q - 1)
    std::uint8_t q[48];
    std::uint8_t last[4];
    Half d;
};

static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockQ4_0) == 18 && sizeof(BlockQ4_1) == 20);
static_assert(sizeof(BlockQ5_0) == 22 && sizeof(BlockQ5_1) == 24 && sizeof(BlockIQ4_NL) == 18);
static_assert(sizeof(BlockMXFP4) == 17 && sizeof(BlockNVFP4) == 36);
static_assert(sizeof(BlockQ2_0) == 18 && sizeof(BlockQ1_0) == 18);
static_assert(sizeof(BlockQ2_K) == 84 && sizeof(BlockQ3_K) == 110);
static_assert(sizeof(BlockQ4_K) == 144 && sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210);
static_assert(sizeof(BlockIQ4_XS) == 136 && sizeof(BlockIQ2_XXS) == 66);
static_assert(sizeof(BlockIQ2_XS) == 74 && sizeof(BlockIQ2_S) == 82);
static_assert(sizeof(BlockIQ3_XXS) == 98 && sizeof(BlockIQ3_S) == 110);
static_assert(sizeof(BlockIQ1_S) == 50 && sizeof(BlockIQ1_M) == 56);
static_assert(sizeof(BlockTQ1_0) == 54 && sizeof(BlockTQ2_0) == 66);

} // namespace ep::model
