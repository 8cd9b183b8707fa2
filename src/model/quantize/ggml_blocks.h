// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/kernels/block_layouts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// The blocks that llama.cpp's quantizers make without importance weights of the values.

namespace ep::model {

BlockQ8_0 toQ8_0(const float* x);
BlockQ4_0 toQ4_0(const float* x);
BlockQ4_1 toQ4_1(const float* x);
BlockQ5_0 toQ5_0(const float* x);
BlockQ5_1 toQ5_1(const float* x);
BlockIQ4_NL toIQ4_NL(const float* x);
BlockIQ4_XS toIQ4_XS(const float* x);
BlockMXFP4 toMXFP4(const float* x);
BlockNVFP4 toNVFP4(const float* x);
BlockQ2_K toQ2_K(const float* x);
BlockQ3_K toQ3_K(const float* x);
BlockQ4_K toQ4_K(const float* x);
BlockQ5_K toQ5_K(const float* x);
BlockQ6_K toQ6_K(const float* x);

// The quantizers share the functions below. They follow llama.cpp's and MLX's step by step to get
// the same numbers: the order of sums and the kinds of rounding matter.

// A group with smaller magnitudes counts as zeros.
inline constexpr float kMinMagnitude = 1e-15F;

// The nearest integer, with ties to even.
inline int nearestEven(float value)
{
    return static_cast<int>(std::nearbyint(value));
}

inline float inverse(float value)
{
    return value == 0.0F ? 0.0F : 1.0F / value;
}

// The value of largest magnitude, with its sign; the first one if there are several.
inline float extreme(const float* x, int count)
{
    float most = 0.0F;
    float value = 0.0F;
    for (int i = 0; i < count; ++i) {
        if (most < std::abs(x[i])) {
            most = std::abs(x[i]);
            value = x[i];
        }
    }
    return value;
}

// Index of the nearest number of a codebook in ascending order; the second one for
// ties.
template <std::size_t kCount>
int nearestIn(const std::int8_t (&book)[kCount], float value)
{
    const auto* const above = std::upper_bound(book, book + kCount, value);
    if (above == book)
        return 0;
    const int place = static_cast<int>(above - book);
    if (place == static_cast<int>(kCount))
        return place - 1;
    const float below = value - static_cast<float>(book[place - 1]);
    return below < static_cast<float>(book[place]) - value ? place - 1 : place;
}

// Rounds to the nearest E4M3 number, ties to even; larger magnitudes saturate at the largest finite
// one.
inline std::uint8_t toE4M3(float value)
{
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
    const float magnitude = std::min(std::abs(value), 448.0F);
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int step = std::max(exponent - 4, -9); // 2^step is the distance between neighbours
    const int whole = nearestEven(std::ldexp(magnitude, -step));
    return static_cast<std::uint8_t>(sign | (step == -9 ? whole : whole + (step + 9) * 8));
}

} // namespace ep::model
