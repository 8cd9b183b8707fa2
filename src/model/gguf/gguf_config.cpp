// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_config.h"

#include "config_parts.h"
#include "gguf/gguf_positions.h"

#include "ep/json/gguf.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {
namespace {

using Json = nlohmann::json;

struct Architecture {
    std::string_view gguf; // general.architecture
    std::string_view name; // in config.json
    std::string_view type; // model_type there
};
constexpr std::array<Architecture, 16> kArchitectures{{
    {"llama", "LlamaForCausalLM", "llama"},
    {"qwen2", "Qwen2ForCausalLM", "qwen2"},
    {"qwen3", "Qwen3ForCausalLM", "qwen3"},
    {"qwen3moe", "Qwen3MoeForCausalLM", "qwen3_moe"},
    {"qwen35", "Qwen3_5ForCausalLM", "qwen3_5_text"},
    {"qwen35moe", "Qwen3_5MoeForCausalLM", "qwen3_5_moe_text"},
    {"qwen3next", "Qwen3NextForCausalLM", "qwen3_next"},
    {"lfm2", "Lfm2ForCausalLM", "lfm2"},
    {"lfm2moe", "Lfm2MoeForCausalLM", "lfm2_moe"},
    {"phi2", "PhiForCausalLM", "phi"},
    {"phi3", "Phi3ForCausalLM", "phi3"},
    {"gemma", "GemmaForCausalLM", "gemma"},
    {"gemma2", "Gemma2ForCausalLM", "gemma2"},
    {"gemma3", "Gemma3ForCausalLM", "gemma3_text"},
    {"stablelm", "StableLmForCausalLM", "stablelm"},
    {"gpt2", "GPT2LMHeadModel", "gpt2"},
}};
// Models of these many layers scale their scores by the width of the stream instead of the head's,
// which their files do not say.
constexpr int kLayersOfGemma2With27B = 46;
constexpr int kLayersOfGemma3With27B = 62;
constexpr int kMaxTokenId = (1 << 24) - 1;

class ConfigWriter {
public:
    ConfigWriter(const GgufFile& file, const json::Value& keys)
        : m_file(file)
        , m_keys(keys)
        , m_prefix(keys.string("general.architecture") + ".")
    {
    }

    Json write()
    {
        chooseArchitecture();
        addSizes();
        addArithmetic();
        addGgufPositions(m_file, m_keys, m_prefix, m_head_dim, m_out);
        addWindow();
        addExperts();
        addStates();
        addConvolutions();
        addTokens();
        return std::move(m_out);
    }

private:
    std::string key(std::string_view name) const { return m_prefix + std::string(name); }
    bool has(std::string_view name) const { return m_keys.has(key(name)); }
    int integer(std::string_view name, std::optional<int> fallback, int most) const
    {
        return m_keys.integer(key(name), fallback, fallback ? 0 : 1, most);
    }
    void copyNumber(std::string_view from, const char* to)
    {
        if (has(from))
            m_out[to] = m_keys.at(key(from)).asNumber();
    }
    bool hasTensor(const char* name) const { return m_file.has(name); }

    void chooseArchitecture()
    {
        const std::string word = m_prefix.substr(0, m_prefix.size() - 1);
        std::string known;
        for (const Architecture& row : kArchitectures) {
            known += (known.empty() ? "" : ", ") + std::string(row.gguf);
            if (row.gguf != word)
                continue;
            m_type = row.type;
            m_out["architectures"] = Json::array({row.name});
            m_out["model_type"] = row.type;
        }
        if (m_type.empty()) {
            throw json::ReadError(ErrorCode::Unsupported,
                                  "the architecture " + json::inQuotes(word)
                                      + " is not supported in GGUF files; supported are " + known
                                      + ". For others, attach to the server that runs them");
        }
        if (m_type != "llama")
            return;
        // Llama's architecture also stands for two relatives.
        if (integer("expert_count", 0, kMaxExperts) > 0)
            m_out["architectures"][0] = "MixtralForCausalLM", m_out["model_type"] = "mixtral";
        else if (has("attention.sliding_window"))
            m_out["architectures"][0] = "MistralForCausalLM", m_out["model_type"] = "mistral";
    }

