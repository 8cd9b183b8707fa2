// SPDX-License-Identifier: GPL-3.0-or-later
// Norms, softmax and statistics: reductions over a row.
#pragma once

#include "kernels.h"
#include "vector_math.h"

namespace ep::model {
namespace {

EP_INLINE float sumOfSquares(const float* x, float shift, Index count)
{
    Vec total = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec v = load(x + i) - shift;
        total += v * v;
    }
    float value = sum(total);
    for (; i < count; ++i)
        value += (x[i] - shift) * (x[i] - shift);
    return value;
}

void rmsNorm(const float* x, const float* weight, float epsilon, float* out, Index count)
{
    const float mean = sumOfSquares(x, 0.0F, count) / static_cast<float>(count);
    const float scale = 1.0F / __builtin_sqrtf(mean + epsilon);
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, load(x + i) * scale * load(weight + i));
    for (; i < count; ++i)
        out[i] = x[i] * scale * weight[i];
}

void layerNorm(const float* x, const float* weight, const float* bias, float epsilon, float* out,
               Index count)
{
    Vec total = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        total += load(x + i);
    float mean = sum(total);
    for (; i < count; ++i)
        mean += x[i];
    mean /= static_cast<float>(count);
    const float variance = sumOfSquares(x, mean, count) / static_cast<float>(count);
    const float scale = 1.0F / __builtin_sqrtf(variance + epsilon);
    for (i = 0; i + kLanes <= count; i += kLanes) {
        const Vec value = (load(x + i) - mean) * scale * load(weight + i);
        store(out + i, bias ? value + load(bias + i) : value);
    }
    for (; i < count; ++i)
        out[i] = (x[i] - mean) * scale * weight[i] + (bias ? bias[i] : 0.0F);
}

float mean(const float* x, Index count)
{
    Vec total = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        total += load(x + i);
    float value = sum(total);
    for (; i < count; ++i)
        value += x[i];
    return value / static_cast<float>(count);
}

float meanSquare(const float* x, float shift, Index count)
{
    return sumOfSquares(x, shift, count) / static_cast<float>(count);
}

float maximum(const float* x, Index count)
{
    float best = x[0];
    Index i = 0;
    if (count >= kLanes) {
        Vec lanes = load(x);
        for (i = kLanes; i + kLanes <= count; i += kLanes) {
            const Vec v = load(x + i);
            lanes = larger(v, lanes);
        }
        best = largestOf(lanes);
    }
    for (; i < count; ++i)
        best = x[i] > best ? x[i] : best;
    return best;
}

// kFigures: also computes the figures of the weights, at two products and a comparison each.
template <bool kFigures>
EP_INLINE WeightFigures softmaxOf(float* x, Index count, float scale, float threshold)
{
    const float shift = maximum(x, count);
    Vec lanes = {};
    Vec weighted = {}; // sum of exponent x exponential
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec exponent = (load(x + i) - shift) * scale;
        const Vec e = exponential(exponent);
        store(x + i, e);
        lanes += e;
        if constexpr (kFigures)
            weighted += e * exponent;
    }
    float total = sum(lanes);
    float weightedTotal = kFigures ? sum(weighted) : 0.0F;
    for (; i < count; ++i) {
        const float exponent = (x[i] - shift) * scale;
        x[i] = exponential(exponent);
        total += x[i];
        weightedTotal += x[i] * exponent;
    }
    const float factor = 1.0F / total;
    VecI below = {};
    Vec squares = {};
    for (i = 0; i + kLanes <= count; i += kLanes) {
        const Vec weight = load(x + i) * factor;
        store(x + i, weight);
        if constexpr (kFigures) {
            below = weight < threshold ? below + 1 : below;
            squares += weight * weight;
        }
    }
    WeightFigures figures;
    if constexpr (kFigures) {
        figures = {.entropy = logarithm(total) - weightedTotal * factor,
                   .largest = factor,
                   .square_sum = sum(squares),
                   .below = sum(below)};
    }
    for (; i < count; ++i) {
        x[i] *= factor;
        figures.square_sum += x[i] * x[i];
        figures.below += x[i] < threshold ? 1 : 0;
    }
    return figures;
}

void softmax(float* x, Index count, float scale)
{
    softmaxOf<false>(x, count, scale, 0.0F);
}

