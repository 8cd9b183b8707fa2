// SPDX-License-Identifier: GPL-3.0-or-later
#include "naive_math.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

namespace ep::test {

NaiveRows naiveLinear(const NaiveRows& x, const NaiveTensor& weight, const NaiveTensor* bias,
                      bool transposed)
{
    const auto out = static_cast<std::size_t>(weight.shape[transposed ? 1 : 0]);
    const auto in = static_cast<std::size_t>(weight.shape[transposed ? 0 : 1]);
    NaiveRows result;
    for (const NaiveRow& row : x) {
        NaiveRow values(out);
        for (std::size_t o = 0; o < out; ++o) {
            double sum = bias ? static_cast<double>(bias->values[o]) : 0.0;
            for (std::size_t i = 0; i < in; ++i) {
                const std::size_t place = transposed ? i * out + o : o * in + i;
                sum += static_cast<double>(weight.values[place]) * row[i];
            }
            values[o] = sum;
        }
        result.push_back(values);
    }
    return result;
}

NaiveRow naiveRmsNorm(const NaiveRow& x, const NaiveTensor& weight, double epsilon, double plus)
{
    double squares = 0.0;
    for (const double value : x)
        squares += value * value;
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(x.size()) + epsilon);
    NaiveRow out;
    for (std::size_t i = 0; i < x.size(); ++i)
        out.push_back(x[i] * scale * (static_cast<double>(weight.values[i]) + plus));
    return out;
}

NaiveRow naiveLayerNorm(const NaiveRow& x, const NaiveTensor& weight, const NaiveTensor* bias,
                        double epsilon)
{
    const auto count = static_cast<double>(x.size());
    double mean = 0.0;
    for (const double value : x)
        mean += value / count;
    double variance = 0.0;
    for (const double value : x)
        variance += (value - mean) * (value - mean) / count;
    NaiveRow out;
    for (std::size_t i = 0; i < x.size(); ++i) {
        out.push_back((x[i] - mean) / std::sqrt(variance + epsilon)
                          * static_cast<double>(weight.values[i])
                      + (bias ? static_cast<double>(bias->values[i]) : 0.0));
    }
    return out;
}

double naiveActivation(const std::string& name, double x)
{
    if (name == "silu")
        return x / (1.0 + std::exp(-x));
    if (name == "gelu")
        return 0.5 * x * (1.0 + std::erf(x / std::sqrt(2.0)));
    if (name == "gelu_new" || name == "gelu_pytorch_tanh") {
        const double inner = std::sqrt(2.0 / std::numbers::pi) * (x + 0.044715 * x * x * x);
        return 0.5 * x * (1.0 + std::tanh(inner));
    }
    if (name == "relu2")
        return x > 0.0 ? x * x : 0.0;
    if (name == "quick_gelu")
        return x / (1.0 + std::exp(-1.702 * x));
    if (name == "relu")
        return std::max(0.0, x);
    throw std::runtime_error("no activation " + name);
}

NaiveRow naiveSoftmax(NaiveRow x)
{
    const double largest = *std::max_element(x.begin(), x.end());
    double sum = 0.0;
    for (double& value : x) {
        value = std::exp(value - largest);
        sum += value;
    }
    for (double& value : x)
        value /= sum;
    return x;
}

double naiveCap(double x, double cap)
{
    return cap == 0.0 ? x : cap * std::tanh(x / cap);
}

void naiveRotate(NaiveRow& row, int heads, const NaiveRope& rope, std::int64_t position)
{
    const std::size_t dim = row.size() / static_cast<std::size_t>(heads);
    const std::size_t half = rope.frequencies.size();
    for (std::size_t start = 0; start < row.size(); start += dim) {
        for (std::size_t i = 0; i < half; ++i) {
            const double angle = static_cast<double>(position) * rope.frequencies[i];
            const double c = std::cos(angle) * rope.factor;
            const double s = std::sin(angle) * rope.factor;
            const double a = row[start + i];
            const double b = row[start + i + half];
            row[start + i] = a * c - b * s;
            row[start + i + half] = b * c + a * s;
        }
    }
}

NaiveRows naiveAttend(const NaiveRows& q, const NaiveRows& k, const NaiveRows& v,
                      const NaiveAttention& shape)
{
    const auto heads = static_cast<std::size_t>(shape.heads);
    const auto group = static_cast<std::size_t>(shape.heads / shape.kv_heads);
    const std::size_t dim = q[0].size() / heads;
    const std::size_t valueDim = v[0].size() / static_cast<std::size_t>(shape.kv_heads);
    NaiveRows out(q.size(), NaiveRow(heads * valueDim));
    for (std::size_t row = 0; row < q.size(); ++row) {
        for (std::size_t head = 0; head < heads; ++head) {
            const std::size_t kvStart = head / group * dim;
            NaiveRow scores;
            std::size_t first = 0;
            if (shape.window && row + 1 > static_cast<std::size_t>(*shape.window))
                first = row + 1 - static_cast<std::size_t>(*shape.window);
            for (std::size_t key = first; key <= row; ++key) {
                double dot = 0.0;
                for (std::size_t d = 0; d < dim; ++d)
                    dot += q[row][head * dim + d] * k[key][kvStart + d];
                scores.push_back(naiveCap(dot * shape.scale, shape.cap));
            }
            const NaiveRow weights = naiveSoftmax(scores);
            for (std::size_t key = first; key <= row; ++key) {
                for (std::size_t d = 0; d < valueDim; ++d)
                    out[row][head * valueDim + d] +=
                        weights[key - first] * v[key][head / group * valueDim + d];
            }
        }
    }
    return out;
}

} // namespace ep::test
