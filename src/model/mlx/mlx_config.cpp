// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlx/mlx_config.h"

#include <algorithm>
#include <array>

namespace ep::model {
namespace {

constexpr std::array kBits{4, 6, 8};
constexpr std::array kGroups{32, 64, 128};
constexpr int kMostBits = 64;
constexpr int kLargestGroup = 1 << 16;

MlxLayer readLayer(const json::Value& object, const MlxLayer& usual, std::string& unsupported)
{
    MlxLayer layer;
    layer.bits = object.integer("bits", usual.bits > 0 ? std::optional(usual.bits) : std::nullopt,
                                1, kMostBits);
    layer.group =
        object.integer("group_size", usual.group > 0 ? std::optional(usual.group) : std::nullopt, 1,
                       kLargestGroup);
    const std::string mode = object.string("mode", "affine");
    if (mode != "affine")
        unsupported = "MLX, mode " + mode;
    else if (std::find(kBits.begin(), kBits.end(), layer.bits) == kBits.end())
        unsupported = "MLX, " + std::to_string(layer.bits) + " bits";
    else if (std::find(kGroups.begin(), kGroups.end(), layer.group) == kGroups.end())
        unsupported = "MLX, groups of " + std::to_string(layer.group);
    return layer;
}

} // namespace

MlxSettings readMlx(const json::Value& config, std::string& unsupported)
{
    MlxSettings settings;
    const auto object = config.find("quantization");
    if (!object || !object->isObject() || !object->has("bits"))
        return settings;
    settings.usual = readLayer(*object, {}, unsupported);
    for (const auto& [name, value] : object->json().items()) {
        const json::Value layer = object->member(name, value);
        if (layer.isObject())
            settings.layers[name] = readLayer(layer, settings.usual, unsupported);
        else if (value.is_boolean() && !value.get<bool>())
            settings.layers[name] = {};
    }
    return settings;
}

} // namespace ep::model
