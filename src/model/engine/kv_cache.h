// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cache_shape.h"
#include "torch_compat.h"

#include "ep/model/engine.h"

#include <cstdint>
#include <vector>

namespace ep::model {

// The stored positions of a sequence, layer by layer: keys and values [kv_heads, capacity,
// head_dim], which grow by doubling, and the states of mixers that have one. Pages are touched when
// memory is allocated, not in the middle of a layer.
//
// In blocks (CacheKind::Q8), positions are stored as q8_0 blocks. All layers share one scratch
// buffer of plain numbers for keys and one for values: before a layer is computed, its blocks are
// dequantized into them, and afterwards its new positions are quantized.
class KvCache {
public:
    struct Layer {
        at::Tensor keys; // undefined in a layer without keys
        at::Tensor values;
        at::Tensor inputs; // [positions, channels], the last inputs of the convolution
        at::Tensor state; // f32 [heads, key_dim, value_dim]
        at::Tensor key_blocks; // only in blocks: bytes [kv_heads, capacity, bytes of a position]
        at::Tensor value_blocks;
        float* key_data = nullptr; // processor only
        float* value_data = nullptr;
        float* input_data = nullptr;
        float* state_data = nullptr;
    };

    KvCache(std::vector<LayerCacheShape> shape, at::TensorOptions options, std::int64_t capacity,
            CacheKind kind = CacheKind::Growing);

    bool inBlocks() const { return m_inBlocks; }

    std::int64_t length() const { return m_length; } // positions stored
    std::int64_t capacity() const { return m_capacity; }
    std::int64_t bytes() const;
    // The layer's cache, or that of the layer whose keys and values it shares.
    const Layer& layer(int index) const
    {
        return m_layers[static_cast<std::size_t>(shape(index).source)];
    }
    const LayerCacheShape& shape(int index) const
    {
        return m_shape[static_cast<std::size_t>(index)];
    }

    void reserve(std::int64_t positions); // may move the memory of keys and values
    // Copies the first positions of a cache of the same shape and kind; not its states.
    void takePrefix(const KvCache& other, std::int64_t positions);
    void clear(); // keeps the memory
    // Changes the number of positions, within the capacity. States are not affected, so only keys
    // and values can go back.
    void advance(std::int64_t positions) { m_length += positions; }

private:
    void makeStates();
    at::Tensor grown(const at::Tensor& old, std::int64_t heads, std::int64_t dimension) const;
    void growOnCpu(const at::Tensor& old, at::Tensor& fresh) const;
    void makeSharedRoom();

    std::vector<LayerCacheShape> m_shape;
    at::TensorOptions m_options;
    bool m_inBlocks = false;
    at::Tensor m_sharedKeys; // only in blocks: scratch for the layer being computed
    at::Tensor m_sharedValues;
    std::int64_t m_capacity = 0;
    std::int64_t m_length = 0;
    std::vector<Layer> m_layers;
};

} // namespace ep::model
