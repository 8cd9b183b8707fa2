// SPDX-License-Identifier: GPL-3.0-or-later
#include "config_parts.h"

#include <algorithm>
#include <cstddef>

namespace ep::model {
namespace {

constexpr int kGemma3Pattern = 6;
constexpr int kUsualPattern = 4;

// Every n-th layer attends to everything; the others use the window.
std::vector<bool> allButEvery(int n, int layers)
{
    std::vector<bool> windowed;
    for (int layer = 0; layer < layers; ++layer)
        windowed.push_back((layer + 1) % n != 0);
    return windowed;
}

// Reads a number or, as in EXAONE 4, a word with one letter per layer of a period ("LLLG").
int readPattern(const json::Value& config, int usual)
{
    const auto pattern = config.find("sliding_window_pattern");
    if (pattern && pattern->isString())
        return std::max(1, static_cast<int>(pattern->asString().size()));
    return config.integer("sliding_window_pattern", usual, 1, kMaxLayers);
}

// Reads which layers have experts, if the config lists them.
void readSparseLayers(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    MoeSettings& moe = out.moe;
    const int step = config.integer("decoder_sparse_step", 1, 1, kMaxLayers);
    const int dense = defaults.dense_layers_key
        ? config.integer(defaults.dense_layers_key, defaults.dense_layers, 0, kMaxLayers)
        : 0;
    for (int layer = 0; layer < out.num_hidden_layers; ++layer)
        moe.layers.push_back(moe.experts > 0 && layer >= dense && (layer + 1) % step == 0);
    const auto only = config.find("mlp_only_layers");
    for (const json::Value& layer : only ? only->elements() : std::vector<json::Value>()) {
        const std::int64_t index = layer.asInteger(0, out.num_hidden_layers - 1);
        moe.layers[static_cast<std::size_t>(index)] = false;
    }
    const auto types = config.find("mlp_layer_types");
    if (!types || !types->isArray())
        return;
    const auto words = types->elements();
    if (words.size() != moe.layers.size())
        types->fail("must have one entry for each layer");
    for (std::size_t i = 0; i < words.size(); ++i)
        moe.layers[i] = moe.experts > 0 && words[i].json() == "sparse";
}

} // namespace

void readWindow(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    const WindowRule rule = defaults.window_rule;
    if (rule == WindowRule::None)
        return;
    const bool optional = rule == WindowRule::Optional || rule == WindowRule::FromLayer;
    if (optional && !config.boolean("use_sliding_window", false))
        return;
    // Null means no window; an omitted key means the family's default.
    const bool given = config.contains("sliding_window");
    if (given ? !config.has("sliding_window") : defaults.sliding_window == 0)
        return;
    out.sliding_window =
        config.integer("sliding_window", defaults.sliding_window, 1, kMaxPositions);

    const int layers = out.num_hidden_layers;
    const auto types = config.find("layer_types");
    if (types && types->isArray()) {
        for (const json::Value& type : types->elements())
            out.windowed_layers.push_back(type.json() == "sliding_attention");
        if (out.windowed_layers.size() != static_cast<std::size_t>(layers))
            types->fail("must have one entry for each layer");
    } else if (rule == WindowRule::FromLayer) {
        const int first = config.integer("max_window_layers", 28, 0, kMaxLayers);
        for (int layer = 0; layer < layers; ++layer)
            out.windowed_layers.push_back(layer >= first);
    } else if (rule == WindowRule::Alternating) {
        out.windowed_layers = allButEvery(2, layers);
    } else if (rule == WindowRule::Pattern || rule == WindowRule::AllButFourth) {
        out.windowed_layers = allButEvery(
            readPattern(config, rule == WindowRule::Pattern ? kGemma3Pattern : kUsualPattern),
            layers);
    }
    for (int layer = 0; layer < layers && defaults.unrotated_full; ++layer)
        out.unrotated_layers.push_back(!out.windowOf(layer));
}

void readUnrotated(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    if (!defaults.unrotated_key)
        return;
    const auto list = config.find(defaults.unrotated_key);
    const int interval = config.integer("no_rope_layer_interval", kUsualPattern, 1, kMaxLayers);
    for (int layer = 0; layer < out.num_hidden_layers; ++layer)
        out.unrotated_layers.push_back((layer + 1) % interval == 0);
    if (!list || !list->isArray())
        return;
    const auto rotated = list->elements();
    if (rotated.size() < out.unrotated_layers.size())
        list->fail("must have one entry for each layer");
    for (std::size_t i = 0; i < out.unrotated_layers.size(); ++i)
        out.unrotated_layers[i] = rotated[i].json() == 0 || rotated[i].json() == false;
}

std::vector<Mixer> readMixers(const json::Value& config, const char* key,
                              std::span<const MixerWord> words, int layers)
{
    std::vector<Mixer> mixers;
    const auto list = config.find(key);
    for (const json::Value& entry : list ? list->elements() : std::vector<json::Value>()) {
        const std::string word = entry.asString();
        const auto found = std::find_if(words.begin(), words.end(),
                                        [&](const MixerWord& row) { return row.first == word; });
        if (found == words.end()) {
            entry.unsupported(Message("is %1, a kind of layer that this family does not have: use "
                                      "attach with a server that runs the model",
                                      json::inQuotes(word)));
        }
        mixers.push_back(found->second);
    }
    if (!mixers.empty() && mixers.size() != static_cast<std::size_t>(layers))
        list->fail("must have one entry for each layer");
    return mixers;
}

void readExperts(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults)
{
    if (defaults.experts == 0)
        return;
    MoeSettings& moe = out.moe;
    const char* const count = config.has("num_local_experts") ? "num_local_experts"
        : config.has("n_routed_experts")                      ? "n_routed_experts"
                                                              : "num_experts";
    moe.experts = config.integer(count, defaults.experts, 0, kMaxExperts);
    moe.experts_per_token = config.integer("num_experts_per_tok", defaults.experts_per_token,
                                           moe.experts > 0 ? 1 : 0, kMaxExperts);
    moe.normalise = defaults.normalise_experts
        || config.boolean("norm_topk_prob", defaults.normalise_experts_by_default);
    moe.intermediate_size = defaults.expert_intermediate_size == 0
        ? out.intermediate_size
        : config.integer("moe_intermediate_size", defaults.expert_intermediate_size, 1, kMaxWidth);
    if (defaults.shared_intermediate_size != 0) {
        moe.shared_intermediate_size = config.integer(
            "shared_expert_intermediate_size", defaults.shared_intermediate_size, 1, kMaxWidth);
    }
    if (moe.experts > 0 && moe.experts_per_token > moe.experts)
        config.fail("num_experts_per_tok", "is larger than the number of experts");

    readSparseLayers(config, out, defaults);
}

} // namespace ep::model
