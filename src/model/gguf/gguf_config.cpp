// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_config.h"

#include "config_parts.h"
#include "families/family.h"

#include "ep/core/word_list.h"
#include "ep/json/gguf.h"

#include <array>
#include <cmath>
#include <cstring>

namespace ep::model {
namespace {

using Json = json::Json;

constexpr std::string_view kRope = "rope.";
// Keys below "rope." that are read. For text, the sections of a multimodal rotation have the same
// angle, and `finetuned` only says how the model was made.
constexpr auto kKnown =
    wordList<16>("dimension_count dimension_count_swa dimension_sections freq_base freq_base_swa "
                 "scale_linear scaling.type scaling.factor scaling.attn_factor "
                 "scaling.original_context_length scaling.finetuned scaling.yarn_log_multiplier "
                 "scaling.yarn_ext_factor scaling.yarn_attn_factor scaling.yarn_beta_fast "
                 "scaling.yarn_beta_slow");
// Keys that are not implemented, with the value that has no effect.
struct Neutral {
    std::string_view key;
    double value;
};
constexpr std::array<Neutral, 3> kNeutral{{{"rope.scaling.alpha", 0.0},
                                           {"rope.scaling.yarn_ext_factor", 1.0},
                                           {"attention.temperature_length", 0.0}}};
constexpr std::string_view kGrowth = "attention.temperature_scale"; // growth of queries by position
constexpr std::string_view kUnrotated =
    "rope.scaling.finetuned"; // false for Granite without positions
constexpr double kMaxGgufFactor = 1e6;

// Adds config.json's keys about positions, from the keys below "<prefix>rope." and the tensors with
// factors; headDim is the size of a head. Throws json::ReadError, also for unknown keys.
class Positions {
public:
    Positions(const GgufFile& file, const json::Value& keys, const std::string& prefix, int headDim,
              Json& out)
        : m_file(file)
        , m_keys(keys)
        , m_prefix(prefix)
        , m_head_dim(headDim)
        , m_out(out)
    {
    }

    void add()
    {
        refuseUnknown();
        if (m_prefix == "gemma4.")
            return addByLayerType();
        copy("freq_base", "rope_theta", m_out);
        copy("freq_base_swa", "rope_local_base_freq", m_out);
        addShare();
        if (has("scaling.original_context_length")) {
            m_out["original_max_position_embeddings"] = m_keys.integer(
                key("scaling.original_context_length"), std::nullopt, 1, kMaxPositions);
        }
        const Json scaling = readScaling();
        if (!scaling.empty())
            m_out["rope_scaling"] = scaling;
    }

private:
    std::string key(std::string_view name) const
    {
        return m_prefix + std::string(kRope) + std::string(name);
    }
    bool has(std::string_view name) const { return m_keys.has(key(name)); }
    double number(std::string_view name, double fallback) const
    {
        return m_keys.number(key(name), fallback, 0.0, kMaxGgufFactor);
    }
    void copy(std::string_view from, const char* to, Json& object) const
    {
        if (has(from))
            object[to] = m_keys.at(key(from)).asNumber();
    }
    [[noreturn]] static void refuse(const json::Value& value)
    {
        value.unsupported("is a setting of positions that this program does not know: use attach "
                          "with a server that runs the model");
    }

    void refuseUnknown() const
    {
        for (const auto& [name, value] : m_keys.json().items()) {
            if (!name.starts_with(m_prefix))
                continue;
            const std::string_view rest = std::string_view(name).substr(m_prefix.size());
            const auto* const neutral =
                std::find_if(kNeutral.begin(), kNeutral.end(),
                             [&](const Neutral& row) { return row.key == rest; });
            if (neutral != kNeutral.end()) {
                // A negative factor means that none is set.
                if (!value.is_number()
                    || (value.get<double>() != neutral->value && value.get<double>() >= 0.0))
                    refuse(m_keys.part(value));
            } else if (rest.starts_with(kRope)
                       && std::find(kKnown.begin(), kKnown.end(), rest.substr(kRope.size()))
                           == kKnown.end()) {
                refuse(m_keys.part(value));
            } else if (rest == kUnrotated && m_prefix.starts_with("granite")
                       && m_prefix != "granitehybrid." && value == false) {
                refuse(m_keys.part(value));
            } else if (rest == kGrowth && m_prefix != "mistral3." && value != 0.0) {
                refuse(m_keys.part(value));
            }
        }
    }

    // Gemma 4: layers without a window rotate only the first pairs of a head, which files express
    // as divisors: 1, or one so large that nothing rotates.
    void addByLayerType()
    {
        constexpr double kTurns = 1e6;
        const Json divisors = divisorsIn("rope_freqs.weight", 1.0);
        const auto turning = std::count_if(divisors.begin(), divisors.end(),
                                           [](const Json& one) { return one < kTurns; });
        Json full = {{"rope_type", "proportional"}};
        if (!divisors.empty()) {
            full["partial_rotary_factor"] =
                static_cast<double>(turning) / static_cast<double>(divisors.size());
        }
        Json windowed = {{"rope_type", "default"}};
        copy("freq_base", "rope_theta", full);
        copy("freq_base_swa", "rope_theta", windowed);
        m_out["rope_parameters"] = {{"full_attention", full}, {"sliding_attention", windowed}};
    }

