// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_parts.h"

#include "config_parts.h"
#include "families/family.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace ep::model {
namespace {

using Json = nlohmann::json;

struct Copy {
    std::string_view from;
    const char* to;
};
// Keys that exist under another name with the same meaning. Each family reads those that it knows.
constexpr std::array<Copy, 16> kCopies{
    {{"attention.scale", "attention_multiplier"},
     {"embedding_scale", "embedding_multiplier"},
     {"residual_scale", "residual_multiplier"},
     {"logit_scale", "logits_scaling"}, // Granite divides by it,
     {"logit_scale", "logit_scale"}, // Cohere multiplies
     {"attention.clamp_kqv", "clip_qkv"},
     {"attention.q_lora_rank", "q_lora_rank"},
     {"attention.kv_lora_rank", "kv_lora_rank"},
     {"expert_group_count", "n_group"},
     {"expert_group_used_count", "topk_group"},
     {"expert_shared_count", "n_shared_experts"},
     {"leading_dense_block_count", "first_k_dense_replace"},
     {"leading_dense_block_count", "num_dense_layers"},
     {"expert_shared_feed_forward_length", "shared_expert_intermediate_size"},
     {"expert_shared_feed_forward_length", "shared_intermediate_size"},
     {"expert_shared_feed_forward_length", "moe_shared_expert_intermediate_size"}}};

class PartsWriter {
public:
    PartsWriter(const GgufKeys& keys, const Family& family, int layers,
                const std::vector<bool>& attends, Json& out)
        : m_keys(keys)
        , m_form(family.gguf)
        , m_type(family.defaults.model_type)
        , m_layers(layers)
        , m_attends(attends)
        , m_out(out)
    {
    }

    void add()
    {
        for (const Copy& row : kCopies) {
            if (m_keys.has(row.from))
                m_out[row.to] = m_keys.at(row.from).json();
        }
        if (m_keys.has("attention.sliding_window_pattern")
            && m_keys.at("attention.sliding_window_pattern").isArray())
            addWindowPattern();
        addExperts();
        if (m_keys.has("ssm.conv_kernel"))
            addStates();
        if (m_keys.has("shortconv.l_cache"))
            addConvolutions();
        if (m_keys.has("attention.kv_lora_rank"))
            addLatent();
        if (m_type == "gemma4_text")
            addGemma4();
        // Granite 4 without experts and Mamba has only the shared MLP.
        if (const int width = m_keys.integer("expert_shared_feed_forward_length", 0, kMaxWidth);
            width > 0 && m_type == "granite")
            m_out["intermediate_size"] = width;
    }

private:
    void addWindowPattern()
    {
        Json types = Json::array();
        for (const json::Value& windowed : m_keys.at("attention.sliding_window_pattern").elements())
            types.push_back(windowed.asBoolean() ? "sliding_attention" : "full_attention");
        m_out["layer_types"] = types;
    }

    bool any(const std::string& part) const { return m_keys.layerWith(m_layers, part).has_value(); }

    // In llama.cpp, 0 and a missing key both stand for no factor.
    double expertFactor() const
    {
        constexpr double kMax = 1e9;
        const double factor = m_keys.all.number(m_keys.key("expert_weights_scale"), 1.0, 0.0, kMax);
        return factor == 0.0 ? 1.0 : factor;
    }

    void addExperts()
    {
        const int experts = m_keys.integer("expert_count", 0, kMaxExperts);
        if (m_type == "granitemoehybrid" || m_type == "nemotron_h")
            m_out["num_local_experts"] = experts;
        if (experts == 0)
            return;
        m_out["num_experts"] = experts;
        m_out["num_experts_per_tok"] =
            m_keys.integer("expert_used_count", std::nullopt, kMaxExperts);
        m_out["norm_topk_prob"] = m_keys.has("expert_weights_norm")
            ? m_keys.at("expert_weights_norm").asBoolean()
            : !m_form.experts_sum_by_key;
        m_out["routed_scaling_factor"] = expertFactor();
        m_out["use_expert_bias"] =
            m_keys.layersHave(m_layers, "exp_probs_b.bias", "ffn_gate_inp.weight");
        if (m_keys.has("expert_feed_forward_length")) {
            m_out["moe_intermediate_size"] =
                m_keys.largest("expert_feed_forward_length", std::nullopt, kMaxWidth);
        }
        addSparseLayers();
        if (m_keys.has("moe_latent_size"))
            m_out["moe_latent_size"] = m_keys.integer("moe_latent_size", std::nullopt, kMaxWidth);
    }

