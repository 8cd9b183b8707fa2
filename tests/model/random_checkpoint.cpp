// SPDX-License-Identifier: GPL-3.0-or-later
#include "random_checkpoint.h"

#include "naive_newer.h"
#include "support/safetensors_writer.h"

#include <cstddef>

namespace ep::test {
namespace {

using Json = nlohmann::json;

class Maker {
public:
    Maker(const Json& config, std::uint64_t seed)
        : m_config(config)
        , m_type(config["model_type"])
        , m_state(seed)
        , m_hidden(size(m_type == "gpt2" ? "n_embd" : "hidden_size"))
        , m_heads(size(m_type == "gpt2" ? "n_head" : "num_attention_heads"))
        , m_kvHeads(config.value("num_key_value_heads", m_heads))
        , m_dim(config.value("head_dim", m_hidden / m_heads))
        , m_layers(static_cast<int>(size(m_type == "gpt2" ? "n_layer" : "num_hidden_layers")))
    {
    }

    NaiveWeights make()
    {
        const std::int64_t vocabulary = size("vocab_size");
        const bool gpt2 = m_type == "gpt2";
        const bool neox = m_type == "gpt_neox";
        matrix(gpt2       ? "transformer.wte"
                   : neox ? "gpt_neox.embed_in"
                          : "model.embed_tokens",
               vocabulary, m_hidden);
        if (gpt2)
            matrix("transformer.wpe", size("n_positions"), m_hidden);
        for (int layer = 0; layer < m_layers; ++layer) {
            const std::string number = std::to_string(layer) + ".";
            if (gpt2)
                gpt2Layer("transformer.h." + number);
            else if (neox)
                neoxLayer("gpt_neox.layers." + number);
            else
                modelLayer("model.layers." + number, layer);
        }
        norm(gpt2                                   ? "transformer.ln_f"
                 : neox                             ? "gpt_neox.final_layer_norm"
                 : type("phi") || type("falcon_h1") ? "model.final_layernorm"
                 : m_type.starts_with("lfm2")       ? "model.embedding_norm"
                                                    : "model.norm",
             m_hidden);
        const bool tied =
            m_type.starts_with("gemma") || gpt2 || type("starcoder2") || m_type.starts_with("lfm2");
        if (!m_config.value("tie_word_embeddings", tied))
            matrix(neox ? "embed_out" : "lm_head", vocabulary, m_hidden);
        if (type("phi"))
            tensor("lm_head.bias", {vocabulary}, 0.0, 0.3);
        return m_weights;
    }

private:
    bool type(const char* name) const { return m_type == name; }
    bool qwenNext() const { return m_type.starts_with("qwen3_5") || type("qwen3_next"); }
    bool attends(int layer) const
    {
        return !m_config.contains("layer_types")
            || m_config["layer_types"][static_cast<std::size_t>(layer)] == "full_attention";
    }
    bool flag(const char* key, bool fallback = false) const
    {
        return m_config.value(key, fallback);
    }
    std::int64_t size(const char* key) const { return m_config[key]; }

    float uniform(double scale)
    {
        m_state += 0x9E37'79B9'7F4A'7C15U;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9U;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EBU;
        z ^= z >> 31;
        return static_cast<float>(
            scale * (static_cast<double>(z >> 40) / static_cast<double>(1 << 23) - 1.0));
    }
    void tensor(const std::string& name, std::vector<std::int64_t> shape, double centre,
                double scale)
    {
        NaiveTensor& made = m_weights[name];
        made.shape = std::move(shape);
        std::int64_t count = 1;
        for (const std::int64_t extent : made.shape)
            count *= extent;
        for (std::int64_t i = 0; i < count; ++i)
            made.values.push_back(static_cast<float>(centre) + uniform(scale));
    }
    void matrix(const std::string& name, std::int64_t rows, std::int64_t columns)
    {
        tensor(name + ".weight", {rows, columns}, 0.0, 0.4);
    }
    void linear(const std::string& name, std::int64_t in, std::int64_t out, bool bias)
    {
        if (type("gpt2"))
            matrix(name, in, out);
        else
            matrix(name, out, in);
        if (bias)
            tensor(name + ".bias", {out}, 0.0, 0.3);
    }
    void norm(const std::string& name, std::int64_t width)
    {
        const bool layerNorm =
            type("phi") || type("stablelm") || type("starcoder2") || m_type.starts_with("gpt");
        const bool lessOne = m_type.starts_with("gemma") || qwenNext();
        tensor(name + ".weight", {width}, lessOne ? 0.0 : 1.0, 0.3);
        if (layerNorm)
            tensor(name + ".bias", {width}, 0.0, 0.3);
    }

