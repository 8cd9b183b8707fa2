// SPDX-License-Identifier: GPL-3.0-or-later
#include "cache_shape.h"

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

} // namespace ep::model
