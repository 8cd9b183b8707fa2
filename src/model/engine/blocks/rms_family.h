// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "blocks/layers.h"
#include "blocks/moe.h"

#include <string>

namespace ep::model {

// Differences between Llama and related families: RMSNorm before attention and before a gated MLP
// or a mixture of experts.
struct RmsFamily {
    AttentionOptions attention{};
    bool fused_gate_up = false;
    bool norm_plus_one = false; // Gemma: stored norm weights are reduced by one
    const char* moe_prefix = "mlp.";
    MoeBlock::Names moe_names{};
};

Decoder makeRmsDecoder(const ModelConfig& config, WeightLoader& weights, const RmsFamily& family);

} // namespace ep::model
