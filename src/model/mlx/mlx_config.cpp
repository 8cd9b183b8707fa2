// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_config.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace ep::model {
namespace {

constexpr std::array kBitWidths{1, 2, 3, 4, 5, 6, 8};
constexpr std::array kGroupSizes{32, 64, 128};
constexpr int kMaxMlxBits = 64;
constexpr int kMaxMlxGroup = 1 << 16;

// The modes, with the default bits and group size of each.
struct ModeRow {
    std::string_view name;
    MlxLayer layer;
};
constexpr std::array<ModeRow, 4> kModes{{{"affine", {4, 64, MlxMode::Affine}},
                                         {"mxfp4", {4, 32, MlxMode::Mxfp4}},
                                         {"mxfp8", {8, 32, MlxMode::Mxfp8}},
                                         {"nvfp4", {4, 16, MlxMode::Nvfp4}}}};

// usual: the folder's settings, null if this is the folder itself
MlxLayer readLayer(const json::Value& object, const MlxLayer* usual, std::string& unsupported)
{
    const std::string mode = object.string("mode", "affine");
    const auto* const row = std::find_if(kModes.begin(), kModes.end(),
                                         [&](const ModeRow& known) { return known.name == mode; });
    if (row == kModes.end()) {
        unsupported = "MLX, mode " + mode;
        return {};
    }
    const bool affine = row->layer.mode == MlxMode::Affine;
    // In affine mode, a layer has the folder's settings unless it states others.
    const MlxLayer& base = affine && usual && usual->mode == MlxMode::Affine ? *usual : row->layer;
    MlxLayer layer = row->layer;
    layer.bits = object.integer("bits", base.bits, 1, kMaxMlxBits);
    layer.group = object.integer("group_size", base.group, 1, kMaxMlxGroup);
    const bool known = affine
        ? std::find(kBitWidths.begin(), kBitWidths.end(), layer.bits) != kBitWidths.end()
            && std::find(kGroupSizes.begin(), kGroupSizes.end(), layer.group) != kGroupSizes.end()
        : layer == row->layer;
    if (!known) {
        unsupported = "MLX, mode " + mode + ", " + std::to_string(layer.bits)
            + " bits in groups of " + std::to_string(layer.group);
    }
    return layer;
}

// mlx-lm reads the settings under either key; other quantizers state a method.
std::optional<json::Value> settingsIn(const json::Value& config)
{
    for (const char* const key : {"quantization", "quantization_config"}) {
        auto object = config.find(key);
        if (object && object->isObject() && object->has("bits") && object->has("group_size")
            && !object->has("quant_method"))
            return object;
    }
    return std::nullopt;
}

void splitGates(const Checkpoint& checkpoint, ModelConfig& config)
{
    config.split_gate_up = checkpoint.find("model.layers.0.mlp.gate_proj.weight") != nullptr;
}

// mlx-lm multiplies embedding, head, projections of queries and keys, and the weights of all
// branches' other projections by their factors. It omits the factor of the values and loses that of
// the keys, which are applied here as in HuggingFace.
void dropFactorsInWeights(const Checkpoint& checkpoint, ModelConfig& config)
{
    const auto* const taps = checkpoint.find(kFirstFalconTaps);
    if (!taps || !isTurned(taps->tensor)) // mlx-lm also transposes the convolutions
        return;
    config.state.factors = {};
    const double ofValues = config.branches.attention_in;
    config.branches = {.attention_out = ofValues};
    config.logit_factor =
        config.tie_word_embeddings ? config.logit_factor / config.embedding_factor : 1.0;
    config.embedding_factor = 1.0;
}

struct Witness {
    std::string_view architecture;
    void (*follow)(const Checkpoint& checkpoint, ModelConfig& config);
};
constexpr std::array<Witness, 2> kWitnesses{
    {{"GraniteMoeHybridForCausalLM", splitGates}, {"FalconH1ForCausalLM", dropFactorsInWeights}}};

} // namespace

MlxSettings readMlx(const json::Value& config, std::string& unsupported)
{
    MlxSettings settings;
    const auto object = settingsIn(config);
    if (!object) {
        const auto other = config.find("quantization_config"); // as mlx-lm does for gpt-oss
        if (other && other->isObject() && other->string("quant_method", "") == "mxfp4")
            settings.usual = kModes[1].layer;
        return settings;
    }
    settings.usual = readLayer(*object, nullptr, unsupported);
    for (const auto& [name, value] : object->json().items()) {
        const json::Value layer = object->part(value);
        if (layer.isObject())
            settings.layers[name] = readLayer(layer, &settings.usual, unsupported);
        else if (value.is_boolean() && !value.get<bool>())
            settings.layers[name] = {};
    }
    return settings;
}

const std::vector<MlxLayer>& mlxLayers()
{
    static const std::vector<MlxLayer> kAll = [] {
        std::vector<MlxLayer> all;
        for (const ModeRow& row : kModes) {
            if (row.layer.mode != MlxMode::Affine)
                all.push_back(row.layer);
        }
        std::array groups = kGroupSizes;
        std::stable_partition(groups.begin(), groups.end(),
                              [](int group) { return group == kModes.front().layer.group; });
        for (const int group : groups) {
            for (const int bits : kBitWidths)
                all.push_back({bits, group, MlxMode::Affine});
        }
        return all;
    }();
    return kAll;
}

bool isTurned(const StoredTensor& convolution)
{
    const auto& shape = convolution.shape;
    return shape.size() == 3 && shape[2] == 1 && shape[1] > 1;
}

void followMlxTensors(const std::filesystem::path& folder, ModelConfig& config)
{
    const auto* const row =
        std::find_if(kWitnesses.begin(), kWitnesses.end(), [&](const Witness& witness) {
            return witness.architecture == config.architecture;
        });
    if (row == kWitnesses.end())
        return;
    if (const auto checkpoint = Checkpoint::open(folder))
        row->follow(*checkpoint, config);
}

} // namespace ep::model
