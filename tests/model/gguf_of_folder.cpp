// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf_of_folder.h"

#include "block_quantization.h"
#include "gguf_part_names.h"
#include "gguf_states.h"
#include "gguf_values.h"
#include "safetensors.h"
#include "support/gguf_tokenizer.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ep::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

using Values = GgufValues;

Json read(const fs::path& file)
{
    Json json;
    std::ifstream(file) >> json;
    return json;
}

class Conversion {
public:
    Conversion(const fs::path& folder, model::DType matrices)
        : m_folder(folder)
        , m_matrices(matrices)
        , m_config(read(folder / "config.json"))
        , m_huggingFace(m_config.at("architectures").at(0).get<std::string>())
        , m_nested(m_config.contains("text_config"))
        , m_architecture(architectures().at(m_huggingFace))
    {
        if (m_nested) {
            const Json whole = m_config;
            m_config = whole.at("text_config");
        }
        m_qwenNext = m_architecture.starts_with("qwen35") || m_architecture == "qwen3next";
    }

    GgufWriter write()
    {
        m_out.text("general.architecture", m_architecture);
        m_out.text("general.name", m_folder.filename().string());
        writeSizes();
        if (fs::exists(m_folder / "tokenizer.json"))
            writeTokenizer(m_out, m_folder / "tokenizer.json");
        if (has("eos_token_id") && m_config["eos_token_id"].is_number())
            m_out.number("tokenizer.ggml.eos_token_id",
                         m_config["eos_token_id"].get<std::uint32_t>());
        const auto file = model::SafetensorsFile::open(m_folder / "model.safetensors");
        if (!file)
            throw std::runtime_error(file.error().message.english());
        for (const auto& [name, tensor] : file->tensors())
            take(name, tensor);
        for (auto& [name, parts] : m_stacked)
            put(name, stacked(parts));
        return std::move(m_out);
    }

private:
    std::string key(const std::string& name) const { return m_architecture + "." + name; }
    bool has(const char* name) const
    {
        return m_config.contains(name) && !m_config[name].is_null();
    }
    void copy(const char* from, const std::string& to)
    {
        if (has(from))
            m_out.number(key(to), m_config[from].get<std::uint32_t>());
    }
    void copyReal(const char* from, const std::string& to)
    {
        if (has(from))
            m_out.real(key(to), m_config[from].get<float>());
    }
    int either(const char* name, const char* older) const
    {
        return m_config.at(has(name) ? name : older).get<int>();
    }

    void writeSizes()
    {
        m_hidden = either("hidden_size", "n_embd");
        m_heads = either("num_attention_heads", "n_head");
        m_kvHeads =
            has("num_key_value_heads") ? m_config["num_key_value_heads"].get<int>() : m_heads;
        m_dim = has("head_dim") ? m_config["head_dim"].get<int>() : m_hidden / m_heads;
        const int wide = has("intermediate_size") || has("n_inner")
            ? either("intermediate_size", "n_inner")
            : 4 * m_hidden;
        const auto put = [&](const char* name, int value) {
            m_out.number(key(name), static_cast<std::uint32_t>(value));
        };
        put("embedding_length", m_hidden);
        put("block_count", either("num_hidden_layers", "n_layer"));
        put("attention.head_count", m_heads);
        if (m_architecture != "lfm2") // LFM2 has one per layer
            put("attention.head_count_kv", m_kvHeads);
        put("attention.key_length", m_dim);
        put("attention.value_length", m_dim);
        put("feed_forward_length", m_architecture == "lfm2" ? adjustedWidth(wide) : wide);
        put("context_length", either("max_position_embeddings", "n_positions"));
        copyReal("rms_norm_eps", "attention.layer_norm_rms_epsilon");
        copyReal("layer_norm_eps", "attention.layer_norm_epsilon");
        copyReal("layer_norm_epsilon", "attention.layer_norm_epsilon");
        copyReal("attn_logit_softcapping", "attn_logit_softcapping");
        copyReal("final_logit_softcapping", "final_logit_softcapping");
        copy("sliding_window", "attention.sliding_window");
        copy("num_local_experts", "expert_count");
        copy("num_experts", "expert_count");
        copy("num_experts_per_tok", "expert_used_count");
        copy("moe_intermediate_size", "expert_feed_forward_length");
        copy("shared_expert_intermediate_size", "expert_shared_feed_forward_length");
        copyReal("norm_eps", "attention.layer_norm_rms_epsilon");
        writeStates();
        if (has("use_parallel_residual"))
            m_out.flag(key("use_parallel_residual"), m_config["use_parallel_residual"].get<bool>());
        writePositions();
    }