    void addShare()
    {
        const int rotated = m_keys.integer(key("dimension_count"), m_head_dim, 0, kMaxWidth);
        if (rotated > m_head_dim)
            m_keys.fail(key("dimension_count"), "is larger than a head");
        if (m_keys.integer(key("dimension_count_swa"), rotated, 0, kMaxWidth) != rotated)
            refuse(m_keys.at(key("dimension_count_swa")));
        // Written even for whole heads, since many families rotate a part unless told otherwise.
        if (m_head_dim > 0)
            m_out["partial_rotary_factor"] = static_cast<double>(rotated) / m_head_dim;
    }

    // As in llama.cpp, a factor without a type divides all positions.
    Json readScaling() const
    {
        const double divisor = number("scaling.factor", number("scale_linear", 1.0));
        const double factor = divisor == 0.0 ? 1.0 : divisor;
        const std::string type =
            m_keys.string(key("scaling.type"), factor == 1.0 ? "none" : "linear");
        const double magnitude = number("scaling.attn_factor", 1.0);
        if (m_file.has("rope_freqs.weight")) {
            if (type != "none" && type != "linear")
                refuse(m_keys.at(key("scaling.type")));
            // Files of Llama 3 contain a divisor for each frequency instead of the rule.
            const Json divisors = divisorsIn("rope_freqs.weight", type == "linear" ? factor : 1.0);
            return {{"rope_type", "longrope"},
                    {"factor", 1.0},
                    {"attention_factor", magnitude},
                    {"short_factor", divisors},
                    {"long_factor", divisors}};
        }
        if (m_file.has("rope_factors_long.weight")) {
            Json scaling = {{"rope_type", "longrope"},
                            {"short_factor", divisorsIn("rope_factors_short.weight", 1.0)},
                            {"long_factor", divisorsIn("rope_factors_long.weight", 1.0)}};
            copy("scaling.attn_factor", "attention_factor", scaling);
            return scaling;
        }
        if (type == "yarn")
            return yarn(factor, magnitude);
        if (magnitude != 1.0)
            refuse(m_keys.at(key("scaling.attn_factor")));
        return type == "none" ? Json::object() : Json{{"rope_type", type}, {"factor", factor}};
    }

    Json yarn(double factor, double magnitude) const
    {
        const auto stretched = [&](double weight) {
            return factor <= 1.0 ? 1.0 : 0.1 * weight * std::log(factor) + 1.0;
        };
        const double allDim = number("scaling.yarn_log_multiplier", 0.0);
        const double usual = allDim == 0.0 ? stretched(1.0) : stretched(1.0) / stretched(allDim);
        Json scaling = {
            {"rope_type", "yarn"},
            {"factor", factor},
            {"attention_factor", magnitude * number("scaling.yarn_attn_factor", usual)}};
        copy("scaling.yarn_beta_fast", "beta_fast", scaling);
        copy("scaling.yarn_beta_slow", "beta_slow", scaling);
        if (m_prefix == "deepseek2." && allDim != 0.0) {
            // DeepSeek's files contain a tenth of mscale_all_dim; mscale equals it in all known
            // models.
            constexpr double kUnit = 0.1;
            scaling.erase("attention_factor");
            scaling["mscale"] = scaling["mscale_all_dim"] = allDim / kUnit;
        }
        if (m_prefix == "gpt-oss.")
            scaling["truncate"] = false;
        if (m_keys.has(m_prefix + std::string(kGrowth)))
            scaling["llama_4_scaling_beta"] =
                m_keys.number(m_prefix + std::string(kGrowth), 0.0, 0.0, kMaxGgufFactor);
        return scaling;
    }

    // The values of a small f32 tensor, times a factor.
    Json divisorsIn(const char* name, double factor) const
    {
        const auto found = m_file.tensors.find(name);
        Json list = Json::array();
        if (found == m_file.tensors.end())
            return list;
        const StoredTensor& stored = found->second.stored;
        if (stored.dtype != "F32" || stored.elements() > kMaxWidth) {
            m_keys.fail(name,
                        Message("is a tensor of %1 numbers of %2, not of up to %3 of F32",
                                stored.elements(), stored.dtype, kMaxWidth));
        }
        const auto bytes = stored.bytes;
        for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
            float value = 0.0F;
            std::memcpy(&value, bytes.data() + i, sizeof value);
            list.push_back(value * factor);
        }
        return list;
    }

    const GgufFile& m_file;
    const json::Value& m_keys;
    const std::string& m_prefix;
    int m_head_dim;
    Json& m_out;
};

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

// Adds what config.json says about the parts that only some architectures have: multipliers,
// windows, experts, mixers with a state, latent attention, and what only Gemma 4 has. attends:
// whether each layer attends; empty if all do, or if other keys say so. Throws json::ReadError.
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

    // The factor of the experts' weights. In llama.cpp, 0 and a missing key both stand for no
    // factor.
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
        if (m_type == "falcon_h1") { // the multipliers are already in the weights
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
        Positions(m_file, m_keys, m_prefix, m_head_dim, m_out).add();
        addWindow();
        PartsWriter(m_own, *m_family, m_layers, m_attends, m_out).add();
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
    // the size of the rotated part.
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
    std::vector<bool> m_attends{}; // by layer; empty: all layers, or as other keys say
};

} // namespace

Result<json::Json> ggufConfig(const GgufFile& file)
{
    return json::read(file.path.string(), file.metadata,
                      [&](const json::Value& keys) { return ConfigWriter(file, keys).write(); });
}

} // namespace ep::model
