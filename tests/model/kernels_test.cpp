// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_tables.h"
#include "kernels.h"
#include "random.h"
#include "support/plain_kernels.h"
#include "support/safetensors_writer.h"

#include "ep/model/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
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

// Weights of one type, and what they are worth.
struct TestWeights {
    TestWeights(DType dtype, std::int64_t count, std::int64_t width)
        : columns(width)
    {
        const auto values = randomValues(count * width, 1);
        if (dtype == DType::Int8) {
            scales = randomValues(count, 4, 0.005F, 0.01F);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const auto whole = static_cast<std::int8_t>(std::lround(values[i] * 127.4F));
                stored.push_back(static_cast<std::byte>(whole));
                worth.push_back(static_cast<double>(whole)
                                * static_cast<double>(scales[i / static_cast<std::size_t>(width)]));
            }
            return;
        }
        const auto tensor = test::makeTensor("", {}, values, std::string(rowOf(dtype).stored));
        stored.resize(tensor.bytes.size());
        std::memcpy(stored.data(), tensor.bytes.data(), stored.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::uint16_t bits = 0;
            std::memcpy(&bits, stored.data() + 2 * i, sizeof bits);
            const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
            float ofBF16 = 0.0F;
            std::memcpy(&ofBF16, &wide, sizeof ofBF16);
            worth.push_back(dtype == DType::F32        ? static_cast<double>(values[i])
                                : dtype == DType::BF16 ? static_cast<double>(ofBF16)
                                                       : f16Value(bits));
        }
    }

    WeightRows rows(const float* bias) const
    {
        return {.values = stored.data(),
                .columns = columns,
                .scales = scales.empty() ? nullptr : scales.data(),
                .bias = bias};
    }
    double dot(std::int64_t row, const float* x) const
    {
        double sum = 0.0;
        for (std::int64_t c = 0; c < columns; ++c)
            sum += worth[static_cast<std::size_t>(row * columns + c)] * static_cast<double>(x[c]);
        return sum;
    }

    std::int64_t columns;
    std::vector<std::byte> stored;
    std::vector<float> scales;
    std::vector<double> worth;
};

constexpr std::array kTypes{DType::F32, DType::BF16, DType::F16, DType::Int8};

// Of a sum of that many products of values up to one, in f32.
double toleranceOf(std::int64_t columns)
{
    return 1e-6 * static_cast<double>(columns) + 1e-6;
}

TEST_P(KernelsTest, OneRowInEveryShapeAgreesWithDoubles)
{
    for (const DType dtype : kTypes) {
        for (const std::int64_t columns : kLengths) {
            for (const std::int64_t rows : {1, 3, 4, 9}) {
                const TestWeights weights(dtype, rows, columns);
                const auto x = randomValues(columns, 2);
                const auto bias = randomValues(rows, 3);
                for (const auto multiply : productsFor(k, dtype).row) {
                    std::vector<float> out(static_cast<std::size_t>(rows));
                    multiply(weights.rows(bias.data()), x.data(), out.data(), 0, rows);
                    for (std::int64_t r = 0; r < rows; ++r) {
                        const auto row = static_cast<std::size_t>(r);
                        EXPECT_NEAR(out[row],
                                    weights.dot(r, x.data()) + static_cast<double>(bias[row]),
                                    toleranceOf(columns))
                            << name(dtype) << " " << rows << " x " << columns;
                    }
                }
            }
        }
    }
}

TEST_P(KernelsTest, SeveralRowsAgreeWithDoubles)
{
    for (const DType dtype : kTypes) {
        const ProductKernels& product = productsFor(k, dtype);
        for (const std::int64_t columns : {1, 31, 64, 257, 600}) {
            for (const std::int64_t inputs : {1, 2, 5, 8, 16, 17, 33, 70}) {
                constexpr std::int64_t kOutputs = 101;
                constexpr std::int64_t kBegin = 2; // the outputs before it and the last stay
                const std::int64_t stride = columns + 3;
                const TestWeights weights(dtype, kOutputs, columns);
                const auto x = randomValues(inputs * stride, 2);
                const auto bias = randomValues(kOutputs, 3);
                const auto size = static_cast<std::size_t>(inputs * kOutputs);
                std::vector<float> few(size, -7.0F);
                product.fewRows(weights.rows(bias.data()), x.data(), stride, inputs, few.data(),
                                kOutputs, kBegin, kOutputs - 1);
                const std::int64_t panels = (inputs + k.panel_rows - 1) / k.panel_rows;
                std::vector<float> packed(
                    static_cast<std::size_t>(panels * k.panel_rows * columns));
                for (std::int64_t panel = 0; panel < panels; ++panel)
                    k.packPanel(x.data(), stride, inputs, columns, panel, packed.data());
                std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(inputs)));
                std::vector<float> many(size, -7.0F);
                product.manyRows(weights.rows(bias.data()), packed.data(), inputs, scratch.data(),
                                 many.data(), kOutputs, kBegin, kOutputs - 1);
                for (std::int64_t i = 0; i < inputs; ++i) {
                    for (std::int64_t o = 0; o < kOutputs; ++o) {
                        const auto at = static_cast<std::size_t>(i * kOutputs + o);
                        const bool computed = o >= kBegin && o + 1 < kOutputs;
                        const double expected = computed ? weights.dot(o, x.data() + i * stride)
                                + static_cast<double>(bias[static_cast<std::size_t>(o)])
                                                         : -7.0;
                        ASSERT_NEAR(few[at], expected, toleranceOf(columns))
                            << name(dtype) << " " << inputs << " x " << columns;
                        ASSERT_NEAR(many[at], expected, toleranceOf(columns))
                            << name(dtype) << " " << inputs << " x " << columns;
                    }
                }
            }
        }
    }
}

