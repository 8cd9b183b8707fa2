// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/analytic.h"

#include "layer_shape.h"

#include <algorithm>
#include <cmath>

namespace ep::model {
namespace {

constexpr double kRmsNormFlops = 4.0;
constexpr double kLayerNormFlops = 7.0;
constexpr double kActivationFlops = 4.0;
constexpr double kSoftmaxFlops = 5.0;
constexpr double kRotaryFlops = 3.0;

double number(std::int64_t value)
{
    return static_cast<double>(value);
}

// Costs of parts that work on `rows` rows, whichever sequence they belong to.
class Accountant {
public:
    Accountant(double rows, const NumberSizes& sizes)
        : m_rows(rows)
        , m_sizes(sizes)
    {
    }

    Cost linear(double in, double out, bool bias, double weightSize) const
    {
        Cost cost;
        cost.flops = m_rows * out * (2.0 * in + (bias ? 1.0 : 0.0));
        cost.weight_bytes =
            out * (in * weightSize + m_sizes.row_scale + (bias ? m_sizes.vector : 0.0));
        cost.activation_bytes = m_rows * (in + out) * m_sizes.activation;
        return cost;
    }
    Cost projection(double in, double out, bool bias) const
    {
        return linear(in, out, bias, m_sizes.weight);
    }

    // Of `width` values a row, with so many weights (biases included).
    Cost norm(double width, double weights, bool layerNorm) const
    {
        Cost cost;
        cost.flops = m_rows * width * (layerNorm ? kLayerNormFlops : kRmsNormFlops);
        cost.weight_bytes = weights * m_sizes.vector;
        cost.activation_bytes = 2.0 * m_rows * width * m_sizes.activation;
        return cost;
    }

    Cost activation(double width, bool gated) const
    {
        Cost cost;
        cost.flops = m_rows * width * (kActivationFlops + (gated ? 1.0 : 0.0));
        cost.activation_bytes = m_rows * width * (gated ? 3.0 : 2.0) * m_sizes.activation;
        return cost;
    }

    Cost residual(double width) const // two additions
    {
        Cost cost;
        cost.flops = 2.0 * m_rows * width;
        cost.activation_bytes = 2.0 * 3.0 * m_rows * width * m_sizes.activation;
        return cost;
    }

