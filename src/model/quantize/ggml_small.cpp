// SPDX-License-Identifier: GPL-3.0-or-later
// The quantizers of llama.cpp for blocks of 32 and 64 values.
#include "engine/kernels/block_layouts.h"
#include "engine/kernels/codebooks.h"
#include "number_bits.h"
#include "quantize/ggml_blocks.h"
#include "quantize/rounding.h"

#include <array>
#include <cmath>

namespace ep::model {
namespace {

struct Ends {
    float least, most;
};

Ends endsOf(const float* x)
{
    const auto [least, most] = std::minmax_element(x, x + kGroup);
    return {*least, *most};
}

// Rounds towards zero, limited to `most`.
int cut(float value, int most)
{
    return std::min(most, static_cast<int>(value));
}

template <typename Number>
void setHalves(std::uint8_t (&q)[kGroup / 2], const Number& number)
{
    for (int i = 0; i < kGroup / 2; ++i)
        q[i] = static_cast<std::uint8_t>((number(i) & 15) | (number(i + kGroup / 2) & 15) << 4);
}

template <typename Number>
void setFifthBits(std::uint8_t (&high)[kGroup / 8], const Number& number)
{
    for (int i = 0; i < kGroup; ++i)
        high[i / 8] = static_cast<std::uint8_t>(high[i / 8] | (number(i) >> 4 & 1) << i % 8);
}

// Twice the E2M1 number whose multiple is nearest; the first one for ties.
int nearestE2M1(float value, float factor)
{
    int best = 0;
    float least = std::abs(static_cast<float>(kE2M1Doubled[0]) * factor - value);
    for (int i = 1; i < 16; ++i) {
        const float error = std::abs(static_cast<float>(kE2M1Doubled[i]) * factor - value);
        if (error < least) {
            least = error;
            best = i;
        }
    }
    return best;
}

// A non-negative E4M3 number, rounded like ggml: ties go to the larger one.
std::uint8_t toScaleE4M3(float value)
{
    constexpr std::uint8_t kMax = 0x7E;
    if (!(value > 0.0F))
        return 0;
    const float clipped = std::min(value, 448.0F);
    const auto bits = std::bit_cast<std::uint32_t>(clipped);
    int exponent = static_cast<int>(bits >> 23U & 255U) - 127 + 7;
    if (exponent <= 0)
        return static_cast<std::uint8_t>(std::min(7, static_cast<int>(clipped * 512.0F + 0.5F)));
    if (exponent >= 15)
        return kMax;
    int fraction = static_cast<int>((bits >> 20U & 7U) + (bits >> 19U & 1U));
    if (fraction > 7) {
        fraction = 0;
        ++exponent;
    }
    return exponent >= 15 ? kMax : static_cast<std::uint8_t>(exponent << 3 | fraction);
}

} // namespace

BlockQ8_0 toQ8_0(const float* x)
{
    BlockQ8_0 block{};
    const float d = std::abs(extreme(x, kGroup)) / 127.0F;
    const float factor = inverse(d);
    block.d = halfOf(d);
    for (int i = 0; i < kGroup; ++i)
        block.q[i] = static_cast<std::int8_t>(std::round(x[i] * factor));
    return block;
}

// The value of largest magnitude becomes the number that has no positive counterpart.
BlockQ4_0 toQ4_0(const float* x)
{
    BlockQ4_0 block{};
    const float d = extreme(x, kGroup) / -8.0F;
    const float factor = inverse(d);
    block.d = halfOf(d);
    setHalves(block.q, [&](int i) { return cut(x[i] * factor + 8.5F, 15); });
    return block;
}

BlockQ4_1 toQ4_1(const float* x)
{
    BlockQ4_1 block{};
    const Ends ends = endsOf(x);
    const float d = (ends.most - ends.least) / 15.0F;
    const float factor = inverse(d);
    block.d = halfOf(d);
    block.m = halfOf(ends.least);
    setHalves(block.q, [&](int i) { return cut((x[i] - ends.least) * factor + 0.5F, 15); });
    return block;
}

BlockQ5_0 toQ5_0(const float* x)
{
    BlockQ5_0 block{};
    const float d = extreme(x, kGroup) / -16.0F;
    const float factor = inverse(d);
    block.d = halfOf(d);
    const auto number = [&](int i) { return cut(x[i] * factor + 16.5F, 31); };
    setHalves(block.q, number);
    setFifthBits(block.high, number);
    return block;
}

BlockQ5_1 toQ5_1(const float* x)
{
    BlockQ5_1 block{};
    const Ends ends = endsOf(x);
    const float d = (ends.most - ends.least) / 31.0F;
    const float factor = inverse(d);
    block.d = halfOf(d);
    block.m = halfOf(ends.least);
    const auto number = [&](int i) {
        return static_cast<int>((x[i] - ends.least) * factor + 0.5F);
    };
    setHalves(block.q, number);
    setFifthBits(block.high, number);
    return block;
}

// The scale of a group for IQ4_NL and IQ4_XS: tries fifteen that map the extreme value near the
// codebook's first number, and returns the one with the smallest error, in which large values
// count more.
float nonLinearScale(const float* x)
{
    constexpr int kTries = 7;
    const float most = extreme(x, kGroup);
    float scale = 0.0F;
    if (std::abs(most) < kMinMagnitude)
        return scale;
    float best = 0.0F;
    const auto attempt = [&](float factor, bool first) {
        float products = 0.0F;
        float squares = 0.0F;
        for (int i = 0; i < kGroup; ++i) {
            const auto q = static_cast<float>(kNonLinear[nearestIn(kNonLinear, factor * x[i])]);
            const float weight = x[i] * x[i];
            products += weight * q * x[i];
            squares += weight * q * q;
        }
        if (first || (squares > 0.0F && products * products > best * squares)) {
            scale = products / squares;
            best = scale * products;
        }
    };
    constexpr auto kFirst = static_cast<float>(kNonLinear[0]);
    attempt(1.0F / (-most / kFirst), true);
    for (int step = -kTries; step <= kTries; ++step)
        attempt((static_cast<float>(step) + kFirst) / most, false);
    return scale;
}

BlockIQ4_NL toIQ4_NL(const float* x)
{
    BlockIQ4_NL block{};
    const float scale = nonLinearScale(x);
    block.d = halfOf(scale);
    const float factor = inverse(scale);
    setHalves(block.q, [&](int i) { return nearestIn(kNonLinear, factor * x[i]); });
    return block;
}

// The scales of the groups are rounded to 6 bits, relative to the largest.
BlockIQ4_XS toIQ4_XS(const float* x)
{
    constexpr int kGroups = kLargeBlock / kGroup;
    constexpr int kMiddle = 32;
    std::array<float, kGroups> scales{};
    for (std::size_t group = 0; group < kGroups; ++group)
        scales[group] = nonLinearScale(x + group * kGroup);
    const float d = -extreme(scales.data(), kGroups) / static_cast<float>(kMiddle);
    const float factor = inverse(d);
    BlockIQ4_XS block{};
    block.d = halfOf(d);
    for (std::size_t group = 0; group < kGroups; ++group) {
        const int scale = std::clamp(nearestEven(factor * scales[group]), -kMiddle, kMiddle - 1);
        const int bits = scale + kMiddle;
        block.low[group / 2] =
            static_cast<std::uint8_t>(block.low[group / 2] | (bits & 15) << 4 * (group % 2));
        block.high = static_cast<std::uint16_t>(block.high | (bits >> 4) << 2 * group);
        const float ofGroup = inverse(d * static_cast<float>(scale));
        std::uint8_t q[kGroup / 2]{};
        setHalves(q, [&](int i) {
            return nearestIn(kNonLinear, ofGroup * x[group * kGroup + static_cast<std::size_t>(i)]);
        });
        std::copy(q, q + kGroup / 2, block.q + group * kGroup / 2);
    }
    return block;
}

BlockMXFP4 toMXFP4(const float* x)
{
    BlockMXFP4 block{};
    const float most = std::abs(extreme(x, kGroup));
    const int e = most > 0.0F ? static_cast<int>(std::floor(std::log2(most))) - 2 + 127 : 0;
    block.e = static_cast<std::uint8_t>(e);
    const float factor = std::ldexp(1.0F, block.e - 128);
    setHalves(block.q, [&](int i) { return nearestE2M1(x[i], factor); });
    return block;
}

BlockNVFP4 toNVFP4(const float* x)
{
    BlockNVFP4 block{};
    for (int part = 0; part < 4; ++part) {
        const float* const values = x + 16 * part;
        block.scales[part] = toScaleE4M3(std::abs(extreme(values, 16)) / 6.0F);
        const float factor = valueOfE4M3(block.scales[part]) * 0.5F;
        for (int i = 0; i < 8; ++i) {
            block.q[part][i] = static_cast<std::uint8_t>(nearestE2M1(values[i], factor)
                                                         | nearestE2M1(values[i + 8], factor) << 4);
        }
    }
    return block;
}

} // namespace ep::model
