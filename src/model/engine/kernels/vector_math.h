// SPDX-License-Identifier: GPL-3.0-or-later
// Vectorized exponential, logarithm and hyperbolic tangent.
#pragma once

#include "simd.h"

namespace ep::model {
namespace {

// 2^n * polynomial, error below 2 units in the last place.
EP_INLINE Vec exponential(Vec x)
{
    x = select(x < -87.0F, Vec{} - 87.0F, x);
    x = select(x > 88.0F, Vec{} + 88.0F, x);
    constexpr float kRound = 12582912.0F; // 1.5 * 2^23: adding it rounds to a whole number
    const Vec n = (x * 1.44269504F + kRound) - kRound;
    const Vec r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    Vec p = r * 1.9875691500e-4F + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    p = p * r * r + r + 1.0F;
    const VecI exponent = (__builtin_convertvector(n, VecI) + 127) << 23;
    return p * __builtin_bit_cast(Vec, exponent);
}

EP_INLINE float exponential(float x)
{
    return exponential(Vec{} + x)[0];
}

// Logarithm of a positive x: exponent and a polynomial over [sqrt(1/2), sqrt(2)), error about 1e-7.
EP_INLINE Vec logarithm(Vec x)
{
    const VecI bits = __builtin_bit_cast(VecI, x);
    Vec exponent = __builtin_convertvector(((bits >> 23) & 0xFF) - 126, Vec);
    Vec m = __builtin_bit_cast(Vec, (bits & 0x007F'FFFF) | 0x3F00'0000); // [1/2, 1)
    const VecI low = m < 0.707106781F;
    exponent = select(low, exponent - 1.0F, exponent);
    m = select(low, m + m, m) - 1.0F;
    const Vec square = m * m;
    Vec p = m * 7.0376836292e-2F - 1.1514610310e-1F;
    p = p * m + 1.1676998740e-1F;
    p = p * m - 1.2420140846e-1F;
    p = p * m + 1.4249322787e-1F;
    p = p * m - 1.6668057665e-1F;
    p = p * m + 2.0000714765e-1F;
    p = p * m - 2.4999993993e-1F;
    p = p * m + 3.3333331174e-1F;
    p = p * m * square + exponent * -2.12194440e-4F - 0.5F * square;
    return m + p + exponent * 0.693359375F;
}

EP_INLINE float logarithm(float x)
{
    return logarithm(Vec{} + x)[0];
}

// tanh from the exponential, or from its series near zero, where cancellation would lose digits.
EP_INLINE Vec hyperbolicTangent(Vec x)
{
    const Vec square = x * x;
    const Vec series = x * (1.0F + square * (-0.33333333F + square * 0.13333333F));
    const Vec magnitude = absolute(x);
    const Vec e = exponential(-2.0F * magnitude);
    const Vec far = (1.0F - e) / (1.0F + e);
    return select(magnitude < 0.1F, series, select(x < 0.0F, -far, far));
}

} // namespace
} // namespace ep::model
