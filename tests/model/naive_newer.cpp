// SPDX-License-Identifier: GPL-3.0-or-later
#include "naive_newer.h"

#include "naive_blocks.h"
#include "naive_latent.h"
#include "newer_sizes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

using Json = nlohmann::json;

// Phi-3.5 MoE: the best expert, weighted by a softmax over the experts with similar scores; then
// the same again without it, where "similar" is relative to the second best.
std::vector<std::pair<std::size_t, double>> naiveSparseMixer(const NaiveRow& scores, double jitter)
{
    constexpr double kNever = -std::numeric_limits<double>::infinity();
    std::vector<std::pair<std::size_t, double>> chosen;
    NaiveRow left = scores;
    for (int round = 0; round < 2; ++round) {
        const auto best = std::max_element(left.begin(), left.end());
        const double most = *best;
        NaiveRow near = left;
        for (std::size_t i = 0; i < near.size(); ++i) {
            const double scale = std::max(std::abs(scores[i]), most);
            if ((most - scores[i]) / scale > 2.0 * jitter)
                near[i] = kNever;
        }
        const auto index = static_cast<std::size_t>(best - left.begin());
        chosen.emplace_back(index, naiveSoftmax(near)[index]);
        left[index] = kNever;
    }
    return chosen;
}

class NewerModel {
public:
    NewerModel(const Json& config, const NaiveWeights& weights, std::size_t length)
        : m_sizes(config)
        , m_weights(weights)
        , m_length(static_cast<std::int64_t>(length))
    {
    }

    NaiveRows logits(const std::vector<std::int32_t>& ids)
    {
        const NaiveTensor& embedding = weight("model.embed_tokens.weight");
        const auto hidden = static_cast<std::size_t>(m_sizes.hidden);
        NaiveRows x;
        for (const std::int32_t id : ids) {
            NaiveRow& row = x.emplace_back();
            for (std::size_t i = 0; i < hidden; ++i)
                row.push_back(factor("embedding_multiplier")
                              * static_cast<double>(
                                  embedding.values[static_cast<std::size_t>(id) * hidden + i]));
        }
        for (int layer = 0; layer < m_sizes.layers; ++layer)
            x = runLayer(x, "model.layers." + std::to_string(layer) + ".", layer);
        x = naiveLinear(norm(x, "model.norm"),
                        m_sizes.tied() ? embedding : weight("lm_head.weight"),
                        optional("lm_head.bias"));
        const double scale = factor("logit_scale", m_sizes.type == "cohere2" ? 0.0625 : 1.0)
            / factor("logits_scaling");
        return scaled(x, scale);
    }

    const std::map<int, NaiveExperts>& experts() const { return m_experts; }

private:
    const NaiveTensor& weight(const std::string& name) const { return m_weights.at(name); }
    const NaiveTensor* optional(const std::string& name) const
    {
        const auto found = m_weights.find(name);
        return found == m_weights.end() ? nullptr : &found->second;
    }
    double factor(const char* key, double otherwise = 1.0) const
    {
        return m_sizes.config.value(key, otherwise);
    }
    NaiveRows linear(const NaiveRows& x, const std::string& name) const
    {
        return naiveLinear(x, weight(name + ".weight"), optional(name + ".bias"));
    }
    static NaiveRows scaled(NaiveRows x, double by)
    {
        for (NaiveRow& row : x) {
            for (double& value : row)
                value *= by;
        }
        return x;
    }

    NaiveRow norm(const NaiveRow& x, const std::string& name) const
    {
        if (m_sizes.type == "cohere2" || m_sizes.type == "phimoe")
            return naiveLayerNorm(
                x, weight(name + ".weight"), optional(name + ".bias"),
                factor(m_sizes.type == "phimoe" ? "rms_norm_eps" : "layer_norm_eps", 1e-5));
        return naiveRmsNorm(x, weight(name + ".weight"), m_sizes.config["rms_norm_eps"], 0.0);
    }
    NaiveRows norm(const NaiveRows& x, const std::string& name) const
    {
        NaiveRows out;
        for (const NaiveRow& row : x)
            out.push_back(norm(row, name));
        return out;
    }

