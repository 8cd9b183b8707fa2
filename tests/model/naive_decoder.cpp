// SPDX-License-Identifier: GPL-3.0-or-later
#include "naive_decoder.h"

#include "naive_blocks.h"
#include "naive_newer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ep::test {
namespace {

using Json = nlohmann::json;

class NaiveModel : private NaiveBlocks {
public:
    NaiveModel(const Json& config, const NaiveWeights& weights, std::size_t length)
        : NaiveBlocks(config, weights)
        , m_length(static_cast<std::int64_t>(length))
        , m_heads(config.contains("n_head") ? config["n_head"] : config["num_attention_heads"])
        , m_kvHeads(config.value("num_key_value_heads", m_heads))
        , m_hidden(config.contains("n_embd") ? config["n_embd"] : config["hidden_size"])
        , m_dim(config.value("head_dim", m_hidden / m_heads))
    {
    }

    NaiveRows logits(const std::vector<std::int32_t>& ids)
    {
        NaiveRows x = embed(ids);
        const int layers =
            m_config.contains("n_layer") ? m_config["n_layer"] : m_config["num_hidden_layers"];
        for (int layer = 0; layer < layers; ++layer)
            x = runLayer(std::move(x), layer);
        x = norm(x,
                 m_type == "gpt2"                               ? "transformer.ln_f"
                     : m_type == "gpt_neox"                     ? "gpt_neox.final_layer_norm"
                     : m_type == "phi" || m_type == "falcon_h1" ? "model.final_layernorm"
                     : m_type.starts_with("lfm2")               ? "model.embedding_norm"
                                                                : "model.norm");
        const std::string head = m_type == "gpt_neox" ? "embed_out" : "lm_head";
        const bool tied = m_config.value("tie_word_embeddings",
                                         m_gemma || m_type == "gpt2" || m_type == "starcoder2"
                                             || m_type.starts_with("lfm2"));
        x = naiveLinear(x, weight(tied ? embeddingName() : head + ".weight"),
                        optional(head + ".bias"));
        x = scaled(x, factor("lm_head_multiplier"));
        const double final = cap("final_logit_softcapping", 30.0);
        for (NaiveRow& row : x) {
            for (double& value : row)
                value = naiveCap(value, final);
        }
        return x;
    }

    using NaiveBlocks::expertsOfLayers;

private:
    double cap(const char* key, double fallback) const // 0: no cap
    {
        if (m_type != "gemma2")
            return 0.0;
        const Json value = m_config.contains(key) ? m_config[key] : Json(fallback);
        return value.is_null() ? 0.0 : value.get<double>();
    }

    std::string embeddingName() const
    {
        return m_type == "gpt2"    ? "transformer.wte.weight"
            : m_type == "gpt_neox" ? "gpt_neox.embed_in.weight"
                                   : "model.embed_tokens.weight";
    }
    NaiveRows embed(const std::vector<std::int32_t>& ids) const
    {
        const auto hidden = static_cast<std::size_t>(m_hidden);
        const NaiveTensor& table = weight(embeddingName());
        NaiveRows x;
        for (std::size_t row = 0; row < ids.size(); ++row) {
            NaiveRow values(hidden);
            for (std::size_t i = 0; i < hidden; ++i) {
                const auto id = static_cast<std::size_t>(ids[row]);
                values[i] = static_cast<double>(table.values[id * hidden + i]);
                if (m_gemma)
                    values[i] *= std::sqrt(static_cast<double>(m_hidden));
                if (m_type == "gpt2")
                    values[i] += static_cast<double>(
                        weight("transformer.wpe.weight").values[row * hidden + i]);
            }
            x.push_back(values);
        }
        return scaled(x, factor("embedding_multiplier"));
    }

