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
    at::Tensor fresh = at::empty({m_kvHeads, m_capacity, m_headDim}, m_options);
    if (m_options.device().is_cpu()) {
        growOnCpu(old, fresh);
        return fresh;
    }
    fresh.fill_(0);
    if (m_length > 0)
        fresh.narrow(1, 0, m_length).copy_(old.narrow(1, 0, m_length));
    return fresh;
}

void KvCache::growOnCpu(const at::Tensor& old, at::Tensor& fresh) const
{
    // LibTorch's fill_() and copy_() would start its own threads inside a measured step. Every
    // element is written, so that no page is left to be allocated on its first use.
    const std::int64_t kept = m_length * m_headDim;
    const std::int64_t oldRow = m_length > 0 ? old.size(1) * m_headDim : 0;
    const std::int64_t freshRow = m_capacity * m_headDim;
    float* to = fresh.data_ptr<float>();
    const float* from = m_length > 0 ? old.data_ptr<float>() : nullptr;
    for (std::int64_t head = 0; head < m_kvHeads; ++head, to += freshRow, from += oldRow) {
        if (kept > 0)
            std::copy_n(from, kept, to);
        std::fill_n(to + kept, freshRow - kept, 0.0F);
    }
}

} // namespace ep::model
