// SPDX-License-Identifier: GPL-3.0-or-later
#include "gguf/gguf_positions.h"

#include "config_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>

namespace ep::model {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kRope = "rope.";
// Keys below "rope." that are read. For text, the sections of a multimodal rotation have the same
// angle, and `finetuned` only says how the model was made.
constexpr std::array<std::string_view, 16> kKnown{"dimension_count",
                                                  "dimension_count_swa",
                                                  "dimension_sections",
                                                  "freq_base",
                                                  "freq_base_swa",
                                                  "scale_linear",
                                                  "scaling.type",
                                                  "scaling.factor",
                                                  "scaling.attn_factor",
                                                  "scaling.original_context_length",
                                                  "scaling.finetuned",
                                                  "scaling.yarn_log_multiplier",
                                                  "scaling.yarn_ext_factor",
                                                  "scaling.yarn_attn_factor",
                                                  "scaling.yarn_beta_fast",
                                                  "scaling.yarn_beta_slow"};
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
                    refuse(m_keys.member(name, value));
            } else if (rest.starts_with(kRope)
                       && std::find(kKnown.begin(), kKnown.end(), rest.substr(kRope.size()))
                           == kKnown.end()) {
                refuse(m_keys.member(name, value));
            } else if (rest == kUnrotated && m_prefix.starts_with("granite")
                       && m_prefix != "granitehybrid." && value == false) {
                refuse(m_keys.member(name, value));
            } else if (rest == kGrowth && m_prefix != "mistral3." && value != 0.0) {
                refuse(m_keys.member(name, value));
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

} // namespace

void addGgufPositions(const GgufFile& file, const json::Value& keys, const std::string& prefix,
                      int headDim, nlohmann::json& config)
{
    Positions(file, keys, prefix, headDim, config).add();
}

} // namespace ep::model
