// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantize/ggml_blocks.h"

#include "engine/kernels/codebooks.h"
#include "number_bits.h"

#include <array>

namespace ep::model {
namespace {

using BlockNumbers = std::array<int, kLargeBlock>; // numbers of a block

// How a scale and a minimum are searched for: `steps` + 1 scales are tried, whose largest numbers
// are `step` apart.
struct ScaleSearch {
    int most = 0; // numbers are between 0 and `most`
    float first = 0.0F;
    float step = 0.1F;
    int steps = 0;
    bool magnitudes = false; // weighs errors by magnitude instead of square
};

struct ScaleRange {
    float scale = 0.0F;
    float minimum = 0.0F; // subtracted; not negative
};

// Tries several scales, fits a scale and a minimum to the numbers that each of them yields, by
// least squares, and returns those with the smallest weighted error.
ScaleRange bestRange(const float* x, const float* weights, int count, const ScaleSearch& search)
{
    float least = x[0];
    float most = x[0];
    float sumW = weights[0];
    float sumX = sumW * x[0];
    for (int i = 1; i < count; ++i) {
        least = std::min(least, x[i]);
        most = std::max(most, x[i]);
        sumW += weights[i];
        sumX += weights[i] * x[i];
    }
    least = std::min(least, 0.0F);
    if (most == least)
        return {.scale = 0.0F, .minimum = -least};
    const auto top = static_cast<float>(search.most);
    const auto numberOf = [&](int i, float factor) {
        return static_cast<float>(std::clamp(nearestEven(factor * (x[i] - least)), 0, search.most));
    };
    const auto errorOf = [&](float scale, float minimum, const auto& number) {
        float error = 0.0F;
        for (int i = 0; i < count; ++i) {
            const float off = scale * number(i) + minimum - x[i];
            error += weights[i] * (search.magnitudes ? std::abs(off) : off * off);
        }
        return error;
    };
    const float first = top / (most - least);
    float scale = 1.0F / first;
    float minimum = least;
    float best = errorOf(scale, minimum, [&](int i) { return numberOf(i, first); });
    std::array<float, 32> numbers{};
    for (int step = 0; step <= search.steps; ++step) {
        const float factor =
            (search.first + search.step * static_cast<float>(step) + top) / (most - minimum);
        float sumL = 0.0F;
        float sumL2 = 0.0F;
        float sumXL = 0.0F;
        for (int i = 0; i < count; ++i) {
            // The next try starts from the best minimum so far.
            const auto l = static_cast<float>(
                std::clamp(nearestEven(factor * (x[i] - minimum)), 0, search.most));
            numbers[static_cast<std::size_t>(i)] = l;
            sumL += weights[i] * l;
            sumL2 += weights[i] * l * l;
            sumXL += weights[i] * l * x[i];
        }
        const float determinant = sumW * sumL2 - sumL * sumL;
        if (!(determinant > 0.0F))
            continue;
        float newScale = (sumW * sumXL - sumX * sumL) / determinant;
        float newMinimum = (sumL2 * sumX - sumL * sumXL) / determinant;
        if (newMinimum > 0.0F) {
            newMinimum = 0.0F;
            newScale = sumXL / sumL2;
        }
        const float error = errorOf(newScale, newMinimum,
                                    [&](int i) { return numbers[static_cast<std::size_t>(i)]; });
        if (error < best) {
            best = error;
            scale = newScale;
            minimum = newMinimum;
        }
    }
    return {.scale = scale, .minimum = -minimum};
}

template <std::size_t kCount>
ScaleRange largestOf(const std::array<ScaleRange, kCount>& ranges)
{
    ScaleRange largest;
    for (const ScaleRange& range : ranges) {
        largest.scale = std::max(largest.scale, range.scale);
        largest.minimum = std::max(largest.minimum, range.minimum);
    }
    return largest;
}

// --- Q4_K, Q5_K, Q2_K ----------------------------------------------------------------------------

// Computes the scales and minima of 8 groups, and the numbers.
template <typename Block>
BlockNumbers withSixBits(const float* x, const ScaleSearch& search, Block& block)
{
    constexpr int kGroups = kLargeBlock / kGroup;
    constexpr float kMax = 63.0F;
    std::array<ScaleRange, kGroups> ranges;
    for (std::size_t g = 0; g < kGroups; ++g) {
        const float* const values = x + g * kGroup;
        float squares = 0.0F;
        for (int i = 0; i < kGroup; ++i)
            squares += values[i] * values[i];
        const float mean = std::sqrt(squares / static_cast<float>(kGroup));
        std::array<float, kGroup> weights{};
        for (std::size_t i = 0; i < kGroup; ++i)
            weights[i] = mean + std::abs(values[i]);
        ranges[g] = bestRange(values, weights.data(), kGroup, search);
    }
    const ScaleRange largest = largestOf(ranges);
    const float ofScales = largest.scale > 0.0F ? kMax / largest.scale : 0.0F;
    const float ofMinima = largest.minimum > 0.0F ? kMax / largest.minimum : 0.0F;
    block.d = halfOf(largest.scale / kMax);
    block.m = halfOf(largest.minimum / kMax);
    const float d = valueOfHalf(block.d);
    const float m = valueOfHalf(block.m);
    BlockNumbers numbers{};
    for (std::size_t g = 0; g < kGroups; ++g) {
        const int scale = std::min(63, nearestEven(ofScales * ranges[g].scale));
        const int minimum = std::min(63, nearestEven(ofMinima * ranges[g].minimum));
        const auto set = [&](std::size_t byte, int bits) {
            block.scales[byte] = static_cast<std::uint8_t>(block.scales[byte] | bits);
        };
        if (g < 4) {
            set(g, scale);
            set(g + 4, minimum);
        } else {
            set(g + 4, (scale & 15) | (minimum & 15) << 4);
            set(g - 4, (scale >> 4) << 6);
            set(g, (minimum >> 4) << 6);
        }
        const float factor = d * static_cast<float>(scale);
        const float offset = m * static_cast<float>(minimum);
        for (std::size_t i = g * kGroup; i < (g + 1) * kGroup; ++i) {
            numbers[i] = factor == 0.0F
                ? 0
                : std::clamp(nearestEven((x[i] + offset) / factor), 0, search.most);
        }
    }
    return numbers;
}

// Stores the low four bits of two groups in 32 bytes.
void setPairs(const BlockNumbers& numbers, std::uint8_t (&q)[kLargeBlock / 2])
{
    for (std::size_t i = 0; i < kLargeBlock / 2; ++i) {
        const std::size_t at = i / kGroup * 2 * kGroup + i % kGroup;
        q[i] = static_cast<std::uint8_t>((numbers[at] & 15) | (numbers[at + kGroup] & 15) << 4);
    }
}

// Stores two bits of four groups in 32 bytes.
void setTwoBits(const BlockNumbers& numbers, int shift, std::uint8_t (&q)[kLargeBlock / 4])
{
    for (std::size_t i = 0; i < kLargeBlock; ++i) {
        std::uint8_t& byte = q[i / 128 * kGroup + i % kGroup];
        const int bits = (numbers[i] >> shift & 3) << 2 * (i / kGroup % 4);
        byte = static_cast<std::uint8_t>(byte | bits);
    }
}

// --- Q6_K, Q3_K ----------------------------------------------------------------------------------

// The scale with the smallest error for 16 values as numbers from -32 to 31, weighted by the
// squares of the values.
float scaleOfSixBits(const float* x)
{
    constexpr int kMax = 32;
    constexpr int kCount = 16;
    const float top = extreme(x, kCount);
    if (std::abs(top) < kMinMagnitude)
        return 0.0F;
    float scale = 0.0F;
    float best = 0.0F;
    const auto attempt = [&](float factor, bool first) {
        float products = 0.0F;
        float squares = 0.0F;
        for (int i = 0; i < kCount; ++i) {
            const auto l =
                static_cast<float>(std::clamp(nearestEven(factor * x[i]), -kMax, kMax - 1));
            const float weight = x[i] * x[i];
            products += weight * x[i] * l;
            squares += weight * l * l;
        }
        if (first || (squares > 0.0F && products * products > best * squares)) {
            scale = squares != 0.0F ? products / squares : 0.0F;
            best = scale * products;
        }
    };
    attempt(-static_cast<float>(kMax) / top, true);
    for (int step = -9; step <= 9; ++step) {
        if (step != 0)
            attempt(-(static_cast<float>(kMax) + 0.1F * static_cast<float>(step)) / top, false);
    }
    return scale;
}

// Finds the scale for numbers from -4 to 3, some of which are changed one by one as long as that
// helps.
float scaleOfThreeBits(const float* x)
{
    constexpr int kMax = 4;
    constexpr int kCount = 16;
    constexpr int kRounds = 5;
    const float top = extreme(x, kCount);
    if (std::abs(top) < kMinMagnitude)
        return 0.0F;
    const float factor = -static_cast<float>(kMax) / top;
    std::array<float, kCount> numbers{};
    float products = 0.0F;
    float squares = 0.0F;
    for (std::size_t i = 0; i < kCount; ++i) {
        const auto l = static_cast<float>(std::clamp(nearestEven(factor * x[i]), -kMax, kMax - 1));
        numbers[i] = l;
        products += x[i] * x[i] * x[i] * l;
        squares += x[i] * x[i] * l * l;
    }
    for (int round = 0; round < kRounds; ++round) {
        bool changed = false;
        for (std::size_t i = 0; i < kCount; ++i) {
            const float weight = x[i] * x[i];
            float otherProducts = products - weight * x[i] * numbers[i];
            if (!(otherProducts > 0.0F))
                continue;
            float otherSquares = squares - weight * numbers[i] * numbers[i];
            const auto l = static_cast<float>(
                std::clamp(nearestEven(x[i] * otherSquares / otherProducts), -kMax, kMax - 1));
            if (l == numbers[i])
                continue;
            otherProducts += weight * x[i] * l;
            otherSquares += weight * l * l;
            if (otherSquares > 0.0F
                && otherProducts * otherProducts * squares > products * products * otherSquares) {
                numbers[i] = l;
                products = otherProducts;
                squares = otherSquares;
                changed = true;
            }
        }
        if (!changed)
            break;
    }
    return squares > 0.0F ? products / squares : 0.0F;
}

constexpr std::size_t kSixteenths = kLargeBlock / 16;
using PartScales = std::array<float, kSixteenths>;

float largestScale(const PartScales& scales)
{
    return extreme(scales.data(), static_cast<int>(kSixteenths));
}

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

BlockQ4_K toQ4_K(const float* x)
{
    BlockQ4_K block{};
    setPairs(withSixBits(x, {.most = 15, .first = -1.0F, .steps = 20}, block), block.q);
    return block;
}

BlockQ5_K toQ5_K(const float* x)
{
    BlockQ5_K block{};
    const BlockNumbers numbers = withSixBits(x, {.most = 31, .first = -0.5F, .steps = 15}, block);
    setPairs(numbers, block.q);
    for (std::size_t i = 0; i < kLargeBlock; ++i) {
        std::uint8_t& byte = block.high[i % kGroup];
        byte = static_cast<std::uint8_t>(byte | (numbers[i] >> 4) << i / kGroup);
    }
    return block;
}

BlockQ2_K toQ2_K(const float* x)
{
    constexpr float kMax = 15.0F;
    const ScaleSearch search{.most = 3, .first = -0.5F, .steps = 15, .magnitudes = true};
    std::array<ScaleRange, kSixteenths> ranges;
    for (std::size_t part = 0; part < kSixteenths; ++part) {
        std::array<float, 16> weights{};
        for (std::size_t i = 0; i < 16; ++i)
            weights[i] = std::abs(x[part * 16 + i]);
        ranges[part] = bestRange(x + part * 16, weights.data(), 16, search);
    }
    const ScaleRange largest = largestOf(ranges);
    BlockQ2_K block{};
    block.d = halfOf(largest.scale > 0.0F ? largest.scale / kMax : 0.0F);
    block.m = halfOf(largest.minimum > 0.0F ? largest.minimum / kMax : 0.0F);
    BlockNumbers numbers{};
    for (std::size_t part = 0; part < kSixteenths; ++part) {
        const int scale =
            largest.scale > 0.0F ? nearestEven(kMax / largest.scale * ranges[part].scale) : 0;
        const int minimum =
            largest.minimum > 0.0F ? nearestEven(kMax / largest.minimum * ranges[part].minimum) : 0;
        block.scales[part] = static_cast<std::uint8_t>(scale | minimum << 4);
        const float factor = valueOfHalf(block.d) * static_cast<float>(scale);
        const float offset = valueOfHalf(block.m) * static_cast<float>(minimum);
        for (std::size_t i = part * 16; factor != 0.0F && i < (part + 1) * 16; ++i)
            numbers[i] = std::clamp(nearestEven((x[i] + offset) / factor), 0, 3);
    }
    setTwoBits(numbers, 0, block.q);
    return block;
}

BlockQ6_K toQ6_K(const float* x)
{
    BlockQ6_K block{};
    PartScales scales{};
    for (std::size_t part = 0; part < kSixteenths; ++part)
        scales[part] = scaleOfSixBits(x + part * 16);
    const float largest = largestScale(scales);
    if (std::abs(largest) < kMinMagnitude)
        return block;
    const float factor = -128.0F / largest;
    block.d = halfOf(1.0F / factor);
    BlockNumbers numbers{};
    for (std::size_t part = 0; part < kSixteenths; ++part) {
        block.scales[part] =
            static_cast<std::int8_t>(std::min(127, nearestEven(factor * scales[part])));
        const float d = valueOfHalf(block.d) * static_cast<float>(block.scales[part]);
        for (std::size_t i = part * 16; i < (part + 1) * 16; ++i)
            numbers[i] = (d == 0.0F ? 0 : std::clamp(nearestEven(x[i] / d), -32, 31) + 32);
    }
    for (std::size_t i = 0; i < kLargeBlock / 2; ++i) {
        const std::size_t at = i / 64 * 128 + i % 64;
        block.low[i] = static_cast<std::uint8_t>((numbers[at] & 15) | (numbers[at + 64] & 15) << 4);
    }
    setTwoBits(numbers, 4, block.high);
    return block;
}

BlockQ3_K toQ3_K(const float* x)
{
    BlockQ3_K block{};
    PartScales scales{};
    for (std::size_t part = 0; part < kSixteenths; ++part)
        scales[part] = scaleOfThreeBits(x + part * 16);
    const float largest = largestScale(scales);
    const float factor = largest != 0.0F ? -32.0F / largest : 0.0F;
    block.d = halfOf(inverse(factor));
    BlockNumbers numbers{};
    for (std::size_t part = 0; part < kSixteenths; ++part) {
        const int scale =
            largest != 0.0F ? std::clamp(nearestEven(factor * scales[part]), -32, 31) : -32;
        const int bits = scale + 32;
        const auto set = [&](std::size_t byte, int value) {
            block.scales[byte] = static_cast<std::uint8_t>(block.scales[byte] | value);
        };
        set(part % 8, part < 8 ? bits & 15 : (bits & 15) << 4);
        set(8 + part % 4, (bits >> 4) << 2 * (part / 4));
        const float d = valueOfHalf(block.d) * static_cast<float>(scale);
        for (std::size_t i = part * 16; i < (part + 1) * 16; ++i)
            numbers[i] = d == 0.0F ? 4 : std::clamp(nearestEven(x[i] / d), -4, 3) + 4;
    }
    setTwoBits(numbers, 0, block.q);
    for (std::size_t i = 0; i < kLargeBlock; ++i) {
        std::uint8_t& byte = block.high[i % kGroup];
        byte = static_cast<std::uint8_t>(byte | (numbers[i] >> 2 & 1) << i / kGroup);
    }
    return block;
}

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
