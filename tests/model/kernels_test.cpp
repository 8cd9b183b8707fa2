// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels.h"
#include "random.h"
#include "support/safetensors_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

// Every variant that this machine can run against plain double arithmetic, for lengths around the
// width of the registers.
namespace ep::model {
namespace {

const std::vector<std::int64_t> kLengths{1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257, 1000};

std::vector<float> randomValues(std::int64_t count, std::uint64_t seed, float scale = 1.0F,
                                float shift = 0.0F)
{
    Random random(seed);
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(2.0 * random.uniform() - 1.0) * scale + shift);
    return values;
}

std::vector<std::uint16_t> halves(const std::vector<float>& values, const char* dtype)
{
    const auto tensor = test::makeTensor("", {}, values, dtype);
    std::vector<std::uint16_t> bits(values.size());
    std::memcpy(bits.data(), tensor.bytes.data(), tensor.bytes.size());
    return bits;
}

double f16Value(std::uint16_t bits)
{
    const int exponent = (bits >> 10) & 0x1F;
    const double fraction = (bits & 0x3FF) / 1024.0;
    const double magnitude =
        exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1.0 + fraction, exponent - 15);
    return bits & 0x8000 ? -magnitude : magnitude;
}

class KernelsTest : public testing::TestWithParam<const Kernels*> {
protected:
    const Kernels& k = *GetParam();
};

TEST_P(KernelsTest, DotRowsAgreesWithDoubles)
{
    for (const std::int64_t columns : kLengths) {
        for (const std::int64_t rows : {1, 3, 4, 9}) {
            const auto weights = randomValues(rows * columns, 1);
            const auto x = randomValues(columns, 2);
            const auto bias = randomValues(rows, 3);
            const auto asBF16 = halves(weights, "BF16");
            const auto asF16 = halves(weights, "F16");
            std::vector<float> f32(weights.size());
            std::vector<float> bf16(weights.size());
            std::vector<float> f16(weights.size());
            k.dotRowsF32(weights.data(), columns, x.data(), bias.data(), f32.data(), 0, rows);
            k.dotRowsBF16(asBF16.data(), columns, x.data(), nullptr, bf16.data(), 0, rows);
            k.dotRowsF16(asF16.data(), columns, x.data(), bias.data(), f16.data(), 0, rows);
            for (std::int64_t r = 0; r < rows; ++r) {
                double sum32 = 0.0;
                double sumB = 0.0;
                double sum16 = 0.0;
                for (std::int64_t c = 0; c < columns; ++c) {
                    const auto i = static_cast<std::size_t>(r * columns + c);
                    const double factor = x[static_cast<std::size_t>(c)];
                    sum32 += weights[i] * factor;
                    float wide = 0.0F;
                    k.widenBF16(&asBF16[i], &wide, 1);
                    sumB += wide * factor;
                    sum16 += f16Value(asF16[i]) * factor;
                }
                const auto row = static_cast<std::size_t>(r);
                const double tolerance = 1e-6 * static_cast<double>(columns) + 1e-6;
                EXPECT_NEAR(f32[row], sum32 + bias[row], tolerance) << rows << " x " << columns;
                EXPECT_NEAR(bf16[row], sumB, tolerance) << rows << " x " << columns;
                EXPECT_NEAR(f16[row], sum16 + bias[row], tolerance) << rows << " x " << columns;
            }
        }
    }
}

TEST_P(KernelsTest, DotRowsI8AgreesWithDoubles)
{
    for (const std::int64_t columns : kLengths) {
        constexpr std::int64_t kRows = 9;
        std::vector<std::int8_t> weights;
        for (const float value : randomValues(kRows * columns, 1, 127.4F))
            weights.push_back(static_cast<std::int8_t>(std::lround(value)));
        weights.front() = -127;
        const auto scales = randomValues(kRows, 4, 0.01F);
        const auto x = randomValues(columns, 2);
        const auto bias = randomValues(kRows, 3);
        std::vector<float> out(kRows, -7.0F);
        std::vector<float> wide(static_cast<std::size_t>(columns));
        k.dotRowsI8(weights.data(), scales.data(), columns, x.data(), bias.data(), out.data(), 0,
                    kRows - 1);
        for (std::size_t r = 0; r + 1 < kRows; ++r) {
            k.widenI8(weights.data() + static_cast<std::int64_t>(r) * columns, scales[r],
                      wide.data(), columns);
            double sum = bias[r];
            for (std::size_t c = 0; c < wide.size(); ++c) {
                const auto i = r * wide.size() + c;
                EXPECT_EQ(wide[c], static_cast<float>(weights[i]) * scales[r]);
                sum += static_cast<double>(weights[i]) * static_cast<double>(scales[r])
                    * static_cast<double>(x[c]);
            }
            EXPECT_NEAR(out[r], sum, 2e-6 * static_cast<double>(columns) + 1e-6) << columns;
        }
        EXPECT_EQ(out.back(), -7.0F);
    }
}

