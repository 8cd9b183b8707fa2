// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of kernels.h, included by one source file for each instruction set. That file defines
//   EP_VECTOR_BYTES   width of a vector register
//   EP_UNROLL         vectors in flight for each row of a product
//   EP_KERNELS_NAME   name of the variant
// Everything has internal linkage and no standard header with inline functions is used: otherwise
// the linker could pick a function compiled for AVX-512 for the whole program.
#include "kernels.h"

namespace ep::model {
namespace {

using Index = std::int64_t;
typedef float Vec __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::int32_t VecI __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::uint32_t VecU __attribute__((vector_size(EP_VECTOR_BYTES)));
typedef std::uint16_t VecHalf __attribute__((vector_size(EP_VECTOR_BYTES / 2)));
typedef std::int16_t VecShort __attribute__((vector_size(EP_VECTOR_BYTES / 2)));
typedef std::int8_t VecByte __attribute__((vector_size(EP_VECTOR_BYTES / 4)));

constexpr Index kLanes = EP_VECTOR_BYTES / 4;
constexpr int kUnroll = EP_UNROLL;

#define EP_INLINE inline __attribute__((always_inline))

// --- Loads: every weight type becomes f32 lanes -------------------------------------------------

struct TypeF32 {
    using Stored = float;
    static EP_INLINE Vec load(const float* p)
    {
        Vec v;
        __builtin_memcpy(&v, p, sizeof v);
        return v;
    }
    static EP_INLINE float one(float value) { return value; }
};

struct TypeBF16 {
    using Stored = std::uint16_t;
    static EP_INLINE Vec load(const std::uint16_t* p)
    {
        VecHalf half;
        __builtin_memcpy(&half, p, sizeof half);
        return __builtin_bit_cast(Vec, __builtin_convertvector(half, VecU) << 16);
    }
    static EP_INLINE float one(std::uint16_t bits)
    {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
    }
};

// The bits of an f16, moved to their place in an f32, give a value 2^112 too small; the product
// also makes subnormals right. Infinity and NaN do not survive; such weights are refused on
// loading.
struct TypeF16 {
    using Stored = std::uint16_t;
    static EP_INLINE Vec load(const std::uint16_t* p)
    {
        VecHalf half;
        __builtin_memcpy(&half, p, sizeof half);
        const VecU bits = __builtin_convertvector(half, VecU);
        const Vec magnitude = __builtin_bit_cast(Vec, (bits & 0x7FFFU) << 13) * 0x1p112F;
        return __builtin_bit_cast(Vec,
                                  __builtin_bit_cast(VecU, magnitude) | ((bits & 0x8000U) << 16));
    }
    static EP_INLINE float one(std::uint16_t bits)
    {
        const std::uint32_t wide = bits;
        const float magnitude = __builtin_bit_cast(float, (wide & 0x7FFFU) << 13) * 0x1p112F;
        return wide & 0x8000U ? -magnitude : magnitude;
    }
};

// By way of 16 bits: GCC 12 takes twice as long for the direct conversion.
struct TypeI8 {
    using Stored = std::int8_t;
    static EP_INLINE Vec load(const std::int8_t* p)
    {
        VecByte bytes;
        __builtin_memcpy(&bytes, p, sizeof bytes);
        const VecShort shorts = __builtin_convertvector(bytes, VecShort);
        return __builtin_convertvector(__builtin_convertvector(shorts, VecI), Vec);
    }
    static EP_INLINE float one(std::int8_t value) { return static_cast<float>(value); }
};

EP_INLINE Vec load(const float* p)
{
    return TypeF32::load(p);
}

EP_INLINE void store(float* p, Vec v)
{
    __builtin_memcpy(p, &v, sizeof v);
}

EP_INLINE float sum(Vec v)
{
    float total = 0.0F;
    for (Index lane = 0; lane < kLanes; ++lane)
        total += v[lane];
    return total;
}

EP_INLINE Vec select(VecI mask, Vec yes, Vec no)
{
    return __builtin_bit_cast(
        Vec, (__builtin_bit_cast(VecI, yes) & mask) | (__builtin_bit_cast(VecI, no) & ~mask));
}

EP_INLINE Vec absolute(Vec v)
{
    return __builtin_bit_cast(Vec, __builtin_bit_cast(VecI, v) & 0x7FFF'FFFF);
}

// --- Products -----------------------------------------------------------------------------------

template <typename Type, int Rows>
EP_INLINE void dotBlock(const typename Type::Stored* weights, const float* scales, Index columns,
                        const float* x, const float* bias, float* out)
{
    Vec sums[Rows][kUnroll] = {};
    Index c = 0;
    for (; c + kUnroll * kLanes <= columns; c += kUnroll * kLanes) {
        for (int u = 0; u < kUnroll; ++u) {
            const Vec factor = load(x + c + u * kLanes);
            for (int r = 0; r < Rows; ++r)
                sums[r][u] += Type::load(weights + r * columns + c + u * kLanes) * factor;
        }
    }
    for (; c + kLanes <= columns; c += kLanes) {
        const Vec factor = load(x + c);
        for (int r = 0; r < Rows; ++r)
            sums[r][0] += Type::load(weights + r * columns + c) * factor;
    }
    for (int r = 0; r < Rows; ++r) {
        Vec total = sums[r][0];
        for (int u = 1; u < kUnroll; ++u)
            total += sums[r][u];
        float value = sum(total);
        for (Index rest = c; rest < columns; ++rest)
            value += Type::one(weights[r * columns + rest]) * x[rest];
        out[r] = (scales ? scales[r] * value : value) + (bias ? bias[r] : 0.0F);
    }
}

template <typename Type>
EP_INLINE void scaledDotRows(const typename Type::Stored* weights, const float* scales,
                             Index columns, const float* x, const float* bias, float* out,
                             Index begin, Index end)
{
    Index row = begin;
    for (; row + 4 <= end; row += 4) {
        dotBlock<Type, 4>(weights + row * columns, scales ? scales + row : nullptr, columns, x,
                          bias ? bias + row : nullptr, out + row);
    }
    for (; row < end; ++row) {
        dotBlock<Type, 1>(weights + row * columns, scales ? scales + row : nullptr, columns, x,
                          bias ? bias + row : nullptr, out + row);
    }
}

template <typename Type>
void dotRows(const typename Type::Stored* weights, Index columns, const float* x, const float* bias,
             float* out, Index begin, Index end)
{
    scaledDotRows<Type>(weights, nullptr, columns, x, bias, out, begin, end);
}

void dotRowsI8(const std::int8_t* weights, const float* scales, Index columns, const float* x,
               const float* bias, float* out, Index begin, Index end)
{
    scaledDotRows<TypeI8>(weights, scales, columns, x, bias, out, begin, end);
}

void widenI8(const std::int8_t* in, float scale, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, TypeI8::load(in + i) * scale);
    for (; i < count; ++i)
        out[i] = TypeI8::one(in[i]) * scale;
}

template <typename Type>
void widen(const std::uint16_t* in, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, Type::load(in + i));
    for (; i < count; ++i)
        out[i] = Type::one(in[i]);
}

void weightedSum(const float* weights, const float* rows, Index count, Index dimension, float* out)
{
    constexpr int kBlock = 4;
    Index d = 0;
    for (; d + kBlock * kLanes <= dimension; d += kBlock * kLanes) {
        Vec sums[kBlock] = {};
        for (Index t = 0; t < count; ++t) {
            for (int b = 0; b < kBlock; ++b)
                sums[b] += load(rows + t * dimension + d + b * kLanes) * weights[t];
        }
        for (int b = 0; b < kBlock; ++b)
            store(out + d + b * kLanes, sums[b]);
    }
    for (; d + kLanes <= dimension; d += kLanes) {
        Vec total = {};
        for (Index t = 0; t < count; ++t)
            total += load(rows + t * dimension + d) * weights[t];
        store(out + d, total);
    }
    for (; d < dimension; ++d) {
        float total = 0.0F;
        for (Index t = 0; t < count; ++t)
            total += weights[t] * rows[t * dimension + d];
        out[d] = total;
    }
}

// --- Exponential: 2^n * polynomial, error below 2 units in the last place ---------------------

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

// --- Norms --------------------------------------------------------------------------------------

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

// --- Elementwise --------------------------------------------------------------------------------

void add(float* x, const float* y, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(x + i, load(x + i) + load(y + i));
    for (; i < count; ++i)
        x[i] += y[i];
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

void normalize(const float* x, float shift, float factor, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, (load(x + i) - shift) * factor);
    for (; i < count; ++i)
        out[i] = (x[i] - shift) * factor;
}

void scaleShift(float* x, const float* weight, const float* bias, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec value = load(x + i) * load(weight + i);
        store(x + i, bias ? value + load(bias + i) : value);
    }
    for (; i < count; ++i)
        x[i] = x[i] * weight[i] + (bias ? bias[i] : 0.0F);
}

