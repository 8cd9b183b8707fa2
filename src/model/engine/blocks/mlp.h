// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/mixer.h"
#include "families/family_shape.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <string>

namespace ep::model {

// The function named by hidden_act in config.json, one of those accepted by checkSupported().
Activation activationFromName(const std::string& word);

// down(f(gate(x)) * up(x)); fused: gate and up are the halves of one gate_up_proj.
class GatedMlp final : public FeedForward {
public:
    GatedMlp(WeightLoader& weights, const ModelConfig& config, std::int64_t intermediate,
             const std::string& prefix, const MlpOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    Activation m_activation;
    std::int64_t m_intermediate;
    bool m_fused;
    float m_gate_factor; // for the inputs of the activation
    float m_down_factor; // for the output
    Linear m_gate_proj;
    Linear m_up_proj;
    Linear m_gate_up_proj;
    Linear m_down_proj;
};

// fc2(f(fc1(x)))
class PlainMlp final : public FeedForward {
public:
    PlainMlp(WeightLoader& weights, const ModelConfig& config, const std::string& prefix,
             const MlpOptions& options);

    void forward(Step& step, const Matrix& x, Matrix& out) const override;

private:
    Activation m_activation;
    Linear m_fc1;
    Linear m_fc2;
};

} // namespace ep::model