TEST_P(KernelsTest, DotRowsTouchesOnlyItsRange)
{
    const auto weights = randomValues(10 * 5, 1);
    const auto x = randomValues(5, 2);
    std::vector<float> out(10, -7.0F);
    k.dotRowsF32(weights.data(), 5, x.data(), nullptr, out.data(), 3, 8);
    EXPECT_EQ(std::count(out.begin(), out.end(), -7.0F), 5);
    EXPECT_EQ(out[2], -7.0F);
    EXPECT_EQ(out[8], -7.0F);
}

TEST_P(KernelsTest, EveryFiniteHalfIsWidenedExactly)
{
    std::vector<std::uint16_t> f16;
    std::vector<std::uint16_t> bf16;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        if ((bits & 0x7C00U) != 0x7C00U)
            f16.push_back(static_cast<std::uint16_t>(bits));
        if ((bits & 0x7F80U) != 0x7F80U)
            bf16.push_back(static_cast<std::uint16_t>(bits));
    }
    std::vector<float> wide(f16.size());
    k.widenF16(f16.data(), wide.data(), static_cast<std::int64_t>(f16.size()));
    for (std::size_t i = 0; i < f16.size(); ++i)
        ASSERT_EQ(static_cast<double>(wide[i]), f16Value(f16[i])) << f16[i];

    wide.resize(bf16.size());
    k.widenBF16(bf16.data(), wide.data(), static_cast<std::int64_t>(bf16.size()));
    for (std::size_t i = 0; i < bf16.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &wide[i], 4);
        ASSERT_EQ(bits, static_cast<std::uint32_t>(bf16[i]) << 16);
    }
}

TEST_P(KernelsTest, NormsAgreeWithDoubles)
{
    for (const std::int64_t n : kLengths) {
        const auto x = randomValues(n, 4, 3.0F, 1.0F);
        const auto weight = randomValues(n, 5);
        const auto bias = randomValues(n, 6);
        const auto count = static_cast<double>(n);
        double sum = 0.0;
        double squares = 0.0;
        for (const float v : x) {
            sum += v;
            squares += static_cast<double>(v) * v;
        }
        const double mean = sum / count;
        const double rms = 1.0 / std::sqrt(squares / count + 1e-5);
        const double deviation = 1.0 / std::sqrt(squares / count - mean * mean + 1e-5);
        std::vector<float> rmsOut(x.size());
        std::vector<float> layerOut(x.size());
        k.rmsNorm(x.data(), weight.data(), 1e-5F, rmsOut.data(), n);
        k.layerNorm(x.data(), weight.data(), bias.data(), 1e-5F, layerOut.data(), n);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_NEAR(rmsOut[i], x[i] * rms * weight[i], 2e-6);
            const double want = (x[i] - mean) * deviation * weight[i] + bias[i];
            EXPECT_NEAR(layerOut[i], want, n > 1 ? 2e-5 : 1e-3);
        }
    }
}