    NaiveRows runLayer(const NaiveRows& x, const std::string& p, int layer)
    {
        const double residual = factor("residual_multiplier");
        const auto plus = [&](const NaiveRows& a, const NaiveRows& b) {
            return sum(a, scaled(b, residual));
        };
        switch (m_sizes.family.norms) {
        case Norms::Parallel: {
            const NaiveRows in = norm(x, p + "input_layernorm");
            return sum(sum(x, attention(in, p, layer)), mlp(in, p + "mlp."));
        }
        case Norms::After: {
            const NaiveRows y =
                sum(x, norm(attention(x, p, layer), p + "post_attention_layernorm"));
            return sum(y, norm(mlp(y, p + "mlp."), p + "post_feedforward_layernorm"));
        }
        case Norms::Both: {
            const NaiveRows a = attention(norm(x, p + "input_layernorm"), p, layer);
            const NaiveRows y = sum(x, norm(a, p + "post_self_attn_layernorm"));
            const NaiveRows b = mlp(norm(y, p + "post_attention_layernorm"), p + "mlp.");
            return sum(y, norm(b, p + "post_mlp_layernorm"));
        }
        case Norms::Before:
            break;
        }
        const NaiveRows y = plus(x, attention(norm(x, p + "input_layernorm"), p, layer));
        const NaiveRows in = norm(y, p + "post_attention_layernorm");
        return plus(y,
                    m_sizes.sparse(layer) ? mixture(in, p + m_sizes.family.experts, layer)
                                          : mlp(in, p + "mlp."));
    }

    static NaiveRows gated(const NaiveRows& gate, NaiveRows up)
    {
        for (std::size_t row = 0; row < up.size(); ++row) {
            for (std::size_t i = 0; i < up[row].size(); ++i)
                up[row][i] *= naiveActivation("silu", gate[row][i]);
        }
        return up;
    }
    NaiveRows mlp(const NaiveRows& x, const std::string& p) const
    {
        if (!m_sizes.family.fused_gate)
            return linear(gated(linear(x, p + "gate_proj"), linear(x, p + "up_proj")),
                          p + "down_proj");
        const NaiveRows both = linear(x, p + "gate_up_proj");
        const std::size_t half = both[0].size() / 2;
        return linear(gated(columns(both, 0, half), columns(both, half, half)), p + "down_proj");
    }

    bool windowed(int layer) const
    {
        const Json& c = m_sizes.config;
        if (m_sizes.type != "olmo3" && m_sizes.type != "exaone4" && m_sizes.type != "cohere2")
            return false;
        if (!c.contains("sliding_window") || c["sliding_window"].is_null())
            return false;
        return c["layer_types"][static_cast<std::size_t>(layer)] == "sliding_attention";
    }

    // Scaled positions only apply to layers that see everything.
    NaiveRope ropeOf(bool window) const
    {
        const Json& c = m_sizes.config;
        const double share = factor("partial_rotary_factor", m_sizes.family.rotated);
        const bool plain = m_sizes.type == "olmo3" && window;
        return naiveRope(c, plain ? Json() : c.value("rope_scaling", Json()), c["rope_theta"],
                         static_cast<int>(m_sizes.dim * share), m_length);
    }
    bool turns(bool window) const
    {
        if (m_sizes.type == "cohere2")
            return window;
        const Json& c = m_sizes.config;
        return m_sizes.type != "exaone4" || window || !c.contains("sliding_window")
            || c["sliding_window"].is_null();
    }

    void turn(NaiveRow& row, int heads, const NaiveRope& rope, std::int64_t position) const
    {
        if (!m_sizes.family.interleaved)
            return naiveRotate(row, heads, rope, position);
        naiveRotatePairs(row, static_cast<std::size_t>(m_sizes.dim), rope, position);
    }

    void normHeads(NaiveRows& x, const std::string& name) const
    {
        if (m_sizes.headNorms() == HeadNorms::All) {
            x = norm(x, name);
            return;
        }
        for (NaiveRow& row : x) {
            for (auto at = row.begin(); at != row.end(); at += m_sizes.dim) {
                const NaiveRow normed = norm(NaiveRow(at, at + m_sizes.dim), name);
                std::copy(normed.begin(), normed.end(), at);
            }
        }
    }

