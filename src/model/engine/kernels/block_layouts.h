// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Weights in blocks, as GGUF files hold them (the formats of ggml). A row is a sequence of blocks.
// Whatever the format, a value is scale x q + offset with an unsigned q (a signed one for Q8_0);
// scale and offset are those of 32 values, or of 16 for Q6_K. A half is an f16 as a bit pattern.
namespace ep::model {

using Half = std::uint16_t;

inline constexpr int kGroup = 32; // values with a common scale, and of the activations as well
inline constexpr int kLargeBlock = 256; // values of a block of the K formats

struct BlockQ8_0 { // d q
    Half d;
    std::int8_t q[kGroup];
};

struct BlockQ4_0 { // d (q - 8)
    Half d;
    std::uint8_t q[kGroup / 2]; // low halves of the bytes: values 0 to 15, high ones: 16 to 31
};

// Scales and minima of 8 groups in 6 bits each: of the groups 0 to 3 in the low 6 bits of the bytes
// 0 to 3 (scales) and 4 to 7 (minima); of the others the low 4 bits in the bytes 8 to 11, scales in
// the low halves, minima in the high ones, and the upper 2 bits at the top of the bytes 0 to 7.
struct BlockQ4_K { // d scale q - m minimum
    Half d;
    Half m;
    std::uint8_t scales[12];
    std::uint8_t q[kLargeBlock / 2]; // 32 bytes for two groups: the low halves, then the high ones
};

struct BlockQ5_K {
    Half d;
    Half m;
    std::uint8_t scales[12];
    std::uint8_t high[kLargeBlock / 8]; // bit g of byte i: the fifth bit of value i of group g
    std::uint8_t q[kLargeBlock / 2];
};

// Two halves of 128 values, each with four groups: groups 0 and 1 have their low 4 bits in the low
// halves of 64 bytes, groups 2 and 3 in the high ones; bits 2g and 2g + 1 of `high` are the upper
// two of group g.
struct BlockQ6_K { // d scale (q - 32)
    std::uint8_t low[kLargeBlock / 2];
    std::uint8_t high[kLargeBlock / 4];
    std::int8_t scales[kLargeBlock / 16]; // of 16 values each
    Half d;
};

static_assert(sizeof(BlockQ8_0) == 34 && sizeof(BlockQ4_0) == 18);
static_assert(sizeof(BlockQ4_K) == 144 && sizeof(BlockQ5_K) == 176 && sizeof(BlockQ6_K) == 210);

} // namespace ep::model
