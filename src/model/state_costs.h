// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"
#include "ep/model/analytic.h"
#include "ep/model/config.h"

#include <cstdint>

// Costs of single parts, for the analytic count (ep/model/analytic.h), and those of mixers with a
// state in one layer.
namespace ep::model {

inline constexpr double kRmsNormFlops = 4.0;
inline constexpr double kLayerNormFlops = 7.0;
inline constexpr double kActivationFlops = 4.0;
inline constexpr double kSoftmaxFlops = 5.0;
inline constexpr double kRotaryFlops = 3.0;

inline double number(std::int64_t value)
{
    return static_cast<double>(value);
}

// Costs of parts that process `rows` rows, whichever sequences they belong to.
class Accountant {
public:
    Accountant(double rows, const NumberSizes& sizes)
        : m_rows(rows)
        , m_sizes(sizes)
    {
    }

    Cost linear(double in, double out, bool bias, double weightSize) const
    {
        Cost cost;
        cost.flops = m_rows * out * (2.0 * in + (bias ? 1.0 : 0.0));
        const double scales = weightSize == m_sizes.weight ? m_sizes.row_scale : 0.0;
        cost.weight_bytes = out * (in * weightSize + scales + (bias ? m_sizes.vector : 0.0));
        cost.activation_bytes = m_rows * (in + out) * m_sizes.activation;
        return cost;
    }

    // A norm over `width` values per row with this number of weights (including biases).
    Cost norm(double width, double weights, bool layerNorm) const
    {
        Cost cost;
        cost.flops = m_rows * width * (layerNorm ? kLayerNormFlops : kRmsNormFlops);
        cost.weight_bytes = weights * m_sizes.vector;
        cost.activation_bytes = 2.0 * m_rows * width * m_sizes.activation;
        return cost;
    }

    Cost activation(double width, bool gated) const
    {
        Cost cost;
        cost.flops = m_rows * width * (kActivationFlops + (gated ? 1.0 : 0.0));
        cost.activation_bytes = m_rows * width * (gated ? 3.0 : 2.0) * m_sizes.activation;
        return cost;
    }

    Cost residual(double width, int additions) const
    {
        Cost cost;
        cost.flops = additions * m_rows * width;
        cost.activation_bytes = additions * 3.0 * m_rows * width * m_sizes.activation;
        return cost;
    }

    Cost mlp(double hidden, double intermediate, bool gated, double weightSize) const
    {
        const Cost first = linear(hidden, intermediate, false, weightSize);
        return (gated ? first + first : first) + activation(intermediate, gated)
            + linear(intermediate, hidden, false, weightSize);
    }

    double rows() const { return m_rows; }

private:
    double m_rows;
    const NumberSizes& m_sizes;
};

class StateAccountant {
public:
    StateAccountant(const ModelConfig& config, int layer, double sequences, const Accountant& part,
                    const NumberSizes& sizes);

    // matrixSize: bytes per number of the component's matrices
    Cost costOf(Component component, double matrixSize) const;

private:
    Cost convolution() const;
    Cost recurrence(double flopsOfEntry) const;
    Cost gatedNorm() const;

    const ModelConfig& m_config;
    Mixer m_mixer;
    double m_sequences;
    const Accountant& m_part;
    const NumberSizes& m_sizes;
    double m_keys;
    double m_values;
    double m_heads;
    double m_channels;
};

// Weights of a mixer with a state; 0 for a layer without one.
std::int64_t stateMixerParameters(const ModelConfig& config, int layer);

} // namespace ep::model