void multiply(const float* x, const float* y, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(out + i, load(x + i) * load(y + i));
    for (; i < count; ++i)
        out[i] = x[i] * y[i];
}

void scale(float* x, float factor, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(x + i, load(x + i) * factor);
    for (; i < count; ++i)
        x[i] *= factor;
}

// Of a positive x: exponent and a polynomial over [sqrt(1/2), sqrt(2)), error of some 1e-7. Of zero
// something finite, so that 0 ln 0 is 0.
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

WeightFigures weightFigures(const float* weights, Index count, float threshold)
{
    Vec entropy = {};
    Vec largest = {};
    VecI below = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec w = load(weights + i);
        entropy -= w * logarithm(w);
        largest = select(w > largest, w, largest);
        below -= w < threshold; // true lanes are -1
    }
    WeightFigures figures;
    figures.entropy = sum(entropy);
    for (Index lane = 0; lane < kLanes; ++lane) {
        figures.largest = largest[lane] > figures.largest ? largest[lane] : figures.largest;
        figures.below += below[lane];
    }
    for (; i < count; ++i) {
        const float w = weights[i];
        figures.entropy -= w * logarithm(Vec{} + w)[0];
        figures.largest = w > figures.largest ? w : figures.largest;
        figures.below += w < threshold ? 1 : 0;
    }
    return figures;
}

