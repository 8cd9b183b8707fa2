// SPDX-License-Identifier: GPL-3.0-or-later
#include "layer_shape.h"

#include <algorithm>
#include <string_view>

namespace ep::model {
namespace {

bool is(const ModelConfig& config, std::string_view family)
{
    return config.architecture.starts_with(family);
}

bool isPhi2(const ModelConfig& config)
{
    return config.architecture == "PhiForCausalLM";
}

void describeAttention(const ModelConfig& config, LayerShape& shape)
{
    const bool always = isPhi2(config) || is(config, "GPT2"); // biases everywhere
    const bool neverOnOutput = is(config, "Qwen2") || is(config, "StableLm");
    shape.q = std::int64_t{config.num_attention_heads} * config.head_dim;
    shape.kv = std::int64_t{config.num_key_value_heads} * config.head_dim;
    shape.rotary_dim = learnedPositions(config) ? 0 : config.rotaryDim();
    shape.fused_qkv = is(config, "Phi3") || is(config, "GPT2") || is(config, "GPTNeoX");
    shape.qkv_bias = always || config.attention_bias;
    shape.output_bias = always || (config.attention_bias && !neverOnOutput);
    if (is(config, "Qwen3") || is(config, "Gemma3")) {
        shape.q_norm_weights = config.head_dim;
        shape.k_norm_weights = config.head_dim;
    } else if (config.qk_layernorm) {
        // StableLM has weights for each head and no bias, Phi one set with a bias.
        const bool eachHead = is(config, "StableLm");
        shape.head_norm_is_layer = true;
        shape.q_norm_weights = eachHead ? shape.q : 2 * config.head_dim;
        shape.k_norm_weights = eachHead ? shape.kv : 2 * config.head_dim;
    }
}

void describeNorms(const ModelConfig& config, LayerShape& shape)
{
    shape.layer_norm =
        isPhi2(config) || is(config, "StableLm") || is(config, "GPT2") || is(config, "GPTNeoX");
    const bool oneNorm = isPhi2(config) || (is(config, "StableLm") && config.parallel_residual);
    shape.norms.push_back(Component::InputLayernorm);
    if (!oneNorm)
        shape.norms.push_back(Component::PostAttentionLayernorm);
    if (is(config, "Gemma2") || is(config, "Gemma3")) {
        shape.norms.push_back(Component::PreFeedforwardLayernorm);
        shape.norms.push_back(Component::PostFeedforwardLayernorm);
    }
}

void describeMlp(const ModelConfig& config, int layer, LayerShape& shape)
{
    if (config.hasExperts(layer)) {
        shape.experts = config.moe.experts;
        shape.experts_per_token = config.moe.experts_per_token;
        shape.expert_intermediate = config.moe.intermediate_size;
        shape.shared_intermediate = config.moe.shared_intermediate_size;
        return;
    }
    shape.intermediate = config.intermediate_size;
    shape.gated = !(isPhi2(config) || is(config, "GPT2") || is(config, "GPTNeoX"));
    shape.fused_gate_up = is(config, "Phi3");
    shape.mlp_bias = !shape.gated || config.mlp_bias;
}

} // namespace

LayerShape layerShape(const ModelConfig& config, int layer)
{
    LayerShape shape;
    shape.hidden = config.hidden_size;
    describeAttention(config, shape);
    describeNorms(config, shape);
    describeMlp(config, layer, shape);
    return shape;
}

bool learnedPositions(const ModelConfig& config)
{
    return is(config, "GPT2");
}

bool headHasBias(const ModelConfig& config)
{
    return isPhi2(config);
}

} // namespace ep::model
