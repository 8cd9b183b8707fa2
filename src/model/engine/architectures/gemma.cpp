// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

#include <cmath>

namespace ep::model {

// Gemma 1: Llama with scaled embeddings and norm weights around zero.
Decoder makeGemma(const ModelConfig& config, WeightLoader& weights)
{
    Decoder decoder = makeRmsDecoder(
        config, weights,
        {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
         .norm_plus_one = true});
    decoder.embedding_scale = static_cast<float>(std::sqrt(config.hidden_size));
    return decoder;
}

} // namespace ep::model
