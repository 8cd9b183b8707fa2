// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"

#include "ep/core/word_list.h"
#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

// Which keys of config.json concern positions. An unknown key may change what the model computes,
// so it is refused by name; a key whose value has no effect is accepted.

// Keys of rope_parameters that hold the parameters of one type of layer.
inline constexpr std::array<std::string_view, 2> kRopeLayerTypes{"full_attention",
                                                                 "sliding_attention"};

// Keys of an object with position parameters. A kind ignores the keys of other kinds, as in
// transformers. For text, the sections of a multimodal rotation have the same angles, and
// `finetuned` only says how the model was made.
constexpr auto kParameters = wordList<23>(
    "rope_type type rope_theta partial_rotary_factor factor beta_fast beta_slow "
    "original_max_position_embeddings mscale truncate attention_factor mscale_all_dim "
    "low_freq_factor short_factor high_freq_factor long_factor mrope_section mrope_interleaved "
    "alpha llama_4_scaling_beta short_mscale long_mscale max_position_embeddings");
// Keys of the config itself that describe the rotation.
constexpr std::array<std::string_view, 7> kKeys{
    "rope_theta", "rope_scaling",    "rope_parameters",     "partial_rotary_factor",
    "rotary_pct", "rotary_emb_base", "rope_local_base_freq"};

struct Harmless {
    std::string_view key;
    std::string_view value; // value without effect, as JSON
};
constexpr std::array<Harmless, 10> kHarmless{{{"finetuned", "true"},
                                              {"extrapolation_factor", "1"},
                                              {"extrapolation_factor", "1.0"},
                                              {"attn_factor", "1"},
                                              {"attn_factor", "1.0"},
                                              {"use_rope", "true"},
                                              {"rotary", "true"},
                                              {"rope_ratio", "1"},
                                              {"rope_ratio", "1.0"},
                                              {"position_embedding_type", "\"rope\""}}};
// Words in the names of keys that concern positions.
constexpr std::array<std::string_view, 8> kWords{"rope", "mrope",    "rotary", "yarn",
                                                 "ntk",  "longrope", "alibi",  "logn"};
constexpr std::array<std::string_view, 3> kOthers{"llama_4_scaling", "attn_temperature_tuning",
                                                  "position_embedding_type"};

template <typename List>
bool contains(const List& list, std::string_view item)
{
    return std::find(list.begin(), list.end(), item) != list.end();
}

// Whether a word in the name, such as "use_dynamic_ntk", concerns positions.
bool isAboutPositions(std::string_view key)
{
    if (contains(kOthers, key))
        return true;
    for (std::size_t from = 0; from <= key.size();) {
        const std::size_t end = std::min(key.find('_', from), key.size());
        if (contains(kWords, key.substr(from, end - from)))
            return true;
        from = end + 1;
    }
    return false;
}

// Whether a setting is switched off, or has the value without effect.
bool changesNothing(std::string_view key, const json::Json& value)
{
    const bool on = key == "use_rope" || key == "rotary";
    if (value.is_null() || (value == false && !on) || (value.is_structured() && value.empty()))
        return true;
    const std::string text = json::textOf(value);
    return std::any_of(kHarmless.begin(), kHarmless.end(),
                       [&](const Harmless& row) { return row.key == key && row.value == text; });
}

void refuse(const json::Value& value)
{
    value.unsupported("is a setting of positions that this program does not know: use attach with "
                      "a server that runs the model");
}

bool hasLayerTypes(const json::Value& parameters)
{
    bool some = false;
    for (const auto& [key, value] : parameters.json().items()) {
        const bool type = contains(kRopeLayerTypes, key);
        some = some || type;
        if (!type && !contains(kParameters, key) && !changesNothing(key, value))
            refuse(parameters.part(value));
    }
    return some;
}

// Checks the keys of an object with position parameters. Throws json::ReadError.
void refuseUnknownParameters(const json::Value& object)
{
    for (const auto& [key, value] : object.json().items()) {
        if (!contains(kParameters, key) && !changesNothing(key, value))
            refuse(object.part(value));
    }
}

