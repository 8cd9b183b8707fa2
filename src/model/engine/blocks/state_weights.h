// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ops.h"
#include "step.h"
#include "weight_loader.h"

#include "ep/model/config.h"

#include <cstdint>
#include <string>

// What mixers with a state have in common.
namespace ep::model {

// prefix + ".weight" [channels, 1, taps], in MLX's files [channels, taps, 1], in GGUF without the
// one; and prefix + ".bias" if the bias is wanted.
Convolution convolution(WeightLoader& weights, const std::string& prefix, std::int64_t channels,
                        std::int64_t taps, bool bias);

// prefix + "A_log" and "dt_bias".
StateDecay stateDecay(WeightLoader& weights, const std::string& prefix, std::int64_t heads);

StateShape stateShape(const StateSettings& settings, bool delta);

// x, or a copy in the workspace that is multiplied by the factor.
const Matrix& scaledInput(Step& step, const Matrix& x, double factor);

// The convolution of x into ws.convolved, and its activation, under the tap conv1d.
void convolved(Step& step, const Matrix& x, const Convolution& convolution);

// x = silu(gate) * x, and a norm over each of `groups` parts of it, before or after; without a norm
// if there is none.
struct GatedNorm {
    Norm norm{};
    std::int64_t groups = 1;
    bool normalises = true;
    bool norm_first = false;
};
void gatedNormed(Step& step, const Matrix& gate, const GatedNorm& norm, Matrix& x);

} // namespace ep::model
