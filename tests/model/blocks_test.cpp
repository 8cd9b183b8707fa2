// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks_fixture.h"
#include "kernel_tables.h"
#include "support/folders.h"

#include "ep/model/dtype.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

// Block formats: their values compared with ggml's, and their products with doubles, in every
// kernel variant that this machine can run.
namespace ep::model {
namespace {

std::vector<std::byte> bytesOfHex(const std::string& hex)
{
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

struct Golden {
    std::vector<std::byte> block;
    std::vector<std::uint32_t> values; // bit patterns
};

// Lines of type, block and values, all in hexadecimal: the results of ggml's own functions for
// random values and for random bytes.
std::map<std::string, std::vector<Golden>> goldens()
{
    std::map<std::string, std::vector<Golden>> all;
    for (const char* const name : {"ggml.txt", "ggml_2026.txt"}) {
        std::ifstream file(test::dataPath("blocks/") + name);
        std::string type;
        std::string block;
        std::string values;
        while (file >> type >> block >> values) {
            Golden golden{.block = bytesOfHex(block), .values = {}};
            for (std::size_t i = 0; i < values.size(); i += 8) {
                golden.values.push_back(
                    static_cast<std::uint32_t>(std::stoul(values.substr(i, 8), nullptr, 16)));
            }
            all[type].push_back(std::move(golden));
        }
    }
    return all;
}

TEST_P(BlocksTest, ValuesAreThoseOfGgml)
{
    const auto all = goldens();
    for (const DType dtype : blockTypes()) {
        const auto found = all.find(std::string(name(dtype)));
        ASSERT_NE(found, all.end()) << name(dtype);
        // Blocks alone, and blocks in a row: spans use other code than single blocks.
        std::vector<std::byte> row;
        std::vector<std::uint32_t> expected;
        for (int repeat = 0; repeat < 3; ++repeat) {
            for (const Golden& golden : found->second) {
                ASSERT_EQ(static_cast<std::int64_t>(golden.block.size()), rowOf(dtype).bytes);
                std::vector<float> values(golden.values.size());
                dequantize(dtype, golden.block, values, rowOf(dtype).block);
                for (std::size_t i = 0; i < values.size(); ++i) {
                    std::uint32_t bits = 0;
                    std::memcpy(&bits, &values[i], sizeof bits);
                    ASSERT_EQ(bits, golden.values[i]) << name(dtype) << " " << i;
                }
                row.insert(row.end(), golden.block.begin(), golden.block.end());
                expected.insert(expected.end(), golden.values.begin(), golden.values.end());
            }
        }
        std::vector<float> values(expected.size());
        dequantize(dtype, row, values, static_cast<std::int64_t>(values.size()));
        EXPECT_EQ(std::memcmp(values.data(), expected.data(), 4 * values.size()), 0) << name(dtype);
    }
}

struct Rounded {
    Rounded(const Kernels& k, const std::vector<float>& x)
        : values(x.size() + 256)
        , scales(values.size() / 32)
        , sums(values.size() / 32)
        , halfSums(values.size() / 16)
        , bytes(2 * values.size())
    {
        k.quantizeRow(x.data(), static_cast<std::int64_t>(x.size()), values.data(), scales.data(),
                      sums.data(), halfSums.data(), bytes.data());
    }
    BlockedRow row() const
    {
        return {.values = values.data(),
                .scales = scales.data(),
                .sums = sums.data(),
                .half_sums = halfSums.data(),
                .bytes = bytes.data()};
    }
    double value(std::size_t i) const
    {
        return static_cast<double>(values[i]) * static_cast<double>(scales[i / 32]);
    }
    std::vector<std::int16_t> values;
    std::vector<float> scales;
    std::vector<float> sums;
    std::vector<float> halfSums;
    std::vector<std::int8_t> bytes;
};

TEST_P(BlocksTest, ActivationsAreRoundedToTheNearest)
{
    auto x = randomRow(32 * 11, 5);
    std::fill_n(x.begin() + 64, 32, 0.0F);
    const Rounded rounded(k, x);
    for (std::size_t group = 0; group < x.size() / 32; ++group) {
        double largest = 0.0;
        double sum = 0.0;
        for (std::size_t i = 32 * group; i < 32 * group + 32; ++i) {
            largest = std::max(largest, std::abs(static_cast<double>(x[i])));
            sum += rounded.value(i);
        }
        EXPECT_NEAR(rounded.scales[group], largest / 32639.0, 1e-11);
        EXPECT_NEAR(rounded.sums[group], sum, 1e-5);
        EXPECT_NEAR(rounded.halfSums[2 * group] + rounded.halfSums[2 * group + 1], sum, 1e-5);
        for (std::size_t i = 32 * group; i < 32 * group + 32; ++i)
            EXPECT_LE(std::abs(rounded.value(i) - static_cast<double>(x[i])),
                      largest / 32639.0 * 0.503) // the quotient has 24 bits in f32
                << i;
    }
    for (std::size_t i = x.size(); i < x.size() + 32 * 5; ++i) // padding up to a multiple of 256
        EXPECT_EQ(rounded.values[i], 0);
}

TEST_P(BlocksTest, OneRowAgreesWithDoubles)
{
    for (const DType dtype : blockTypes()) {
        const std::int64_t block = rowOf(dtype).block;
        for (const std::int64_t columns :
             {block, std::int64_t{256}, 256 + block, std::int64_t{768}, std::int64_t{1024}}) {
            for (const std::int64_t rows : {1, 3, 4, 9}) {
                const auto blocks = randomBlocks(dtype, rows * columns, 7);
                std::vector<float> wide(static_cast<std::size_t>(rows * columns));
                dequantize(dtype, blocks, wide, rows * columns);
                const Rounded x(k, randomRow(columns, 8));
                const auto bias = randomRow(rows, 9);
                std::vector<float> out(static_cast<std::size_t>(rows), -1.0F);
                const WeightRows weights{
                    .values = blocks.data(), .columns = columns, .bias = bias.data()};
                matmulsFor(k, dtype).blockRow(weights, x.row(), out.data(), 0, rows);
                for (std::int64_t r = 0; r < rows; ++r) {
                    double expected = static_cast<double>(bias[static_cast<std::size_t>(r)]);
                    double size = 1.0;
                    for (std::int64_t c = 0; c < columns; ++c) {
                        const double product =
                            static_cast<double>(wide[static_cast<std::size_t>(r * columns + c)])
                            * x.value(static_cast<std::size_t>(c));
                        expected += product;
                        size += std::abs(product);
                    }
                    EXPECT_NEAR(out[static_cast<std::size_t>(r)], expected, 1e-6 * size)
                        << name(dtype) << " " << rows << " x " << columns;
                }
            }
        }
    }
}

TEST_P(BlocksTest, ManyRowsAgreeWithDoubles)
{
    constexpr std::int64_t kOutputs = 7;
    for (const DType dtype : blockTypes()) {
        for (const std::int64_t columns : {256 + rowOf(dtype).block, std::int64_t{768}}) {
            const std::int64_t rows = 2 * k.panel_rows + 3;
            const auto blocks = randomBlocks(dtype, kOutputs * columns, 3);
            std::vector<float> wide(static_cast<std::size_t>(kOutputs * columns));
            dequantize(dtype, blocks, wide, kOutputs * columns);
            const auto x = randomRow(rows * columns, 4);
            std::vector<float> panels(static_cast<std::size_t>(3 * k.panel_rows * columns));
            for (std::int64_t panel = 0; panel < 3; ++panel)
                k.packPanel(x.data(), columns, rows, columns, panel, panels.data());
            std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(rows)));
            std::vector<float> out(static_cast<std::size_t>(rows * kOutputs));
            const WeightRows weights{.values = blocks.data(), .columns = columns};
            matmulsFor(k, dtype).manyRows(weights, panels.data(), rows, scratch.data(), out.data(),
                                          kOutputs, 0, kOutputs);
            for (std::int64_t i = 0; i < rows * kOutputs; ++i) {
                double expected = 0.0;
                double size = 1.0;
                for (std::int64_t c = 0; c < columns; ++c) {
                    const double product =
                        static_cast<double>(
                            wide[static_cast<std::size_t>(i % kOutputs * columns + c)])
                        * static_cast<double>(
                            x[static_cast<std::size_t>(i / kOutputs * columns + c)]);
                    expected += product;
                    size += std::abs(product);
                }
                ASSERT_NEAR(out[static_cast<std::size_t>(i)], expected, 1e-6 * size)
                    << name(dtype) << " " << i;
            }
        }
    }
}

TEST_P(BlocksTest, FindsFactorsThatAreNoNumbers)
{
    for (const DType dtype : blockTypes()) {
        if (dtype == DType::Nvfp4)
            continue; // every scale is a number
        auto blocks = randomBlocks(dtype, 4 * rowOf(dtype).block, 2);
        const auto finite = matmulsFor(k, dtype).finite;
        EXPECT_TRUE(finite(blocks.data(), 4));
        setFactors(dtype, blocks.data() + 3 * rowOf(dtype).bytes, 0xFC00); // infinity
        EXPECT_FALSE(finite(blocks.data(), 4)) << name(dtype);
        EXPECT_TRUE(finite(blocks.data(), 3)) << name(dtype);
    }
}

// Numbers of a few bits from a stream, least significant bit first.
unsigned numberAt(const std::vector<std::byte>& stream, std::size_t index, int bits)
{
    unsigned number = 0;
    for (int bit = 0; bit < bits; ++bit) {
        const std::size_t place =
            index * static_cast<std::size_t>(bits) + static_cast<std::size_t>(bit);
        number |= (std::to_integer<unsigned>(stream[place / 8]) >> place % 8 & 1U) << bit;
    }
    return number;
}

// MLX's documentation has w = scale x q + bias.
TEST_P(BlocksTest, MlxIsItsDocumentedFormula)
{
    constexpr std::int64_t kRows = 5;
    const struct {
        DType dtype;
        int bits;
    } kFormats[] = {{DType::Mlx1, 1}, {DType::Mlx2, 2}, {DType::Mlx3, 3}, {DType::Mlx4, 4},
                    {DType::Mlx5, 5}, {DType::Mlx6, 6}, {DType::Mlx8, 8}};
    for (const auto& format : kFormats) {
        for (const std::int64_t group : {32, 64, 128}) {
            for (const auto type :
                 {GroupScales::Type::F16, GroupScales::Type::BF16, GroupScales::Type::F32}) {
                const std::int64_t columns = 3 * 256 + group;
                const auto blocks = randomBlocks(DType::Q8_0, kRows * columns, 5); // any bytes
                const auto groups = static_cast<std::size_t>(kRows * columns / group);
                Random random(3);
                std::vector<float> scales;
                std::vector<float> biases;
                std::vector<std::uint16_t> narrowScales;
                std::vector<std::uint16_t> narrowBiases;
                for (std::size_t i = 0; i < 2 * groups; ++i) {
                    // Few digits, so that every type holds it; and its bits as f16 and as bf16.
                    const int digits = static_cast<int>(random.uniform() * 120.0) + 128;
                    const float value = std::ldexp(static_cast<float>(digits), -14)
                        * (random.uniform() < 0.5 ? -1.0F : 1.0F);
                    std::uint32_t wide = 0;
                    std::memcpy(&wide, &value, sizeof wide);
                    const auto sign = static_cast<std::uint16_t>(wide >> 16U & 0x8000U);
                    const auto half = static_cast<std::uint16_t>(
                        sign | (8U << 10U) | (static_cast<unsigned>(digits - 128) << 3U));
                    const auto narrow = type == GroupScales::Type::F16
                        ? half
                        : static_cast<std::uint16_t>(wide >> 16U);
                    (i < groups ? scales : biases).push_back(value);
                    (i < groups ? narrowScales : narrowBiases).push_back(narrow);
                }
                const bool wideScales = type == GroupScales::Type::F32;
                const WeightRows weights{
                    .values = blocks.data(),
                    .columns = columns,
                    .groups = {.scales = wideScales ? static_cast<const void*>(scales.data())
                                                    : narrowScales.data(),
                               .biases = wideScales ? static_cast<const void*>(biases.data())
                                                    : narrowBiases.data(),
                               .columns = group,
                               .type = type}};
                const Rounded x(k, randomRow(columns, 8));
                std::vector<float> out(static_cast<std::size_t>(kRows));
                matmulsFor(k, format.dtype).blockRow(weights, x.row(), out.data(), 0, kRows);
                std::vector<float> row(static_cast<std::size_t>(columns));
                for (std::int64_t r = 0; r < kRows; ++r) {
                    matmulsFor(k, format.dtype).dequantizeRow(weights, r, row.data());
                    double sum = 0.0;
                    double size = 1.0;
                    for (std::int64_t c = 0; c < columns; ++c) {
                        const auto at = static_cast<std::size_t>(r * columns + c);
                        const std::size_t g = at / static_cast<std::size_t>(group);
                        const auto q = static_cast<float>(numberAt(blocks, at, format.bits));
                        const auto column = static_cast<std::size_t>(c);
                        ASSERT_EQ(row[column], scales[g] * q + biases[g])
                            << name(format.dtype) << " " << group << " " << r << " " << c;
                        const double product = static_cast<double>(row[column]) * x.value(column);
                        sum += product;
                        size += std::abs(product);
                    }
                    EXPECT_NEAR(out[static_cast<std::size_t>(r)], sum, 1e-6 * size)
                        << name(format.dtype);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Variants, BlocksTest, testing::ValuesIn(kernelTables()),
                         [](const auto& test) {
                             std::string name = test.param->name;
                             std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
                             return name;
                         });

} // namespace
} // namespace ep::model