    Cost gatedMlp(double hidden, double intermediate) const
    {
        return projection(hidden, intermediate, false) + projection(hidden, intermediate, false)
            + activation(intermediate, true) + projection(intermediate, hidden, false);
    }

private:
    double m_rows;
    const NumberSizes& m_sizes;
};

// Pairs of a new position and one that it sees, in one sequence.
double visiblePairs(const PassShape& pass, std::optional<int> window)
{
    // Row i sees min(context + i + 1, window).
    const double rows = number(pass.rows);
    const double context = number(pass.context);
    if (!window)
        return rows * context + rows * (rows + 1.0) / 2.0;
    const double w = *window;
    const double growing = std::clamp(w - context, 0.0, rows); // rows that see less than the window
    return growing * context + growing * (growing + 1.0) / 2.0 + (rows - growing) * w;
}

// Positions that at least one of the new ones sees.
double visiblePositions(const PassShape& pass, std::optional<int> window)
{
    const double all = number(pass.context + pass.rows);
    return window ? std::min(all, static_cast<double>(*window) + number(pass.rows) - 1.0) : all;
}

Cost attention(const ModelConfig& config, int layer, const LayerShape& shape, const PassShape& pass,
               const NumberSizes& sizes)
{
    const std::optional<int> window = config.windowOf(layer);
    const double sequences = number(pass.batch);
    const double rows = sequences * number(pass.rows);
    const double pairs = sequences * visiblePairs(pass, window);
    const double heads = config.num_attention_heads;
    Cost cost;
    cost.flops = 4.0 * pairs * number(shape.q) // scores, and the sum of the values
        + kSoftmaxFlops * pairs * heads
        + kRotaryFlops * rows * (heads + config.num_key_value_heads) * number(shape.rotary_dim);
    cost.cache_bytes =
        sequences * visiblePositions(pass, window) * 2.0 * number(shape.kv) * sizes.cache;
    cost.activation_bytes = 2.0 * rows * number(shape.q) * sizes.activation;
    return cost;
}

// Weights of those experts only that some row chose.
Cost experts(const LayerShape& shape, double rows, const NumberSizes& sizes)
{
    const double share = static_cast<double>(shape.experts_per_token) / shape.experts;
    const double touched = shape.experts * (1.0 - std::pow(1.0 - share, rows));
    const auto hidden = number(shape.hidden);
    const auto width = number(shape.expert_intermediate);
    Cost cost = Accountant(rows * shape.experts_per_token, sizes).gatedMlp(hidden, width);
    cost.weight_bytes *= touched;
    return cost;
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
    const auto bytes = [](DType dtype) {
        return dtype == DType::F32 ? 4.0 : dtype == DType::Int8 ? 1.0 : 2.0;
    };
    const bool quantized = computed == DType::Int8;
    NumberSizes sizes;
    sizes.weight = bytes(computed);
    sizes.embedding = bytes(quantized ? stored : computed);
    sizes.row_scale = quantized ? 4.0 : 0.0;
    const double other = accelerator ? sizes.embedding : 4.0;
    sizes.vector = other;
    sizes.activation = other;
    sizes.cache = other;
    return sizes;
}

std::vector<ComponentCost> layerCosts(const ModelConfig& config, int layer, const PassShape& pass,
                                      const NumberSizes& sizes)
{
    const LayerShape shape = layerShape(config, layer);
    const double rows = number(pass.batch) * number(pass.rows);
    const Accountant part(rows, sizes);
    const auto hidden = number(shape.hidden);
    const auto q = number(shape.q);
    const auto kv = number(shape.kv);
    std::vector<ComponentCost> costs;
    const auto add = [&](Component component, const Cost& cost) {
        costs.push_back({component, cost});
    };
    const auto addNorm = [&](Component component) {
        if (std::find(shape.norms.begin(), shape.norms.end(), component) != shape.norms.end())
            add(component,
                part.norm(hidden, (shape.layer_norm ? 2.0 : 1.0) * hidden, shape.layer_norm));
    };

    addNorm(Component::InputLayernorm);
    if (shape.fused_qkv) {
        add(Component::QkvProj, part.projection(hidden, q + 2.0 * kv, shape.qkv_bias));
    } else {
        add(Component::QProj, part.projection(hidden, q, shape.qkv_bias));
        add(Component::KProj, part.projection(hidden, kv, shape.qkv_bias));
        add(Component::VProj, part.projection(hidden, kv, shape.qkv_bias));
    }
    if (shape.q_norm_weights > 0) {
        add(Component::QNorm, part.norm(q, number(shape.q_norm_weights), shape.head_norm_is_layer));
        add(Component::KNorm,
            part.norm(kv, number(shape.k_norm_weights), shape.head_norm_is_layer));
    }
    Cost store;
    store.cache_bytes = 2.0 * rows * kv * sizes.cache;
    store.activation_bytes = 2.0 * rows * kv * sizes.activation;
    add(Component::KvCache, store);
    add(Component::Attention, attention(config, layer, shape, pass, sizes));
    add(Component::OProj, part.projection(q, hidden, shape.output_bias));
    addNorm(Component::PostAttentionLayernorm);
    addNorm(Component::PreFeedforwardLayernorm);

    const auto width = number(shape.intermediate);
    if (shape.experts > 0) {
        add(Component::Router, part.projection(hidden, shape.experts, false));
        add(Component::Experts, experts(shape, rows, sizes));
        if (shape.shared_intermediate > 0) {
            add(Component::SharedExpert,
                part.projection(hidden, 1.0, false)
                    + part.gatedMlp(hidden, number(shape.shared_intermediate)));
        }
    } else if (!shape.gated) {
        add(Component::Fc1, part.projection(hidden, width, shape.mlp_bias));
        add(Component::Activation, part.activation(width, false));
        add(Component::Fc2, part.projection(width, hidden, shape.mlp_bias));
    } else {
        if (shape.fused_gate_up) {
            add(Component::GateUpProj, part.projection(hidden, 2.0 * width, shape.mlp_bias));
        } else {
            add(Component::GateProj, part.projection(hidden, width, shape.mlp_bias));
            add(Component::UpProj, part.projection(hidden, width, shape.mlp_bias));
        }
        add(Component::Activation, part.activation(width, true));
        add(Component::DownProj, part.projection(width, hidden, shape.mlp_bias));
    }
    addNorm(Component::PostFeedforwardLayernorm);
    add(Component::Residual, part.residual(hidden));
    return costs;
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
    const double tables = learnedPositions(config) ? 2.0 : 1.0;
    cost.embedding.flops = (tables - 1.0) * rows * hidden;
    cost.embedding.weight_bytes = tables * rows * hidden * sizes.embedding;
    cost.embedding.activation_bytes = rows * hidden * sizes.activation;
    for (int layer = 0; layer < config.num_hidden_layers; ++layer)
        cost.layers.push_back(layerCosts(config, layer, pass, sizes));

    const Accountant last(number(pass.batch), sizes);
    const bool layerNorm = layerShape(config, 0).layer_norm;
    cost.final_norm = last.norm(hidden, (layerNorm ? 2.0 : 1.0) * hidden, layerNorm);
    NumberSizes headSizes = sizes;
    if (config.tie_word_embeddings)
        headSizes.row_scale = 0.0;
    cost.lm_head = Accountant(number(pass.batch), headSizes)
                       .linear(hidden, config.vocab_size, headHasBias(config),
                               config.tie_word_embeddings ? sizes.embedding : sizes.weight);
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
    const std::int64_t values =
        2 * std::int64_t{config.num_hidden_layers} * config.num_key_value_heads * config.head_dim;
    return values * static_cast<std::int64_t>(sizes.cache);
}

ParameterCounts countParameters(const ModelConfig& config)
{
    ParameterCounts counts;
    const std::int64_t hidden = config.hidden_size;
    const std::int64_t vocabulary = config.vocab_size;
    counts.embedding = vocabulary * hidden;
    if (learnedPositions(config))
        counts.embedding += config.max_position_embeddings * hidden;
    counts.head = (config.tie_word_embeddings ? 0 : vocabulary * hidden)
        + (headHasBias(config) ? vocabulary : 0);

    std::int64_t normWeights = hidden;
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        const LayerShape s = layerShape(config, layer);
        normWeights = (s.layer_norm ? 2 : 1) * hidden;
        counts.norms += static_cast<std::int64_t>(s.norms.size()) * normWeights;
        counts.attention += hidden * (s.q + 2 * s.kv) + s.q * hidden
            + (s.qkv_bias ? s.q + 2 * s.kv : 0) + (s.output_bias ? hidden : 0) + s.q_norm_weights
            + s.k_norm_weights;
        if (s.experts > 0) {
            const std::int64_t expert = 3 * hidden * s.expert_intermediate;
            counts.mlp += hidden * s.experts + s.experts * expert;
            counts.inactive += (s.experts - s.experts_per_token) * expert;
            if (s.shared_intermediate > 0)
                counts.mlp += hidden + 3 * hidden * s.shared_intermediate;
            continue;
        }
        const std::int64_t matrices = s.gated ? 3 : 2;
        counts.mlp += matrices * hidden * s.intermediate;
        if (s.mlp_bias)
            counts.mlp += (matrices - 1) * s.intermediate + hidden;
    }
    counts.norms += normWeights; // the final one
    return counts;
}

std::string_view attentionKind(int heads, int kvHeads)
{
    if (heads == kvHeads)
        return "MHA";
    return kvHeads == 1 ? "MQA" : "GQA";
}

} // namespace ep::model
