// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "accountant.h"

#include "ep/core/words.h"
#include "ep/model/config.h"

#include <cstdint>

// Costs of mixers with a state, in one layer.
namespace ep::model {

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