TEST_P(KernelsTest, ActivationsAgreeWithDoubles)
{
    std::vector<float> x{-100.0F, -88.0F, -20.0F, -5.0F, -0.5F, -0.0F, 0.0F,
                         1e-20F,  0.5F,   5.0F,   20.0F, 88.0F, 100.0F};
    const auto more = randomValues(50, 7, 6.0F);
    x.insert(x.end(), more.begin(), more.end());
    const auto multiplier = randomValues(static_cast<std::int64_t>(x.size()), 8);
    const auto expected = [](Activation kind, double v) {
        switch (kind) {
        case Activation::Silu:
            return v / (1.0 + std::exp(-v));
        case Activation::GeluTanh:
            return 0.5 * v * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (v + 0.044715 * v * v * v)));
        case Activation::GeluErf:
            return 0.5 * v * (1.0 + std::erf(v / std::sqrt(2.0)));
        case Activation::Relu:
            return std::max(v, 0.0);
        case Activation::QuickGelu:
            return v / (1.0 + std::exp(-1.702 * v));
        }
        return 0.0;
    };
    for (const Activation kind : {Activation::Silu, Activation::GeluTanh, Activation::GeluErf,
                                  Activation::Relu, Activation::QuickGelu}) {
        std::vector<float> plain(x.size());
        std::vector<float> gated(x.size());
        const auto count = static_cast<std::int64_t>(x.size());
        k.activate(kind, x.data(), nullptr, plain.data(), count);
        k.activate(kind, x.data(), multiplier.data(), gated.data(), count);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double want = expected(kind, static_cast<double>(x[i]));
            EXPECT_NEAR(plain[i], want, 2e-6 * std::max(1.0, std::abs(want))) << x[i];
            EXPECT_NEAR(gated[i], want * multiplier[i], 2e-6 * std::max(1.0, std::abs(want)));
        }
    }
}

TEST_P(KernelsTest, SoftmaxAgreesWithDoubles)
{
    for (const std::int64_t n : kLengths) {
        auto x = randomValues(n, 9, 30.0F);
        const auto before = x;
        const float largest = k.maximum(x.data(), n);
        EXPECT_EQ(largest, *std::max_element(x.begin(), x.end()));
        double total = 0.0;
        double plainTotal = 0.0;
        for (const float v : before) {
            total += std::exp(0.25 * (static_cast<double>(v) - largest));
            plainTotal += std::exp(static_cast<double>(v) - largest);
        }
        EXPECT_NEAR(k.sumOfExp(x.data(), n, largest), plainTotal, 1e-5 * plainTotal);
        k.softmax(x.data(), n, 0.25F);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(x[i], std::exp(0.25 * (static_cast<double>(before[i]) - largest)) / total,
                        1e-6);
    }
}

TEST_P(KernelsTest, FiguresOfASoftmaxAgreeWithDoubles)
{
    constexpr float kThreshold = 0.01F;
    for (const std::int64_t n : kLengths) {
        for (const float range : {0.0F, 2.0F, 60.0F}) { // even, as usual, one weight alone
            auto x = randomValues(n, 9, range);
            auto weights = x;
            k.softmax(weights.data(), n, 1.0F);
            double entropy = 0.0;
            double squares = 0.0;
            for (const float weight : weights) {
                entropy -= weight > 0.0F ? weight * std::log(static_cast<double>(weight)) : 0.0;
                squares += static_cast<double>(weight) * weight;
            }
            const WeightFigures figures = k.softmaxFigures(x.data(), n, kThreshold);
            EXPECT_EQ(x, weights);
            EXPECT_NEAR(figures.entropy, entropy, 3e-6 * std::max(1.0, entropy)) << n;
            EXPECT_NEAR(figures.square_sum, squares, 5e-6 * squares);
            EXPECT_FLOAT_EQ(figures.largest, *std::max_element(weights.begin(), weights.end()));
            EXPECT_EQ(figures.below,
                      std::count_if(weights.begin(), weights.end(),
                                    [](float weight) { return weight < kThreshold; }));
        }
    }
}

TEST_P(KernelsTest, SoftCapAgreesWithDoubles)
{
    for (const std::int64_t n : kLengths) {
        for (const float range : {0.3F, 30.0F, 3000.0F}) {
            auto x = randomValues(n, 10, range);
            const auto before = x;
            k.softCap(x.data(), n, 0.5F, 20.0F);
            for (std::size_t i = 0; i < x.size(); ++i)
                EXPECT_NEAR(x[i], 20.0 * std::tanh(static_cast<double>(before[i]) / 40.0), 5e-6);
        }
    }
}

TEST_P(KernelsTest, WeightedSumAgreesWithDoubles)
{
    for (const std::int64_t dimension : {1, 8, 16, 20, 64, 80, 128, 130}) {
        const auto weights = randomValues(37, 10);
        const auto rows = randomValues(37 * dimension, 11);
        std::vector<float> out(static_cast<std::size_t>(dimension));
        k.weightedSum(weights.data(), rows.data(), 37, dimension, out.data());
        for (std::size_t d = 0; d < out.size(); ++d) {
            double want = 0.0;
            for (std::size_t t = 0; t < 37; ++t)
                want += static_cast<double>(weights[t]) * rows[t * out.size() + d];
            EXPECT_NEAR(out[d], want, 1e-5);
        }
    }
}

