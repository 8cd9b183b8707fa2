// SPDX-License-Identifier: GPL-3.0-or-later
#include "families/family.h"
#include "layer_shape.h"
#include "state_costs.h"

#include "ep/model/analytic.h"

#include <algorithm>

namespace ep::model {

namespace {

std::int64_t attentionParameters(const FamilyShape& family, const ModelConfig& config,
                                 const LayerShape& s)
{
    const std::int64_t hidden = s.hidden;
    const bool bias = family.attention.qkv_bias;
    if (const LatentAttention& l = s.latent; l.rank > 0) {
        const std::int64_t heads = config.num_attention_heads;
        const std::int64_t queries = heads * l.queries();
        const std::int64_t q = l.query_rank == 0
            ? hidden * queries
            : (hidden + 1 + queries + (bias ? 1 : 0)) * l.query_rank;
        return q + (hidden + (bias ? 1 : 0)) * l.keptKeys() + l.rank
            + heads * (l.plain_dim + l.value_dim) * l.rank + heads * l.value_dim * hidden
            + (family.attention.output_bias ? hidden : 0);
    }
    const std::int64_t queries = family.attention.output_gate ? 2 * s.q : s.q;
    const std::int64_t all = queries + (s.values_are_keys ? s.kv : 2 * s.kv);
    return hidden * all + s.q * hidden + (bias ? all : 0)
        + (family.attention.output_bias ? hidden : 0) + s.q_norm_weights + s.k_norm_weights
        + (family.attention.sinks_name ? config.num_attention_heads : 0);
}

std::int64_t expertParameters(const FamilyShape& family, std::int64_t hidden, std::int64_t width,
                              bool bias)
{
    const std::int64_t inputs = family.moe.gated ? 2 * width : width;
    return (inputs + width) * hidden + (bias ? inputs + hidden : 0);
}

std::int64_t mlpParameters(const FamilyShape& family, const ModelConfig& config,
                           const LayerShape& s)
{
    const std::int64_t hidden = s.hidden;
    const std::int64_t experts = s.experts;
    std::int64_t count = 2 * hidden * s.per_layer_input;
    if (experts > 0) {
        count += hidden * experts + (family.moe.bias ? experts : 0)
            + experts
                * expertParameters(family, s.expert_hidden, s.expert_intermediate, family.moe.bias);
        count += config.moe.corrected ? experts : 0;
        count += family.moe.scaled_router ? hidden + experts : 0;
        if (const std::int64_t latent = config.moe.latent_size; latent > 0)
            count += 2 * hidden * latent + (family.moe.shared_bias ? hidden + latent : 0);
    }
    if (s.shared_intermediate > 0) {
        const bool bias = family.moe.bias || family.moe.shared_bias;
        count += expertParameters(family, hidden, s.shared_intermediate, bias)
            + (family.moe.shared_gate.empty() ? 0 : hidden);
    }
    if (s.intermediate > 0) {
        const std::int64_t matrices = family.mlp.kind == MlpOptions::Kind::Plain ? 2 : 3;
        count += matrices * hidden * s.intermediate;
        count += family.mlp.bias ? (matrices - 1) * s.intermediate + hidden : 0;
    }
    return count;
}

} // namespace

ParameterCounts countParameters(const ModelConfig& config)
{
    ParameterCounts counts;
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t vocabulary = config.vocab_size;
    const FamilyShape family = familyShape(config);
    const std::int64_t normed = normWeights(family, hidden);
    counts.embedding = vocabulary * hidden;
    if (family.learnedPositions())
        counts.embedding += config.max_position_embeddings * hidden;
    counts.head = (config.tie_word_embeddings ? 0 : vocabulary * hidden)
        + (family.head_bias ? vocabulary : 0);

    counts.norms = normed; // the final norm
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        const LayerShape s = layerShape(family, config, layer);
        counts.norms +=
            std::count_if(s.components.begin(), s.components.end(), isStreamNorm) * normed;
        if (config.attends(layer))
            counts.attention += attentionParameters(family, config, s);
        counts.attention += stateMixerParameters(config, layer);
        if (!s.feed_forward)
            continue;
        counts.mlp += mlpParameters(family, config, s);
        if (s.experts > 0) {
            counts.inactive += (s.experts - s.experts_per_token)
                * expertParameters(family, s.expert_hidden, s.expert_intermediate, family.moe.bias);
        }
        if (family.layer_scalar)
            ++counts.norms;
    }
    if (config.per_layer_input > 0) {
        const std::int64_t all = std::int64_t{config.per_layer_input} * config.num_hidden_layers;
        counts.embedding += config.per_layer_vocabulary * all;
        counts.mlp += hidden * all;
        counts.norms += config.per_layer_input;
    }
    return counts;
}

} // namespace ep::model
