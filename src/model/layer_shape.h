// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/words.h"
#include "ep/model/config.h"

#include <cstdint>
#include <vector>

namespace ep::model {

// What one layer of a family consists of, in numbers. The only place beside the family's own file
// that knows how the families differ.
struct LayerShape {
    std::int64_t hidden = 0;
    std::int64_t q = 0; // heads x head_dim
    std::int64_t kv = 0; // kv_heads x head_dim
    std::int64_t rotary_dim = 0; // of each head
    bool fused_qkv = false;
    bool qkv_bias = false;
    bool output_bias = false;
    std::int64_t q_norm_weights = 0; // 0: queries and keys are not normalised
    std::int64_t k_norm_weights = 0;
    bool head_norm_is_layer = false; // LayerNorm, not RMSNorm

    std::vector<Component> norms; // of the residual stream or of a branch, each `hidden` wide
    bool layer_norm = false; // with a bias; else RMSNorm

    std::int64_t intermediate = 0; // of the dense MLP; 0: experts
    bool gated = true; // gate, up and down; else fc1 and fc2
    bool fused_gate_up = false;
    bool mlp_bias = false;
    int experts = 0;
    int experts_per_token = 0;
    std::int64_t expert_intermediate = 0;
    std::int64_t shared_intermediate = 0; // 0: there is no shared expert
};

LayerShape layerShape(const ModelConfig& config, int layer);

bool learnedPositions(const ModelConfig& config); // an embedding of positions, no rotation
bool headHasBias(const ModelConfig& config);

} // namespace ep::model