struct Silu {
    static EP_INLINE Vec apply(Vec x) { return x / (1.0F + exponential(-x)); }
};

// 0.5 x (1 + tanh(z)) = x / (1 + exp(-2 z)) with z = sqrt(2 / pi) (x + 0.044715 x^3)
struct GeluTanh {
    static EP_INLINE Vec apply(Vec x)
    {
        const Vec z = 0.79788456F * (x + 0.044715F * x * x * x);
        return x / (1.0F + exponential(-2.0F * z));
    }
};

struct GeluErf {
    static EP_INLINE Vec apply(Vec x)
    {
        for (Index lane = 0; lane < kLanes; ++lane)
            x[lane] = 0.5F * x[lane] * (1.0F + __builtin_erff(x[lane] * 0.70710678F));
        return x;
    }
};

struct QuickGelu {
    static EP_INLINE Vec apply(Vec x) { return x / (1.0F + exponential(-1.702F * x)); }
};

struct Relu {
    static EP_INLINE Vec apply(Vec x) { return select(x > 0.0F, x, Vec{}); }
};

template <typename Function>
EP_INLINE void map(const float* x, const float* multiplier, float* out, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec value = Function::apply(load(x + i));
        store(out + i, multiplier ? value * load(multiplier + i) : value);
    }
    for (; i < count; ++i) {
        const float value = Function::apply(Vec{} + x[i])[0];
        out[i] = multiplier ? value * multiplier[i] : value;
    }
}

void activate(Activation kind, const float* x, const float* multiplier, float* out, Index count)
{
    switch (kind) {
    case Activation::Silu:
        return map<Silu>(x, multiplier, out, count);
    case Activation::GeluTanh:
        return map<GeluTanh>(x, multiplier, out, count);
    case Activation::GeluErf:
        return map<GeluErf>(x, multiplier, out, count);
    case Activation::QuickGelu:
        return map<QuickGelu>(x, multiplier, out, count);
    case Activation::Relu:
        return map<Relu>(x, multiplier, out, count);
    }
}

void rotate(float* x, Index heads, Index stride, const float* cosines, const float* sines,
            Index half)
{
    for (Index head = 0; head < heads; ++head) {
        float* const first = x + head * stride;
        float* const second = first + half;
        Index i = 0;
        for (; i + kLanes <= half; i += kLanes) {
            const Vec a = load(first + i);
            const Vec b = load(second + i);
            const Vec c = load(cosines + i);
            const Vec s = load(sines + i);
            store(first + i, a * c - b * s);
            store(second + i, b * c + a * s);
        }
        for (; i < half; ++i) {
            const float a = first[i];
            const float b = second[i];
            first[i] = a * cosines[i] - b * sines[i];
            second[i] = b * cosines[i] + a * sines[i];
        }
    }
}

// --- Reductions ---------------------------------------------------------------------------------