double roundedToBf16(float value)
{
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    bits = (bits + 0x7FFFU + (bits >> 16 & 1U)) & 0xFFFF0000U;
    std::memcpy(&value, &bits, sizeof bits);
    return static_cast<double>(value);
}

// Packed rows times weights, by native products of pairs.
std::vector<float> byPairs(const Kernels& k, DType dtype, const TestWeights& weights,
                           const std::vector<float>& x, std::int64_t stride, std::int64_t inputs,
                           std::int64_t outputs)
{
    const PairKernels& pairs = productsFor(k, dtype).pairs;
    const std::int64_t panels = (inputs + k.panel_rows - 1) / k.panel_rows;
    const auto room = static_cast<std::size_t>(panels * k.panel_rows * weights.columns);
    constexpr float kUntouched = -3.0F;
    std::vector<float> packed(room + 1, kUntouched);
    for (std::int64_t panel = 0; panel < panels; ++panel)
        pairs.pack(x.data(), stride, inputs, weights.columns, panel, packed.data());
    EXPECT_EQ(packed.back(), kUntouched) << "beyond its memory";
    std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(inputs)));
    std::vector<float> out(static_cast<std::size_t>(inputs * outputs));
    pairs.multiply(weights.rows(nullptr), packed.data(), inputs, scratch.data(), out.data(),
                   outputs, 0, outputs);
    return out;
}

TEST_P(KernelsTest, PairsAgreeWithDoublesOfRoundedActivations)
{
    for (const DType dtype : kTypes) {
        if (!productsFor(k, dtype).pairs.multiply)
            continue;
        for (const std::int64_t columns : {32, 33, 63, 64, 257, 600, 1025}) {
            for (const std::int64_t inputs : {1, 5, 8, 17, 33, 70}) {
                constexpr std::int64_t kOutputs = 101;
                const std::int64_t stride = columns + 3;
                const TestWeights weights(dtype, kOutputs, columns);
                const auto x = randomValues(inputs * stride, 2);
                const auto out = byPairs(k, dtype, weights, x, stride, inputs, kOutputs);
                for (std::int64_t i = 0; i < inputs; ++i) {
                    for (std::int64_t o = 0; o < kOutputs; ++o) {
                        double expected = 0.0;
                        double tolerance = toleranceOf(columns);
                        for (std::int64_t c = 0; c < columns; ++c) {
                            const float value = x[static_cast<std::size_t>(i * stride + c)];
                            const double weight =
                                weights.worth[static_cast<std::size_t>(o * columns + c)];
                            expected += weight
                                * (dtype == DType::BF16 ? roundedToBf16(value)
                                                        : static_cast<double>(value));
                            if (dtype == DType::Int8) // half of a step; values are up to one
                                tolerance += 0.5 / 32767.0 * std::abs(weight);
                        }
                        ASSERT_NEAR(out[static_cast<std::size_t>(i * kOutputs + o)], expected,
                                    tolerance)
                            << name(dtype) << " " << inputs << " x " << columns;
                    }
                }
            }
        }
    }
}

// Whatever else stands in its row, and beside the largest products there are.
TEST_P(KernelsTest, PairsKeepWhatIsNoNumberAndDoNotOverflow)
{
    constexpr std::int64_t kColumns = 300;
    constexpr std::int64_t kInputs = 20;
    for (const DType dtype : kTypes) {
        if (!productsFor(k, dtype).pairs.multiply)
            continue;
        TestWeights weights(dtype, 1, kColumns);
        for (const float odd :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
            auto x = randomValues(kInputs * kColumns, 2);
            x[3 * kColumns + 299] = odd;
            const auto out = byPairs(k, dtype, weights, x, kColumns, kInputs, 1);
            for (std::int64_t i = 0; i < kInputs; ++i)
                EXPECT_EQ(std::isfinite(out[static_cast<std::size_t>(i)]), i != 3) << name(dtype);
        }
        if (dtype == DType::Int8) {
            std::fill(weights.stored.begin(), weights.stored.end(), std::byte{0x80}); // -128
            weights.scales = {1.0F};
            const std::vector<float> x(kInputs * kColumns, 2.0F);
            const double expected = -128.0 * 2.0 * static_cast<double>(kColumns);
            for (const float value : byPairs(k, dtype, weights, x, kColumns, kInputs, 1))
                EXPECT_NEAR(value / expected, 1.0, 1e-6);
        }
    }
}