    void gpt2Layer(const std::string& p)
    {
        const std::int64_t inner = m_config.contains("n_inner") && !m_config["n_inner"].is_null()
            ? size("n_inner")
            : 4 * m_hidden;
        norm(p + "ln_1", m_hidden);
        linear(p + "attn.c_attn", m_hidden, 3 * m_hidden, true);
        linear(p + "attn.c_proj", m_hidden, m_hidden, true);
        norm(p + "ln_2", m_hidden);
        linear(p + "mlp.c_fc", m_hidden, inner, true);
        linear(p + "mlp.c_proj", inner, m_hidden, true);
    }

    void neoxLayer(const std::string& p)
    {
        const bool bias = flag("attention_bias", true);
        norm(p + "input_layernorm", m_hidden);
        norm(p + "post_attention_layernorm", m_hidden);
        linear(p + "attention.query_key_value", m_hidden, 3 * m_hidden, bias);
        linear(p + "attention.dense", m_hidden, m_hidden, bias);
        linear(p + "mlp.dense_h_to_4h", m_hidden, size("intermediate_size"), true);
        linear(p + "mlp.dense_4h_to_h", size("intermediate_size"), m_hidden, true);
    }

    void deltaNet(const std::string& p)
    {
        const std::int64_t keys = size("linear_num_key_heads") * size("linear_key_head_dim");
        const std::int64_t heads = size("linear_num_value_heads");
        const std::int64_t values = heads * size("linear_value_head_dim");
        if (type("qwen3_next")) {
            linear(p + "in_proj_qkvz", m_hidden, 2 * keys + 2 * values, false);
            linear(p + "in_proj_ba", m_hidden, 2 * heads, false);
        } else {
            linear(p + "in_proj_qkv", m_hidden, 2 * keys + values, false);
            linear(p + "in_proj_z", m_hidden, values, false);
            linear(p + "in_proj_b", m_hidden, heads, false);
            linear(p + "in_proj_a", m_hidden, heads, false);
        }
        tensor(p + "conv1d.weight", {2 * keys + values, 1, size("linear_conv_kernel_dim")}, 0.0,
               0.6);
        tensor(p + "A_log", {heads}, 0.0, 1.0);
        tensor(p + "dt_bias", {heads}, 0.0, 1.0);
        tensor(p + "norm.weight", {size("linear_value_head_dim")}, 1.0, 0.3);
        linear(p + "out_proj", values, m_hidden, false);
    }

    void lfm2Layer(const std::string& p, int layer)
    {
        const bool bias = flag("conv_bias");
        norm(p + "operator_norm", m_hidden);
        norm(p + "ffn_norm", m_hidden);
        if (attends(layer)) {
            attention(p + "self_attn.");
        } else {
            linear(p + "conv.in_proj", m_hidden, 3 * m_hidden, bias);
            linear(p + "conv.out_proj", m_hidden, m_hidden, bias);
            tensor(p + "conv.conv.weight", {m_hidden, 1, size("conv_L_cache")}, 0.0, 0.6);
            if (bias)
                tensor(p + "conv.conv.bias", {m_hidden}, 0.0, 0.3);
        }
        if (type("lfm2_moe") && layer >= m_config.value("num_dense_layers", 2)) {
            experts(p + "feed_forward.");
            return;
        }
        const std::int64_t width = size("intermediate_size");
        linear(p + "feed_forward.w1", m_hidden, width, false);
        linear(p + "feed_forward.w3", m_hidden, width, false);
        linear(p + "feed_forward.w2", width, m_hidden, false);
    }

