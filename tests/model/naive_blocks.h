// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_decoder.h"
#include "naive_math.h"
#include "naive_mixers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

// The parts from which naive_decoder.cpp builds its layers: projections, norms, MLPs and experts,
// with the names and rules of HuggingFace's families.
namespace ep::test {

inline NaiveRows sum(NaiveRows a, const NaiveRows& b)
{
    for (std::size_t row = 0; row < a.size(); ++row) {
        for (std::size_t i = 0; i < a[row].size(); ++i)
            a[row][i] += b[row][i];
    }
    return a;
}

// Columns [begin, begin + count) of all rows.
inline NaiveRows columns(const NaiveRows& x, std::size_t begin, std::size_t count)
{
    NaiveRows out;
    for (const NaiveRow& row : x) {
        const auto first = row.begin() + static_cast<std::ptrdiff_t>(begin);
        out.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
    }
    return out;
}

class NaiveBlocks {
public:
    NaiveBlocks(const nlohmann::json& config, const NaiveWeights& weights)
        : m_config(config)
        , m_weights(weights)
        , m_type(config["model_type"])
        , m_gemma(m_type.starts_with("gemma"))
        , m_qwenNext(m_type.starts_with("qwen3_5") || m_type == "qwen3_next")
    {
    }

protected:
    const NaiveTensor& weight(const std::string& name) const { return m_weights.at(name); }
    const NaiveTensor* optional(const std::string& name) const
    {
        const auto found = m_weights.find(name);
        return found == m_weights.end() ? nullptr : &found->second;
    }
    // Adds biases if the checkpoint has them.
    NaiveRows linear(const NaiveRows& x, const std::string& name) const
    {
        return naiveLinear(x, weight(name + ".weight"), optional(name + ".bias"), m_type == "gpt2");
    }

    bool layerNormed() const
    {
        return m_type == "phi" || m_type == "stablelm" || m_type == "starcoder2"
            || m_type.starts_with("gpt");
    }
    double layerEpsilon() const
    {
        return m_config.value(m_type == "gpt2"             ? "layer_norm_epsilon"
                                  : m_type == "starcoder2" ? "norm_epsilon"
                                                           : "layer_norm_eps",
                              1e-5);
    }
    NaiveRow norm(const NaiveRow& x, const std::string& name) const
    {
        if (layerNormed())
            return naiveLayerNorm(x, weight(name + ".weight"), optional(name + ".bias"),
                                  layerEpsilon());
        return naiveRmsNorm(
            x, weight(name + ".weight"),
            m_config.value(m_type.starts_with("lfm2") ? "norm_eps" : "rms_norm_eps",
                           m_type == "mixtral" || m_type == "phi3" || m_type == "arcee"
                                   || m_type.starts_with("lfm2") || m_type == "falcon_h1"
                               ? 1e-5
                               : 1e-6),
            m_gemma || m_qwenNext ? 1.0 : 0.0);
    }
    NaiveRows norm(const NaiveRows& x, const std::string& name) const
    {
        NaiveRows out;
        for (const NaiveRow& row : x)
            out.push_back(norm(row, name));
        return out;
    }

    NaiveRows plainMlp(const NaiveRows& x, const std::string& first, const std::string& second)
    {
        NaiveRows h = linear(x, first);
        const char* const key = m_type == "gpt2" ? "activation_function" : "hidden_act";
        for (NaiveRow& row : h) {
            for (double& value : row)
                value = naiveActivation(m_config.value(key,
                                                       m_type == "gpt_neox" ? "gelu"
                                                           : m_type == "starcoder2"
                                                           ? "gelu_pytorch_tanh"
                                                           : m_type == "arcee" ? "relu2"
                                                                               : "gelu_new"),
                                        value);
        }
        return linear(h, second);
    }

    std::string gatedActivation() const
    {
        if (m_type == "gemma2" || m_type == "gemma3_text")
            return m_config.value("hidden_activation", "gelu_pytorch_tanh");
        return m_config.value("hidden_act", m_gemma ? "gelu_pytorch_tanh" : "silu");
    }
    NaiveRows gated(const NaiveRows& gate, const NaiveRows& up) const
    {
        NaiveRows out = gate;
        for (std::size_t row = 0; row < out.size(); ++row) {
            for (std::size_t i = 0; i < out[row].size(); ++i)
                out[row][i] = naiveActivation(gatedActivation(), gate[row][i]) * up[row][i];
        }
        return out;
    }
    NaiveRows gatedMlp(const NaiveRows& x, const std::string& p)
    {
        if (m_type == "phi3") {
            const NaiveRows both = linear(x, p + "gate_up_proj");
            const std::size_t half = both[0].size() / 2;
            return linear(gated(columns(both, 0, half), columns(both, half, half)),
                          p + "down_proj");
        }
        if (m_type.starts_with("lfm2"))
            return linear(gated(linear(x, p + "w1"), linear(x, p + "w3")), p + "w2");
        const NaiveRow factors = m_config.value("mlp_multipliers", NaiveRow{1.0, 1.0});
        const NaiveRows gate = scaled(linear(x, p + "gate_proj"), factors[0]);
        return scaled(linear(gated(gate, linear(x, p + "up_proj")), p + "down_proj"), factors[1]);
    }

