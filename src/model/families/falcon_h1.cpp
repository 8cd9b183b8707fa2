// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"
#include "families/family.h"
#include "families/shared_keys.h"

#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ep::model::families {
namespace {

constexpr double kMaxFactor = 1e6;

// Mamba-2 and attention side by side in every layer.
FamilyShape falconH1Shape(const ModelConfig& config)
{
    return {.attention = {.qkv_bias = config.attention_bias, .output_bias = config.attention_bias},
            .mlp = {.bias = config.mlp_bias},
            .names = {.final_norm = "final_layernorm",
                      .post_attention_norm = "pre_ff_layernorm",
                      .mixer = "mamba.",
                      .mlp = "feed_forward."}};
}

double factorIn(const json::Value& json, const char* key)
{
    return json.number(key, 1.0, -kMaxFactor, kMaxFactor);
}

// Reads a list of factors; ones if there is none.
template <std::size_t kCount>
std::array<double, kCount> factorsIn(const json::Value& json, const char* key)
{
    std::array<double, kCount> factors{};
    factors.fill(1.0);
    const auto list = json.find(key);
    if (!list)
        return factors;
    if (list->requireArray().size() != kCount)
        list->fail(Message("must be a list of %1 numbers", kCount));
    for (std::size_t i = 0; i < kCount; ++i)
        factors[i] = list->at(i).asNumber(-kMaxFactor, kMaxFactor);
    return factors;
}

void readFalconH1(const json::Value& json, ModelConfig& config)
{
    config.mixers.assign(static_cast<std::size_t>(config.num_hidden_layers),
                         Mixer::MambaAndAttention);
    const int expand = json.integer("mamba_expand", 2, 1, 64);
    const int usual = std::min(expand * config.hidden_size, kMaxWidth);
    readMamba(json, config, {}, json.integer("mamba_d_ssm", usual, 1, kMaxWidth));
    StateSettings& state = config.state;
    state.output_bias = json.boolean("projectors_bias", false);
    state.normalises = json.boolean("mamba_rms_norm", false);
    state.norm_first = json.boolean("mamba_norm_before_gate", true);
    state.norm_groups = state.key_heads;
    const auto parts = factorsIn<5>(json, "ssm_multipliers");
    state.factors = {.in = factorIn(json, "ssm_in_multiplier"),
                     .z = parts[0],
                     .x = parts[1],
                     .b = parts[2],
                     .c = parts[3],
                     .dt = parts[4],
                     .out = factorIn(json, "ssm_out_multiplier")};
    const auto mlp = factorsIn<2>(json, "mlp_multipliers");
    config.branches = {.attention_in = factorIn(json, "attention_in_multiplier"),
                       .attention_out = factorIn(json, "attention_out_multiplier"),
                       .mlp_gate = mlp[0],
                       .mlp_down = mlp[1]};
    // A factor of the keys is also a factor of the scores.
    config.attention_scale =
        json.number("key_multiplier", 1.0, 1e-9, kMaxFactor) / std::sqrt(config.head_dim);
    config.embedding_factor = factorIn(json, "embedding_multiplier");
    config.logit_factor = factorIn(json, "lm_head_multiplier");
}

} // namespace

Family falconH1()
{
    return {.defaults = {.model_type = "falcon_h1",
                         .max_position_embeddings = 8192,
                         .kv_heads = 8,
                         .rms_norm_eps = 1e-5},
            .shape = falconH1Shape,
            .readKeys = readFalconH1,
            .gguf = {.architectures = {"falcon-h1"}}};
}

} // namespace ep::model::families