    NaiveRows attention(const NaiveRows& x, const std::string& layerName, int layer) const
    {
        const std::string p = layerName + "self_attn.";
        if (m_sizes.family.latent)
            return latentAttention(x, p);
        NaiveRows q = linear(x, p + "q_proj");
        NaiveRows k = linear(x, p + "k_proj");
        NaiveRows v = linear(x, p + "v_proj");
        const HeadNorms norms = m_sizes.headNorms();
        const auto normBoth = [&] {
            normHeads(q, p + m_sizes.headNorm('q'));
            normHeads(k, p + m_sizes.headNorm('k'));
        };
        if (norms == HeadNorms::Each || norms == HeadNorms::All)
            normBoth();
        if (const Json limit = m_sizes.config.value("clip_qkv", Json()); !limit.is_null()) {
            for (NaiveRows* rows : {&q, &k, &v}) {
                for (NaiveRow& row : *rows) {
                    for (double& value : row)
                        value = std::clamp(value, -limit.get<double>(), limit.get<double>());
                }
            }
        }
        const bool window = windowed(layer);
        if (turns(window)) {
            const NaiveRope rope = ropeOf(window);
            for (std::size_t row = 0; row < x.size(); ++row) {
                turn(q[row], m_sizes.heads, rope, static_cast<std::int64_t>(row));
                turn(k[row], m_sizes.kv_heads, rope, static_cast<std::int64_t>(row));
            }
        }
        if (norms == HeadNorms::EachTurned)
            normBoth();
        NaiveAttention shape;
        shape.heads = m_sizes.heads;
        shape.kv_heads = m_sizes.kv_heads;
        shape.scale = factor("attention_multiplier", 1.0 / std::sqrt(m_sizes.dim));
        if (window)
            shape.window = m_sizes.config["sliding_window"].get<int>();
        return linear(naiveAttend(q, k, v, shape), p + "o_proj");
    }

    NaiveRows latentAttention(const NaiveRows& x, const std::string& p) const
    {
        const Json& c = m_sizes.config;
        const std::size_t plain = c["qk_nope_head_dim"];
        const std::size_t rank = c["kv_lora_rank"];
        const auto turned = static_cast<std::size_t>(m_sizes.dim);
        const auto normed = [&](NaiveRows rows, const std::string& name) {
            for (NaiveRow& row : rows)
                row = naiveRmsNorm(row, weight(p + name + ".weight"), 1e-6, 0.0);
            return rows;
        };
        const NaiveRows q = c["q_lora_rank"].is_null()
            ? linear(x, p + "q_proj")
            : linear(normed(linear(x, p + "q_a_proj"), "q_a_layernorm"), p + "q_b_proj");
        const NaiveRows narrow = linear(x, p + "kv_a_proj_with_mqa");
        const NaiveRows wide =
            linear(normed(columns(narrow, 0, rank), "kv_a_layernorm"), p + "kv_b_proj");
        const NaiveRope rope = ropeOf(false);
        const NaiveLatent sizes{.heads = static_cast<std::size_t>(m_sizes.heads),
                                .plain = plain,
                                .turned = turned,
                                .value = c["v_head_dim"]};
        return linear(naiveLatent(q, wide, columns(narrow, rank, turned), sizes,
                                  [&](NaiveRow& row, std::size_t position) {
                                      turn(row, 1, rope, static_cast<std::int64_t>(position));
                                  }),
                      p + "o_proj");
    }

    void dropGroups(NaiveRow& scores) const
    {
        const auto groups = m_sizes.config.value("n_group", std::size_t{1});
        if (m_sizes.family.shared && groups > 1)
            naiveDropGroups(scores, groups, m_sizes.config.value("topk_group", std::size_t{1}),
                            m_sizes.type == "deepseek_v2" ? 1 : 2);
    }

    // The scores by which experts are chosen, and the weights before normalisation.
    std::pair<NaiveRow, NaiveRow> scoresOf(const NaiveRow& router, const std::string& p) const
    {
        if (m_sizes.family.router == Router::Softmax) {
            const NaiveRow weights = naiveSoftmax(router);
            NaiveRow choosing = weights;
            if (m_sizes.config.value("topk_method", "greedy") != "greedy")
                dropGroups(choosing);
            return {choosing, weights};
        }
        if (m_sizes.family.router == Router::SoftmaxOfChosen)
            return {router, router};
        NaiveRow weights;
        for (const double value : router)
            weights.push_back(naiveSigmoid(value));
        NaiveRow choosing = weights;
        const NaiveTensor& correction =
            weight(p + (m_sizes.family.shared ? "gate." : "") + "e_score_correction_bias");
        for (std::size_t i = 0; i < choosing.size(); ++i)
            choosing[i] += static_cast<double>(correction.values[i]);
        dropGroups(choosing);
        return {choosing, weights};
    }