WeightFigures softmaxFigures(float* x, Index count, float threshold)
{
    return softmaxOf<true>(x, count, 1.0F, threshold);
}

double sumOfExp(const float* x, Index count, float shift)
{
    double total = 0.0;
    Index i = 0;
    while (i + kLanes <= count) {
        constexpr Index kBlock = 256 * kLanes; // f32 within a block, f64 across blocks
        const Index end = count - i < kBlock ? count : i + kBlock;
        Vec lanes = {};
        for (; i + kLanes <= end; i += kLanes)
            lanes += exponential(load(x + i) - shift);
        total += static_cast<double>(sum(lanes));
    }
    for (; i < count; ++i)
        total += static_cast<double>(exponential(x[i] - shift));
    return total;
}

// The sums of one chain of additions, each of which waits for the previous one.
struct ChainSums {
    Vec magnitudes = {};
    Vec values = {}; // shifted, like the squares
    Vec squares = {};

    EP_INLINE void add(Vec magnitude, Vec shifted)
    {
        magnitudes += magnitude;
        values += shifted;
        squares += shifted * shifted;
    }
};

void accumulate(const float* x, Index count, float threshold, float shift, ValueSums& sums)
{
    constexpr Index kBlock = 512 * kLanes;
    Vec largest = Vec{} + sums.max_abs;
    VecI below = {};
    Index i = 0;
    while (i + kLanes <= count) {
        const Index end = count - i < kBlock ? count : i + kBlock;
        ChainSums even;
        ChainSums odd;
        for (; i + 2 * kLanes <= end; i += 2 * kLanes) {
            const Vec first = load(x + i);
            const Vec second = load(x + i + kLanes);
            even.add(absolute(first), first - shift);
            odd.add(absolute(second), second - shift);
            largest = larger(larger(absolute(first), absolute(second)), largest);
            below = absolute(first) < threshold ? below + 1 : below;
            below = absolute(second) < threshold ? below + 1 : below;
        }
        for (; i + kLanes <= end; i += kLanes) {
            const Vec v = load(x + i);
            even.add(absolute(v), v - shift);
            largest = larger(absolute(v), largest);
            below = absolute(v) < threshold ? below + 1 : below;
        }
        sums.abs_sum += static_cast<double>(sum(even.magnitudes + odd.magnitudes));
        sums.shifted_sum += static_cast<double>(sum(even.values + odd.values));
        sums.shifted_square_sum += static_cast<double>(sum(even.squares + odd.squares));
    }
    sums.max_abs = largestOf(largest);
    sums.below += sum(below);
    for (; i < count; ++i) {
        const float magnitude = __builtin_fabsf(x[i]);
        const double shifted = static_cast<double>(x[i]) - static_cast<double>(shift);
        sums.abs_sum += static_cast<double>(magnitude);
        sums.shifted_sum += shifted;
        sums.shifted_square_sum += shifted * shifted;
        sums.max_abs = magnitude > sums.max_abs ? magnitude : sums.max_abs;
        sums.below += magnitude < threshold ? 1 : 0;
    }
    sums.count += count;
}

Index countNegative(const float* x, Index count)
{
    VecI lanes = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        lanes = load(x + i) < 0.0F ? lanes + 1 : lanes;
    Index negative = sum(lanes);
    for (; i < count; ++i)
        negative += x[i] < 0.0F ? 1 : 0;
    return negative;
}

// All exponent bits set means infinity or NaN.
template <typename Bits>
bool finite(const void* x, Index count, Bits exponentMask)
{
    const auto* bytes = static_cast<const unsigned char*>(x);
    Bits found = 0;
    for (Index i = 0; i < count; ++i) {
        Bits bits;
        __builtin_memcpy(&bits, bytes + i * static_cast<Index>(sizeof bits), sizeof bits);
        found = static_cast<Bits>(found | ((bits & exponentMask) == exponentMask ? 1 : 0));
    }
    return found == 0;
}

bool finiteF32(const void* x, Index count)
{
    return finite<std::uint32_t>(x, count, 0x7F80'0000U);
}

bool finiteBF16(const void* x, Index count)
{
    return finite<std::uint16_t>(x, count, 0x7F80U);
}

bool finiteF16(const void* x, Index count)
{
    return finite<std::uint16_t>(x, count, 0x7C00U);
}

} // namespace
} // namespace ep::model