    // The number of rows and columns of a matrix.
    std::optional<std::array<std::int64_t, 2>> shapeOf(const char* name) const
    {
        const auto found = m_file.tensors.find(name);
        if (found == m_file.tensors.end() || found->second.stored.shape.size() != 2)
            return std::nullopt;
        return std::array{found->second.stored.shape[0], found->second.stored.shape[1]};
    }

    // One number, or one for each layer: 0 where the layer does not attend.
    int readKvHeads()
    {
        constexpr const char* kName = "attention.head_count_kv";
        if (!has(kName) || !m_keys.at(key(kName)).isArray())
            return integer(kName, m_heads, kMaxWidth);
        int heads = 0;
        for (const json::Value& layer : m_keys.at(key(kName)).elements()) {
            const auto own = static_cast<int>(layer.asInteger(0, kMaxWidth));
            if (own != 0 && heads != 0 && own != heads)
                layer.unsupported("differs from the number of another layer: use attach with a "
                                  "server that runs the model");
            heads = std::max(heads, own);
            m_attends.push_back(own != 0);
        }
        return std::max(1, heads);
    }

    void addSizes()
    {
        m_hidden = integer("embedding_length", std::nullopt, kMaxWidth);
        // Layers that predict further tokens follow the others.
        const int further = integer("nextn_predict_layers", 0, kMaxLayers);
        m_layers = integer("block_count", std::nullopt, kMaxLayers) - further;
        m_heads = integer("attention.head_count", std::nullopt, kMaxWidth);
        const int kvHeads = readKvHeads();
        m_out["hidden_size"] = m_hidden;
        m_out["num_hidden_layers"] = m_layers;
        m_out["num_attention_heads"] = m_heads;
        m_out["num_key_value_heads"] = kvHeads;
        if (m_hidden % m_heads != 0 && !has("attention.key_length"))
            m_keys.fail(key("embedding_length"), "is not a multiple of the number of heads");
        m_head_dim = integer("attention.key_length", std::max(1, m_hidden / m_heads), kMaxWidth);
        if (integer("attention.value_length", m_head_dim, kMaxWidth) != m_head_dim)
            m_keys.fail(key("attention.value_length"), "differs from the length of the keys");
        m_out["head_dim"] = m_head_dim;
        m_out["intermediate_size"] = integer(
            "feed_forward_length",
            m_file.has("blk.0.ffn_gate_inp.weight") || has("expert_count") ? std::optional(1)
                                                                           : std::nullopt,
            kMaxWidth);
        m_out["max_position_embeddings"] = integer("context_length", std::nullopt, kMaxPositions);
        const auto table = shapeOf("token_embd.weight");
        if (!table)
            throw json::ReadError(ErrorCode::InvalidInput, "it has no matrix token_embd.weight");
        m_out["vocab_size"] = (*table)[0];
        m_out["tie_word_embeddings"] = !hasTensor("output.weight");
    }

    void addArithmetic()
    {
        copyNumber("attention.layer_norm_rms_epsilon", "rms_norm_eps");
        copyNumber("attention.layer_norm_epsilon", "layer_norm_eps");
        const bool bias = hasTensor("blk.0.attn_q.bias");
        m_out["attention_bias"] = bias;
        m_out["use_qkv_bias"] = bias;
        m_out["mlp_bias"] = hasTensor("blk.0.ffn_up.bias");
        m_out["qk_layernorm"] = hasTensor("blk.0.attn_q_norm.weight");
        if (has("use_parallel_residual"))
            m_out["use_parallel_residual"] = m_keys.at(key("use_parallel_residual")).asBoolean();
        copyNumber("attn_logit_softcapping", "attn_logit_softcapping");
        copyNumber("final_logit_softcapping", "final_logit_softcapping");
        const int wide = m_type == "gemma2" ? kLayersOfGemma2With27B
            : m_type == "gemma3_text"       ? kLayersOfGemma3With27B
                                            : 0;
        if (wide != 0)
            m_out["query_pre_attn_scalar"] = m_layers == wide ? m_hidden / m_heads : m_head_dim;
    }

    void addWindow()
    {
        if (has("attention.sliding_window")) {
            m_out["sliding_window"] = integer("attention.sliding_window", 0, kMaxPositions);
            if (m_out["sliding_window"] == 0)
                m_out["sliding_window"] = nullptr;
        }
    }