    // LFM2: two thirds, rounded up.
    int adjustedWidth(int wide) const
    {
        if (!m_config.value("block_auto_adjust_ff_dim", true))
            return wide;
        const int multiple = m_config.value("block_multiple_of", 256);
        const auto scaled =
            static_cast<int>(m_config.value("block_ffn_dim_multiplier", 1.0) * (2 * wide / 3));
        return (scaled + multiple - 1) / multiple * multiple;
    }

    void writeStates()
    {
        if (m_qwenNext) {
            copy("linear_conv_kernel_dim", "ssm.conv_kernel");
            copy("linear_key_head_dim", "ssm.state_size");
            copy("linear_num_key_heads", "ssm.group_count");
            copy("linear_num_value_heads", "ssm.time_step_rank");
            m_out.number(key("ssm.inner_size"),
                         m_config["linear_value_head_dim"].get<std::uint32_t>()
                             * m_config["linear_num_value_heads"].get<std::uint32_t>());
            m_out.number(key("full_attention_interval"), 4);
        }
        if (m_architecture == "lfm2") {
            copy("conv_L_cache", "shortconv.l_cache");
            std::vector<std::int32_t> heads; // per layer
            for (const Json& type : m_config.at("layer_types"))
                heads.push_back(type == "full_attention" ? m_kvHeads : 0);
            m_out.numbers(key("attention.head_count_kv"), heads);
        }
    }

    void writePositions()
    {
        const Json parameters = m_config.value("rope_parameters", Json::object());
        const Json scaling = has("rope_parameters") ? parameters
            : has("rope_scaling")                   ? m_config["rope_scaling"]
                                                    : Json::object();
        m_theta = has("rope_theta") ? m_config["rope_theta"].get<double>()
                                    : parameters.value("rope_theta", m_theta);
        if (has("rope_theta") || parameters.contains("rope_theta"))
            m_out.real(key("rope.freq_base"), static_cast<float>(m_theta));
        const double usual = m_architecture == "stablelm" ? 0.25
            : m_architecture == "phi2"                    ? 0.5
                                                          : 1.0;
        const double share = m_config.value("partial_rotary_factor",
                                            parameters.value("partial_rotary_factor", usual));
        m_out.number(key("rope.dimension_count"),
                     static_cast<std::uint32_t>(share * static_cast<double>(m_dim)) / 2 * 2);
        const std::string type = scaling.value("rope_type", scaling.value("type", "default"));
        if (type == "llama3") {
            writeDivisors(scaling);
        } else if (type == "linear") {
            m_out.text(key("rope.scaling.type"), type);
            m_out.real(key("rope.scaling.factor"), scaling.at("factor").get<float>());
        } else if (type == "longrope" || type == "su") {
            m_out.number(key("rope.scaling.original_context_length"),
                         m_config.at("original_max_position_embeddings").get<std::uint32_t>());
            for (const char* const which : {"long", "short"}) {
                const auto factors =
                    scaling.at(std::string(which) + "_factor").get<std::vector<float>>();
                m_out.tensor(std::string("rope_factors_") + which + ".weight",
                             {static_cast<std::int64_t>(factors.size())}, factors);
            }
        }
    }