// One row as the sum of two rounded ones.
std::vector<float> rowByPairs(const Kernels& k, const TestWeights& weights,
                              const std::vector<float>& x, const float* bias, std::int64_t rows)
{
    const PairKernels& pairs = productsFor(k, DType::BF16).pairs;
    const std::int64_t room =
        (weights.columns + kLeastPairColumns - 1) / kLeastPairColumns * kLeastPairColumns;
    constexpr float kUntouched = -3.0F;
    std::vector<float> rounded(static_cast<std::size_t>(room + 1), kUntouched);
    pairs.roundRow(x.data(), weights.columns, rounded.data());
    EXPECT_EQ(rounded.back(), kUntouched) << "beyond its memory";
    std::vector<float> out(static_cast<std::size_t>(rows));
    pairs.row(weights.rows(bias), rounded.data(), out.data(), 0, rows);
    return out;
}

TEST_P(KernelsTest, OneRowByPairsLosesLittle)
{
    if (!productsFor(k, DType::BF16).pairs.row)
        return;
    for (const std::int64_t columns : kLengths) {
        for (const std::int64_t rows : {1, 3, 4, 9}) {
            const TestWeights weights(DType::BF16, rows, columns);
            const auto x = randomValues(columns, 2);
            const auto bias = randomValues(rows, 3);
            const auto out = rowByPairs(k, weights, x, bias.data(), rows);
            for (std::int64_t r = 0; r < rows; ++r) {
                const auto row = static_cast<std::size_t>(r);
                double lost = 0.0;
                for (std::int64_t c = 0; c < columns; ++c) {
                    const auto at = static_cast<std::size_t>(c);
                    lost += 0x1p-16
                        * std::abs(weights.worth[row * static_cast<std::size_t>(columns) + at]
                                   * static_cast<double>(x[at]));
                }
                EXPECT_NEAR(out[row], weights.dot(r, x.data()) + static_cast<double>(bias[row]),
                            toleranceOf(columns) + lost)
                    << rows << " x " << columns;
            }
        }
    }
}

TEST_P(KernelsTest, OneRowByPairsKeepsWhatIsNoNumber)
{
    if (!productsFor(k, DType::BF16).pairs.row)
        return;
    const TestWeights weights(DType::BF16, 5, 300);
    for (const float odd :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        auto x = randomValues(300, 2);
        for (const float value : rowByPairs(k, weights, x, nullptr, 5))
            EXPECT_TRUE(std::isfinite(value));
        x[299] = odd;
        for (const float value : rowByPairs(k, weights, x, nullptr, 5)) {
            EXPECT_FALSE(std::isfinite(value));
            EXPECT_EQ(std::isinf(value), std::isinf(odd));
        }
    }
}

TEST_P(KernelsTest, OneRowTouchesOnlyItsRange)
{
    const TestWeights weights(DType::F32, 10, 5);
    const auto x = randomValues(5, 2);
    for (const auto multiply : productsFor(k, DType::F32).row) {
        std::vector<float> out(10, -7.0F);
        multiply(weights.rows(nullptr), x.data(), out.data(), 3, 8);
        EXPECT_EQ(std::count(out.begin(), out.end(), -7.0F), 5);
        EXPECT_EQ(out[2], -7.0F);
        EXPECT_EQ(out[8], -7.0F);
    }
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
    productsFor(k, DType::F16)
        .widen(f16.data(), wide.data(), static_cast<std::int64_t>(f16.size()));
    for (std::size_t i = 0; i < f16.size(); ++i)
        ASSERT_EQ(static_cast<double>(wide[i]), f16Value(f16[i])) << f16[i];

    wide.resize(bf16.size());
    productsFor(k, DType::BF16)
        .widen(bf16.data(), wide.data(), static_cast<std::int64_t>(bf16.size()));
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

TEST_P(KernelsTest, WeightedSumsAgreeWithDoubles)
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

TEST(KernelTablesTest, AreLimitedAsLibTorchIs)
{
    const auto tables = kernelTables();
    EXPECT_EQ(&bestKernels(""), tables.front());
    EXPECT_EQ(&bestKernels("avx512"), tables.front());
    for (const auto& [capability, most] : {std::pair{"avx2", 32}, std::pair{"default", 16}}) {
        const Kernels& best = bestKernels(capability);
        EXPECT_LE(best.vector_bytes, most) << capability;
        for (const Kernels* better : tables) {
            if (better == &best)
                break;
            EXPECT_GT(better->vector_bytes, most) << capability << ": " << better->name;
        }
    }
}

std::string variantName(const testing::TestParamInfo<const Kernels*>& variant)
{
    std::string name = variant.param->name;
    std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
    return name;
}

std::vector<const Kernels*> testedTables()
{
    std::vector<const Kernels*> tables = kernelTables();
    tables.push_back(test::plainPairKernels());
    tables.push_back(test::plainTileKernels());
    return tables;
}

INSTANTIATE_TEST_SUITE_P(Variants, KernelsTest, testing::ValuesIn(testedTables()), variantName);

} // namespace
} // namespace ep::model