    // A layer with a router has experts; some files have wrong metadata about it.
    void addSparseLayers()
    {
        Json types = Json::array();
        bool any = false;
        for (int layer = 0; layer < m_layers; ++layer) {
            const bool sparse = m_keys.layerHas(layer, "ffn_gate_inp.weight");
            any = any || sparse;
            types.push_back(sparse ? "sparse" : "dense");
        }
        if (any)
            m_out["mlp_layer_types"] = types;
    }

    void addStates()
    {
        const int heads = m_keys.integer("ssm.time_step_rank", std::nullopt, kMaxWidth);
        const int values = m_keys.integer("ssm.inner_size", std::nullopt, kMaxWidth);
        if (values % heads != 0)
            m_keys.all.fail(m_keys.key("ssm.inner_size"),
                            "is not a multiple of ssm.time_step_rank");
        if (m_type == "granitemoehybrid" || m_type == "falcon_h1")
            addMamba(heads, values, false);
        else if (m_type == "nemotron_h")
            addMamba(heads, values, true);
        else
            addDeltaNet(heads, values);
    }

    // Gated DeltaNet, for which llama.cpp uses Mamba's names.
    void addDeltaNet(int heads, int values)
    {
        m_out["linear_conv_kernel_dim"] = m_keys.integer("ssm.conv_kernel", std::nullopt, kMaxTaps);
        m_out["linear_num_key_heads"] = m_keys.integer("ssm.group_count", std::nullopt, kMaxWidth);
        m_out["linear_num_value_heads"] = heads;
        m_out["linear_key_head_dim"] = m_keys.integer("ssm.state_size", std::nullopt, kMaxWidth);
        m_out["linear_value_head_dim"] = values / heads;
        if (m_keys.has("full_attention_interval"))
            m_out["full_attention_interval"] =
                m_keys.integer("full_attention_interval", std::nullopt, kMaxLayers);
        if (m_keys.has("attention.recurrent_layers")) {
            Json types = Json::array();
            for (const json::Value& recurrent :
                 m_keys.at("attention.recurrent_layers").elements()) {
                if (types.size() < static_cast<std::size_t>(m_layers))
                    types.push_back(recurrent.asBoolean() ? "linear_attention" : "full_attention");
            }
            m_out["layer_types"] = types;
        }
        m_out["linear_fused_projections"] = m_keys.hasTensor("blk.0.ssm_in.weight");
        m_out["linear_value_heads_tiled"] = m_type != "qwen3_next";
    }

    // The tensors of a layer show which part it has.
    void addMamba(int heads, int values, bool nemotron)
    {
        const int state = m_keys.integer("ssm.state_size", std::nullopt, kMaxWidth);
        const int groups = m_keys.integer("ssm.group_count", std::nullopt, kMaxWidth);
        const int taps = m_keys.integer("ssm.conv_kernel", std::nullopt, kMaxTaps);
        const bool convBias = any("ssm_conv1d.bias");
        const bool bias = any("ssm_in.bias");
        m_out[nemotron ? "mamba_num_heads" : "mamba_n_heads"] = heads;
        m_out[nemotron ? "mamba_head_dim" : "mamba_d_head"] = values / heads;
        m_out[nemotron ? "n_groups" : "mamba_n_groups"] = groups;
        m_out[nemotron ? "ssm_state_size" : "mamba_d_state"] = state;
        m_out[nemotron ? "conv_kernel" : "mamba_d_conv"] = taps;
        m_out[nemotron ? "use_conv_bias" : "mamba_conv_bias"] = convBias;
        m_out[nemotron ? "use_bias" : "mamba_proj_bias"] = bias;
        if (m_type == "falcon_h1") { // its multipliers are already in the weights
            m_out["mamba_d_ssm"] = values;
            m_out["projectors_bias"] = any("ssm_out.bias");
            m_out["mamba_rms_norm"] = any("ssm_norm.weight");
            m_out["mamba_norm_before_gate"] = false;
            return;
        }
        if (!nemotron)
            addGraniteMixers(values);
        else if (m_out.contains("rms_norm_eps"))
            m_out["layer_norm_eps"] = m_out["rms_norm_eps"];
        if (const auto mlp = m_keys.layerWith(m_layers, "ffn_up.weight"); nemotron && mlp) {
            m_out["intermediate_size"] =
                m_keys.rows("blk." + std::to_string(*mlp) + ".ffn_up.weight").value_or(1);
        }
        Json types = Json::array();
        for (int layer = 0; layer < m_layers; ++layer) {
            types.push_back(m_keys.layerHas(layer, "ssm_in.weight")             ? "linear_attention"
                                : m_keys.layerHas(layer, "attn_q.weight")       ? "full_attention"
                                : m_keys.layerHas(layer, "ffn_gate_inp.weight") ? "moe"
                                                                                : "mlp");
        }
        m_out[nemotron ? "layers_block_type" : "layer_types"] = types;
    }

