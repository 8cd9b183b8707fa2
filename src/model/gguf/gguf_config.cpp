// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_config.h"

#include "config_parts.h"
#include "families/family.h"
#include "gguf/gguf_keys.h"
#include "gguf/gguf_parts.h"
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

constexpr int kMaxTokenId = (1 << 24) - 1;

class ConfigWriter {
public:
    ConfigWriter(const GgufFile& file, const json::Value& keys)
        : m_file(file)
        , m_keys(keys)
        , m_prefix(keys.string("general.architecture") + ".")
        , m_own{file, keys, m_prefix}
    {
    }

    Json write()
    {
        chooseArchitecture();
        addSizes();
        addArithmetic();
        addGgufPositions(m_file, m_keys, m_prefix, m_head_dim, m_out);
        addWindow();
        addGgufParts(m_own, *m_family, m_layers, m_attends, m_out);
        addTokens();
        return std::move(m_out);
    }

private:
    std::string key(std::string_view name) const { return m_prefix + std::string(name); }
    bool has(std::string_view name) const { return m_keys.has(key(name)); }
    int integer(std::string_view name, std::optional<int> fallback, int most) const
    {
        return m_own.integer(name, fallback, most);
    }
    void copyNumber(std::string_view from, const char* to)
    {
        if (has(from))
            m_out[to] = m_keys.at(key(from)).asNumber();
    }
    bool hasTensor(const char* name) const { return m_file.has(name); }

    void chooseArchitecture()
    {
        const FamilyRow* const row = familyOfGguf(m_own);
        if (!row) {
            throw json::ReadError(ErrorCode::Unsupported,
                                  {"the architecture %1 is not supported in GGUF files; supported "
                                   "are %2. For others, attach to the server that runs them",
                                   json::inQuotes(m_prefix.substr(0, m_prefix.size() - 1)),
                                   supportedInGguf()});
        }
        m_family = &row->family;
        m_type = m_family->defaults.model_type;
        m_out["architectures"] = Json::array({row->architecture});
        m_out["model_type"] = m_type;
    }

    // Reads one number, or one per layer, which is 0 if the layer does not attend.
    int readKvHeads()
    {
        constexpr const char* kName = "attention.head_count_kv";
        if (!has(kName) || !m_keys.at(key(kName)).isArray())
            return std::max(1, integer(kName, m_heads, kMaxWidth));
        int heads = 0;
        for (const json::Value& layer : m_keys.at(key(kName)).elements()) {
            const auto own = static_cast<int>(layer.asInteger(0, kMaxWidth));
            if (own != 0 && heads != 0 && own != heads && m_type != "gemma4_text")
                layer.unsupported("differs from the number of another layer: use attach with a "
                                  "server that runs the model");
            heads = std::max(heads, own);
            m_attends.push_back(own != 0);
        }
        return std::max(1, heads);
    }

    // Reads the size of a head: in layers with a window, if it differs there; in latent attention,
    // that of the rotated part.
    void readHeadDim()
    {
        if (has("attention.kv_lora_rank")) {
            m_head_dim = integer("rope.dimension_count", std::nullopt, kMaxWidth);
            return;
        }
        if (m_hidden % m_heads != 0 && !has("attention.key_length"))
            m_keys.fail(key("embedding_length"), "is not a multiple of the number of heads");
        const int whole =
            integer("attention.key_length", std::max(1, m_hidden / m_heads), kMaxWidth);
        if (integer("attention.value_length", whole, kMaxWidth) != whole)
            m_keys.fail(key("attention.value_length"), "differs from the length of the keys");
        m_head_dim = integer("attention.key_length_swa", whole, kMaxWidth);
        if (m_head_dim != whole && m_type != "gemma4_text")
            m_keys.at(key("attention.key_length_swa"))
                .unsupported("differs from attention.key_length: use attach with a server that "
                             "runs the model");
    }