float maximum(const float* x, Index count)
{
    float best = x[0];
    Index i = 0;
    if (count >= kLanes) {
        Vec lanes = load(x);
        for (i = kLanes; i + kLanes <= count; i += kLanes) {
            const Vec v = load(x + i);
            lanes = select(v > lanes, v, lanes);
        }
        for (Index lane = 0; lane < kLanes; ++lane)
            best = lanes[lane] > best ? lanes[lane] : best;
    }
    for (; i < count; ++i)
        best = x[i] > best ? x[i] : best;
    return best;
}

void softmax(float* x, Index count, float scale)
{
    const float shift = maximum(x, count);
    Vec lanes = {};
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        const Vec e = exponential((load(x + i) - shift) * scale);
        store(x + i, e);
        lanes += e;
    }
    float total = sum(lanes);
    for (; i < count; ++i) {
        x[i] = exponential((x[i] - shift) * scale);
        total += x[i];
    }
    const float factor = 1.0F / total;
    for (i = 0; i + kLanes <= count; i += kLanes)
        store(x + i, load(x + i) * factor);
    for (; i < count; ++i)
        x[i] *= factor;
}

// tanh by the exponential, and by its series where that would cancel.
EP_INLINE Vec hyperbolicTangent(Vec x)
{
    const Vec square = x * x;
    const Vec series = x * (1.0F + square * (-0.33333333F + square * 0.13333333F));
    const Vec magnitude = absolute(x);
    const Vec e = exponential(-2.0F * magnitude);
    const Vec far = (1.0F - e) / (1.0F + e);
    return select(magnitude < 0.1F, series, select(x < 0.0F, -far, far));
}

void softCap(float* x, Index count, float scale, float cap)
{
    const float factor = scale / cap;
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(x + i, cap * hyperbolicTangent(load(x + i) * factor));
    for (; i < count; ++i)
        x[i] = cap * hyperbolicTangent(Vec{} + x[i] * factor)[0];
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

void accumulate(const float* x, Index count, float threshold, float shift, ValueSums& sums)
{
    constexpr Index kBlock = 512 * kLanes;
    Vec largest = Vec{} + sums.max_abs;
    VecI below = {};
    Index i = 0;
    while (i + kLanes <= count) {
        const Index end = count - i < kBlock ? count : i + kBlock;
        Vec magnitudes = {};
        Vec values = {};
        Vec squares = {};
        for (; i + kLanes <= end; i += kLanes) {
            const Vec v = load(x + i);
            const Vec magnitude = absolute(v);
            const Vec shifted = v - shift;
            magnitudes += magnitude;
            values += shifted;
            squares += shifted * shifted;
            largest = select(magnitude > largest, magnitude, largest);
            below -= magnitude < threshold; // true lanes are -1
        }
        sums.abs_sum += static_cast<double>(sum(magnitudes));
        sums.shifted_sum += static_cast<double>(sum(values));
        sums.shifted_square_sum += static_cast<double>(sum(squares));
    }
    for (Index lane = 0; lane < kLanes; ++lane) {
        sums.max_abs = largest[lane] > sums.max_abs ? largest[lane] : sums.max_abs;
        sums.below += below[lane];
    }
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
    Index negative = 0;
    for (Index i = 0; i < count; ++i)
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

constexpr Kernels kTable{
    .name = EP_KERNELS_NAME,
    .dotRowsF32 = dotRows<TypeF32>,
    .dotRowsBF16 = dotRows<TypeBF16>,
    .dotRowsF16 = dotRows<TypeF16>,
    .dotRowsI8 = dotRowsI8,
    .widenBF16 = widen<TypeBF16>,
    .widenF16 = widen<TypeF16>,
    .widenI8 = widenI8,
    .rmsNorm = rmsNorm,
    .layerNorm = layerNorm,
    .add = add,
    .activate = activate,
    .rotate = rotate,
    .softmax = softmax,
    .softCap = softCap,
    .weightedSum = weightedSum,
    .mean = mean,
    .meanSquare = meanSquare,
    .normalize = normalize,
    .scaleShift = scaleShift,
    .multiply = multiply,
    .scale = scale,
    .weightFigures = weightFigures,
    .maximum = maximum,
    .sumOfExp = sumOfExp,
    .accumulate = accumulate,
    .countNegative = countNegative,
    .finiteF32 = finiteF32,
    .finiteBF16 = finiteBF16,
    .finiteF16 = finiteF16,
};

#undef EP_INLINE

} // namespace
} // namespace ep::model
