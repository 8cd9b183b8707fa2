// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Shared by the quantizers. They follow those of llama.cpp and MLX step by step, so that
// they give the same numbers: the order of the sums and the kinds of rounding matter.
namespace ep::model {

// Below it a group counts as zeros.
inline constexpr float kMinMagnitude = 1e-15F;

// The nearest whole number, of two equally near ones the even one.
inline int nearestEven(float value)
{
    return static_cast<int>(std::nearbyint(value));
}

inline float inverse(float value)
{
    return value == 0.0F ? 0.0F : 1.0F / value;
}

// The value of the largest magnitude, the first of several, with its sign.
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

// The place of the nearest number of a codebook in ascending order, of two equally near ones the
// second.
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
    const int step = std::max(exponent - 4, -9); // 2^step is the distance of neighbours
    const int whole = nearestEven(std::ldexp(magnitude, -step));
    return static_cast<std::uint8_t>(sign | (step == -9 ? whole : whole + (step + 9) * 8));
}

} // namespace ep::model
