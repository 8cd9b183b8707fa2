// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes of the engine's numbers, and of what it keeps for each position and sequence.
#include "cache_shape.h"

#include "ep/model/analytic.h"

namespace ep::model {

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