    void falconLayer(const std::string& p)
    {
        norm(p + "input_layernorm", m_hidden);
        norm(p + "pre_ff_layernorm", m_hidden);
        attention(p + "self_attn.");
        mlp(p + "feed_forward.", size("intermediate_size"));
        const std::int64_t heads = size("mamba_n_heads");
        const std::int64_t values = heads * size("mamba_d_head");
        const std::int64_t channels =
            values + 2 * m_config.value("mamba_n_groups", std::int64_t{1}) * size("mamba_d_state");
        const std::string mamba = p + "mamba.";
        linear(mamba + "in_proj", m_hidden, values + channels + heads, flag("mamba_proj_bias"));
        linear(mamba + "out_proj", values, m_hidden, flag("projectors_bias"));
        tensor(mamba + "conv1d.weight", {channels, 1, size("mamba_d_conv")}, 0.0, 0.6);
        if (flag("mamba_conv_bias", true))
            tensor(mamba + "conv1d.bias", {channels}, 0.0, 0.3);
        tensor(mamba + "A_log", {heads}, 0.0, 1.0);
        tensor(mamba + "dt_bias", {heads}, 0.0, 1.0);
        tensor(mamba + "D", {heads}, 0.0, 1.0);
        if (flag("mamba_rms_norm"))
            tensor(mamba + "norm.weight", {values}, 1.0, 0.3);
    }

    void modelLayer(const std::string& p, int layer)
    {
        if (type("falcon_h1"))
            return falconLayer(p);
        if (m_type.starts_with("lfm2"))
            return lfm2Layer(p, layer);
        norm(p + "input_layernorm", m_hidden);
        if (qwenNext() && !attends(layer))
            deltaNet(p + "linear_attn.");
        else
            attention(p + "self_attn.");
        const bool parallel = type("phi") || (type("stablelm") && flag("use_parallel_residual"));
        if (!parallel)
            norm(p + "post_attention_layernorm", m_hidden);
        if (type("gemma2") || type("gemma3_text")) {
            norm(p + "pre_feedforward_layernorm", m_hidden);
            norm(p + "post_feedforward_layernorm", m_hidden);
        }
        if (sparse(layer))
            experts(p + (type("mixtral") ? "block_sparse_moe." : "mlp."));
        else
            mlp(p + "mlp.", size("intermediate_size"));
    }

    void attention(const std::string& p)
    {
        const std::int64_t q = m_heads * m_dim;
        const std::int64_t kv = m_kvHeads * m_dim;
        const bool all =
            type("phi") || (type("starcoder2") && flag("use_bias", true)) || flag("attention_bias");
        const bool bias = all || type("qwen2") || flag("use_qkv_bias")
            || (type("qwen2_moe") && flag("qkv_bias", true));
        if (type("phi3")) {
            linear(p + "qkv_proj", m_hidden, q + 2 * kv, false);
        } else {
            linear(p + "q_proj", m_hidden, qwenNext() ? 2 * q : q, bias);
            linear(p + "k_proj", m_hidden, kv, bias);
            linear(p + "v_proj", m_hidden, kv, bias);
        }
        linear(p
                   + (type("phi")                      ? "dense"
                          : m_type.starts_with("lfm2") ? "out_proj"
                                                       : "o_proj"),
               q, m_hidden, all);
        if (m_type.starts_with("qwen3") || type("gemma3_text")) {
            norm(p + "q_norm", m_dim);
            norm(p + "k_norm", m_dim);
        } else if (m_type.starts_with("lfm2") || (type("phi") && flag("qk_layernorm"))) {
            norm(p + "q_layernorm", m_dim);
            norm(p + "k_layernorm", m_dim);
        } else if (flag("qk_layernorm")) {
            for (std::int64_t head = 0; head < m_heads; ++head)
                headNorm(p + "q_layernorm.norms.", head);
            for (std::int64_t head = 0; head < m_kvHeads; ++head)
                headNorm(p + "k_layernorm.norms.", head);
        }
    }
    void headNorm(const std::string& p, std::int64_t head)
    {
        tensor(p + std::to_string(head) + ".weight", {m_dim}, 1.0, 0.3);
    }