    static NaiveRows scaled(NaiveRows x, double factor)
    {
        for (NaiveRow& row : x) {
            for (double& value : row)
                value *= factor;
        }
        return x;
    }
    double factor(const char* key) const { return m_config.value(key, 1.0); }

    NaiveRows mamba(const NaiveRows& x, const std::string& p) const
    {
        const NaiveState shape{.key_heads = m_config.value("mamba_n_groups", std::size_t{1}),
                               .value_heads = m_config["mamba_n_heads"],
                               .key_dim = m_config["mamba_d_state"],
                               .value_dim = m_config["mamba_d_head"]};
        const std::size_t keys = shape.key_heads * shape.key_dim;
        const std::size_t values = shape.value_heads * shape.value_dim;
        const NaiveRow parts = m_config.value("ssm_multipliers", NaiveRow(5, 1.0));
        const NaiveRows all = linear(scaled(x, factor("ssm_in_multiplier")), p + "in_proj");
        NaiveRows mixed = columns(all, values, values + 2 * keys);
        for (NaiveRow& row : mixed) {
            for (std::size_t i = 0; i < row.size(); ++i)
                row[i] *= i < values ? parts[1] : i < values + keys ? parts[2] : parts[3];
        }
        mixed =
            naiveConvolution(mixed, weight(p + "conv1d.weight"), optional(p + "conv1d.bias"), true);
        const NaiveRows inputs = columns(mixed, 0, values);
        NaiveRows steps = scaled(columns(all, 2 * values + 2 * keys, shape.value_heads), parts[4]);
        NaiveRows decays = steps;
        for (std::size_t row = 0; row < steps.size(); ++row) {
            for (std::size_t head = 0; head < shape.value_heads; ++head) {
                const auto rate = static_cast<double>(weight(p + "A_log").values[head]);
                const auto bias = static_cast<double>(weight(p + "dt_bias").values[head]);
                double& step = steps[row][head];
                step = naiveSoftplus(step + bias);
                if (m_config.contains("time_step_limit"))
                    step = std::clamp(step, m_config["time_step_limit"][0].get<double>(),
                                      m_config["time_step_limit"][1].get<double>());
                decays[row][head] = std::exp(-std::exp(rate) * step);
            }
        }
        NaiveRows read =
            naiveRecurrence(columns(mixed, values + keys, keys), columns(mixed, values, keys),
                            inputs, steps, decays, shape);
        const NaiveRows gate = scaled(columns(all, 0, values), parts[0]);
        const bool normFirst = m_config.value("mamba_norm_before_gate", true);
        for (std::size_t row = 0; row < read.size(); ++row) {
            for (std::size_t i = 0; i < values; ++i) {
                const auto skip = static_cast<double>(weight(p + "D").values[i / shape.value_dim]);
                read[row][i] += skip * inputs[row][i];
            }
            if (m_config.value("mamba_rms_norm", false) && normFirst)
                normGroups(read[row], p + "norm.weight", shape.key_heads);
            for (std::size_t i = 0; i < values; ++i)
                read[row][i] *= gate[row][i] * naiveSigmoid(gate[row][i]);
            if (m_config.value("mamba_rms_norm", false) && !normFirst)
                normGroups(read[row], p + "norm.weight", shape.key_heads);
        }
        return scaled(linear(read, p + "out_proj"), factor("ssm_out_multiplier"));
    }

    void normGroups(NaiveRow& row, const std::string& name, std::size_t groups) const
    {
        const std::size_t width = row.size() / groups;
        for (std::size_t at = 0; at < row.size(); at += width) {
            const auto first = static_cast<std::ptrdiff_t>(at);
            const auto end = static_cast<std::ptrdiff_t>(at + width);
            const std::vector<float>& all = weight(name).values;
            const NaiveTensor own{{static_cast<std::int64_t>(width)},
                                  {all.begin() + first, all.begin() + end}};
            const NaiveRow normed = naiveRmsNorm({row.begin() + first, row.begin() + end}, own,
                                                 m_config.value("rms_norm_eps", 1e-5), 0.0);
            std::copy(normed.begin(), normed.end(), row.begin() + first);
        }
    }