    void addGraniteMixers(int values)
    {
        const int hidden = m_keys.integer("embedding_length", std::nullopt, kMaxWidth);
        if (values % hidden != 0)
            m_keys.all.fail(m_keys.key("ssm.inner_size"), "is not a multiple of embedding_length");
        m_out["mamba_expand"] = values / hidden;
        const bool rotates =
            m_keys.has("rope.scaling.finetuned") && m_keys.at("rope.scaling.finetuned").asBoolean();
        m_out["position_embedding_type"] = rotates ? "rope" : "nope";
        // Without experts, the shared MLP is the only one, with separate gate and up.
        m_out["shared_mlp_is_split"] = true;
        if (!m_keys.has("expert_shared_feed_forward_length"))
            m_out["shared_intermediate_size"] = m_out["intermediate_size"];
    }

    void addConvolutions()
    {
        m_out["conv_L_cache"] = m_keys.integer("shortconv.l_cache", std::nullopt, kMaxTaps);
        m_out["conv_bias"] = m_keys.biased(m_layers, "shortconv.conv");
        m_out["block_auto_adjust_ff_dim"] = false;
        m_out["num_dense_layers"] = m_keys.integer("leading_dense_block_count", 0, kMaxLayers);
        if (m_out.contains("rms_norm_eps"))
            m_out["norm_eps"] = m_out["rms_norm_eps"];
        Json types = Json::array();
        for (const bool attends : m_attends)
            types.push_back(attends ? "full_attention" : "conv");
        if (!types.empty())
            m_out["layer_types"] = types;
    }

    void addLatent()
    {
        const int rotated = m_keys.integer("rope.dimension_count", std::nullopt, kMaxWidth);
        const int keys = m_keys.integer("attention.key_length_mla", std::nullopt, kMaxWidth);
        if (keys <= rotated)
            m_keys.all.fail(m_keys.key("attention.key_length_mla"),
                            "is not larger than rope.dimension_count");
        m_out["qk_rope_head_dim"] = rotated;
        m_out["qk_nope_head_dim"] = keys - rotated;
        m_out["v_head_dim"] = m_keys.integer("attention.value_length_mla", std::nullopt, kMaxWidth);
        if (!m_keys.has("attention.q_lora_rank"))
            m_out["q_lora_rank"] = nullptr;
        m_out["topk_method"] = m_keys.integer("expert_group_count", 1, kMaxExperts) > 1
            ? "group_limited_greedy"
            : "greedy";
    }

    // Layers with and without a window have different heads.
    void addGemma4()
    {
        const auto types = m_out.value("layer_types", Json::array());
        const auto kvHeads = m_keys.integers("attention.head_count_kv", kMaxWidth);
        for (std::size_t i = 0; i < types.size(); ++i) {
            const bool windowed = types[i] == "sliding_attention";
            const int own = kvHeads.size() > i ? kvHeads[i] : kvHeads.empty() ? 1 : kvHeads[0];
            m_out[windowed ? "num_key_value_heads" : "num_global_key_value_heads"] = own;
            if (!windowed && !m_keys.layerHas(static_cast<int>(i), "attn_v.weight")
                && m_keys.layerHas(static_cast<int>(i), "attn_k.weight"))
                m_out["attention_k_eq_v"] = true;
        }
        m_out["global_head_dim"] = m_keys.integer("attention.key_length", std::nullopt, kMaxWidth);
        m_out["num_kv_shared_layers"] = m_keys.integer("attention.shared_kv_layers", 0, kMaxLayers);
        m_out["hidden_size_per_layer_input"] =
            m_keys.integer("embedding_length_per_layer_input", 0, kMaxWidth);
        m_out["vocab_size_per_layer_input"] = m_out.value("vocab_size", 1);
        const auto widths = m_keys.integers("feed_forward_length", kMaxWidth);
        m_out["intermediate_size"] = widths.empty() ? 1 : widths.front();
        m_out["use_double_wide_mlp"] = widths.size() > 1 && widths.back() == 2 * widths.front();
        m_out["enable_moe_block"] = m_keys.integer("expert_count", 0, kMaxExperts) > 0;
        m_out["top_k_experts"] = m_keys.integer("expert_used_count", 0, kMaxExperts);
    }

    const GgufKeys& m_keys;
    const GgufForm& m_form;
    std::string_view m_type;
    int m_layers;
    const std::vector<bool>& m_attends;
    Json& m_out;
};

} // namespace

void addGgufParts(const GgufKeys& keys, const Family& family, int layers,
                  const std::vector<bool>& attends, nlohmann::json& config)
{
    PartsWriter(keys, family, layers, attends, config).add();
}

} // namespace ep::model