    NaiveRows runLayer(NaiveRows x, int layer)
    {
        const std::string number = std::to_string(layer) + ".";
        if (m_type == "gpt2") {
            const std::string p = "transformer.h." + number;
            x = sum(x, attention(norm(x, p + "ln_1"), p + "attn.", layer));
            return sum(x, plainMlp(norm(x, p + "ln_2"), p + "mlp.c_fc", p + "mlp.c_proj"));
        }
        if (m_type == "gpt_neox") {
            const std::string p = "gpt_neox.layers." + number;
            const auto mlp = [&](const NaiveRows& in) {
                return plainMlp(norm(in, p + "post_attention_layernorm"), p + "mlp.dense_h_to_4h",
                                p + "mlp.dense_4h_to_h");
            };
            const NaiveRows a = attention(norm(x, p + "input_layernorm"), p + "attention.", layer);
            if (m_config.value("use_parallel_residual", true))
                return sum(sum(x, a), mlp(x));
            x = sum(x, a);
            return sum(x, mlp(x));
        }
        const std::string p = "model.layers." + number;
        const bool attends = !m_config.contains("layer_types")
            || m_config["layer_types"][static_cast<std::size_t>(layer)] == "full_attention";
        if (m_type == "falcon_h1") {
            const NaiveRows in = norm(x, p + "input_layernorm");
            const NaiveRows read =
                attention(scaled(in, factor("attention_in_multiplier")), p + "self_attn.", layer);
            x = sum(sum(x, mamba(in, p + "mamba.")),
                    scaled(read, factor("attention_out_multiplier")));
            return sum(x, gatedMlp(norm(x, p + "pre_ff_layernorm"), p + "feed_forward."));
        }
        if (m_type.starts_with("lfm2")) {
            const NaiveRows in = norm(x, p + "operator_norm");
            x = sum(x,
                    attends ? attention(in, p + "self_attn.", layer)
                            : shortConvolution(in, p + "conv."));
            const NaiveRows mlp = norm(x, p + "ffn_norm");
            return sum(x,
                       sparse(layer) ? experts(mlp, p, layer) : gatedMlp(mlp, p + "feed_forward."));
        }
        const NaiveRows normed = norm(x, p + "input_layernorm");
        NaiveRows a = m_qwenNext && !attends ? deltaNet(normed, p + "linear_attn.")
                                             : attention(normed, p + "self_attn.", layer);
        if (m_type == "phi")
            return sum(sum(x, a), plainMlp(normed, p + "mlp.fc1", p + "mlp.fc2"));
        if (m_type == "stablelm" && m_config.value("use_parallel_residual", false))
            return sum(sum(x, a), gatedMlp(normed, p + "mlp."));
        if (m_type == "gemma2" || m_type == "gemma3_text") {
            x = sum(x, norm(a, p + "post_attention_layernorm"));
            a = gatedMlp(norm(x, p + "pre_feedforward_layernorm"), p + "mlp.");
            return sum(x, norm(a, p + "post_feedforward_layernorm"));
        }
        x = sum(x, a);
        const NaiveRows in = norm(x, p + "post_attention_layernorm");
        if (m_type == "starcoder2")
            return sum(x, plainMlp(in, p + "mlp.c_fc", p + "mlp.c_proj"));
        if (m_type == "arcee")
            return sum(x, plainMlp(in, p + "mlp.up_proj", p + "mlp.down_proj"));
        return sum(x, sparse(layer) ? experts(in, p, layer) : gatedMlp(in, p + "mlp."));
    }

    std::optional<int> window(int layer) const
    {
        const auto value = [&](int fallback) -> std::optional<int> {
            const Json window = m_config.contains("sliding_window") ? m_config["sliding_window"]
                : fallback == 0                                     ? Json()
                                                                    : Json(fallback);
            return window.is_null() ? std::nullopt : std::optional<int>(window.get<int>());
        };
        const auto typed = [&](bool otherwise) {
            return m_config.contains("layer_types")
                ? m_config["layer_types"][static_cast<std::size_t>(layer)] == "sliding_attention"
                : otherwise;
        };
        if (m_type == "mistral")
            return value(4096);
        if (m_type == "mixtral" || m_type == "phi3" || m_type == "starcoder2")
            return value(0);
        if (m_type.starts_with("qwen") && !m_qwenNext) {
            const bool moe = m_type.ends_with("moe");
            if (!m_config.value("use_sliding_window", false)
                || !typed(moe || layer >= m_config.value("max_window_layers", 28)))
                return std::nullopt;
            return value(4096);
        }
        if (m_type == "gemma2")
            return typed(layer % 2 == 0) ? value(4096) : std::nullopt;
        if (m_type == "gemma3_text")
            return typed((layer + 1) % m_config.value("sliding_window_pattern", 6) != 0)
                ? value(4096)
                : std::nullopt;
        return std::nullopt;
    }

    NaiveRope rope(bool local) const
    {
        if (m_type == "gpt2")
            return {};
        const double share = m_type == "gpt_neox"
            ? m_config.value("rotary_pct", 0.25)
            : m_config.value("partial_rotary_factor",
                             m_qwenNext                 ? 0.25
                                 : m_type == "phi"      ? 0.5
                                 : m_type == "stablelm" ? 0.25
                                                        : 1.0);
        const int dimensions = static_cast<int>(m_dim * share);
        if (local) // has its own base and is never scaled
            return naiveRope(m_config, {}, m_config.value("rope_local_base_freq", 10000.0),
                             dimensions, m_length);
        const double theta = m_type == "gpt_neox"
            ? m_config.value("rotary_emb_base", 10000.0)
            : m_config.value("rope_theta",
                             m_type == "mixtral" || m_type == "gemma3_text"
                                     || m_type.starts_with("lfm2")
                                 ? 1e6
                                 : 10000.0);
        return naiveRope(m_config, m_config.value("rope_scaling", Json()), theta, dimensions,
                         m_length);
    }

