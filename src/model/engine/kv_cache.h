// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "torch_compat.h"

#include <cstdint>
#include <vector>

namespace ep::model {

// Keys and values of all positions so far, per layer [kv_heads, capacity, head_dim]. Grows by
// doubling; pages are touched when memory is allocated, not in the middle of a layer.
class KvCache {
public:
    struct Layer {
        at::Tensor keys;
        at::Tensor values;
        float* key_data = nullptr; // processor only
        float* value_data = nullptr;
    };

    KvCache(int layers, std::int64_t kvHeads, std::int64_t headDim, at::TensorOptions options,
            std::int64_t capacity);

    std::int64_t length() const { return m_length; } // positions stored
    std::int64_t capacity() const { return m_capacity; }
    std::int64_t bytes() const;
    const Layer& layer(int index) const { return m_layers[static_cast<std::size_t>(index)]; }

    void reserve(std::int64_t positions); // may move the memory
    void clear() { m_length = 0; } // keeps the memory
    void advance(std::int64_t positions) { m_length += positions; } // within the capacity

private:
    at::Tensor grown(const at::Tensor& old) const;
    void growOnCpu(const at::Tensor& old, at::Tensor& fresh) const;

    std::int64_t m_kvHeads;
    std::int64_t m_headDim;
    at::TensorOptions m_options;
    std::int64_t m_capacity = 0;
    std::int64_t m_length = 0;
    std::vector<Layer> m_layers;
};

} // namespace ep::model
