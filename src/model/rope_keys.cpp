// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope_keys.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace ep::model {
namespace {

// Keys of an object with position parameters. A kind ignores the keys of other kinds, as in
// transformers. For text, the sections of a multimodal rotation have the same angles, and
// `finetuned` only says how the model was made.
constexpr std::array<std::string_view, 23> kParameters{"rope_type",
                                                       "type",
                                                       "rope_theta",
                                                       "partial_rotary_factor",
                                                       "factor",
                                                       "beta_fast",
                                                       "beta_slow",
                                                       "original_max_position_embeddings",
                                                       "mscale",
                                                       "truncate",
                                                       "attention_factor",
                                                       "mscale_all_dim",
                                                       "low_freq_factor",
                                                       "short_factor",
                                                       "high_freq_factor",
                                                       "long_factor",
                                                       "mrope_section",
                                                       "mrope_interleaved",
                                                       "alpha",
                                                       "llama_4_scaling_beta",
                                                       "short_mscale",
                                                       "long_mscale",
                                                       "max_position_embeddings"};
// Keys outside such an object.
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
    const std::string text = value.dump();
    return std::any_of(kHarmless.begin(), kHarmless.end(),
                       [&](const Harmless& row) { return row.key == key && row.value == text; });
}

void refuse(const json::Value& value)
{
    value.unsupported("is a setting of positions that this program does not know: use attach with "
                      "a server that runs the model");
}

} // namespace

bool hasLayerTypes(const json::Value& parameters)
{
    bool some = false;
    for (const auto& [key, value] : parameters.json().items()) {
        const bool type = contains(kRopeLayerTypes, key);
        some = some || type;
        if (!type && !contains(kParameters, key) && !changesNothing(key, value))
            refuse(parameters.member(key, value));
    }
    return some;
}

void refuseUnknownParameters(const json::Value& object)
{
    for (const auto& [key, value] : object.json().items()) {
        if (!contains(kParameters, key) && !changesNothing(key, value))
            refuse(object.member(key, value));
    }
}

void refuseUnknownPositionKeys(const json::Value& config,
                               const std::vector<std::string_view>& known)
{
    for (const auto& [key, value] : config.json().items()) {
        if (isAboutPositions(key) && !contains(kKeys, key) && !contains(known, key)
            && !changesNothing(key, value))
            refuse(config.member(key, value));
    }
}

} // namespace ep::model
