// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"

#include "engine/kernels/block_layouts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace ep::model {
namespace {

constexpr float kLargestHalf = 65504.0F;

// The nearest f16, of two equally near ones the even one.
std::uint16_t halfOf(float value)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
    const float magnitude = std::min(std::abs(value), kLargestHalf);
    if (magnitude == 0.0F)
        return sign;
    // Below the normal halves the step is 2^-24, above it is 2^-10 of the power of two.
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int step = std::max(exponent - 11, -24);
    const auto whole = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, -step)));
    const std::uint32_t half =
        step == -24 ? whole : whole + (static_cast<std::uint32_t>(step + 24) << 10U);
    return static_cast<std::uint16_t>(sign | half);
}

float valueOf(std::uint16_t half)
{
    const int exponent = half >> 10 & 31;
    const auto fraction = static_cast<float>(half & 1023);
    const float magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024.0F + fraction, exponent - 25);
    return half & 0x8000 ? -magnitude : magnitude;
}

int nearest(float value, int least, int most)
{
    return static_cast<int>(
        std::clamp(std::nearbyint(value), static_cast<float>(least), static_cast<float>(most)));
}

float inverse(float value)
{
    return value == 0.0F ? 0.0F : 1.0F / value;
}

BlockQ8_0 toQ8_0(const float* x)
{
    float largest = 0.0F;
    for (int i = 0; i < kGroup; ++i)
        largest = std::max(largest, std::abs(x[i]));
    BlockQ8_0 block{};
    block.d = halfOf(largest / 127.0F);
    const float factor = inverse(valueOf(block.d));
    for (int i = 0; i < kGroup; ++i)
        block.q[i] = static_cast<std::int8_t>(nearest(x[i] * factor, -127, 127));
    return block;
}

// The value of the largest magnitude becomes -8, which has no positive counterpart.
BlockQ4_0 toQ4_0(const float* x)
{
    const float extreme = *std::max_element(
        x, x + kGroup, [](float a, float b) { return std::abs(a) < std::abs(b); });
    BlockQ4_0 block{};
    block.d = halfOf(extreme / -8.0F);
    const float factor = inverse(valueOf(block.d));
    const auto number = [&](int i) { return nearest(x[i] * factor, -8, 7) + 8; };
    for (int i = 0; i < kGroup / 2; ++i)
        block.q[i] = static_cast<std::uint8_t>(number(i) | number(i + kGroup / 2) << 4);
    return block;
}

struct Range {
    float scale = 0.0F;
    float minimum = 0.0F; // subtracted, not below zero
};

// The scale and minimum with the smallest sum of squared errors among some that end a little inside
// or outside of the values.
Range bestRange(const float* x)
{
    constexpr int kMost = 15;
    const auto [low, high] = std::minmax_element(x, x + kGroup);
    Range best;
    best.minimum = std::max(0.0F, -*low);
    const float width = std::max(0.0F, *high) + best.minimum;
    float least = INFINITY;
    for (int step = -4; step <= 4; ++step) {
        const float scale = width / (static_cast<float>(kMost) + 0.25F * static_cast<float>(step));
        const float factor = inverse(scale);
        float error = 0.0F;
        for (int i = 0; i < kGroup; ++i) {
            const auto q = static_cast<float>(nearest((x[i] + best.minimum) * factor, 0, kMost));
            const float off = scale * q - best.minimum - x[i];
            error += off * off;
        }
        if (error < least) {
            least = error;
            best.scale = scale;
        }
    }
    return best;
}

