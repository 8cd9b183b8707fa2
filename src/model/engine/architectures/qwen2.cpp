// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {

// Qwen 2 and 2.5: biases on queries, keys and values, none on the output.
Decoder makeQwen2(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights, {.attention = {.qkv_bias = true}});
}

} // namespace ep::model
