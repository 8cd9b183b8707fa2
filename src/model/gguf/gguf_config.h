// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gguf/gguf_file.h"

#include "ep/core/result.h"
#include "ep/json/value.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ep::model {

// Builds the config.json of the same model from the metadata and the names and shapes of the
// tensors: sizes, constants, positions. Unsupported if the architecture is unknown.
Result<json::Json> ggufConfig(const GgufFile& file);

// Access to metadata below the architecture's name, "granite.block_count", and to the tensors.
struct GgufKeys {
    const GgufFile& file;
    const json::Value& all;
    std::string prefix; // "granite."

    std::string key(std::string_view name) const { return prefix + std::string(name); }
    bool has(std::string_view name) const { return all.has(key(name)); }
    json::Value at(std::string_view name) const { return all.at(key(name)); }
    bool hasTensor(const std::string& name) const { return file.has(name); }
    bool layerHas(int layer, const std::string& part) const
    {
        return file.has("blk." + std::to_string(layer) + "." + part);
    }
    // The first layer that contains the tensor.
    std::optional<int> layerWith(int layers, const std::string& part) const
    {
        for (int layer = 0; layer < layers; ++layer) {
            if (layerHas(layer, part))
                return layer;
        }
        return std::nullopt;
    }
    // Whether the first layer with tensor `one` also has tensor `other`.
    bool layersHave(int layers, const std::string& other, const std::string& one) const
    {
        const auto layer = layerWith(layers, one);
        return layer && layerHas(*layer, other);
    }
    bool biased(int layers, const std::string& part) const
    {
        return layersHave(layers, part + ".bias", part + ".weight");
    }
    // Number of rows of a matrix.
    std::optional<std::int64_t> rows(const std::string& tensor) const
    {
        const auto found = file.tensors.find(tensor);
        if (found == file.tensors.end() || found->second.stored.shape.size() != 2)
            return std::nullopt;
        return found->second.stored.shape[0];
    }
    // Without a fallback, the key is required and its value must be at least 1.
    int integer(std::string_view name, std::optional<int> fallback, int most) const
    {
        return all.integer(key(name), fallback, fallback ? 0 : 1, most);
    }
    // Reads one number, or a list with one per layer.
    std::vector<int> integers(std::string_view name, int most) const
    {
        std::vector<int> values;
        const json::Value value = at(name);
        if (!value.isArray())
            return {static_cast<int>(value.asInteger(0, most))};
        for (const json::Value& layer : value.elements())
            values.push_back(static_cast<int>(layer.asInteger(0, most)));
        return values;
    }
    int largest(std::string_view name, std::optional<int> fallback, int most) const
    {
        if (!has(name) || !at(name).isArray())
            return integer(name, fallback, most);
        const std::vector<int> values = integers(name, most);
        return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
    }
};

} // namespace ep::model