    // Queries, keys and values, however a family packs them.
    struct Packed {
        NaiveRows q, k, v;
        NaiveRows gate; // gates what the heads read; empty: no gate
    };
    Packed project(const NaiveRows& x, const std::string& p)
    {
        const auto q = static_cast<std::size_t>(m_heads * m_dim);
        const auto kv = static_cast<std::size_t>(m_kvHeads * m_dim);
        if (m_type == "phi3" || m_type == "gpt2") {
            const NaiveRows all = linear(x, p + (m_type == "gpt2" ? "c_attn" : "qkv_proj"));
            return {columns(all, 0, q), columns(all, q, kv), columns(all, q + kv, kv), {}};
        }
        if (m_type == "gpt_neox") { // per head: query, key, value
            const NaiveRows all = linear(x, p + "query_key_value");
            const auto dim = static_cast<std::size_t>(m_dim);
            Packed packed;
            for (const NaiveRow& row : all) {
                NaiveRow parts[3];
                for (std::size_t i = 0; i < row.size(); ++i)
                    parts[i / dim % 3].push_back(row[i]);
                packed.q.push_back(parts[0]);
                packed.k.push_back(parts[1]);
                packed.v.push_back(parts[2]);
            }
            return packed;
        }
        if (m_qwenNext) { // per head: query, gate
            const NaiveRows all = linear(x, p + "q_proj");
            const auto dim = static_cast<std::size_t>(m_dim);
            Packed packed{{}, linear(x, p + "k_proj"), linear(x, p + "v_proj"), {}};
            for (const NaiveRow& row : all) {
                NaiveRow parts[2];
                for (std::size_t i = 0; i < row.size(); ++i)
                    parts[i / dim % 2].push_back(row[i]);
                packed.q.push_back(parts[0]);
                packed.gate.push_back(parts[1]);
            }
            return packed;
        }
        return {linear(x, p + "q_proj"),
                scaled(linear(x, p + "k_proj"), factor("key_multiplier")),
                linear(x, p + "v_proj"),
                {}};
    }

    void normHeads(NaiveRows& x, const std::string& name)
    {
        const auto dim = static_cast<std::ptrdiff_t>(m_dim);
        for (NaiveRow& row : x) {
            int head = 0;
            for (auto at = row.begin(); at != row.end(); at += dim, ++head) {
                const NaiveRow values(at, at + dim);
                const std::string one =
                    m_type == "stablelm" ? name + ".norms." + std::to_string(head) : name;
                const NaiveRow normed = norm(values, one);
                std::copy(normed.begin(), normed.end(), at);
            }
        }
    }

    NaiveRows attention(const NaiveRows& x, const std::string& p, int layer)
    {
        Packed packed = project(x, p);
        if (m_type.starts_with("qwen3") || m_type == "gemma3_text") {
            normHeads(packed.q, p + "q_norm");
            normHeads(packed.k, p + "k_norm");
        } else if (m_type.starts_with("lfm2") || m_config.value("qk_layernorm", false)) {
            normHeads(packed.q, p + "q_layernorm");
            normHeads(packed.k, p + "k_layernorm");
        }
        NaiveAttention shape{.heads = m_heads,
                             .kv_heads = m_kvHeads,
                             .scale = 1.0 / std::sqrt(m_dim),
                             .cap = 0.0,
                             .window = window(layer)};
        const NaiveRope turns = rope(m_type == "gemma3_text" && shape.window.has_value());
        for (std::size_t row = 0; row < x.size(); ++row) {
            naiveRotate(packed.q[row], m_heads, turns, static_cast<std::int64_t>(row));
            naiveRotate(packed.k[row], m_kvHeads, turns, static_cast<std::int64_t>(row));
        }
        if (m_type == "gemma2" || m_type == "gemma3_text")
            shape.scale = 1.0 / std::sqrt(m_config.value("query_pre_attn_scalar", 256.0));
        shape.cap = cap("attn_logit_softcapping", 50.0);
        if (!m_config.value("scale_attn_weights", true))
            shape.scale = 1.0;
        if (m_config.value("scale_attn_by_inverse_layer_idx", false))
            shape.scale /= layer + 1;
        const char* const out = m_type == "gpt2"      ? "c_proj"
            : m_type == "phi" || m_type == "gpt_neox" ? "dense"
            : m_type.starts_with("lfm2")              ? "out_proj"
                                                      : "o_proj";
        NaiveRows read = naiveAttend(packed.q, packed.k, packed.v, shape);
        for (std::size_t row = 0; row < packed.gate.size(); ++row) {
            for (std::size_t i = 0; i < read[row].size(); ++i)
                read[row][i] *= naiveSigmoid(packed.gate[row][i]);
        }
        return linear(read, p + out);
    }

    std::int64_t m_length;
    int m_heads;
    int m_kvHeads;
    int m_hidden;
    int m_dim;
};

} // namespace

NaiveRows naiveLogits(const Json& config, const NaiveWeights& weights,
                      const std::vector<std::int32_t>& ids, std::map<int, NaiveExperts>* experts)
{
    if (isNewer(config["model_type"]))
        return newerLogits(config, weights, ids, experts);
    NaiveModel model(config, weights, ids.size());
    NaiveRows logits = model.logits(ids);
    if (experts)
        *experts = model.expertsOfLayers();
    return logits;
}

} // namespace ep::test