TEST_P(KernelsTest, RotateTurnsPairsAndLeavesTheRest)
{
    for (const std::int64_t half : {1, 4, 10, 16, 33}) {
        const std::int64_t stride = 2 * half + 3;
        auto x = randomValues(2 * stride, 12);
        const auto before = x;
        std::vector<float> cosines;
        std::vector<float> sines;
        for (std::int64_t i = 0; i < half; ++i) {
            cosines.push_back(std::cos(static_cast<float>(i) + 0.3F));
            sines.push_back(std::sin(static_cast<float>(i) + 0.3F));
        }
        k.rotate(x.data(), 2, stride, cosines.data(), sines.data(), half);
        for (std::int64_t head = 0; head < 2; ++head) {
            for (std::int64_t i = 0; i < stride; ++i) {
                const auto at = static_cast<std::size_t>(head * stride + i);
                if (i >= 2 * half) {
                    EXPECT_EQ(x[at], before[at]);
                    continue;
                }
                const auto pair = static_cast<std::size_t>(i % half);
                const auto h = static_cast<std::size_t>(half);
                const float want = i < half
                    ? before[at] * cosines[pair] - before[at + h] * sines[pair]
                    : before[at] * cosines[pair] + before[at - h] * sines[pair];
                EXPECT_NEAR(x[at], want, 1e-6);
            }
        }
    }
}

TEST_P(KernelsTest, AccumulateSumsEverything)
{
    for (const std::int64_t n : {1, 5, 16, 100, 20'000}) {
        const auto x = randomValues(n, 13, 0.05F, 100.0F); // far from zero: the shift must help
        ValueSums sums;
        k.accumulate(x.data(), n, 100.0F, x[0], sums);
        double mean = 0.0;
        for (const float v : x)
            mean += v;
        mean /= static_cast<double>(n);
        double variance = 0.0;
        std::int64_t below = 0;
        for (const float v : x) {
            variance += (v - mean) * (v - mean);
            below += v < 100.0F;
        }
        const auto count = static_cast<double>(n);
        const double shifted = sums.shifted_sum / count;
        EXPECT_EQ(sums.count, n);
        EXPECT_EQ(sums.below, below);
        EXPECT_EQ(sums.max_abs, *std::max_element(x.begin(), x.end()));
        EXPECT_NEAR(sums.abs_sum / count, mean, 1e-4);
        EXPECT_NEAR(sums.shifted_square_sum / count - shifted * shifted, variance / count, 1e-8);
        EXPECT_EQ(k.countNegative(x.data(), n), 0);
    }
    const std::vector<float> signs{-1.0F, 0.0F, -0.0F, 2.0F, -3.0F};
    EXPECT_EQ(k.countNegative(signs.data(), 5), 2);
}

TEST_P(KernelsTest, AddAdds)
{
    for (const std::int64_t n : kLengths) {
        auto x = randomValues(n, 14);
        const auto before = x;
        const auto y = randomValues(n, 15);
        k.add(x.data(), y.data(), n);
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_EQ(x[i], before[i] + y[i]);
    }
}

TEST_P(KernelsTest, InfinityAndNaNAreFoundAnywhere)
{
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()}) {
        for (const std::size_t place : {0U, 16U, 36U}) {
            auto values = randomValues(37, 16);
            EXPECT_TRUE(k.finiteF32(values.data(), 37));
            EXPECT_TRUE(k.finiteBF16(halves(values, "BF16").data(), 37));
            EXPECT_TRUE(k.finiteF16(halves(values, "F16").data(), 37));
            values[place] = bad;
            EXPECT_FALSE(k.finiteF32(values.data(), 37));
            EXPECT_FALSE(k.finiteBF16(halves(values, "BF16").data(), 37));
            EXPECT_FALSE(k.finiteF16(halves(values, "F16").data(), 37));
        }
    }
}

std::vector<const Kernels*> variants()
{
    std::vector<const Kernels*> all{portableKernels()};
    for (const Kernels* more : {avx2Kernels(), avx512Kernels()}) {
        if (more)
            all.push_back(more);
    }
    return all;
}

std::string variantName(const testing::TestParamInfo<const Kernels*>& variant)
{
    std::string name = variant.param->name;
    std::erase(name, '-');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Variants, KernelsTest, testing::ValuesIn(variants()), variantName);

} // namespace
} // namespace ep::model
