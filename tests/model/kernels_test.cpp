// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels_fixture.h"

#include "ep/model/dtype.h"

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

// Products with weights of every type that is not a block format.
namespace ep::model {
namespace {

// Weights of one type, and their values.
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

// The tolerance for an f32 sum of that many products of values up to one.
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
                for (const auto multiply : matmulsFor(k, dtype).row) {
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
        const MatmulKernels& product = matmulsFor(k, dtype);
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

// Packed rows times weights, computed by native products of pairs.
std::vector<float> byPairs(const Kernels& k, DType dtype, const TestWeights& weights,
                           const std::vector<float>& x, std::int64_t stride, std::int64_t inputs,
                           std::int64_t outputs)
{
    const PairKernels& pairs = matmulsFor(k, dtype).pairs;
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
        if (!matmulsFor(k, dtype).pairs.multiply)
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
                            if (dtype == DType::Int8) // half a step; values <= 1
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

// NaN and infinity stay, whatever else is in the row; the largest possible products do not
// overflow.
TEST_P(KernelsTest, PairsKeepWhatIsNoNumberAndDoNotOverflow)
{
    constexpr std::int64_t kColumns = 300;
    constexpr std::int64_t kInputs = 20;
    for (const DType dtype : kTypes) {
        if (!matmulsFor(k, dtype).pairs.multiply)
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

// One row as the sum of two rounded rows.
std::vector<float> rowByPairs(const Kernels& k, const TestWeights& weights,
                              const std::vector<float>& x, const float* bias, std::int64_t rows)
{
    const PairKernels& pairs = matmulsFor(k, DType::BF16).pairs;
    const std::int64_t room =
        (weights.columns + kMinPairColumns - 1) / kMinPairColumns * kMinPairColumns;
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
    if (!matmulsFor(k, DType::BF16).pairs.row)
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
    if (!matmulsFor(k, DType::BF16).pairs.row)
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
    for (const auto multiply : matmulsFor(k, DType::F32).row) {
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
    matmulsFor(k, DType::F16)
        .dequantize(f16.data(), wide.data(), static_cast<std::int64_t>(f16.size()));
    for (std::size_t i = 0; i < f16.size(); ++i)
        ASSERT_EQ(static_cast<double>(wide[i]), f16Value(f16[i])) << f16[i];

    wide.resize(bf16.size());
    matmulsFor(k, DType::BF16)
        .dequantize(bf16.data(), wide.data(), static_cast<std::int64_t>(bf16.size()));
    for (std::size_t i = 0; i < bf16.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &wide[i], 4);
        ASSERT_EQ(bits, static_cast<std::uint32_t>(bf16[i]) << 16);
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

INSTANTIATE_TEST_SUITE_P(Variants, KernelsTest, testing::ValuesIn(testedTables()), variantName);

} // namespace
} // namespace ep::model
