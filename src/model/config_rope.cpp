// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace ep::model {
namespace {

using Kind = RopeScaling::Kind;

constexpr double kMaxTheta = 1e12;
constexpr double kMaxFactor = 1e6;

// An object with position parameters: rope_scaling of transformers 4, rope_parameters of
// transformers 5.
class RopeReader {
public:
    RopeReader(const json::Value& object, const json::Value& config, const ModelConfig& out,
               const ConfigDefaults& defaults, bool newSpelling)
        : m_object(object)
        , m_config(config)
        , m_out(out)
        , m_defaults(defaults)
        , m_newSpelling(newSpelling)
    {
    }

    RopeScaling read()
    {
        m_scaling.kind = kind();
        switch (m_scaling.kind) {
        case Kind::None:
            break;
        case Kind::Linear:
        case Kind::Dynamic:
            m_scaling.factor = requiredFactor();
            m_scaling.original_max_position_embeddings = m_out.max_position_embeddings;
            break;
        case Kind::Llama3:
            readLlama3();
            break;
        case Kind::Yarn:
            readYarn();
            break;
        case Kind::Longrope:
            readLongrope();
            break;
        }
        return m_scaling;
    }

private:
    Kind kind()
    {
        static constexpr std::array<std::pair<std::string_view, Kind>, 7> kKinds{
            {{"default", Kind::None},
             {"linear", Kind::Linear},
             {"dynamic", Kind::Dynamic},
             {"llama3", Kind::Llama3},
             {"yarn", Kind::Yarn},
             {"longrope", Kind::Longrope},
             {"su", Kind::Longrope}}};
        const std::string word = m_object.string("rope_type", m_object.string("type", "default"));
        // Phi 3 originally used two other names for its scaling.
        if (m_defaults.yarn_is_longrope && word == "yarn")
            return Kind::Longrope;
        for (const auto& [name, kind] : kKinds) {
            if (name == word)
                return kind;
        }
        m_object.fail("has the position scaling " + json::inQuotes(word) + ", which is not known");
    }

    double requiredFactor() { return m_object.number("factor", std::nullopt, 1e-6, kMaxFactor); }

    int originalPositions(const json::Value& object)
    {
        return object.integer("original_max_position_embeddings", m_out.max_position_embeddings, 1,
                              kMaxPositions);
    }

    // The ratio of the context to the original context.
    double ratio() const
    {
        return static_cast<double>(m_out.max_position_embeddings)
            / m_scaling.original_max_position_embeddings;
    }

    void readLlama3()
    {
        m_scaling.factor = requiredFactor();
        m_scaling.low_freq_factor = m_object.number("low_freq_factor", 1.0, 1e-6, kMaxFactor);
        m_scaling.high_freq_factor = m_object.number("high_freq_factor", 4.0, 1e-6, kMaxFactor);
        m_scaling.original_max_position_embeddings = originalPositions(m_object);
        if (m_scaling.high_freq_factor <= m_scaling.low_freq_factor)
            m_object.fail("high_freq_factor", "must be greater than low_freq_factor");
    }

    void readYarn()
    {
        m_scaling.original_max_position_embeddings = originalPositions(m_object);
        m_scaling.factor =
            m_object.has("factor") && !savedWhenFactorWasIgnored() ? requiredFactor() : ratio();
        m_scaling.beta_fast = nonZero("beta_fast", 32.0);
        m_scaling.beta_slow = nonZero("beta_slow", 1.0);
        m_scaling.truncate = m_object.boolean("truncate", true);
        const auto magnitude = [this](double weight) {
            return m_scaling.factor <= 1.0 ? 1.0 : 0.1 * weight * std::log(m_scaling.factor) + 1.0;
        };
        const double mscale = m_object.number("mscale", 0.0, 0.0, kMaxFactor);
        const double allDim = m_object.number("mscale_all_dim", 0.0, 0.0, kMaxFactor);
        const bool both = mscale != 0.0 && allDim != 0.0;
        m_scaling.attention_factor = m_object.number(
            "attention_factor", both ? magnitude(mscale) / magnitude(allDim) : magnitude(1.0), 0.0,
            kMaxFactor);
    }

    // transformers 4.51 to 4.55 used the ratio of the contexts instead of the factor; a model saved
    // by such a version was computed that way.
    bool savedWhenFactorWasIgnored()
    {
        if (m_newSpelling || !m_object.has("original_max_position_embeddings"))
            return false;
        const std::string version = m_config.string("transformers_version", "");
        return version.size() > 4 && version.starts_with("4.5") && version[3] >= '1'
            && version[3] <= '5' && version[4] == '.';
    }

