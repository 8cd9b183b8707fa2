// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Phi 3, 3.5 and 4: one projection for queries, keys and values, one for gate and up.
Decoder makePhi3(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights,
                          {.attention = {.fused_name = "qkv_proj"}, .fused_gate_up = true});
}

} // namespace ep::model
