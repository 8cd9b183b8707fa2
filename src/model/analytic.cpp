// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/analytic.h"

#include "families/family.h"
#include "layer_shape.h"
#include "state_costs.h"

#include <algorithm>
#include <cmath>

namespace ep::model {
namespace {

// Number of pairs of a new position and a position visible to it, in one sequence.
double visiblePairs(const PassShape& pass, std::optional<int> window)
{
    // Row i attends to min(context + i + 1, window) positions.
    const double rows = number(pass.rows);
    const double context = number(pass.context);
    if (!window)
        return rows * context + rows * (rows + 1.0) / 2.0;
    const double w = *window;
    const double growing = std::clamp(w - context, 0.0, rows); // rows that see less than a window
    return growing * context + growing * (growing + 1.0) / 2.0 + (rows - growing) * w;
}

// Number of positions visible to at least one new position.
double visiblePositions(const PassShape& pass, std::optional<int> window)
{
    const double all = number(pass.context + pass.rows);
    return window ? std::min(all, static_cast<double>(*window) + number(pass.rows) - 1.0) : all;
}

bool isLayerNorm(NormStyle style)
{
    return style == NormStyle::Layer || style == NormStyle::LayerWithoutBias;
}

// Costs of the components of one layer.
class LayerAccountant {
public:
    LayerAccountant(const ModelConfig& config, const FamilyShape& family, int layer,
                    const PassShape& pass, const NumberSizes& sizes)
        : m_config(config)
        , m_family(family)
        , m_layer(layer)
        , m_window(config.windowOf(layer))
        , m_pass(pass)
        , m_sizes(sizes)
        , m_shape(layerShape(family, config, layer))
        , m_rows(number(pass.batch) * number(pass.rows))
        , m_part(m_rows, sizes)
    {
    }

    std::vector<ComponentCost> all() const
    {
        std::vector<ComponentCost> costs;
        for (const Component component : m_shape.components)
            costs.push_back({component, costOf(component)});
        return costs;
    }

private:
    // Bytes per number in the component's matrices.
    double sizeOf(Component component) const
    {
        const auto& sizes = m_config.matrix_sizes.components;
        const auto known = sizes.find({m_layer, component});
        return known == sizes.end() ? m_sizes.weight : known->second;
    }

    Cost costOf(Component component) const
    {
        const auto hidden = number(m_shape.hidden);
        const auto q = number(m_shape.q);
        const auto kv = number(m_shape.kv);
        const auto width = number(m_shape.intermediate);
        const bool bias = m_family.attention.qkv_bias;
        const double size = sizeOf(component);
        const auto project = [&](double in, double out, bool biased) {
            return m_part.linear(in, out, biased, size);
        };
        if (isStreamNorm(component)) {
            return m_part.norm(hidden, number(normWeights(m_family, m_shape.hidden)),
                               isLayerNorm(m_family.norm));
        }
        if (m_shape.latent.rank > 0) {
            if (const auto cost = latentCost(component, size))
                return *cost;
        }
        switch (component) {
        case Component::QProj:
            return project(hidden, m_family.attention.output_gate ? 2.0 * q : q, bias);
        case Component::KProj:
        case Component::VProj:
            return project(hidden, kv, bias);
        case Component::QkvProj:
            return project(hidden, q + 2.0 * kv, bias);
        case Component::QNorm:
            return headNorm(q, m_shape.q_norm_weights);
        case Component::KNorm:
            return headNorm(kv, m_shape.k_norm_weights);
        case Component::VNorm:
            return m_part.norm(number(m_shape.v_norm_width), 0.0, false);
        case Component::KvCache:
            return store();
        case Component::Attention:
            return attention();
        case Component::OProj:
            return project(q, hidden, m_family.attention.output_bias);
        case Component::GateProj:
        case Component::UpProj:
        case Component::Fc1:
            return project(hidden, width, m_family.mlp.bias);
        case Component::GateUpProj:
            return project(hidden, 2.0 * width, m_family.mlp.bias);
        case Component::Activation:
            return m_part.activation(width, m_family.mlp.kind != MlpOptions::Kind::Plain);
        case Component::DownProj:
        case Component::Fc2:
            return project(width, hidden, m_family.mlp.bias);
        case Component::Router:
            return router(size);
        case Component::Experts:
            return experts();
        case Component::SharedExpert:
            return (m_family.moe.shared_gate.empty() ? Cost{} : project(hidden, 1.0, false))
                + m_part.mlp(hidden, number(m_shape.shared_intermediate), m_family.moe.gated, size);
        case Component::PerLayerInputGate:
            return project(hidden, number(m_shape.per_layer_input), false);
        case Component::PerLayerProjection:
            return project(number(m_shape.per_layer_input), hidden, false)
                + m_part.activation(number(m_shape.per_layer_input), true);
        case Component::Residual:
            return m_part.residual(hidden, m_shape.residuals);
        case Component::OutputGate:
            return m_part.activation(q, true);
        case Component::InProj:
        case Component::InProjQkv:
        case Component::InProjZ:
        case Component::InProjBa:
        case Component::Conv1d:
        case Component::DeltaRule:
        case Component::Scan:
        case Component::GatedNorm:
        case Component::OutProj:
            return stateCost(component, size);
        default: // norms, and latent attention
            return {};
        }
    }