// Checks the keys next to such objects whose names concern positions.
// known: additional keys that the family has.
void refuseUnknownPositionKeys(const json::Value& config,
                               const std::vector<std::string_view>& known)
{
    for (const auto& [key, value] : config.json().items()) {
        if (isAboutPositions(key) && !contains(kKeys, key) && !contains(known, key)
            && !changesNothing(key, value))
            refuse(config.part(value));
    }
}

using Kind = RopeScaling::Kind;

constexpr double kMaxTheta = 1e12;
constexpr double kMinFactor = 1e-6;
constexpr double kMaxFactor = 1e6;

// An object with position parameters: rope_scaling of transformers 4, rope_parameters of
// transformers 5, or the part of rope_parameters for one type of layer. All are read as
// transformers 5 does, whichever version wrote them.
class RopeReader {
public:
    RopeReader(const json::Value& object, const json::Value& config, const ModelConfig& out,
               const ConfigDefaults& defaults, double share)
        : m_object(object)
        , m_config(config)
        , m_out(out)
        , m_defaults(defaults)
        , m_share(share)
    {
    }

    RopeScaling read()
    {
        m_scaling.kind = kind();
        refuseForeign();
        if (m_defaults.rope_alpha && m_scaling.kind == Kind::Dynamic && m_object.has("alpha"))
            m_scaling.kind = Kind::None; // readAlpha() changes the base
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
        case Kind::Proportional:
            m_scaling.factor = m_object.number("factor", 1.0, kMinFactor, kMaxFactor);
            m_scaling.share = m_share;
            break;
        }
        return m_scaling;
    }

