// SPDX-License-Identifier: GPL-3.0-or-later
// Short convolutions and the recurrence of a state.
#pragma once

#include "kernels.h"
#include "vector_math.h"

namespace ep::model {
namespace {

void convolve(const float* const* inputs, Index taps, const float* weights, const float* bias,
              float* out, Index count)
{
    Index c = 0;
    for (; c + kLanes <= count; c += kLanes) {
        Vec total = bias ? load(bias + c) : Vec{};
        for (Index j = 0; j < taps; ++j)
            total += load(weights + j * count + c) * load(inputs[j] + c);
        store(out + c, total);
    }
    for (; c < count; ++c) {
        float total = bias ? bias[c] : 0.0F;
        for (Index j = 0; j < taps; ++j)
            total += weights[j * count + c] * inputs[j][c];
        out[c] = total;
    }
}

// kCount columns of a state, each as wide as Type: few enough to stay in the L1 cache while all
// positions of a prompt pass over them.
template <typename Type, int kCount>
EP_INLINE void recurColumns(const RecurrentRows& r, float* state)
{
    constexpr Index kWidth = sizeof(Type) / sizeof(float);
    const auto get = [](const float* from, int i) {
        Type value;
        __builtin_memcpy(&value, from + i * kWidth, sizeof value);
        return value;
    };
    const auto put = [](float* to, int i, Type value) {
        __builtin_memcpy(to + i * kWidth, &value, sizeof value);
    };
    const float* q = r.queries;
    const float* k = r.keys;
    const float* v = r.values;
    float* out = r.out;
    for (Index row = 0; row < r.rows; ++row) {
        const float decay = r.decays[row * r.decay_stride];
        const float factor = r.factors[row * r.factor_stride];
        Type update[kCount] = {};
        if (r.delta) {
            for (Index key = 0; key < r.key_dim; ++key) {
                for (int i = 0; i < kCount; ++i)
                    update[i] += k[key] * get(state + key * r.value_dim, i);
            }
        }
        Type result[kCount] = {};
        for (int i = 0; i < kCount; ++i)
            update[i] = factor * (get(v, i) - decay * update[i]);
        for (Index key = 0; key < r.key_dim; ++key) {
            float* const part = state + key * r.value_dim;
            for (int i = 0; i < kCount; ++i) {
                const Type next = decay * get(part, i) + k[key] * update[i];
                put(part, i, next);
                result[i] += q[key] * next;
            }
        }
        for (int i = 0; i < kCount; ++i)
            put(out, i, result[i] + r.skip * get(v, i));
        q += r.key_stride;
        k += r.key_stride;
        v += r.value_stride;
        out += r.out_stride;
    }
}

void recur(const RecurrentRows& rows, float* state, Index begin, Index end)
{
    constexpr int kColumns = 4;
    const auto at = [&](Index column) {
        RecurrentRows part = rows;
        part.values += column;
        part.out += column;
        return part;
    };
    Index column = begin;
    for (; column + kColumns * kLanes <= end; column += kColumns * kLanes)
        recurColumns<Vec, kColumns>(at(column), state + column);
    for (; column + kLanes <= end; column += kLanes)
        recurColumns<Vec, 1>(at(column), state + column);
    for (; column < end; ++column)
        recurColumns<float, 1>(at(column), state + column);
}

} // namespace
} // namespace ep::model