    Cost stateCost(Component component, double size) const
    {
        return StateAccountant(m_config, m_layer, number(m_pass.batch), m_part, m_sizes)
            .costOf(component, size);
    }

    Cost router(double size) const
    {
        const bool bias = m_family.moe.bias;
        Cost cost = m_part.linear(number(m_shape.hidden), m_shape.experts, bias, size);
        if (m_family.moe.scaled_router)
            cost += m_part.norm(number(m_shape.hidden), number(m_shape.hidden), false);
        return cost;
    }

    // Keys and values per head are never computed: queries are projected to the latent, and
    // weighted sums of latents to values.
    std::optional<Cost> latentCost(Component component, double size) const
    {
        const LatentAttention& latent = m_shape.latent;
        const double heads = m_config.num_attention_heads;
        const auto hidden = number(m_shape.hidden);
        const double queries = heads * latent.queries();
        const bool bias = m_family.attention.qkv_bias;
        switch (component) {
        case Component::QProj:
            return m_part.linear(hidden, queries, false, size);
        case Component::QAProj:
            return m_part.linear(hidden, latent.query_rank, bias, size);
        case Component::QANorm:
            return m_part.norm(latent.query_rank, latent.query_rank, false);
        case Component::QBProj:
            return m_part.linear(latent.query_rank, queries, false, size);
        case Component::KvAProj:
            return m_part.linear(hidden, latent.keptKeys(), bias, size);
        case Component::KvANorm:
            return m_part.norm(latent.rank, latent.rank, false);
        case Component::KvBProj:
            return m_part.linear(latent.rank, heads * (latent.plain_dim + latent.value_dim), false,
                                 size);
        case Component::OProj:
            return m_part.linear(heads * latent.value_dim, hidden, m_family.attention.output_bias,
                                 size);
        default:
            return std::nullopt;
        }
    }

    Cost headNorm(double width, std::int64_t weights) const
    {
        using HeadNorm = AttentionOptions::HeadNorm;
        const HeadNorm kind = m_family.attention.head_norm;
        const bool layerNorm = kind == HeadNorm::Layer || kind == HeadNorm::LayerOfEachHead;
        return m_part.norm(width, number(weights), layerNorm);
    }

    Cost store() const
    {
        Cost cost;
        cost.cache_bytes = m_rows * keptValues() * m_sizes.cache;
        cost.activation_bytes = m_rows * keptValues() * m_sizes.activation;
        return cost;
    }

    // Number of key and value elements at one position, also those shared with an earlier layer.
    double keptValues() const
    {
        const LatentAttention& latent = m_shape.latent;
        if (latent.rank > 0)
            return latent.keptKeys() + latent.rank;
        return 2.0 * number(m_shape.kv_heads) * m_config.headDim(m_layer);
    }

    Cost attention() const
    {
        const LatentAttention& latent = m_shape.latent;
        const double sequences = number(m_pass.batch);
        const double pairs = sequences * visiblePairs(m_pass, m_window);
        const double heads = m_config.num_attention_heads;
        const double turned = heads + (m_shape.own_keys ? number(m_shape.kv_heads) : 0.0);
        const double keys = latent.rank > 0 ? heads * latent.keptKeys() : number(m_shape.q);
        const double values = latent.rank > 0 ? heads * latent.rank : number(m_shape.q);
        Cost cost;
        cost.flops = 2.0 * pairs * (keys + values) // scores, and the weighted sum of the values
            + kSoftmaxFlops * pairs * heads
            + kRotaryFlops * m_rows * turned * number(m_shape.rotary_dim);
        cost.cache_bytes =
            sequences * visiblePositions(m_pass, m_window) * keptValues() * m_sizes.cache;
        cost.activation_bytes = m_rows * (keys + values) * m_sizes.activation;
        return cost;
    }

