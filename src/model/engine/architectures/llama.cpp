// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Llama 1 to 3.x, and models that copied it exactly.
Decoder makeLlama(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(
        config, weights,
        {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias}});
}

} // namespace ep::model
