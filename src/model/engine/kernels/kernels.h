// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

// Inner loops of the decoder on the processor: one thread each, no allocation, f32 arithmetic. The
// same source (kernels_impl.h) is compiled once per instruction set; kernels() picks the best one
// of this machine. Pointers need no alignment beyond that of their type.
namespace ep::model {

enum class Activation : std::uint8_t { Silu, GeluTanh, GeluErf, QuickGelu, Relu };

// Sums of one pass over values, relative to a shift that keeps the variance accurate if the mean is
// far from zero.
struct ValueSums {
    double abs_sum = 0.0;
    double shifted_sum = 0.0; // sum of x - shift
    double shifted_square_sum = 0.0; // sum of (x - shift)^2
    float max_abs = 0.0F;
    std::int64_t below = 0; // count of |x| < threshold
    std::int64_t count = 0;

    ValueSums& operator+=(const ValueSums& other) // requires the same shift
    {
        abs_sum += other.abs_sum;
        shifted_sum += other.shifted_sum;
        shifted_square_sum += other.shifted_square_sum;
        max_abs = other.max_abs > max_abs ? other.max_abs : max_abs;
        below += other.below;
        count += other.count;
        return *this;
    }
};

// Figures of one head's attention weights w.
struct WeightFigures {
    float entropy = 0.0F; // -sum w ln w
    float largest = 0.0F;
    float square_sum = 0.0F; // sum w^2
    std::int64_t below = 0; // count below the threshold
};

struct Kernels {
    const char* name; // "AVX-512", "AVX2", "portable"

    // out[r] = weights[r, :] . x (+ bias[r]) for begin <= r < end; weights are row-major [rows,
    // columns]; 16-bit weights are passed as bit patterns.
    void (*dotRowsF32)(const float* weights, std::int64_t columns, const float* x,
                       const float* bias, float* out, std::int64_t begin, std::int64_t end);
    void (*dotRowsBF16)(const std::uint16_t* weights, std::int64_t columns, const float* x,
                        const float* bias, float* out, std::int64_t begin, std::int64_t end);
    void (*dotRowsF16)(const std::uint16_t* weights, std::int64_t columns, const float* x,
                       const float* bias, float* out, std::int64_t begin, std::int64_t end);

    // With a factor per row of weights, applied before the bias.
    void (*dotRowsI8)(const std::int8_t* weights, const float* scales, std::int64_t columns,
                      const float* x, const float* bias, float* out, std::int64_t begin,
                      std::int64_t end);

    void (*widenBF16)(const std::uint16_t* in, float* out, std::int64_t count);
    void (*widenF16)(const std::uint16_t* in, float* out, std::int64_t count);
    void (*widenI8)(const std::int8_t* in, float scale, float* out, std::int64_t count);

    void (*rmsNorm)(const float* x, const float* weight, float epsilon, float* out,
                    std::int64_t count);
    void (*layerNorm)(const float* x, const float* weight, const float* bias, float epsilon,
                      float* out, std::int64_t count); // bias may be null

    void (*add)(float* x, const float* y, std::int64_t count); // x += y
    // out = f(x), or f(x) * multiplier if that is not null.
    void (*activate)(Activation kind, const float* x, const float* multiplier, float* out,
                     std::int64_t count);

    // Rotates the pairs (i, i + half) of each of `heads` vectors at distance `stride`.
    void (*rotate)(float* x, std::int64_t heads, std::int64_t stride, const float* cosines,
                   const float* sines, std::int64_t half);
    // x = softmax(scale * x)
    void (*softmax)(float* x, std::int64_t count, float scale);
    // x = cap * tanh(scale * x / cap)
    void (*softCap)(float* x, std::int64_t count, float scale, float cap);
    // out[d] = sum over t of weights[t] * rows[t, d]
    void (*weightedSum)(const float* weights, const float* rows, std::int64_t count,
                        std::int64_t dimension, float* out);

    // The parts of a norm and of an activation, for decomposed computation.
    float (*mean)(const float* x, std::int64_t count); // count > 0
    float (*meanSquare)(const float* x, float shift, std::int64_t count); // mean of (x - shift)^2
    // out = (x - shift) * factor
    void (*normalize)(const float* x, float shift, float factor, float* out, std::int64_t count);
    // x = x * weight (+ bias)
    void (*scaleShift)(float* x, const float* weight, const float* bias, std::int64_t count);
    void (*multiply)(const float* x, const float* y, float* out, std::int64_t count);
    void (*scale)(float* x, float factor, std::int64_t count);
    // x = softmax(x), with figures as by-products: with e = exp(x - max) and Z = sum e, the
    // entropy is ln Z - sum e (x - max) / Z, and the largest weight 1 / Z.
    WeightFigures (*softmaxFigures)(float* x, std::int64_t count, float threshold);

    float (*maximum)(const float* x, std::int64_t count); // count > 0
    double (*sumOfExp)(const float* x, std::int64_t count, float shift); // sum of exp(x - shift)

    void (*accumulate)(const float* x, std::int64_t count, float threshold, float shift,
                       ValueSums& sums);
    std::int64_t (*countNegative)(const float* x, std::int64_t count);
    bool (*finiteF32)(const void* x, std::int64_t count); // no infinity, no NaN
    bool (*finiteBF16)(const void* x, std::int64_t count);
    bool (*finiteF16)(const void* x, std::int64_t count);
};

const Kernels& kernels();

// The variants, for tests; null if not available in this build or on this machine.
const Kernels* portableKernels();
const Kernels* avx2Kernels();
const Kernels* avx512Kernels();

} // namespace ep::model
