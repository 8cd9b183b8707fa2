// SPDX-License-Identifier: GPL-3.0-or-later
#include "kv_cache.h"

#include <algorithm>
#include <utility>

namespace ep::model {
namespace {

// LibTorch's fill_() would start its own threads inside a measured step.
void setToZero(at::Tensor& tensor)
{
    if (!tensor.defined())
        return;
    if (tensor.is_cpu())
        std::fill_n(tensor.data_ptr<float>(), tensor.numel(), 0.0F);
    else
        tensor.fill_(0);
}

std::int64_t bytesIn(const at::Tensor& tensor)
{
    return tensor.defined() ? static_cast<std::int64_t>(tensor.nbytes()) : 0;
}

} // namespace

KvCache::KvCache(std::vector<LayerCacheShape> shape, at::TensorOptions options,
                 std::int64_t capacity)
    : m_shape(std::move(shape))
    , m_options(options)
    , m_layers(m_shape.size())
{
    makeStates();
    reserve(capacity);
}

void KvCache::makeStates()
{
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const LayerCacheShape& shape = m_shape[i];
        Layer& layer = m_layers[i];
        if (shape.inputValues() > 0)
            layer.inputs = at::empty({shape.inputs, shape.channels}, m_options);
        if (shape.stateValues() > 0)
            layer.state = at::empty({shape.state_heads, shape.key_dim, shape.value_dim},
                                    m_options.dtype(at::kFloat));
        if (m_options.device().is_cpu() && m_options.dtype() == at::kFloat) {
            layer.input_data = layer.inputs.defined() ? layer.inputs.data_ptr<float>() : nullptr;
            layer.state_data = layer.state.defined() ? layer.state.data_ptr<float>() : nullptr;
        }
    }
    clear();
}

void KvCache::clear()
{
    m_length = 0;
    for (Layer& layer : m_layers) {
        setToZero(layer.inputs);
        setToZero(layer.state);
    }
}

std::int64_t KvCache::bytes() const
{
    std::int64_t bytes = 0;
    for (const Layer& layer : m_layers) {
        bytes += bytesIn(layer.keys) + bytesIn(layer.values) + bytesIn(layer.inputs)
            + bytesIn(layer.state);
    }
    return bytes;
}

void KvCache::reserve(std::int64_t positions)
{
    if (positions <= m_capacity)
        return;
    m_capacity = std::max(positions, 2 * m_capacity);
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        if (m_shape[i].keysAndValues() == 0)
            continue;
        Layer& layer = m_layers[i];
        layer.keys = grown(layer.keys, m_shape[i].kv_heads, m_shape[i].head_dim);
        layer.values = grown(layer.values, m_shape[i].kv_heads, m_shape[i].v_head_dim);
        if (m_options.device().is_cpu()) {
            layer.key_data = layer.keys.data_ptr<float>();
            layer.value_data = layer.values.data_ptr<float>();
        }
    }
}

at::Tensor KvCache::grown(const at::Tensor& old, std::int64_t heads, std::int64_t dimension) const
{
    at::Tensor fresh = at::empty({heads, m_capacity, dimension}, m_options);
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
    // As in setToZero(). Every element is written, so that no page is left to be allocated on its
    // first use.
    const std::int64_t dim = fresh.size(2);
    const std::int64_t kept = m_length * dim;
    const std::int64_t oldRow = m_length > 0 ? old.size(1) * dim : 0;
    const std::int64_t freshRow = m_capacity * dim;
    float* to = fresh.data_ptr<float>();
    const float* from = m_length > 0 ? old.data_ptr<float>() : nullptr;
    for (std::int64_t head = 0; head < fresh.size(0); ++head, to += freshRow, from += oldRow) {
        if (kept > 0)
            std::copy_n(from, kept, to);
        std::fill_n(to + kept, freshRow - kept, 0.0F);
    }
}

} // namespace ep::model