    void mlp(const std::string& p, std::int64_t width)
    {
        const bool bias = flag("mlp_bias");
        if (type("starcoder2")) {
            linear(p + "c_fc", m_hidden, width, flag("use_bias", true));
            linear(p + "c_proj", width, m_hidden, flag("use_bias", true));
            return;
        }
        if (type("phi")) {
            linear(p + "fc1", m_hidden, width, true);
            linear(p + "fc2", width, m_hidden, true);
            return;
        }
        if (type("phi3")) {
            linear(p + "gate_up_proj", m_hidden, 2 * width, false);
        } else {
            if (!type("arcee"))
                linear(p + "gate_proj", m_hidden, width, bias);
            linear(p + "up_proj", m_hidden, width, bias);
        }
        linear(p + "down_proj", width, m_hidden, bias);
    }

    bool sparse(int layer) const
    {
        if (!type("qwen2_moe") && !type("qwen3_moe") && !type("qwen3_next")
            && !type("qwen3_5_moe_text"))
            return type("mixtral");
        for (const int dense : m_config.value("mlp_only_layers", std::vector<int>{})) {
            if (dense == layer)
                return false;
        }
        return (layer + 1) % m_config.value("decoder_sparse_step", 1) == 0;
    }
    void experts(const std::string& p)
    {
        const bool mixtral = type("mixtral");
        const std::int64_t count = size(mixtral ? "num_local_experts" : "num_experts");
        linear(p + "gate", m_hidden, count, false);
        for (std::int64_t e = 0; e < count; ++e) {
            const std::string one = p + "experts." + std::to_string(e) + ".";
            if (mixtral || type("lfm2_moe")) {
                const std::int64_t width =
                    size(mixtral ? "intermediate_size" : "moe_intermediate_size");
                linear(one + "w1", m_hidden, width, false);
                linear(one + "w3", m_hidden, width, false);
                linear(one + "w2", width, m_hidden, false);
            } else {
                mlp(one, size("moe_intermediate_size"));
            }
        }
        if (type("lfm2_moe") && flag("use_expert_bias", true))
            tensor(p + "expert_bias", {count}, 0.0, 0.3);
        if (type("qwen2_moe") || qwenNext()) {
            mlp(p + "shared_expert.", size("shared_expert_intermediate_size"));
            linear(p + "shared_expert_gate", m_hidden, 1, false);
        }
    }

    const Json& m_config;
    std::string m_type;
    std::uint64_t m_state;
    std::int64_t m_hidden;
    std::int64_t m_heads;
    std::int64_t m_kvHeads;
    std::int64_t m_dim;
    int m_layers;
    NaiveWeights m_weights;
};

} // namespace

NaiveWeights randomWeights(const Json& config, std::uint64_t seed)
{
    return isNewer(config["model_type"]) ? newerWeights(config, seed) : Maker(config, seed).make();
}

void writeCheckpoint(const std::filesystem::path& folder, const Json& config,
                     const NaiveWeights& weights, const std::string& dtype)
{
    writeCheckpoint(folder, config, weights, [&](const std::string&) { return dtype; });
}

void writeCheckpoint(const std::filesystem::path& folder, const Json& config,
                     const NaiveWeights& weights,
                     const std::function<std::string(const std::string&)>& dtypeOf)
{
    std::vector<StoredTensor> tensors;
    for (const auto& [name, tensor] : weights)
        tensors.push_back(makeTensor(name, tensor.shape, tensor.values, dtypeOf(name)));
    std::filesystem::create_directories(folder);
    writeText(folder / "config.json", config.dump(2));
    writeSafetensors(folder / "model.safetensors", tensors);
}

void writeShardedCheckpoint(const std::filesystem::path& folder, const Json& config,
                            const NaiveWeights& weights)
{
    std::vector<std::vector<StoredTensor>> shards(2);
    Json map;
    std::size_t next = 0;
    for (const auto& [name, tensor] : weights) {
        const std::size_t shard = next++ % shards.size();
        shards[shard].push_back(makeTensor(name, tensor.shape, tensor.values, "F32"));
        map[name] = "model-" + std::to_string(shard) + ".safetensors";
    }
    std::filesystem::create_directories(folder);
    writeText(folder / "config.json", config.dump(2));
    writeText(folder / "model.safetensors.index.json", Json{{"weight_map", map}}.dump());
    for (std::size_t i = 0; i < shards.size(); ++i)
        writeSafetensors(folder / ("model-" + std::to_string(i) + ".safetensors"), shards[i]);
}

} // namespace ep::test
