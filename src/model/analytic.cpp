// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/analytic.h"

#include "accountant.h"
#include "cache_shape.h"
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
    const double growing = std::clamp(w - context, 0.0, rows); // rows with less than a window
    return growing * context + growing * (growing + 1.0) / 2.0 + (rows - growing) * w;
}

// Number of positions visible to at least one new position.
double visiblePositions(const PassShape& pass, std::optional<int> window)
{
    const double all = number(pass.context + pass.rows);
    return window ? std::min(all, static_cast<double>(*window) + number(pass.rows) - 1.0) : all;
}

std::int64_t normWeights(const FamilyShape& family, std::int64_t width)
{
    return (family.norm == NormStyle::Layer ? 2 : 1) * width;
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
    // Bytes of one number of the component's matrices.
    double sizeOf(Component component) const
    {
        const auto& sizes = m_config.stored_sizes.components;
        const auto known = m_sizes.as_stored ? sizes.find({m_layer, component}) : sizes.end();
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
        switch (component) {
        case Component::InputLayernorm:
        case Component::PostAttentionLayernorm:
        case Component::PreFeedforwardLayernorm:
        case Component::PostFeedforwardLayernorm:
            return m_part.norm(hidden, number(normWeights(m_family, m_shape.hidden)),
                               m_family.norm == NormStyle::Layer);
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
            return project(hidden, m_shape.experts, false);
        case Component::Experts:
            return experts();
        case Component::SharedExpert:
            return project(hidden, 1.0, false)
                + m_part.gatedMlp(hidden, number(m_shape.shared_intermediate), size);
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
            return StateAccountant(m_config, m_layer, number(m_pass.batch), m_part, m_sizes)
                .costOf(component, size);
        }
        return {};
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
        cost.cache_bytes = 2.0 * m_rows * number(m_shape.kv) * m_sizes.cache;
        cost.activation_bytes = 2.0 * m_rows * number(m_shape.kv) * m_sizes.activation;
        return cost;
    }

    Cost attention() const
    {
        const double sequences = number(m_pass.batch);
        const double pairs = sequences * visiblePairs(m_pass, m_window);
        const double heads = m_config.num_attention_heads;
        const double turned = heads + m_config.num_key_value_heads;
        Cost cost;
        cost.flops = 4.0 * pairs * number(m_shape.q) // scores, and the sum of the values
            + kSoftmaxFlops * pairs * heads
            + kRotaryFlops * m_rows * turned * number(m_shape.rotary_dim);
        cost.cache_bytes = sequences * visiblePositions(m_pass, m_window) * 2.0 * number(m_shape.kv)
            * m_sizes.cache;
        cost.activation_bytes = 2.0 * m_rows * number(m_shape.q) * m_sizes.activation;
        return cost;
    }

    // Counts the weights of the chosen experts only.
    Cost experts() const
    {
        const double share = static_cast<double>(m_shape.experts_per_token) / m_shape.experts;
        const double touched = m_shape.experts * (1.0 - std::pow(1.0 - share, m_rows));
        Cost cost = Accountant(m_rows * m_shape.experts_per_token, m_sizes)
                        .gatedMlp(number(m_shape.hidden), number(m_shape.expert_intermediate),
                                  sizeOf(Component::Experts));
        cost.weight_bytes *= touched;
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

std::int64_t attentionParameters(const AttentionOptions& attention, const LayerShape& s)
{
    const std::int64_t queries = attention.output_gate ? 2 * s.q : s.q;
    const std::int64_t all = queries + 2 * s.kv;
    return s.hidden * all + s.q * s.hidden + (attention.qkv_bias ? all : 0)
        + (attention.output_bias ? s.hidden : 0) + s.q_norm_weights + s.k_norm_weights;
}

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

NumberSizes numberSizes(DType computed, DType stored, bool accelerator)
{
    const auto bytes = [](DType dtype) { return bytesOfNumber(dtype); };
    const bool quantized = computed == DType::Int8 || (inBlocks(computed) && computed != stored);
    const DType plain = quantized ? stored : computed;
    NumberSizes sizes;
    sizes.weight = bytes(computed);
    sizes.embedding = bytes(plain);
    sizes.as_stored = inBlocks(computed) && computed == stored;
    sizes.row_scale = computed == DType::Int8 ? 4.0 : 0.0;
    // An accelerator that widens blocks computes in f16.
    const double other = !accelerator ? 4.0 : inBlocks(plain) ? 2.0 : bytes(plain);
    sizes.vector = other;
    sizes.activation = other;
    sizes.cache = other;
    return sizes;
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
    const StoredSizes& stored = config.stored_sizes;
    const double embedding =
        sizes.as_stored ? stored.embedding.value_or(sizes.embedding) : sizes.embedding;
    const double head = config.tie_word_embeddings ? embedding
        : sizes.as_stored                          ? stored.head.value_or(sizes.weight)
                                                   : sizes.weight;
    cost.embedding.weight_bytes = tables * rows * hidden * embedding;
    cost.embedding.activation_bytes = rows * hidden * sizes.activation;
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        cost.layers.push_back(LayerAccountant(config, family, layer, pass, sizes).all());

    const Accountant last(number(pass.batch), sizes);
    cost.final_norm = last.norm(hidden, number(normWeights(family, config.hidden_size)),
                                family.norm == NormStyle::Layer);
    NumberSizes headSizes = sizes;
    if (config.tie_word_embeddings)
        headSizes.row_scale = 0.0;
    cost.lm_head = Accountant(number(pass.batch), headSizes)
                       .linear(hidden, config.vocab_size, family.head_bias, head);
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

std::int64_t kvBytesPerToken(const ModelConfig& config, const NumberSizes& sizes)
{
    std::int64_t values = 0;
    for (const LayerCacheShape& layer : cacheShape(config))
        values += layer.keysAndValues();
    return values * static_cast<std::int64_t>(sizes.cache);
}

std::int64_t stateBytes(const ModelConfig& config, const NumberSizes& sizes)
{
    std::int64_t bytes = 0;
    for (const LayerCacheShape& layer : cacheShape(config)) {
        bytes += layer.inputValues() * static_cast<std::int64_t>(sizes.cache)
            + layer.stateValues() * static_cast<std::int64_t>(sizeof(float));
    }
    return bytes;
}

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
            counts.attention += attentionParameters(family.attention, s);
        counts.attention += stateMixerParameters(config, layer);
        if (!s.feed_forward)
            continue;
        if (s.experts > 0) {
            const std::int64_t expert = 3 * hidden * s.expert_intermediate;
            counts.mlp +=
                hidden * s.experts + s.experts * expert + (config.moe.corrected ? s.experts : 0);
            counts.inactive += (s.experts - s.experts_per_token) * expert;
            if (s.shared_intermediate > 0)
                counts.mlp += hidden + 3 * hidden * s.shared_intermediate;
            continue;
        }
        const std::int64_t matrices = family.mlp.kind == MlpOptions::Kind::Plain ? 2 : 3;
        counts.mlp += matrices * hidden * s.intermediate;
        if (family.mlp.bias)
            counts.mlp += (matrices - 1) * s.intermediate + hidden;
    }
    return counts;
}

std::string_view attentionKind(int heads, int kvHeads)
{
    if (heads == kvHeads)
        return "MHA";
    return kvHeads == 1 ? "MQA" : "GQA";
}

} // namespace ep::model