    // Counts only the weights of the chosen experts.
    Cost experts() const
    {
        const double share = static_cast<double>(m_shape.experts_per_token) / m_shape.experts;
        const double size = sizeOf(Component::Experts);
        const double touched = m_shape.experts * (1.0 - std::pow(1.0 - share, m_rows));
        Cost cost = Accountant(m_rows * m_shape.experts_per_token, m_sizes)
                        .mlp(number(m_shape.expert_hidden), number(m_shape.expert_intermediate),
                             m_family.moe.gated, size);
        cost.weight_bytes *= touched;
        if (m_config.moe.latent_size > 0) {
            const auto hidden = number(m_shape.hidden);
            const auto latent = number(m_shape.expert_hidden);
            const bool bias = m_family.moe.shared_bias;
            cost += m_part.linear(hidden, latent, bias, size)
                + m_part.linear(latent, hidden, bias, size);
        }
        return cost;
    }

    const ModelConfig& m_config;
    const FamilyShape& m_family;
    int m_layer;
    std::optional<int> m_window;
    const PassShape& m_pass;
    const NumberSizes& m_sizes;
    LayerShape m_shape;
    double m_rows;
    Accountant m_part;
};

} // namespace

Cost& Cost::operator+=(const Cost& other)
{
    flops += other.flops;
    weight_bytes += other.weight_bytes;
    cache_bytes += other.cache_bytes;
    activation_bytes += other.activation_bytes;
    return *this;
}

Cost Cost::scaled(double factor) const
{
    return {flops * factor, weight_bytes * factor, cache_bytes * factor, activation_bytes * factor};
}

std::vector<ComponentCost> layerCosts(const ModelConfig& config, int layer, const PassShape& pass,
                                      const NumberSizes& sizes)
{
    return LayerAccountant(config, familyShape(config), layer, pass, sizes).all();
}

Cost PassCost::layer(int index) const
{
    Cost sum;
    for (const ComponentCost& part : layers[static_cast<std::size_t>(index)])
        sum += part.cost;
    return sum;
}

Cost PassCost::total() const
{
    Cost sum = embedding + final_norm + lm_head;
    for (std::size_t i = 0; i < layers.size(); ++i)
        sum += layer(static_cast<int>(i));
    return sum;
}

PassCost passCost(const ModelConfig& config, const PassShape& pass, const NumberSizes& sizes)
{
    PassCost cost;
    const auto hidden = number(config.hidden_size);
    const double rows = number(pass.batch) * number(pass.rows);
    const FamilyShape family = familyShape(config);
    const double tables = family.learnedPositions() ? 2.0 : 1.0;
    cost.embedding.flops = (tables - 1.0) * rows * hidden;
    const MatrixSizes& known = config.matrix_sizes;
    const double embedding = known.embedding.value_or(sizes.embedding);
    const double head = config.tie_word_embeddings ? embedding : known.head.value_or(sizes.weight);
    cost.embedding.weight_bytes = tables * rows * hidden * embedding;
    cost.embedding.activation_bytes = rows * hidden * sizes.activation;
    if (const double all = number(config.per_layer_input) * config.num_hidden_layers; all > 0.0) {
        cost.embedding += Accountant(rows, sizes).linear(hidden, all, false, sizes.weight);
        cost.embedding += Accountant(rows, sizes).norm(all, number(config.per_layer_input), false);
        cost.embedding.weight_bytes += rows * all * embedding;
    }
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        cost.layers.push_back(LayerAccountant(config, family, layer, pass, sizes).all());

    const Accountant last(number(pass.batch), sizes);
    cost.final_norm = last.norm(hidden, number(normWeights(family, config.hidden_size)),
                                isLayerNorm(family.norm));
    cost.lm_head = last.linear(hidden, config.vocab_size, family.head_bias, head);
    return cost;
}

Cost prefillTokenCost(const ModelConfig& config, std::int64_t promptTokens,
                      const NumberSizes& sizes)
{
    const std::int64_t tokens = std::max<std::int64_t>(1, promptTokens);
    return passCost(config, {.batch = 1, .rows = tokens, .context = 0}, sizes)
        .total()
        .scaled(1.0 / number(tokens));
}

Cost decodeTokenCost(const ModelConfig& config, std::int64_t context, const NumberSizes& sizes)
{
    return passCost(config, {.batch = 1, .rows = 1, .context = context}, sizes).total();
}

std::string_view attentionKind(int heads, int kvHeads)
{
    if (heads == kvHeads)
        return "MHA";
    return kvHeads == 1 ? "MQA" : "GQA";
}

} // namespace ep::model