    // The divisors of Llama 3's rule, one per pair of dimensions.
    void writeDivisors(const Json& rule)
    {
        const double factor = rule.at("factor").get<double>();
        const double low = rule.value("low_freq_factor", 1.0);
        const double high = rule.value("high_freq_factor", 4.0);
        const double context = rule.at("original_max_position_embeddings").get<double>();
        std::vector<float> divisors;
        for (int i = 0; i < m_dim; i += 2) {
            const double frequency = 1.0 / std::pow(m_theta, static_cast<double>(i) / m_dim);
            const double length = 2.0 * std::numbers::pi / frequency;
            double divisor = 1.0;
            if (length > context / low) {
                divisor = factor;
            } else if (length >= context / high) {
                const double smooth = (context / length - low) / (high - low);
                divisor = 1.0 / ((1.0 - smooth) / factor + smooth);
            }
            divisors.push_back(static_cast<float>(divisor));
        }
        m_out.tensor("rope_freqs.weight", {static_cast<std::int64_t>(divisors.size())}, divisors);
    }

    // --- Tensors ---------------------------------------------------------------------------------

    void take(std::string name, const model::StoredTensor& stored)
    {
        Values values{.shape = stored.shape, .data = {}};
        values.data.resize(static_cast<std::size_t>(stored.elements()));
        if (stored.dtype == "F32") {
            std::memcpy(values.data.data(), stored.bytes.data(), stored.bytes.size());
        } else if (stored.dtype == "BF16") {
            for (std::size_t i = 0; i < values.data.size(); ++i) {
                std::uint16_t bits = 0;
                std::memcpy(&bits, stored.bytes.data() + 2 * i, sizeof bits);
                const std::uint32_t wide = std::uint32_t{bits} << 16U;
                std::memcpy(&values.data[i], &wide, sizeof wide);
            }
        } else {
            throw std::runtime_error(name + " is neither f32 nor bf16");
        }
        std::string prefix;
        if (name.starts_with("mtp.") || name.starts_with("model.visual."))
            return;
        for (const char* const model : {"model.language_model.", "model.", "transformer."}) {
            if (name.starts_with(model))
                name.erase(0, std::strlen(model));
        }
        for (const char* const layers : {"layers.", "h."}) {
            if (!name.starts_with(layers))
                continue;
            name.erase(0, std::strlen(layers));
            const auto point = name.find('.');
            prefix = "blk." + name.substr(0, point) + ".";
            name.erase(0, point + 1);
        }
        constexpr const char* kDeltaNet = "linear_attn.";
        if (!name.starts_with(kDeltaNet))
            return takePart(prefix, name, std::move(values));
        for (const auto& [own, part] :
             GgufDeltaNet(m_config).convert(name.substr(std::strlen(kDeltaNet)), values))
            put(prefix + own, part);
    }

