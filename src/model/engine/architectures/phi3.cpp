// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/pre_norm_layer.h"

namespace ep::model {

// Phi 3: one projection for queries, keys and values, one for gate and up.
Decoder makePhi3(const ModelConfig& config, WeightLoader& weights)
{
    return makePreNormDecoder(config, weights,
                              {.attention = {.fused_qkv = true}, .fused_gate_up = true});
}

} // namespace ep::model