    // The gate, and the expert's contribution.
    std::pair<NaiveRow, NaiveRow> expert(const NaiveRow& x, const std::string& p,
                                         std::size_t index) const
    {
        const NaiveRows one{x};
        if (m_sizes.type == "granitemoe") {
            const auto part = [&](const std::string& name) {
                const NaiveTensor& all = weight(p + name);
                const auto size = static_cast<std::ptrdiff_t>(all.shape[1] * all.shape[2]);
                const auto first = all.values.begin() + static_cast<std::ptrdiff_t>(index) * size;
                return NaiveTensor{{all.shape[1], all.shape[2]}, {first, first + size}};
            };
            const NaiveRows both = naiveLinear(one, part("input_linear.weight"), nullptr);
            const std::size_t half = both[0].size() / 2;
            const NaiveRows gate = columns(both, 0, half);
            return {gate[0],
                    naiveLinear(gated(gate, columns(both, half, half)),
                                part("output_linear.weight"), nullptr)[0]};
        }
        const std::string e = p + "experts." + std::to_string(index) + ".";
        const bool numbered = m_sizes.numberedExperts();
        const NaiveRows gate = linear(one, e + (numbered ? "w1" : "gate_proj"));
        const NaiveRows up = linear(one, e + (numbered ? "w3" : "up_proj"));
        return {gate[0], linear(gated(gate, up), e + (numbered ? "w2" : "down_proj"))[0]};
    }

    // The chosen experts with their weights.
    std::vector<std::pair<std::size_t, double>> chosenBy(const NaiveRow& router,
                                                         const std::string& p) const
    {
        if (m_sizes.family.router == Router::SparseMixer)
            return naiveSparseMixer(router, factor("router_jitter_noise", 0.01));
        const auto [by, weights] = scoresOf(router, p);
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t e = 0; e < by.size(); ++e)
            order.emplace_back(by[e], e);
        std::sort(order.rbegin(), order.rend());
        order.resize(m_sizes.config["num_experts_per_tok"]);
        NaiveRow shares;
        for (const auto& best : order)
            shares.push_back(weights[best.second]);
        if (m_sizes.family.router == Router::SoftmaxOfChosen)
            shares = naiveSoftmax(shares);
        const bool normalise = m_sizes.type == "minimax_m2"
            || (m_sizes.type != "deepseek_v2"
                && m_sizes.flag("norm_topk_prob", m_sizes.family.shared));
        const double total = normalise ? std::accumulate(shares.begin(), shares.end(), 0.0) : 1.0;
        std::vector<std::pair<std::size_t, double>> chosen;
        for (std::size_t i = 0; i < order.size(); ++i)
            chosen.emplace_back(order[i].second,
                                shares[i] / total * factor("routed_scaling_factor"));
        return chosen;
    }

    NaiveRows mixture(const NaiveRows& x, const std::string& p, int layer)
    {
        NaiveExperts& notes = m_experts[layer];
        const NaiveRows router =
            linear(x, p + (m_sizes.type == "granitemoe" ? "router.layer" : "gate"));
        NaiveRows out;
        for (std::size_t row = 0; row < x.size(); ++row) {
            auto& ids = notes.chosen.emplace_back();
            NaiveRow& result = out.emplace_back(x[row].size());
            for (const auto& [index, share] : chosenBy(router[row], p)) {
                const auto [gate, added] = expert(x[row], p, index);
                ids.push_back(static_cast<int>(index));
                NaiveRow& seen = notes.gates[static_cast<int>(index)];
                seen.insert(seen.end(), gate.begin(), gate.end());
                for (std::size_t d = 0; d < result.size(); ++d)
                    result[d] += share * added[d];
            }
        }
        if (!m_sizes.family.shared)
            return out;
        for (const NaiveRow& row : linear(x, p + "shared_experts.gate_proj"))
            notes.gates[-1].insert(notes.gates[-1].end(), row.begin(), row.end());
        return sum(out, mlp(x, p + "shared_experts."));
    }

    Sizes m_sizes;
    const NaiveWeights& m_weights;
    std::int64_t m_length;
    std::map<int, NaiveExperts> m_experts;
};

} // namespace

bool isNewer(const std::string& modelType)
{
    return newerOf(modelType) != nullptr;
}

NaiveRows newerLogits(const Json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids, std::map<int, NaiveExperts>* experts)
{
    NewerModel model(config, weights, ids.size());
    NaiveRows logits = model.logits(ids);
    if (experts)
        *experts = model.experts();
    return logits;
}

} // namespace ep::test