    void addSizes()
    {
        m_hidden = integer("embedding_length", std::nullopt, kMaxWidth);
        // Layers that predict further tokens come last.
        const int further = integer("nextn_predict_layers", 0, kMaxLayers);
        m_layers = integer("block_count", std::nullopt, kMaxLayers) - further;
        m_heads = std::max(1, m_own.largest("attention.head_count", std::nullopt, kMaxWidth));
        const int kvHeads = readKvHeads();
        m_out["hidden_size"] = m_hidden;
        m_out["num_hidden_layers"] = m_layers;
        m_out["num_attention_heads"] = m_heads;
        m_out["num_key_value_heads"] = kvHeads;
        readHeadDim();
        m_out["head_dim"] = m_head_dim;
        m_out["intermediate_size"] = m_own.largest(
            "feed_forward_length",
            m_file.has("blk.0.ffn_gate_inp.weight") || has("expert_count") ? std::optional(1)
                                                                           : std::nullopt,
            kMaxWidth);
        m_out["max_position_embeddings"] = integer("context_length", std::nullopt, kMaxPositions);
        const auto rows = m_own.rows("token_embd.weight");
        if (!rows)
            throw json::ReadError(ErrorCode::InvalidInput, "it has no matrix token_embd.weight");
        m_out["vocab_size"] = *rows;
        m_out["tie_word_embeddings"] = !hasTensor("output.weight");
    }

    void addArithmetic()
    {
        copyNumber("attention.layer_norm_rms_epsilon", "rms_norm_eps");
        copyNumber("attention.layer_norm_epsilon", "layer_norm_eps");
        // The first layers may differ in kind from the rest: a recurrent mixer instead of
        // attention, or an MLP instead of experts.
        const auto biased = [this](const char* part) { return m_own.biased(m_layers, part); };
        const bool bias = biased("attn_q") || biased("attn_kv_a_mqa");
        const bool normed = m_own.layersHave(m_layers, "attn_q_norm.weight", "attn_output.weight");
        m_out["attention_bias"] = bias;
        m_out["use_qkv_bias"] = bias;
        m_out["use_bias"] = bias; // biases of ERNIE's projections
        m_out["attention_out_bias"] = biased("attn_output");
        m_out["lm_head_bias"] = hasTensor("output.bias");
        m_out["use_qk_norm"] = normed;
        m_out["mlp_bias"] = biased("ffn_up") || biased("ffn_up_shexp");
        m_out["qk_layernorm"] = normed;
        if (has("use_parallel_residual"))
            m_out["use_parallel_residual"] = m_keys.at(key("use_parallel_residual")).asBoolean();
        copyNumber("attn_logit_softcapping", "attn_logit_softcapping");
        copyNumber("final_logit_softcapping", "final_logit_softcapping");
        if (const int wide = m_family->gguf.layers_scaled_by_width; wide != 0)
            m_out["query_pre_attn_scalar"] = m_layers == wide ? m_hidden / m_heads : m_head_dim;
    }

    void addWindow()
    {
        if (m_family->gguf.window_by_key)
            m_out["sliding_window"] = nullptr;
        if (has("attention.sliding_window")) {
            m_out["sliding_window"] = integer("attention.sliding_window", 0, kMaxPositions);
            if (m_out["sliding_window"] == 0)
                m_out["sliding_window"] = nullptr;
        }
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
    GgufKeys m_own;
    const Family* m_family = nullptr;
    std::string m_type; // model_type
    Json m_out = Json::object();
    int m_hidden = 0;
    int m_layers = 0;
    int m_heads = 0;
    int m_head_dim = 0;
    std::vector<bool> m_attends{}; // by layer; empty: all of them, or as other keys say
};

} // namespace

Result<nlohmann::json> ggufConfig(const GgufFile& file)
{
    return json::read(file.path.string(), file.metadata,
                      [&](const json::Value& keys) { return ConfigWriter(file, keys).write(); });
}

} // namespace ep::model
