// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks/rms_family.h"

namespace ep::model {
namespace {

// Qwen 3: every head of queries and keys is normalised before rotation.
RmsFamily qwen3(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias,
                          .output_bias = config.attention_bias,
                          .head_norm = AttentionOptions::HeadNorm::Rms}};
}

} // namespace

Decoder makeQwen3(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights, qwen3(config));
}

// Qwen 3 with experts, without a shared expert.
Decoder makeQwen3Moe(const ModelConfig& config, WeightLoader& weights)
{
    return makeRmsDecoder(config, weights, qwen3(config));
}

} // namespace ep::model
