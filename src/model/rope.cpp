// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ep::model {
namespace {

using Kind = RopeScaling::Kind;

// theta^(-2i / dimensions)
double plainFrequency(double theta, int i, int dimensions)
{
    return 1.0 / std::pow(theta, static_cast<double>(i) / dimensions);
}

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

// YaRN (arXiv:2309.00071): the dimension whose wave fits `rotations` times into the original
// context.
double yarnDimension(double rotations, const RopeSettings& settings, int dimensions)
{
    const double original = settings.scaling.original_max_position_embeddings;
    return dimensions * std::log(original / (rotations * 2.0 * std::numbers::pi))
        / (2.0 * std::log(settings.theta));
}

// Dimensions below `low` keep their frequency, those above `high` are stretched, those between
// blended.
std::vector<double> yarnFrequencies(const RopeSettings& settings, int dimensions)
{
    const RopeScaling& scaling = settings.scaling;
    double low = yarnDimension(scaling.beta_fast, settings, dimensions);
    double high = yarnDimension(scaling.beta_slow, settings, dimensions);
    if (scaling.truncate) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(dimensions - 1));
    if (low == high)
        high += 0.001;
    std::vector<double> frequencies;
    for (int i = 0; i < dimensions; i += 2) {
        const double kept = plainFrequency(settings.theta, i, dimensions);
        const double ramp = std::clamp((i / 2 - low) / (high - low), 0.0, 1.0);
        frequencies.push_back(kept / scaling.factor * ramp + kept * (1.0 - ramp));
    }
    return frequencies;
}

std::vector<double> scaledFrequencies(const RopeSettings& settings, int dimensions,
                                      const std::vector<double>& factors)
{
    const RopeScaling& scaling = settings.scaling;
    if (scaling.kind == Kind::Yarn)
        return yarnFrequencies(settings, dimensions);
    std::vector<double> frequencies;
    for (int i = 0; i < dimensions; i += 2) {
        double frequency = plainFrequency(settings.theta, i, dimensions);
        if (scaling.kind == Kind::Linear)
            frequency /= scaling.factor;
        else if (scaling.kind == Kind::Llama3)
            frequency = llama3Frequency(frequency, scaling);
        else if (scaling.kind == Kind::Longrope)
            frequency /= factors[static_cast<std::size_t>(i / 2)];
        frequencies.push_back(frequency);
    }
    return frequencies;
}

std::vector<float> rounded(const std::vector<double>& values)
{
    std::vector<float> result;
    for (const double value : values)
        result.push_back(static_cast<float>(value));
    return result;
}

} // namespace

Rope::Rope(const ModelConfig& config, const RopeSettings& settings)
    : m_settings(settings)
    , m_dimensions(config.rotaryDim())
    , m_original(settings.scaling.original_max_position_embeddings)
    , m_attentionFactor(static_cast<float>(settings.scaling.attention_factor))
    , m_short(rounded(scaledFrequencies(settings, m_dimensions, settings.scaling.short_factor)))
{
    if (settings.scaling.kind == Kind::Longrope)
        m_long = rounded(scaledFrequencies(settings, m_dimensions, settings.scaling.long_factor));
}

std::span<const float> Rope::frequencies(std::int64_t length) const
{
    const Kind kind = m_settings.scaling.kind;
    if (kind == Kind::Longrope && length > m_original)
        return m_long;
    if (kind != Kind::Dynamic || length <= m_original)
        return m_short;
    if (m_dynamicLength != length) {
        m_dynamic = dynamicFrequencies(length);
        m_dynamicLength = length;
    }
    return m_dynamic;
}

bool Rope::startsAnew(std::int64_t from, std::int64_t to) const
{
    return m_settings.scaling.kind == Kind::Longrope && from <= m_original && to > m_original;
}

// Dynamic NTK: the base grows with the length beyond the original context.
std::vector<float> Rope::dynamicFrequencies(std::int64_t length) const
{
    const double factor = m_settings.scaling.factor;
    const double stretch =
        factor * static_cast<double>(length) / static_cast<double>(m_original) - (factor - 1.0);
    const double exponent = static_cast<double>(m_dimensions) / (m_dimensions - 2);
    const double theta = m_settings.theta * std::pow(stretch, exponent);
    std::vector<double> frequencies;
    for (int i = 0; i < m_dimensions; i += 2)
        frequencies.push_back(plainFrequency(theta, i, m_dimensions));
    return rounded(frequencies);
}

void Rope::angles(std::int64_t first, std::int64_t count, float* cosines, float* sines) const
{
    const std::span<const float> turns = frequencies(first + count);
    for (std::int64_t position = first; position < first + count; ++position) {
        for (const float frequency : turns) {
            const float angle = static_cast<float>(position) * frequency;
            *cosines++ = std::cos(angle) * m_attentionFactor;
            *sines++ = std::sin(angle) * m_attentionFactor;
        }
    }
}

} // namespace ep::model
