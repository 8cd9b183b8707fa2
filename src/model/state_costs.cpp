// SPDX-License-Identifier: GPL-3.0-or-later
#include "state_costs.h"

#include "cache_shape.h"

namespace ep::model {
namespace {

// FLOPs for each entry of a state and position: decay (1), update (2) and read (2). The delta rule
// reads the entry once more before the update (2).
constexpr double kScanFlops = 5.0;
constexpr double kDeltaRuleFlops = 7.0;
constexpr double kDecayFlops = 2.0 * kActivationFlops; // a softplus and an exponential

} // namespace

StateAccountant::StateAccountant(const ModelConfig& config, int layer, double sequences,
                                 const Accountant& part, const NumberSizes& sizes)
    : m_config(config)
    , m_mixer(config.mixerOf(layer))
    , m_sequences(sequences)
    , m_part(part)
    , m_sizes(sizes)
    , m_keys(number(config.state.keys()))
    , m_values(number(config.state.values()))
    , m_heads(config.state.value_heads)
    , m_channels(number(convolvedChannels(config, layer)))
{
}

Cost StateAccountant::costOf(Component component, double matrixSize) const
{
    const double hidden = m_config.hidden_size;
    const auto project = [&](double in, double out) {
        const bool last = component == Component::OutProj;
        const StateSettings& s = m_config.state;
        return m_part.linear(in, out, last ? s.output_bias : s.projection_bias, matrixSize);
    };
    switch (component) {
    case Component::InProj:
        switch (m_mixer) {
        case Mixer::ShortConvolution:
            return project(hidden, 3.0 * hidden);
        case Mixer::DeltaNet:
            return project(hidden, 2.0 * m_keys + 2.0 * m_values);
        default:
            return project(hidden, m_channels + m_values + m_heads);
        }
    case Component::InProjQkv:
        return project(hidden, m_channels);
    case Component::InProjZ:
        return project(hidden, m_values);
    case Component::InProjBa:
        return project(hidden, 2.0 * m_heads);
    case Component::Conv1d:
        return convolution();
    case Component::DeltaRule: {
        Cost cost = recurrence(kDeltaRuleFlops) + m_part.norm(2.0 * m_keys, 0.0, false);
        cost.flops += m_part.rows() * m_heads * kActivationFlops; // for the betas
        return cost;
    }
    case Component::Scan: {
        Cost cost = recurrence(kScanFlops);
        cost.flops += 2.0 * m_part.rows() * m_values; // the part that bypasses the state
        cost.weight_bytes += m_heads * m_sizes.vector;
        return cost;
    }
    case Component::GatedNorm:
        return gatedNorm();
    case Component::OutProj:
        return project(m_mixer == Mixer::ShortConvolution ? hidden : m_values, hidden);
    default:
        return {};
    }
}

// Includes its activation or, for a short convolution, the products before and after it.
Cost StateAccountant::convolution() const
{
    const double taps = m_config.state.taps;
    const bool gates = m_mixer == Mixer::ShortConvolution;
    const double bias = m_config.state.conv_bias ? 1.0 : 0.0;
    Cost cost;
    cost.flops =
        m_part.rows() * m_channels * (2.0 * taps + bias + (gates ? 2.0 : kActivationFlops));
    cost.weight_bytes = (taps + bias) * m_channels * m_sizes.vector;
    cost.cache_bytes = 2.0 * m_sequences * (taps - 1.0) * m_channels * m_sizes.cache;
    cost.activation_bytes = (gates ? 4.0 : 2.0) * m_part.rows() * m_channels * m_sizes.activation;
    return cost;
}

// The state is read and written once per pass.
Cost StateAccountant::recurrence(double flopsOfEntry) const
{
    const double entries = m_values * m_config.state.key_dim;
    Cost cost;
    cost.flops = m_part.rows() * (entries * flopsOfEntry + m_values + m_heads * kDecayFlops);
    cost.weight_bytes = 2.0 * m_heads * sizeof(float);
    cost.cache_bytes = 2.0 * m_sequences * entries * sizeof(float);
    cost.activation_bytes =
        m_part.rows() * (2.0 * m_keys + 2.0 * m_values + 2.0 * m_heads) * m_sizes.activation;
    return cost;
}

Cost StateAccountant::gatedNorm() const
{
    const bool normalises = m_config.state.normalises;
    const double weights = m_mixer == Mixer::DeltaNet ? m_config.state.value_dim : m_values;
    const Cost gate = m_part.activation(m_values, true);
    return normalises ? gate + m_part.norm(m_values, weights, false) : gate;
}

std::int64_t stateMixerParameters(const ModelConfig& config, int layer)
{
    const StateSettings& s = config.state;
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t channels = convolvedChannels(config, layer);
    const std::int64_t convolved = channels * (s.taps + (s.conv_bias ? 1 : 0));
    const std::int64_t biasOfInput = s.projection_bias ? 1 : 0;
    const std::int64_t biasOfOutput = s.output_bias ? hidden : 0;
    switch (config.mixerOf(layer)) {
    case Mixer::ShortConvolution:
        return convolved + 4 * hidden * hidden + biasOfInput * 3 * hidden + biasOfOutput;
    case Mixer::DeltaNet:
        return convolved + hidden * (channels + 2 * s.values() + 2 * s.value_heads)
            + 2 * s.value_heads + s.value_dim;
    case Mixer::Mamba:
    case Mixer::MambaAndAttention: {
        const std::int64_t in = channels + s.values() + s.value_heads;
        return convolved + hidden * (in + s.values()) + biasOfInput * in + biasOfOutput
            + 3 * s.value_heads + (s.normalises ? s.values() : 0);
    }
    case Mixer::Attention:
    case Mixer::None:
        break;
    }
    return 0;
}

} // namespace ep::model