BlockQ4_K toQ4_K(const float* x)
{
    constexpr int kGroups = kLargeBlock / kGroup;
    constexpr int kMostScale = 63;
    std::array<Range, kGroups> ranges;
    Range largest;
    for (std::size_t g = 0; g < kGroups; ++g) {
        ranges[g] = bestRange(x + g * kGroup);
        largest.scale = std::max(largest.scale, ranges[g].scale);
        largest.minimum = std::max(largest.minimum, ranges[g].minimum);
    }
    BlockQ4_K block{};
    block.d = halfOf(largest.scale / static_cast<float>(kMostScale));
    block.m = halfOf(largest.minimum / static_cast<float>(kMostScale));
    const float d = valueOf(block.d);
    const float m = valueOf(block.m);
    for (std::size_t g = 0; g < kGroups; ++g) {
        const int scale = nearest(ranges[g].scale * inverse(d), 0, kMostScale);
        const int minimum = nearest(ranges[g].minimum * inverse(m), 0, kMostScale);
        if (g < 4) {
            block.scales[g] = static_cast<std::uint8_t>(block.scales[g] | scale);
            block.scales[g + 4] = static_cast<std::uint8_t>(block.scales[g + 4] | minimum);
        } else {
            block.scales[g + 4] = static_cast<std::uint8_t>((scale & 15) | (minimum & 15) << 4);
            block.scales[g - 4] =
                static_cast<std::uint8_t>(block.scales[g - 4] | (scale >> 4) << 6);
            block.scales[g] = static_cast<std::uint8_t>(block.scales[g] | (minimum >> 4) << 6);
        }
        const float factor = inverse(d * static_cast<float>(scale));
        const float offset = m * static_cast<float>(minimum);
        for (std::size_t i = 0; i < kGroup; ++i) {
            const int q = nearest((x[g * kGroup + i] + offset) * factor, 0, 15);
            std::uint8_t& byte = block.q[g / 2 * kGroup + i];
            byte = static_cast<std::uint8_t>(byte | (g % 2 == 0 ? q : q << 4));
        }
    }
    return block;
}

template <typename Block, typename Make>
void fillBlocks(const float* x, std::int64_t count, std::int64_t size, std::byte* out,
                const Make& make)
{
    for (std::int64_t i = 0; i < count; i += size) {
        const Block block = make(x + i);
        std::memcpy(out, &block, sizeof block);
        out += sizeof block;
    }
}

} // namespace

bool fitsBlocks(DType dtype, std::int64_t columns)
{
    return columns % (isMlx(dtype) ? kMlxGroup : rowOf(dtype).block) == 0;
}

void quantizeToBlocks(DType dtype, const float* x, std::int64_t count, std::byte* out)
{
    if (dtype == DType::Q8_0)
        fillBlocks<BlockQ8_0>(x, count, kGroup, out, toQ8_0);
    else if (dtype == DType::Q4_0)
        fillBlocks<BlockQ4_0>(x, count, kGroup, out, toQ4_0);
    else
        fillBlocks<BlockQ4_K>(x, count, kLargeBlock, out, toQ4_K);
}

void quantizeToMlx4(const float* x, std::int64_t count, std::byte* packed, std::uint16_t* scales,
                    std::uint16_t* biases)
{
    constexpr float kSteps = 15.0F;
    constexpr float kLeast = 1e-7F;
    for (std::int64_t group = 0; group < count / kMlxGroup; ++group) {
        const float* const values = x + group * kMlxGroup;
        const auto [low, high] = std::minmax_element(values, values + kMlxGroup);
        // The end with the larger magnitude is exact: it is the bias, or a multiple of the scale.
        const bool fromLow = std::abs(*low) > std::abs(*high);
        const float edge = fromLow ? *low : *high;
        float scale = std::max((*high - *low) / kSteps, kLeast) * (fromLow ? 1.0F : -1.0F);
        const float steps = std::nearbyint(edge / scale);
        if (steps != 0.0F)
            scale = edge / steps;
        scales[group] = halfOf(scale);
        biases[group] = halfOf(steps == 0.0F ? 0.0F : edge);
        const float factor = inverse(valueOf(scales[group]));
        const float bias = valueOf(biases[group]);
        for (std::int64_t i = 0; i < kMlxGroup; i += 2) {
            const int first = nearest((values[i] - bias) * factor, 0, 15);
            const int second = nearest((values[i + 1] - bias) * factor, 0, 15);
            *packed++ = static_cast<std::byte>(first | second << 4);
        }
    }
}

} // namespace ep::model