private:
    Kind kind()
    {
        static constexpr std::array<std::pair<std::string_view, Kind>, 9> kKinds{
            {{"default", Kind::None},
             {"mrope", Kind::None},
             {"linear", Kind::Linear},
             {"dynamic", Kind::Dynamic},
             {"llama3", Kind::Llama3},
             {"yarn", Kind::Yarn},
             {"longrope", Kind::Longrope},
             {"su", Kind::Longrope},
             {"proportional", Kind::Proportional}}};
        const std::string word = m_object.string("rope_type", m_object.string("type", "default"));
        // Phi 3 originally used two other names for its scaling.
        if (m_defaults.yarn_is_longrope && word == "yarn")
            return Kind::Longrope;
        for (const auto& [name, kind] : kKinds) {
            if (name == word)
                return kind;
        }
        m_object.unsupported(Message("has the position scaling %1, which is not known: use attach "
                                     "with a server that runs the model",
                                     json::inQuotes(word)));
    }

    // Refuses keys that only other families read, since nobody knows what they mean here.
    void refuseForeign()
    {
        const auto refuse = [&](const char* key, bool known) {
            if (!known && m_object.has(key))
                m_object.at(key).unsupported(
                    "is a setting of positions that this program does not know in this "
                    "architecture: use attach with a server that runs the model");
        };
        refuse("alpha", m_defaults.rope_alpha);
        refuse("llama_4_scaling_beta", m_defaults.query_growth);
        refuse("short_mscale", m_defaults.longrope_magnitudes);
        refuse("long_mscale", m_defaults.longrope_magnitudes);
    }

    double requiredFactor()
    {
        return m_object.number("factor", std::nullopt, kMinFactor, kMaxFactor);
    }
    double factorOrRatio() { return m_object.has("factor") ? requiredFactor() : ratio(); }

    // Phi 3 states the original context outside of the object, where it takes precedence.
    int originalPositions()
    {
        constexpr const char* kKey = "original_max_position_embeddings";
        const int own = m_defaults.original_max_position_embeddings;
        if (m_config.has(kKey) || own != 0)
            return m_config.integer(kKey, std::max(1, own), 1, kMaxPositions);
        return m_object.integer(kKey, m_out.max_position_embeddings, 1, kMaxPositions);
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
        m_scaling.low_freq_factor = m_object.number("low_freq_factor", 1.0, kMinFactor, kMaxFactor);
        m_scaling.high_freq_factor =
            m_object.number("high_freq_factor", 4.0, kMinFactor, kMaxFactor);
        m_scaling.original_max_position_embeddings = originalPositions();
        if (m_scaling.high_freq_factor <= m_scaling.low_freq_factor)
            m_object.fail("high_freq_factor", "must be greater than low_freq_factor");
    }

    void readYarn()
    {
        m_scaling.original_max_position_embeddings = originalPositions();
        m_scaling.factor = factorOrRatio();
        m_scaling.beta_fast = nonZero("beta_fast", 32.0);
        m_scaling.beta_slow = nonZero("beta_slow", 1.0);
        m_scaling.truncate = m_object.boolean("truncate", true);
        const auto magnitude = [this](double weight) {
            return m_scaling.factor <= 1.0 ? 1.0 : 0.1 * weight * std::log(m_scaling.factor) + 1.0;
        };
        const double mscale = m_object.number("mscale", 0.0, 0.0, kMaxFactor);
        const double allDim = m_object.number("mscale_all_dim", 0.0, 0.0, kMaxFactor);
        const bool both = mscale != 0.0 && allDim != 0.0;
        m_scaling.score_factor = allDim == 0.0 ? 1.0 : magnitude(allDim);
        m_scaling.attention_factor = m_object.number(
            "attention_factor", both ? magnitude(mscale) / magnitude(allDim) : magnitude(1.0), 0.0,
            kMaxFactor);
    }

    void readLongrope()
    {
        m_scaling.short_factor = factors("short_factor");
        m_scaling.long_factor = factors("long_factor");
        m_scaling.original_max_position_embeddings = originalPositions();
        m_scaling.factor = factorOrRatio();
        const double stretched = m_scaling.factor <= 1.0
            ? 1.0
            : std::sqrt(
                1.0
                + std::log(m_scaling.factor)
                    / std::log(std::max(
                        2.0, static_cast<double>(m_scaling.original_max_position_embeddings))));
        m_scaling.attention_factor =
            m_object.number("attention_factor", stretched, 0.0, kMaxFactor);
        if (m_defaults.longrope_magnitudes) {
            m_scaling.attention_factor =
                m_object.number("short_mscale", m_scaling.attention_factor, 0.0, kMaxFactor);
            m_scaling.long_attention_factor =
                m_object.number("long_mscale", m_scaling.attention_factor, 0.0, kMaxFactor);
        }
    }

    double nonZero(const char* key, double fallback)
    {
        const double value = m_object.number(key, fallback, 0.0, kMaxFactor);
        return value == 0.0 ? fallback : value;
    }

    std::vector<double> factors(const char* key)
    {
        const auto pairs = static_cast<std::size_t>(m_out.head_dim * m_share) / 2;
        std::vector<double> values;
        const auto list = m_object.find(key);
        for (const json::Value& factor : list ? list->elements() : std::vector<json::Value>())
            values.push_back(factor.asNumber(0.0, kMaxFactor));
        const bool positive =
            std::all_of(values.begin(), values.end(), [](double value) { return value > 0.0; });
        if (values.size() != pairs || !positive) {
            m_object.fail(key,
                          Message("must be a list of %1 positive numbers, one for each pair of "
                                  "dimensions that is rotated",
                                  pairs));
        }
        return values;
    }

    const json::Value& m_object;
    const json::Value& m_config;
    const ModelConfig& m_out;
    const ConfigDefaults& m_defaults;
    double m_share; // share of each head that is rotated
    RopeScaling m_scaling;
};

// HunYuan's rotation changes the base permanently.
double alphaFactor(const json::Value& object, int headDim)
{
    const double alpha = object.number("alpha", 1.0, kMinFactor, kMaxFactor);
    return std::pow(alpha, static_cast<double>(headDim) / std::max(1, headDim - 2));
}

