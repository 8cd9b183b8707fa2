// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels_fixture.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

// Norms, activations, softmax, rotation and sums.
namespace ep::model {
namespace {

class ElementwiseKernelsTest : public KernelsTest { };

TEST_P(ElementwiseKernelsTest, NormsAgreeWithDoubles)
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

TEST_P(ElementwiseKernelsTest, ActivationsAgreeWithDoubles)
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
        case Activation::ReluSquared:
            return std::max(v, 0.0) * std::max(v, 0.0);
        case Activation::Sigmoid:
            return 1.0 / (1.0 + std::exp(-v));
        }
        return 0.0;
    };
    for (const Activation kind :
         {Activation::Silu, Activation::GeluTanh, Activation::GeluErf, Activation::Relu,
          Activation::QuickGelu, Activation::ReluSquared, Activation::Sigmoid}) {
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

TEST_P(ElementwiseKernelsTest, SoftmaxAgreesWithDoubles)
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

TEST_P(ElementwiseKernelsTest, FiguresOfASoftmaxAgreeWithDoubles)
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

TEST_P(ElementwiseKernelsTest, SoftCapAgreesWithDoubles)
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

TEST_P(ElementwiseKernelsTest, WeightedSumsAgreeWithDoubles)
{
    for (const std::int64_t dimension : {1, 3, 16, 32, 64, 80, 131}) {
        for (const std::int64_t count : {1, 37, 64, 200}) {
            for (const std::int64_t outputs : {1, 2, 3, 7, 13}) {
                const std::int64_t stride = count + 2;
                const auto weights = randomValues(outputs * stride, 8);
                const auto rows = randomValues(count * dimension, 9);
                std::vector<float> out(static_cast<std::size_t>(outputs * dimension), -7.0F);
                k.weightedSums(weights.data(), stride, outputs, rows.data(), count, dimension,
                               out.data(), dimension);
                for (std::int64_t o = 0; o < outputs; ++o) {
                    for (std::int64_t d = 0; d < dimension; ++d) {
                        double sum = 0.0;
                        for (std::int64_t t = 0; t < count; ++t) {
                            sum += static_cast<double>(
                                       weights[static_cast<std::size_t>(o * stride + t)])
                                * static_cast<double>(
                                       rows[static_cast<std::size_t>(t * dimension + d)]);
                        }
                        ASSERT_NEAR(out[static_cast<std::size_t>(o * dimension + d)], sum, 1e-4)
                            << outputs << " x " << count << " x " << dimension;
                    }
                }
            }
        }
    }
}

TEST_P(ElementwiseKernelsTest, RotateTurnsPairsAndLeavesTheRest)
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

TEST_P(ElementwiseKernelsTest, AccumulateSumsEverything)
{
    for (const std::int64_t n : {1, 5, 16, 100, 20'000}) {
        const auto x = randomValues(n, 13, 0.05F, 100.0F); // far from zero: tests the shift
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

TEST_P(ElementwiseKernelsTest, AddAdds)
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

TEST_P(ElementwiseKernelsTest, InfinityAndNaNAreFoundAnywhere)
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

INSTANTIATE_TEST_SUITE_P(Variants, ElementwiseKernelsTest, testing::ValuesIn(testedTables()),
                         variantName);

} // namespace
} // namespace ep::model
