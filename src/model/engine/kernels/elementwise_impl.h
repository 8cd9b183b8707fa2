// SPDX-License-Identifier: GPL-3.0-or-later
// Element-wise sums, factors, activations and rotations.
#pragma once

#include "kernels.h"
#include "vector_math.h"

namespace ep::model {
namespace {

void add(float* x, const float* y, Index count)
{
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(x + i, load(x + i) + load(y + i));
    for (; i < count; ++i)
        x[i] += y[i];
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

void softCap(float* x, Index count, float scale, float cap)
{
    const float factor = scale / cap;
    Index i = 0;
    for (; i + kLanes <= count; i += kLanes)
        store(x + i, cap * hyperbolicTangent(load(x + i) * factor));
    for (; i < count; ++i)
        x[i] = cap * hyperbolicTangent(Vec{} + x[i] * factor)[0];
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

struct ReluSquared {
    static EP_INLINE Vec apply(Vec x)
    {
        const Vec positive = Relu::apply(x);
        return positive * positive;
    }
};

struct Sigmoid {
    static EP_INLINE Vec apply(Vec x) { return 1.0F / (1.0F + exponential(-x)); }
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
    case Activation::ReluSquared:
        return map<ReluSquared>(x, multiplier, out, count);
    case Activation::Sigmoid:
        return map<Sigmoid>(x, multiplier, out, count);
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

} // namespace
} // namespace ep::model
