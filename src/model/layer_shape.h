// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family_shape.h"

#include "ep/core/words.h"
#include "ep/model/config.h"

#include <cstdint>
#include <vector>

namespace ep::model {

// The dimensions of one layer of a model, and the components in it.
struct LayerShape {
    std::int64_t hidden = 0;
    std::int64_t q = 0; // heads x head_dim
    std::int64_t kv = 0; // kv_heads x head_dim
    std::int64_t kv_heads = 0;
    std::int64_t rotary_dim = 0; // rotated dimensions per head
    std::int64_t q_norm_weights = 0; // 0: queries and keys are not normalised
    std::int64_t k_norm_weights = 0;
    bool feed_forward = true; // false: the layer has only a mixer
    int residuals = 2; // number of additions to the residual stream
    std::int64_t v_norm_width = 0;
    LatentAttention latent{}; // rank 0: none
    std::int64_t per_layer_input = 0;
    bool own_keys = true; // false: it uses the keys and values of an earlier layer
    bool values_are_keys = false;
    std::int64_t intermediate = 0; // intermediate size of the dense MLP; 0: none
    int experts = 0;
    int experts_per_token = 0;
    std::int64_t expert_intermediate = 0;
    std::int64_t expert_hidden = 0; // width of an expert's input and output
    std::int64_t shared_intermediate = 0; // 0: no shared expert
    // Components in the order in which they first run, as the engine announces them.
    std::vector<Component> components{};
};

LayerShape layerShape(const FamilyShape& family, const ModelConfig& config, int layer);

// Norms of the residual stream or a branch, each `hidden` wide.
bool isStreamNorm(Component component);

// Weights of a norm of this width.
inline std::int64_t normWeights(const FamilyShape& family, std::int64_t width)
{
    return (family.norm == NormStyle::Layer ? 2 : 1) * width;
}

} // namespace ep::model
