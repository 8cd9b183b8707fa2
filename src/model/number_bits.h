// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

// Conversions of numbers of few bits, stored in integers, to and from their values.
namespace ep::model {

// Value of an f16.
inline float valueOfHalf(std::uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const auto fraction = static_cast<float>(half & 1023);
    const float magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0F + fraction, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

// The nearest f16, with ties to even; the largest one instead of infinity.
inline std::uint16_t halfOf(float value)
{
    constexpr float kMaxHalf = 65504.0F;
    const auto sign =
        static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16U & 0x8000U);
    const float magnitude = std::min(std::abs(value), kMaxHalf);
    if (magnitude == 0.0F)
        return sign;
    // Subnormal halves have a step of 2^-24, others 2^-10 of their power of two.
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int step = std::max(exponent - 11, -24);
    const auto whole = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));
    const std::uint32_t half =
        step == -24 ? whole : whole + (static_cast<std::uint32_t>(step + 24) << 10U);
    return static_cast<std::uint16_t>(sign | half);
}

inline float valueOfBrain(std::uint16_t bits) // Value of a bf16.
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// E4M3 without infinities; 0x7F and 0xFF are not numbers.
inline float valueOfE4M3(std::uint8_t bits)
{
    const int exponent = bits >> 3 & 15;
    const auto fraction = static_cast<float>(bits & 7);
    if ((bits & 0x7F) == 0x7F)
        return NAN;
    const float magnitude =
        exponent == 0 ? std::ldexp(fraction, -9) : std::ldexp(8.0F + fraction, exponent - 10);
    return bits & 0x80 ? -magnitude : magnitude;
}

} // namespace ep::model
