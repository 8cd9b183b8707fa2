// SPDX-License-Identifier: GPL-3.0-or-later
#include "rope.h"

#include "families/family.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ep::model {
namespace {

using Kind = RopeScaling::Kind;

// theta^(2i / dimensions). Here and below, computed in f32 with the same steps as HuggingFace: at
// distant positions, rounding a frequency affects the logits.
float waveOf(float theta, int i, int dimensions)
{
    return std::pow(theta, static_cast<float>(i) / static_cast<float>(dimensions));
}

// Llama 3: long waves are stretched by the factor, short ones kept, intermediate ones blended.
float llama3Frequency(float frequency, const RopeScaling& scaling)
{
    const float waveLength = static_cast<float>(2.0 * std::numbers::pi) / frequency;
    const double original = scaling.original_max_position_embeddings;
    const auto factor = static_cast<float>(scaling.factor);
    const auto low = static_cast<float>(scaling.low_freq_factor);
    const auto shortest = static_cast<float>(original / scaling.high_freq_factor);
    if (waveLength < shortest)
        return frequency;
    if (waveLength > static_cast<float>(original / scaling.low_freq_factor))
        return frequency / factor;
    const float smooth = (static_cast<float>(original) / waveLength - low)
        / static_cast<float>(scaling.high_freq_factor - scaling.low_freq_factor);
    return (1.0F - smooth) * frequency / factor + smooth * frequency;
}

// YaRN (arXiv:2309.00071): the dimension whose wave fits `rotations` times into the original
// context.
double yarnDimension(double rotations, const RopeSettings& settings, int dimensions)
{
    const double original = settings.scaling.original_max_position_embeddings;
    return dimensions * std::log(original / (rotations * 2.0 * std::numbers::pi))
        / (2.0 * std::log(settings.theta));
}

// Dimensions below `low` keep their frequency, those above `high` are stretched, intermediate ones
// are blended.
std::vector<float> yarnFrequencies(const RopeSettings& settings, int dimensions)
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
    const auto theta = static_cast<float>(settings.theta);
    std::vector<float> frequencies;
    for (int i = 0; i < dimensions; i += 2) {
        const float wave = waveOf(theta, i, dimensions);
        const float ramp = std::clamp((static_cast<float>(i / 2) - static_cast<float>(low))
                                          / static_cast<float>(high - low),
                                      0.0F, 1.0F);
        const float kept = 1.0F - ramp;
        const float stretched = 1.0F / (static_cast<float>(scaling.factor) * wave);
        frequencies.push_back(stretched * (1.0F - kept) + 1.0F / wave * kept);
    }
    return frequencies;
}

std::vector<float> scaledFrequencies(const RopeSettings& settings, int dimensions,
                                     const std::vector<double>& factors)
{
    const RopeScaling& scaling = settings.scaling;
    if (scaling.kind == Kind::Yarn)
        return yarnFrequencies(settings, dimensions);
    const auto theta = static_cast<float>(settings.theta);
    std::vector<float> frequencies;
    for (int i = 0; i < dimensions; i += 2) {
        const float wave = waveOf(theta, i, dimensions);
        float frequency = 1.0F / wave;
        if (scaling.kind == Kind::Proportional
            && i / 2 >= static_cast<int>(scaling.share * dimensions / 2))
            frequency = 0.0F;
        if (scaling.kind == Kind::Linear || scaling.kind == Kind::Proportional)
            frequency /= static_cast<float>(scaling.factor);
        else if (scaling.kind == Kind::Llama3)
            frequency = llama3Frequency(frequency, scaling);
        else if (scaling.kind == Kind::Longrope)
            frequency =
                1.0F / (static_cast<float>(factors[static_cast<std::size_t>(i / 2)]) * wave);
        frequencies.push_back(frequency);
    }
    return frequencies;
}

} // namespace

Rope::Rope(const ModelConfig& config, const RopeSettings& settings, int dimensions)
    : m_settings(settings)
    , m_dimensions(dimensions == 0 ? config.rotaryDim() : dimensions)
    , m_original(settings.scaling.original_max_position_embeddings)
    , m_attentionFactor(static_cast<float>(settings.scaling.attention_factor))
    , m_recomputes(settings.scaling.kind == Kind::Longrope
                   && familyOfType(config.model_type).defaults.recomputes_longrope)
    , m_short(scaledFrequencies(settings, m_dimensions, settings.scaling.short_factor))
{
    if (settings.scaling.kind == Kind::Longrope)
        m_long = scaledFrequencies(settings, m_dimensions, settings.scaling.long_factor);
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
    return m_recomputes && from <= m_original && to > m_original;
}

// Dynamic NTK: the base grows with the length beyond the original context.
std::vector<float> Rope::dynamicFrequencies(std::int64_t length) const
{
    const double factor = m_settings.scaling.factor;
    const float stretch =
        static_cast<float>(factor) * static_cast<float>(length) / static_cast<float>(m_original)
        - static_cast<float>(factor - 1.0);
    const double exponent = static_cast<double>(m_dimensions) / (m_dimensions - 2);
    const float theta =
        static_cast<float>(m_settings.theta) * std::pow(stretch, static_cast<float>(exponent));
    std::vector<float> frequencies;
    for (int i = 0; i < m_dimensions; i += 2)
        frequencies.push_back(1.0F / waveOf(theta, i, m_dimensions));
    return frequencies;
}

void Rope::angles(std::int64_t first, std::int64_t count, float* cosines, float* sines) const
{
    const std::span<const float> turns = frequencies(first + count);
    const double distant = m_settings.scaling.long_attention_factor;
    const float magnitude = distant != 0.0 && first + count > m_original
        ? static_cast<float>(distant)
        : m_attentionFactor;
    for (std::int64_t position = first; position < first + count; ++position) {
        for (const float frequency : turns) {
            const float angle = static_cast<float>(position) * frequency;
            *cosines++ = std::cos(angle) * magnitude;
            *sines++ = std::sin(angle) * magnitude;
        }
    }
}

} // namespace ep::model
