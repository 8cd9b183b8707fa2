// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <cstdint>
#include <vector>

namespace ep::model {

// The sizes of one layer's cache for one sequence: keys and values of each position, and states of
// constant size. Zero means none.
struct LayerCacheShape {
    std::int64_t kv_heads = 0;
    std::int64_t head_dim = 0; // elements of each key
    std::int64_t v_head_dim = 0; // elements of each value
    int source = 0; // the layer whose keys and values it reads: itself, or an earlier one
    std::int64_t inputs = 0; // number of last inputs of the convolution, each `channels` wide
    std::int64_t channels = 0;
    std::int64_t state_heads = 0; // states [key_dim, value_dim], in f32
    std::int64_t key_dim = 0;
    std::int64_t value_dim = 0;

    std::int64_t keysAndValues() const
    {
        return kv_heads * (head_dim + v_head_dim); // values per position
    }
    std::int64_t inputValues() const { return inputs * channels; }
    std::int64_t stateValues() const { return state_heads * key_dim * value_dim; }
};

// The cache of each layer.
std::vector<LayerCacheShape> cacheShape(const ModelConfig& config);

// Channels of a layer's convolution; 0 if it has none.
std::int64_t convolvedChannels(const ModelConfig& config, int layer);

} // namespace ep::model
