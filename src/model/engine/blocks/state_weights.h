// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"
#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstdint>
#include <string>

// Shared by the mixers with a state.
namespace ep::model {

// Reads prefix + ".weight" [channels, 1, taps], in MLX's files [channels, taps, 1], in GGUF
// without the 1; and prefix + ".bias" if `bias` is set.
Convolution convolution(WeightLoader& weights, const std::string& prefix, std::int64_t channels,
                        std::int64_t taps, bool bias);

// Reads prefix + "A_log" and "dt_bias".
StateDecay stateDecay(WeightLoader& weights, const std::string& prefix, std::int64_t heads);

StateShape stateShape(const StateSettings& settings, bool delta);

// Returns x, or a copy of it in the workspace that is multiplied by the factor.
const Matrix& scaledInput(Step& step, const Matrix& x, double factor);

// Convolves x into ws.convolved and applies the activation, under the tap conv1d.
void convolved(Step& step, const Matrix& x, const Convolution& convolution);

// x = silu(gate) * x, with a norm over each of `groups` parts of it before or after, if there is a
// norm.
struct GatedNorm {
    Norm norm{};
    std::int64_t groups = 1;
    bool normalises = true;
    bool norm_first = false;
};
void gatedNormed(Step& step, const Matrix& gate, const GatedNorm& norm, Matrix& x);

} // namespace ep::model
