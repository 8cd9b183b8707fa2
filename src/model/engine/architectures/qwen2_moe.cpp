// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Qwen 2 with experts and a shared expert.
Decoder makeQwen2Moe(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights, {.attention = {.qkv_bias = config.attention_bias}});
}

} // namespace ep::model