    NaiveRows shortConvolution(const NaiveRows& x, const std::string& p) const
    {
        const NaiveRows all = linear(x, p + "in_proj");
        const std::size_t hidden = all[0].size() / 3;
        const auto product = [](NaiveRows a, const NaiveRows& b) {
            for (std::size_t row = 0; row < a.size(); ++row) {
                for (std::size_t i = 0; i < a[row].size(); ++i)
                    a[row][i] *= b[row][i];
            }
            return a;
        };
        const NaiveRows inputs = product(columns(all, 0, hidden), columns(all, 2 * hidden, hidden));
        const NaiveRows sums =
            naiveConvolution(inputs, weight(p + "conv.weight"), optional(p + "conv.bias"), false);
        return linear(product(columns(all, hidden, hidden), sums), p + "out_proj");
    }

    NaiveRows deltaNet(const NaiveRows& x, const std::string& p) const
    {
        const NaiveState shape{.key_heads = m_config["linear_num_key_heads"],
                               .value_heads = m_config["linear_num_value_heads"],
                               .key_dim = m_config["linear_key_head_dim"],
                               .value_dim = m_config["linear_value_head_dim"],
                               .delta = true};
        const std::size_t keys = shape.key_heads * shape.key_dim;
        const std::size_t values = shape.value_heads * shape.value_dim;
        NaiveRows qkv;
        NaiveRows z;
        NaiveRows b;
        NaiveRows a;
        if (m_type == "qwen3_next")
            unpackProjections(x, p, shape, qkv, z, b, a);
        else
            qkv = linear(x, p + "in_proj_qkv"), z = linear(x, p + "in_proj_z"),
            b = linear(x, p + "in_proj_b"), a = linear(x, p + "in_proj_a");
        const NaiveRows mixed = naiveConvolution(qkv, weight(p + "conv1d.weight"), nullptr, true);
        NaiveRows q = columns(mixed, 0, keys);
        NaiveRows k = columns(mixed, keys, keys);
        naiveUnit(q, shape.key_dim, 1.0 / std::sqrt(static_cast<double>(shape.key_dim)));
        naiveUnit(k, shape.key_dim, 1.0);
        for (std::size_t row = 0; row < a.size(); ++row) {
            for (std::size_t head = 0; head < shape.value_heads; ++head) {
                const auto rate = static_cast<double>(weight(p + "A_log").values[head]);
                const auto bias = static_cast<double>(weight(p + "dt_bias").values[head]);
                a[row][head] = std::exp(-std::exp(rate) * naiveSoftplus(a[row][head] + bias));
                b[row][head] = naiveSigmoid(b[row][head]);
            }
        }
        NaiveRows read = naiveRecurrence(q, k, columns(mixed, 2 * keys, values), b, a, shape);
        for (std::size_t row = 0; row < read.size(); ++row) {
            for (std::size_t at = 0; at < values; at += shape.value_dim) {
                const auto first = read[row].begin() + static_cast<std::ptrdiff_t>(at);
                const NaiveRow head(first, first + static_cast<std::ptrdiff_t>(shape.value_dim));
                const NaiveRow normed = naiveRmsNorm(head, weight(p + "norm.weight"),
                                                     m_config.value("rms_norm_eps", 1e-6), 0.0);
                for (std::size_t i = 0; i < shape.value_dim; ++i)
                    read[row][at + i] = normed[i] * z[row][at + i] * naiveSigmoid(z[row][at + i]);
            }
        }
        return linear(read, p + "out_proj");
    }

    // By key head: its query and key, then values and gates of its value heads; b and a likewise.
    void unpackProjections(const NaiveRows& x, const std::string& p, const NaiveState& shape,
                           NaiveRows& qkv, NaiveRows& z, NaiveRows& b, NaiveRows& a) const
    {
        const std::size_t share = shape.value_heads / shape.key_heads;
        const std::size_t dim = shape.key_dim;
        const std::size_t values = share * shape.value_dim;
        const NaiveRows all = linear(x, p + "in_proj_qkvz");
        const NaiveRows both = linear(x, p + "in_proj_ba");
        const auto gather = [&](const NaiveRow& row, std::size_t stride, std::size_t begin,
                                std::size_t count, NaiveRow& out) {
            for (std::size_t head = 0; head < shape.key_heads; ++head) {
                for (std::size_t i = 0; i < count; ++i)
                    out.push_back(row[head * stride + begin + i]);
            }
        };
        const std::size_t stride = 2 * dim + 2 * values;
        for (std::size_t row = 0; row < x.size(); ++row) {
            NaiveRow& mixed = qkv.emplace_back();
            gather(all[row], stride, 0, dim, mixed);
            gather(all[row], stride, dim, dim, mixed);
            gather(all[row], stride, 2 * dim, values, mixed);
            gather(all[row], stride, 2 * dim + values, values, z.emplace_back());
            gather(both[row], 2 * share, 0, share, b.emplace_back());
            gather(both[row], 2 * share, share, share, a.emplace_back());
        }
    }

