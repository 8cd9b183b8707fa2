// SPDX-License-Identifier: GPL-3.0-or-later
#include "kv_cache.h"

#include <algorithm>

namespace ep::model {

KvCache::KvCache(int layers, std::int64_t kvHeads, std::int64_t headDim, at::TensorOptions options,
                 std::int64_t capacity)
    : m_kvHeads(kvHeads)
    , m_headDim(headDim)
    , m_options(options)
    , m_layers(static_cast<std::size_t>(layers))
{
    reserve(capacity);
}

std::int64_t KvCache::bytes() const
{
    std::int64_t bytes = 0;
    for (const Layer& layer : m_layers)
        bytes += static_cast<std::int64_t>(layer.keys.nbytes() + layer.values.nbytes());
    return bytes;
}

void KvCache::reserve(std::int64_t positions)
{
    if (positions <= m_capacity)
        return;
    m_capacity = std::max(positions, 2 * m_capacity);
    for (Layer& layer : m_layers) {
        layer.keys = grown(layer.keys);
        layer.values = grown(layer.values);
        if (m_options.device().is_cpu()) {
            layer.key_data = layer.keys.data_ptr<float>();
            layer.value_data = layer.values.data_ptr<float>();
        }
    }
}

at::Tensor KvCache::grown(const at::Tensor& old) const
{
    // fill_() instead of zeros(), which may return pages that are only allocated on first use.
    at::Tensor fresh = at::empty({m_kvHeads, m_capacity, m_headDim}, m_options).fill_(0);
    if (m_length > 0)
        fresh.narrow(1, 0, m_length).copy_(old.narrow(1, 0, m_length));
    return fresh;
}

} // namespace ep::model
