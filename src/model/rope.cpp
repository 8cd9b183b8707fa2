// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"

#include <cmath>
#include <numbers>

namespace ep::model {
namespace {

// Llama 3: long waves are stretched by the factor, short ones kept, those between blended.
double llama3Frequency(double frequency, const RopeScaling& scaling)
{
    const double waveLength = 2.0 * std::numbers::pi / frequency;
    const double original = scaling.original_max_position_embeddings;
    if (waveLength < original / scaling.high_freq_factor)
        return frequency;
    if (waveLength > original / scaling.low_freq_factor)
        return frequency / scaling.factor;
    const double smooth = (original / waveLength - scaling.low_freq_factor)
        / (scaling.high_freq_factor - scaling.low_freq_factor);
    return (1.0 - smooth) * frequency / scaling.factor + smooth * frequency;
}

} // namespace

std::vector<float> inverseFrequencies(const ModelConfig& config)
{
    const int dimensions = config.rotaryDim();
    std::vector<float> frequencies;
    for (int i = 0; i < dimensions; i += 2) {
        double frequency = 1.0 / std::pow(config.rope_theta, static_cast<double>(i) / dimensions);
        if (config.rope_scaling.kind == RopeScaling::Kind::Linear)
            frequency /= config.rope_scaling.factor;
        else if (config.rope_scaling.kind == RopeScaling::Kind::Llama3)
            frequency = llama3Frequency(frequency, config.rope_scaling);
        frequencies.push_back(static_cast<float>(frequency));
    }
    return frequencies;
}

void rotaryAngles(std::span<const float> inverseFrequencies, std::int64_t first, std::int64_t count,
                  float* cosines, float* sines)
{
    for (std::int64_t position = first; position < first + count; ++position) {
        for (const float frequency : inverseFrequencies) {
            const float angle = static_cast<float>(position) * frequency;
            *cosines++ = std::cos(angle);
            *sines++ = std::sin(angle);
        }
    }
}

} // namespace ep::model