    bool sparse(int layer) const
    {
        if (m_type == "mixtral")
            return true;
        if (m_type == "lfm2_moe")
            return layer >= m_config.value("num_dense_layers", 2);
        if (m_type != "qwen2_moe" && m_type != "qwen3_moe" && m_type != "qwen3_5_moe_text"
            && m_type != "qwen3_next")
            return false;
        const auto dense = m_config.value("mlp_only_layers", std::vector<int>{});
        return std::find(dense.begin(), dense.end(), layer) == dense.end()
            && (layer + 1) % m_config.value("decoder_sparse_step", 1) == 0;
    }
    NaiveRows experts(const NaiveRows& x, const std::string& prefix, int layer)
    {
        NaiveExperts& notes = m_experts[layer];
        const bool mixtral = m_type == "mixtral";
        const bool lfm2 = m_type == "lfm2_moe";
        const std::string p = prefix
            + (mixtral    ? "block_sparse_moe."
                   : lfm2 ? "feed_forward."
                          : "mlp.");
        const bool named = mixtral || lfm2; // w1, w2, w3
        const std::size_t chosen = m_config["num_experts_per_tok"];
        const bool normalise = mixtral || m_type == "qwen3_5_moe_text"
            || m_config.value("norm_topk_prob", m_type == "qwen3_next" || lfm2);
        const NaiveRows scores = linear(x, p + "gate");
        NaiveRows out;
        for (std::size_t row = 0; row < x.size(); ++row) {
            NaiveRow weights = lfm2 ? scores[row] : naiveSoftmax(scores[row]);
            NaiveRow choosing = weights;
            for (std::size_t i = 0; lfm2 && i < weights.size(); ++i) {
                weights[i] = naiveSigmoid(scores[row][i]);
                const NaiveTensor* const correction = optional(p + "expert_bias");
                choosing[i] =
                    weights[i] + (correction ? static_cast<double>(correction->values[i]) : 0.0);
            }
            std::vector<std::size_t> order(weights.size());
            std::iota(order.begin(), order.end(), 0);
            std::sort(order.begin(), order.end(),
                      [&](std::size_t a, std::size_t b) { return choosing[a] > choosing[b]; });
            double total = lfm2 ? 1e-6 : 0.0;
            for (std::size_t i = 0; i < chosen; ++i)
                total += weights[order[i]];
            NaiveRow result(x[row].size());
            notes.chosen.emplace_back(order.begin(),
                                      order.begin() + static_cast<std::ptrdiff_t>(chosen));
            for (std::size_t i = 0; i < chosen; ++i) {
                const std::string e = p + "experts." + std::to_string(order[i]) + ".";
                const NaiveRows one{x[row]};
                const NaiveRows gate = linear(one, e + (named ? "w1" : "gate_proj"));
                const NaiveRows y = linear(gated(gate, linear(one, e + (named ? "w3" : "up_proj"))),
                                           e + (named ? "w2" : "down_proj"));
                NaiveRow& seen = notes.gates[static_cast<int>(order[i])];
                seen.insert(seen.end(), gate[0].begin(), gate[0].end());
                for (std::size_t d = 0; d < result.size(); ++d)
                    result[d] += weights[order[i]] / (normalise ? total : 1.0)
                        * m_config.value("routed_scaling_factor", 1.0) * y[0][d];
            }
            out.push_back(result);
        }
        if (m_type != "qwen2_moe" && !m_qwenNext)
            return out;
        for (const NaiveRow& row : linear(x, p + "shared_expert.gate_proj"))
            notes.gates[-1].insert(notes.gates[-1].end(), row.begin(), row.end());
        NaiveRows shared = gatedMlp(x, p + "shared_expert.");
        const NaiveRows gate = linear(x, p + "shared_expert_gate");
        for (std::size_t row = 0; row < shared.size(); ++row) {
            for (double& value : shared[row])
                value /= 1.0 + std::exp(-gate[row][0]);
        }
        return sum(out, shared);
    }

    const std::map<int, NaiveExperts>& expertsOfLayers() const { return m_experts; }

    const nlohmann::json& m_config;
    const NaiveWeights& m_weights;
    std::map<int, NaiveExperts> m_experts; // by layer
    std::string m_type;
    bool m_gemma;
    bool m_qwenNext; // Qwen3-Next and Qwen3.5
};

} // namespace ep::test
