// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/pre_norm_layer.h"

namespace ep::model {

// Llama with a sliding window, which the attention takes from the config.
Decoder makeMistral(const ModelConfig& config, WeightLoader& weights)
{
    return makePreNormDecoder(config, weights, {});
}

} // namespace ep::model