    void addExperts()
    {
        const int experts = integer("expert_count", 0, kMaxExperts);
        if (experts == 0)
            return;
        m_out["num_experts"] = experts;
        m_out["num_experts_per_tok"] = integer("expert_used_count", std::nullopt, kMaxExperts);
        m_out["norm_topk_prob"] = true;
        if (has("expert_shared_feed_forward_length")) {
            m_out["shared_expert_intermediate_size"] =
                integer("expert_shared_feed_forward_length", std::nullopt, kMaxWidth);
        }
        if (has("expert_feed_forward_length")) {
            m_out["moe_intermediate_size"] =
                integer("expert_feed_forward_length", std::nullopt, kMaxWidth);
        }
    }

    void addLayerTypes(const char* attending, const char* other)
    {
        Json types = Json::array();
        for (const bool attends : m_attends)
            types.push_back(attends ? attending : other);
        if (!types.empty())
            m_out["layer_types"] = types;
    }

    void addConvolutions()
    {
        if (!has("shortconv.l_cache"))
            return;
        m_out["conv_L_cache"] = integer("shortconv.l_cache", std::nullopt, kMaxTaps);
        m_out["conv_bias"] = hasTensor("blk.0.shortconv.conv.bias");
        m_out["block_auto_adjust_ff_dim"] = false;
        m_out["num_dense_layers"] = integer("leading_dense_block_count", 0, kMaxLayers);
        copyNumber("attention.layer_norm_rms_epsilon", "norm_eps");
        addLayerTypes("full_attention", "conv");
    }

    // Of Gated DeltaNet; llama.cpp names them after those of Mamba.
    void addStates()
    {
        if (!has("ssm.conv_kernel"))
            return;
        const int heads = integer("ssm.time_step_rank", std::nullopt, kMaxWidth);
        const int values = integer("ssm.inner_size", std::nullopt, kMaxWidth);
        if (heads == 0 || values % heads != 0)
            m_keys.fail(key("ssm.inner_size"), "is not a multiple of ssm.time_step_rank");
        m_out["linear_conv_kernel_dim"] = integer("ssm.conv_kernel", std::nullopt, kMaxTaps);
        m_out["linear_num_key_heads"] = integer("ssm.group_count", std::nullopt, kMaxWidth);
        m_out["linear_num_value_heads"] = heads;
        m_out["linear_key_head_dim"] = integer("ssm.state_size", std::nullopt, kMaxWidth);
        m_out["linear_value_head_dim"] = values / heads;
        if (has("full_attention_interval"))
            m_out["full_attention_interval"] =
                integer("full_attention_interval", std::nullopt, kMaxLayers);
        if (has("attention.recurrent_layers")) {
            Json types = Json::array();
            for (const json::Value& recurrent :
                 m_keys.at(key("attention.recurrent_layers")).elements()) {
                if (types.size() < static_cast<std::size_t>(m_layers))
                    types.push_back(recurrent.asBoolean() ? "linear_attention" : "full_attention");
            }
            m_out["layer_types"] = types;
        }
        m_out["linear_fused_projections"] = hasTensor("blk.0.ssm_in.weight");
        m_out["linear_value_heads_tiled"] = m_type != "qwen3_next";
    }

    void addTokens()
    {
        Json ends = Json::array();
        for (const char* const name : {"eos_token_id", "eot_token_id", "eom_token_id"}) {
            if (const auto id = tokenId(name))
                ends.push_back(*id);
        }
        m_out["eos_token_id"] = ends;
        if (const auto begin = tokenId("bos_token_id"))
            m_out["bos_token_id"] = *begin;
    }

    std::optional<int> tokenId(const char* name) const
    {
        const std::string id = std::string("tokenizer.ggml.") + name;
        if (!m_keys.has(id) || json::isNoToken(m_keys.at(id).json()))
            return std::nullopt;
        return m_keys.integer(id, std::nullopt, 0, kMaxTokenId);
    }

    const GgufFile& m_file;
    const json::Value& m_keys;
    std::string m_prefix;
    std::string m_type;
    Json m_out = Json::object();
    int m_hidden = 0;
    int m_layers = 0;
    int m_heads = 0;
    int m_head_dim = 0;
    std::vector<bool> m_attends{}; // of each layer; empty: all, or those that other keys name
};

} // namespace

Result<nlohmann::json> ggufConfig(const GgufFile& file)
{
    return json::read(file.path.string(), file.metadata,
                      [&](const json::Value& keys) { return ConfigWriter(file, keys).write(); });
}

} // namespace ep::model