    void takePart(const std::string& prefix, const std::string& name, Values values)
    {
        const auto point = name.rfind('.');
        const std::string part = name.substr(0, point);
        const std::string ending = name.substr(point);
        if (name.ends_with("experts.gate_up_proj") || name.ends_with("experts.down_proj")) {
            takeStack(prefix, name, values);
            return;
        }
        // experts.3.gate_proj, and q_layernorm.norms.3
        for (const auto& [of, to] : kStackedParts) {
            const auto place = part.find(of);
            if (place == std::string::npos)
                continue;
            const std::string rest = part.substr(place + std::strlen(of));
            const int index = std::stoi(rest);
            const auto dot = rest.find('.');
            const std::string projection = dot == std::string::npos ? "" : rest.substr(dot + 1);
            const std::string which = projection == "w1" || projection == "gate_proj"
                ? "ffn_gate_exps"
                : projection == "w3" || projection == "up_proj"   ? "ffn_up_exps"
                : projection == "w2" || projection == "down_proj" ? "ffn_down_exps"
                                                                  : to;
            m_stacked[prefix + which + ending][index] = std::move(values);
            return;
        }
        std::string renamed;
        for (const auto& [from, to] : endings()) {
            if (from == part)
                renamed = to;
        }
        const bool sandwich = m_architecture == "gemma2" || m_architecture == "gemma3";
        if ((sandwich || m_qwenNext) && part == "post_attention_layernorm")
            renamed = "post_attention_norm";
        if (renamed.empty())
            throw std::runtime_error("no name for " + prefix + name);
        if (m_architecture == "llama" && renamed == "attn_q")
            turn(values, m_heads);
        if (m_architecture == "llama" && renamed == "attn_k")
            turn(values, m_kvHeads);
        if (renamed == "shortconv.conv")
            values.shape = {values.shape[0], values.shape[2]};
        if ((m_architecture.starts_with("gemma") || m_qwenNext) && renamed.ends_with("norm")) {
            for (float& value : values.data)
                value += 1.0F;
        }
        if (m_architecture == "gpt2" && values.shape.size() == 2
            && part.find(".c_") != std::string::npos)
            transpose(values);
        put(prefix + renamed + ending, values);
    }

    // experts.gate_up_proj [experts, gate and up, hidden]
    void takeStack(const std::string& prefix, const std::string& name, const Values& values)
    {
        if (name.ends_with("down_proj")) {
            put(prefix + "ffn_down_exps.weight", values);
            return;
        }
        const std::int64_t half = values.shape[1] / 2;
        const auto size = static_cast<std::ptrdiff_t>(half * values.shape[2]);
        for (const char* const part : {"ffn_gate_exps.weight", "ffn_up_exps.weight"}) {
            const bool up = part == std::string("ffn_up_exps.weight");
            Values taken{.shape = {values.shape[0], half, values.shape[2]}, .data = {}};
            for (std::int64_t expert = 0; expert < values.shape[0]; ++expert) {
                const auto from = values.data.begin() + (2 * expert + (up ? 1 : 0)) * size;
                taken.data.insert(taken.data.end(), from, from + size);
            }
            put(prefix + part, taken);
        }
    }

    void put(const std::string& name, const Values& values)
    {
        const std::vector<std::int64_t> extents(values.shape.rbegin(), values.shape.rend());
        const bool blocks = m_matrices != model::DType::F32 && extents.size() > 1
            && extents[0] % model::rowOf(m_matrices).block == 0;
        if (!blocks) {
            m_out.tensor(name, extents, values.data);
            return;
        }
        const auto count = static_cast<std::int64_t>(values.data.size());
        std::vector<std::byte> bytes(static_cast<std::size_t>(model::bytesOf(m_matrices, count)));
        model::quantizeToBlocks(m_matrices, values.data.data(), count, bytes.data());
        m_out.tensor(name, static_cast<std::uint32_t>(model::rowOf(m_matrices).gguf), extents,
                     std::move(bytes));
    }

    static constexpr std::array<std::pair<const char*, const char*>, 3> kStackedParts{
        {{"experts.", ""},
         {"q_layernorm.norms.", "attn_q_norm"},
         {"k_layernorm.norms.", "attn_k_norm"}}};

    fs::path m_folder;
    model::DType m_matrices;
    Json m_config;
    std::string m_huggingFace;
    bool m_nested;
    bool m_qwenNext = false; // Qwen3-Next and Qwen3.5
    std::string m_architecture;
    GgufWriter m_out;
    std::map<std::string, std::map<int, Values>> m_stacked;
    double m_theta = 10000.0;
    int m_hidden = 0;
    int m_heads = 0;
    int m_kvHeads = 0;
    int m_dim = 0;
};

} // namespace

bool ggufKnows(const std::string& architecture)
{
    return architectures().contains(architecture);
}

GgufWriter ggufOf(const fs::path& folder, model::DType matrices)
{
    return Conversion(folder, matrices).write();
}

} // namespace ep::test
