// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cmath>
#include <cstddef>
#include <vector>

// Mixers that have a state, computed position by position in f64.
namespace ep::test {

inline double naiveSigmoid(double x)
{
    return 1.0 / (1.0 + std::exp(-x));
}
inline double naiveSoftplus(double x)
{
    return std::log1p(std::exp(x));
}

// Causal, for each column separately: weight [columns, 1, taps], oldest position first.
inline NaiveRows naiveConvolution(const NaiveRows& x, const NaiveTensor& weight,
                                  const NaiveTensor* bias, bool silu)
{
    const auto taps = static_cast<std::size_t>(weight.shape[2]);
    NaiveRows out = x;
    for (std::size_t row = 0; row < x.size(); ++row) {
        for (std::size_t c = 0; c < x[row].size(); ++c) {
            double sum = bias ? static_cast<double>(bias->values[c]) : 0.0;
            for (std::size_t j = 0; j < taps && j <= row; ++j)
                sum += static_cast<double>(weight.values[c * taps + taps - 1 - j]) * x[row - j][c];
            out[row][c] = silu ? sum * naiveSigmoid(sum) : sum;
        }
    }
    return out;
}

struct NaiveState {
    std::size_t key_heads = 0;
    std::size_t value_heads = 0;
    std::size_t key_dim = 0;
    std::size_t value_dim = 0;
    bool delta = false;
};

// q, k and v by head; factors and decays by position and value head.
inline NaiveRows naiveRecurrence(const NaiveRows& q, const NaiveRows& k, const NaiveRows& v,
                                 const NaiveRows& factors, const NaiveRows& decays,
                                 const NaiveState& shape)
{
    NaiveRows out = v;
    for (std::size_t head = 0; head < shape.value_heads; ++head) {
        const std::size_t key = head / (shape.value_heads / shape.key_heads) * shape.key_dim;
        std::vector<NaiveRow> state(shape.key_dim, NaiveRow(shape.value_dim));
        for (std::size_t row = 0; row < v.size(); ++row) {
            for (std::size_t j = 0; j < shape.value_dim; ++j) {
                const std::size_t column = head * shape.value_dim + j;
                double known = 0.0;
                for (std::size_t i = 0; i < shape.key_dim; ++i) {
                    state[i][j] *= decays[row][head];
                    known += k[row][key + i] * state[i][j];
                }
                const double fresh = shape.delta ? v[row][column] - known : v[row][column];
                double read = 0.0;
                for (std::size_t i = 0; i < shape.key_dim; ++i) {
                    state[i][j] += k[row][key + i] * factors[row][head] * fresh;
                    read += q[row][key + i] * state[i][j];
                }
                out[row][column] = read;
            }
        }
    }
    return out;
}

// Scales each group of columns to length 1, times a factor.
inline void naiveUnit(NaiveRows& x, std::size_t width, double factor)
{
    for (NaiveRow& row : x) {
        for (std::size_t at = 0; at < row.size(); at += width) {
            double squares = 0.0;
            for (std::size_t i = at; i < at + width; ++i)
                squares += row[i] * row[i];
            for (std::size_t i = at; i < at + width; ++i)
                row[i] *= factor / std::sqrt(squares + 1e-6);
        }
    }
}

} // namespace ep::test
