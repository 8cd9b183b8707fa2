// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache_shape.h"

#include "ep/model/analytic.h"

namespace ep::model {

std::int64_t convolvedChannels(const ModelConfig& config, int layer)
{
    switch (config.mixerOf(layer)) {
    case Mixer::DeltaNet:
    case Mixer::Mamba:
    case Mixer::MambaAndAttention:
        return 2 * config.state.keys() + config.state.values();
    case Mixer::ShortConvolution:
        return config.hidden_size;
    case Mixer::Attention:
    case Mixer::None:
        break;
    }
    return 0;
}

std::vector<LayerCacheShape> cacheShape(const ModelConfig& config)
{
    std::vector<LayerCacheShape> layers;
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        LayerCacheShape& shape = layers.emplace_back();
        shape.source = config.cacheSource(layer);
        if (config.attends(layer) && shape.source == layer) {
            shape.kv_heads = config.latent ? 1 : config.kvHeads(layer);
            shape.head_dim = config.latent ? config.latent->keptKeys() : config.headDim(layer);
            shape.v_head_dim = config.latent ? config.latent->rank : config.headDim(layer);
        }
        shape.channels = convolvedChannels(config, layer);
        if (shape.channels == 0)
            continue;
        shape.inputs = config.state.taps - 1;
        if (config.mixerOf(layer) == Mixer::ShortConvolution)
            continue;
        shape.state_heads = config.state.value_heads;
        shape.key_dim = config.state.key_dim;
        shape.value_dim = config.state.value_dim;
    }
    return layers;
}

// Bytes of the engine's numbers, and of what it keeps for each position and sequence.

NumberSizes numberSizes(DType computed, DType stored, bool accelerator)
{
    const auto bytes = [](DType dtype) { return bytesOfNumber(dtype); };
    const bool quantized = computed == DType::Int8 || (inBlocks(computed) && computed != stored);
    const DType plain = quantized ? stored : computed;
    NumberSizes sizes;
    sizes.weight = bytes(computed);
    sizes.embedding = bytes(plain);
    sizes.row_scale = computed == DType::Int8 ? 4.0 : 0.0;
    // An accelerator that dequantizes blocks computes in f16.
    const double other = !accelerator ? 4.0 : inBlocks(plain) ? 2.0 : bytes(plain);
    sizes.vector = other;
    sizes.activation = other;
    sizes.cache = other;
    return sizes;
}

std::int64_t kvBytesPerToken(const ModelConfig& config, const NumberSizes& sizes)
{
    std::int64_t values = 0;
    for (const LayerCacheShape& layer : cacheShape(config))
        values += layer.keysAndValues();
    return values * static_cast<std::int64_t>(sizes.cache);
}

std::int64_t stateBytes(const ModelConfig& config, const NumberSizes& sizes)
{
    std::int64_t bytes = 0;
    for (const LayerCacheShape& layer : cacheShape(config)) {
        bytes += layer.inputValues() * static_cast<std::int64_t>(sizes.cache)
            + layer.stateValues() * static_cast<std::int64_t>(sizeof(float));
    }
    return bytes;
}

} // namespace ep::model