// Reads one object of parameters for each type of layer. Throws if layers rotate different shares
// of their heads.
template <typename ReadInto>
void readByLayerType(const json::Value& parameters, ModelConfig& out, const ReadInto& readInto)
{
    RopeSettings local = out.local_rope.value_or(out.rope);
    std::optional<double> share;
    for (const std::string_view type : kRopeLayerTypes) {
        const auto layer = parameters.findOrNull(type);
        if (!layer)
            continue;
        if (layer->isNull())
            layer->unsupported("is null, and layers without positions are not supported: use "
                               "attach with a server that runs the model");
        const bool full = type == kRopeLayerTypes.front();
        const double own = readInto(*layer, full ? out.rope : local);
        if (share && *share != own)
            parameters.unsupported("rotates another share of each head in some layers, which is "
                                   "not supported: use attach with a server that runs the model");
        share = own;
        if (!full)
            out.local_rope = local;
    }
    out.partial_rotary_factor = share.value_or(out.partial_rotary_factor);
}

} // namespace

// transformers 4 has rope_theta and rope_scaling; transformers 5 has one object rope_parameters,
// which may contain one object per type of layer. If a file has both, rope_scaling takes
// precedence, as in transformers 5.
void readRope(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    const char* const thetaKey = config.has("rotary_emb_base") ? "rotary_emb_base" : "rope_theta";
    out.rope.theta = config.number(thetaKey, defaults.rope_theta, 1.0, kMaxTheta);
    const char* const shareKey = config.has("rotary_pct") ? "rotary_pct" : "partial_rotary_factor";
    out.partial_rotary_factor = config.number(shareKey, defaults.partial_rotary_factor, 1e-3, 1.0);
    constexpr const char* kLocalTheta = "rope_local_base_freq";
    if (defaults.window_rule == WindowRule::Pattern || config.has(kLocalTheta))
        out.local_rope = RopeSettings{config.number(kLocalTheta, 10000.0, 1.0, kMaxTheta), {}};

    // Returns the share of each head that is rotated.
    const auto readInto = [&](const json::Value& object, RopeSettings& settings) {
        refuseUnknownParameters(object.requireObject());
        settings.theta = object.number("rope_theta", settings.theta, 1.0, kMaxTheta);
        const double share =
            object.number("partial_rotary_factor", out.partial_rotary_factor, 1e-3, 1.0);
        settings.scaling = RopeReader(object, config, out, defaults, share).read();
        if (defaults.rope_alpha && settings.scaling.kind == Kind::None && object.has("alpha"))
            settings.theta *= alphaFactor(object, out.head_dim);
        if (defaults.query_growth && object.has("llama_4_scaling_beta")) {
            out.query_growth = object.number("llama_4_scaling_beta", 0.0, 0.0, kMaxFactor);
            out.query_period = settings.scaling.original_max_position_embeddings == 0
                ? out.max_position_embeddings
                : settings.scaling.original_max_position_embeddings;
        }
        return settings.scaling.kind == Kind::Proportional ? 1.0 : share;
    };
    if (const auto parameters = config.find("rope_parameters")) {
        if (hasLayerTypes(parameters->requireObject()))
            readByLayerType(*parameters, out, readInto);
        else
            out.partial_rotary_factor = readInto(*parameters, out.rope);
    }
    const auto scaling = config.find("rope_scaling");
    if (scaling && (!scaling->isObject() || scaling->size() > 0))
        out.partial_rotary_factor = readInto(*scaling, out.rope);
    if (defaults.unscaled_windows && !out.local_rope)
        out.local_rope = RopeSettings{out.rope.theta, {}};
    if (out.local_rope == out.rope)
        out.local_rope.reset();
    if (!familyShape(out).learnedPositions())
        refuseUnknownPositionKeys(config, defaults.position_keys);
}

} // namespace ep::model
