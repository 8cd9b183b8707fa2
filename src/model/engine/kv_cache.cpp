// SPDX-License-Identifier: GPL-3.0-or-later
#include "kv_cache.h"

#include "ep/model/dtype.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ep::model {
namespace {

// Does not use LibTorch's fill_(), which would start its own threads inside a measured step.
void setToZero(const at::Tensor& tensor)
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

// Copies the first positions of each head: tensors [heads, capacity, width].
void copyPositions(const at::Tensor& from, std::int64_t positions, const at::Tensor& to)
{
    if (!from.defined() || positions == 0)
        return;
    if (!from.is_cpu()) {
        to.narrow(1, 0, positions).copy_(from.narrow(1, 0, positions));
        return;
    }
    const auto bytesOf = [&](std::int64_t count) {
        return static_cast<std::size_t>(count * from.size(2))
            * static_cast<std::size_t>(from.element_size());
    };
    const auto* source = static_cast<const char*>(from.data_ptr());
    auto* target = static_cast<char*>(to.data_ptr());
    for (std::int64_t head = 0; head < from.size(0); ++head) {
        std::memcpy(target, source, bytesOf(positions));
        source += bytesOf(from.size(1));
        target += bytesOf(to.size(1));
    }
}

} // namespace

KvCache::KvCache(std::vector<LayerCacheShape> shape, at::TensorOptions options,
                 std::int64_t capacity, CacheKind kind)
    : m_shape(std::move(shape))
    , m_options(options)
    , m_inBlocks(kind == CacheKind::Q8)
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
    std::int64_t bytes = bytesIn(m_sharedKeys) + bytesIn(m_sharedValues);
    for (const Layer& layer : m_layers) {
        bytes += bytesIn(layer.keys) + bytesIn(layer.values) + bytesIn(layer.inputs)
            + bytesIn(layer.state) + bytesIn(layer.key_blocks) + bytesIn(layer.value_blocks);
    }
    return bytes;
}

void KvCache::reserve(std::int64_t positions)
{
    if (positions <= m_capacity)
        return;
    m_capacity = std::max(positions, 2 * m_capacity);
    if (m_inBlocks)
        return makeSharedRoom();
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

// Allocates the layers' blocks, and a buffer for the numbers of the largest layer.
void KvCache::makeSharedRoom()
{
    const at::TensorOptions bytes = m_options.dtype(at::kByte);
    std::int64_t keys = 0;
    std::int64_t values = 0;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const LayerCacheShape& shape = m_shape[i];
        if (shape.keysAndValues() == 0)
            continue;
        const auto grow = [&](at::Tensor& blocks, std::int64_t dimension) {
            const at::Tensor old = blocks;
            blocks =
                at::empty({shape.kv_heads, m_capacity, bytesOf(DType::Q8_0, dimension)}, bytes);
            std::memset(blocks.data_ptr(), 0, blocks.nbytes());
            copyPositions(old, m_length, blocks);
        };
        grow(m_layers[i].key_blocks, shape.head_dim);
        grow(m_layers[i].value_blocks, shape.v_head_dim);
        keys = std::max(keys, shape.kv_heads * shape.head_dim);
        values = std::max(values, shape.kv_heads * shape.v_head_dim);
    }
    m_sharedKeys = at::empty({keys * m_capacity}, m_options);
    m_sharedValues = at::empty({values * m_capacity}, m_options);
    setToZero(m_sharedKeys);
    setToZero(m_sharedValues);
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        if (m_shape[i].keysAndValues() == 0)
            continue;
        m_layers[i].key_data = m_sharedKeys.data_ptr<float>();
        m_layers[i].value_data = m_sharedValues.data_ptr<float>();
    }
}

void KvCache::takePrefix(const KvCache& other, std::int64_t positions)
{
    reserve(positions);
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        copyPositions(other.m_layers[i].keys, positions, m_layers[i].keys);
        copyPositions(other.m_layers[i].values, positions, m_layers[i].values);
        copyPositions(other.m_layers[i].key_blocks, positions, m_layers[i].key_blocks);
        copyPositions(other.m_layers[i].value_blocks, positions, m_layers[i].value_blocks);
    }
    m_length = positions;
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
    // Does without fill_(), like setToZero(). Writes every element, so that no page has to be
    // allocated on first use.
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
