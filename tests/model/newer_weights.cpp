// SPDX-License-Identifier: GPL-3.0-or-later
#include "naive_newer.h"
#include "newer_sizes.h"

#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

namespace ep::test {
namespace {

class NewerMaker {
public:
    NewerMaker(const nlohmann::json& config, std::uint64_t seed)
        : m_sizes(config)
        , m_state(seed)
    {
    }

    NaiveWeights make()
    {
        const std::int64_t vocabulary = m_sizes.config["vocab_size"];
        matrix("model.embed_tokens", m_sizes.hidden, vocabulary, false);
        for (int layer = 0; layer < m_sizes.layers; ++layer)
            addLayer("model.layers." + std::to_string(layer) + ".", layer);
        norm("model.norm", m_sizes.hidden);
        if (!m_sizes.tied())
            matrix("lm_head", m_sizes.hidden, vocabulary, false);
        if (m_sizes.flag("lm_head_bias"))
            tensor("lm_head.bias", {vocabulary}, 0.0, 0.3);
        return std::move(m_weights);
    }

private:
    void tensor(const std::string& name, std::vector<std::int64_t> shape, double centre,
                double spread)
    {
        NaiveTensor& made = m_weights[name];
        made.shape = std::move(shape);
        const std::int64_t count = std::accumulate(made.shape.begin(), made.shape.end(),
                                                   std::int64_t{1}, std::multiplies<>());
        for (std::int64_t i = 0; i < count; ++i) {
            m_state = m_state * 6364136223846793005U + 1442695040888963407U;
            const double unit = static_cast<double>(m_state >> 33) / static_cast<double>(1U << 30);
            made.values.push_back(static_cast<float>(centre + spread * (unit - 1.0)));
        }
    }
    void matrix(const std::string& name, std::int64_t in, std::int64_t out, bool bias)
    {
        tensor(name + ".weight", {out, in}, 0.0, 0.4);
        if (bias)
            tensor(name + ".bias", {out}, 0.0, 0.3);
    }
    void norm(const std::string& name, std::int64_t width)
    {
        tensor(name + ".weight", {width}, 1.0, 0.3);
        if (m_sizes.type == "phimoe")
            tensor(name + ".bias", {width}, 0.0, 0.3);
    }

    void addLayer(const std::string& p, int layer)
    {
        const Sizes& s = m_sizes;
        for (const std::string& name : s.layerNorms())
            norm(p + name, s.hidden);
        const std::string a = p + "self_attn.";
        if (s.family.latent)
            addLatent(a);
        else
            addAttention(a);
        if (s.sparse(layer))
            addExperts(p + s.family.experts);
        else
            addMlp(p + "mlp.", s.config["intermediate_size"]);
    }

    void addLatent(const std::string& a)
    {
        const Sizes& s = m_sizes;
        const nlohmann::json& c = s.config;
        const std::int64_t rank = c["kv_lora_rank"];
        const std::int64_t plain = c["qk_nope_head_dim"];
        const std::int64_t value = c["v_head_dim"];
        const std::int64_t q = s.heads * (plain + s.dim);
        if (c["q_lora_rank"].is_null()) {
            matrix(a + "q_proj", s.hidden, q, false);
        } else {
            const std::int64_t narrow = c["q_lora_rank"];
            matrix(a + "q_a_proj", s.hidden, narrow, s.biased());
            norm(a + "q_a_layernorm", narrow);
            matrix(a + "q_b_proj", narrow, q, false);
        }
        matrix(a + "kv_a_proj_with_mqa", s.hidden, rank + s.dim, s.biased());
        norm(a + "kv_a_layernorm", rank);
        matrix(a + "kv_b_proj", rank, s.heads * (plain + value), false);
        matrix(a + "o_proj", s.heads * value, s.hidden, s.biased());
    }

    void addAttention(const std::string& a)
    {
        const Sizes& s = m_sizes;
        const std::int64_t q = std::int64_t{s.heads} * s.dim;
        const std::int64_t kv = std::int64_t{s.kv_heads} * s.dim;
        matrix(a + "q_proj", s.hidden, q, s.biased());
        matrix(a + "k_proj", s.hidden, kv, s.biased());
        matrix(a + "v_proj", s.hidden, kv, s.biased());
        matrix(a + "o_proj", q, s.hidden, s.biased() && s.family.all_biased);
        if (s.headNorms() != HeadNorms::None) {
            const bool all = s.headNorms() == HeadNorms::All;
            norm(a + s.headNorm('q'), all ? q : s.dim);
            norm(a + s.headNorm('k'), all ? kv : s.dim);
        }
    }

    void addMlp(const std::string& p, std::int64_t width)
    {
        const bool bias = m_sizes.type == "ernie4_5" && m_sizes.biased();
        if (m_sizes.family.fused_gate) {
            matrix(p + "gate_up_proj", m_sizes.hidden, 2 * width, bias);
        } else {
            matrix(p + "gate_proj", m_sizes.hidden, width, bias);
            matrix(p + "up_proj", m_sizes.hidden, width, bias);
        }
        matrix(p + "down_proj", width, m_sizes.hidden, bias);
    }

    void addExperts(const std::string& p)
    {
        const std::int64_t count = m_sizes.expertCount();
        const std::int64_t width = m_sizes.expertWidth();
        if (m_sizes.type == "granitemoe") {
            matrix(p + "router.layer", m_sizes.hidden, count, false);
            tensor(p + "input_linear.weight", {count, 2 * width, m_sizes.hidden}, 0.0, 0.4);
            tensor(p + "output_linear.weight", {count, m_sizes.hidden, width}, 0.0, 0.4);
            return;
        }
        matrix(p + "gate", m_sizes.hidden, count, false);
        if (m_sizes.family.shared && m_sizes.family.router == Router::Sigmoid)
            tensor(p + "gate.e_score_correction_bias", {count}, 0.0, 0.3);
        if (m_sizes.type == "minimax_m2")
            tensor(p + "e_score_correction_bias", {count}, 0.0, 0.3);
        for (std::int64_t e = 0; e < count; ++e) {
            const std::string one = p + "experts." + std::to_string(e) + ".";
            const bool numbered = m_sizes.numberedExperts();
            matrix(one + (numbered ? "w1" : "gate_proj"), m_sizes.hidden, width, false);
            matrix(one + (numbered ? "w3" : "up_proj"), m_sizes.hidden, width, false);
            matrix(one + (numbered ? "w2" : "down_proj"), width, m_sizes.hidden, false);
        }
        if (m_sizes.family.shared)
            addMlp(p + "shared_experts.", width * m_sizes.config.value("n_shared_experts", 1));
    }

    Sizes m_sizes;
    std::uint64_t m_state;
    NaiveWeights m_weights;
};

} // namespace

NaiveWeights newerWeights(const nlohmann::json& config, std::uint64_t seed)
{
    return NewerMaker(config, seed).make();
}

} // namespace ep::test
