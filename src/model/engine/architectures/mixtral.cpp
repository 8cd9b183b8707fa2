// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Mistral with a mixture of experts in every layer.
Decoder makeMixtral(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights,
                          {.moe_prefix = weights.has("model.layers.0.mlp.gate.weight")
                               ? "mlp." // as transformers 5 may save it
                               : "block_sparse_moe.",
                           .moe_names = {.gate = "w1", .up = "w3", .down = "w2"}});
}

} // namespace ep::model
