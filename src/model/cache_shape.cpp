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
        if (config.attends(layer)) {
            shape.kv_heads = config.num_key_value_heads;
            shape.head_dim = config.head_dim;
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