    void readLongrope()
    {
        m_scaling.short_factor = factors("short_factor");
        m_scaling.long_factor = factors("long_factor");
        // Phi 3 keeps the original context outside of the object.
        const bool outside = m_config.has("original_max_position_embeddings")
            || m_defaults.original_max_position_embeddings != 0;
        if (outside) {
            m_scaling.original_max_position_embeddings = m_config.integer(
                "original_max_position_embeddings",
                std::max(1, m_defaults.original_max_position_embeddings), 1, kMaxPositions);
        } else if (m_newSpelling) {
            m_scaling.original_max_position_embeddings = originalPositions(m_object);
        } else { // transformers 4 does not read it from the object
            m_scaling.original_max_position_embeddings = m_out.max_position_embeddings;
        }
        const bool explicitFactor = m_object.has("factor") && (m_newSpelling || !outside);
        m_scaling.factor = explicitFactor ? requiredFactor() : ratio();
        const double stretched = m_scaling.factor <= 1.0
            ? 1.0
            : std::sqrt(
                1.0
                + std::log(m_scaling.factor)
                    / std::log(std::max(
                        2.0, static_cast<double>(m_scaling.original_max_position_embeddings))));
        m_scaling.attention_factor =
            m_object.number("attention_factor", stretched, 0.0, kMaxFactor);
    }

    double nonZero(const char* key, double fallback)
    {
        const double value = m_object.number(key, fallback, 0.0, kMaxFactor);
        return value == 0.0 ? fallback : value;
    }

    std::vector<double> factors(const char* key)
    {
        const auto pairs = static_cast<std::size_t>(m_out.rotaryDim() / 2);
        std::vector<double> values;
        const auto list = m_object.find(key);
        for (const json::Value& factor : list ? list->elements() : std::vector<json::Value>())
            values.push_back(factor.asNumber(0.0, kMaxFactor));
        const bool positive =
            std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
        if (values.size() != pairs || !positive) {
            m_object.fail(key,
                          "must be a list of " + std::to_string(pairs)
                              + " positive numbers, one for each pair of dimensions that is "
                                "rotated");
        }
        return values;
    }

    const json::Value& m_object;
    const json::Value& m_config;
    const ModelConfig& m_out;
    const ConfigDefaults& m_defaults;
    bool m_newSpelling;
    RopeScaling m_scaling;
};

} // namespace

// transformers 4: rope_theta and rope_scaling; transformers 5: one object rope_parameters, which
// for Gemma 3 contains one object per type of layer.
void readRope(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    const char* const thetaKey = config.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta";
    out.rope.theta = config.number(thetaKey, defaults.rope_theta, 1.0, kMaxTheta);
    const char* const shareKey = config.has("rotary_pct") ? "rotary_pct" : "partial_rotary_factor";
    out.partial_rotary_factor = config.number(shareKey, defaults.partial_rotary_factor, 1e-3, 1.0);
    const bool twoKinds = defaults.window_rule == WindowRule::Pattern;
    if (twoKinds) {
        out.local_rope =
            RopeSettings{config.number("rope_local_base_freq", 10000.0, 1.0, kMaxTheta), {}};
    }

    const auto readInto = [&](const json::Value& object, bool newSpelling, RopeSettings& settings) {
        object.requireObject();
        settings.theta = object.number("rope_theta", settings.theta, 1.0, kMaxTheta);
        out.partial_rotary_factor =
            object.number("partial_rotary_factor", out.partial_rotary_factor, 1e-3, 1.0);
        settings.scaling = RopeReader(object, config, out, defaults, newSpelling).read();
    };
    if (const auto parameters = config.find("rope_parameters")) {
        parameters->requireObject();
        const auto full = parameters->find("full_attention");
        const auto sliding = parameters->find("sliding_attention");
        if (full)
            readInto(*full, true, out.rope);
        if (sliding) {
            RopeSettings local = out.local_rope.value_or(out.rope);
            readInto(*sliding, true, local);
            out.local_rope = local;
        }
        const bool byLayerType =
            parameters->contains("full_attention") || parameters->contains("sliding_attention");
        if (!byLayerType)
            readInto(*parameters, true, out.rope);
    } else if (const auto scaling = config.find("rope_scaling")) {
        readInto(*scaling, false, out.rope);
    }
    if (out.local_rope == out.rope)
        out.local_rope.reset();
}

} // namespace ep::model
