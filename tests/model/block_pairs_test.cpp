// SPDX-License-Identifier: GPL-3.0-or-later
#include "blocks_fixture.h"
#include "kernel_tables.h"
#include "support/plain_kernels.h"

#include <cmath>
#include <string>

// Products of many rows with weights in blocks by pairs, against doubles.
namespace ep::model {
namespace {

class BlockPairsTest : public BlocksTest { };

// Compares with exact activations. Rounding a row's block of columns to 16 bits of its largest
// value loses half a step. Q6_K loses four times as much, because its numbers have 13 bits with
// their factors.
TEST_P(BlockPairsTest, PairsOfManyRowsAgreeWithDoubles)
{
    for (const DType dtype : blockTypes()) {
        const PairKernels& pairs = matmulsFor(k, dtype).pairs;
        if (!pairs.multiply)
            continue;
        const double step = 1.0 / (dtype == DType::Q6_K ? 8191.0 : 32767.0);
        const std::int64_t block = rowOf(dtype).block;
        for (const std::int64_t columns : {block, 9 * block, 256 + block, std::int64_t{768}}) {
            for (const std::int64_t rows :
                 {std::int64_t{1}, k.panel_rows / 2 + 1, 2 * k.panel_rows + 3}) {
                constexpr std::int64_t kOutputs = 101; // not whole tiles, and more than a block
                const std::int64_t stride = columns + 3;
                const auto blocks = randomBlocks(dtype, kOutputs * columns, 3);
                std::vector<float> wide(static_cast<std::size_t>(kOutputs * columns));
                dequantize(dtype, blocks, wide, kOutputs * columns);
                const auto x = randomRow(rows * stride, 4);
                const auto bias = randomRow(kOutputs, 9);
                const std::int64_t panels = (rows + k.panel_rows - 1) / k.panel_rows;
                constexpr float kUntouched = -3.0F;
                std::vector<float> packed(
                    static_cast<std::size_t>(panels * k.panel_rows * columns + 1), kUntouched);
                for (std::int64_t panel = 0; panel < panels; ++panel)
                    pairs.pack(x.data(), stride, rows, columns, panel, packed.data());
                EXPECT_EQ(packed.back(), kUntouched) << "beyond its memory";
                std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(rows)));
                std::vector<float> out(static_cast<std::size_t>(rows * kOutputs));
                const WeightRows weights{
                    .values = blocks.data(), .columns = columns, .bias = bias.data()};
                pairs.multiply(weights, packed.data(), rows, scratch.data(), out.data(), kOutputs,
                               0, kOutputs);
                for (std::int64_t i = 0; i < rows * kOutputs; ++i) {
                    double expected =
                        static_cast<double>(bias[static_cast<std::size_t>(i % kOutputs)]);
                    double size = 1.0;
                    double weight = 0.0;
                    for (std::int64_t c = 0; c < columns; ++c) {
                        const auto w = static_cast<double>(
                            wide[static_cast<std::size_t>(i % kOutputs * columns + c)]);
                        const double product =
                            w
                            * static_cast<double>(
                                x[static_cast<std::size_t>(i / kOutputs * stride + c)]);
                        expected += product;
                        size += std::abs(product);
                        weight += std::abs(w);
                    }
                    ASSERT_NEAR(out[static_cast<std::size_t>(i)], expected,
                                1e-6 * size + 0.5 * step * weight)
                        << name(dtype) << " " << rows << " x " << columns << ": " << i;
                }
            }
        }
    }
}

// The largest numbers that a format has, by the largest activations: no sum overflows.
TEST_P(BlockPairsTest, PairsOfManyRowsDoNotOverflow)
{
    constexpr std::int64_t kColumns = 512;
    for (const DType dtype : blockTypes()) {
        const PairKernels& pairs = matmulsFor(k, dtype).pairs;
        if (!pairs.multiply)
            continue;
        for (const int byte : {0x00, 0x7F, 0x80, 0xFF}) {
            std::vector<std::byte> blocks(static_cast<std::size_t>(bytesOf(dtype, kColumns)),
                                          static_cast<std::byte>(byte));
            const auto unit = static_cast<std::size_t>(rowOf(dtype).bytes);
            for (std::size_t at = 0; at < blocks.size(); at += unit)
                setFactors(dtype, blocks.data() + at, 0x1C00);
            std::vector<float> wide(kColumns);
            dequantize(dtype, blocks, wide, kColumns);
            std::vector<float> x(kColumns);
            double expected = 0.0;
            double size = 1.0;
            for (std::size_t c = 0; c < x.size(); ++c) {
                x[c] = wide[c] < 0.0F ? -1.0F : 1.0F;
                expected += std::abs(static_cast<double>(wide[c]));
                size += std::abs(static_cast<double>(wide[c]));
            }
            std::vector<float> packed(static_cast<std::size_t>(k.panel_rows * kColumns));
            pairs.pack(x.data(), kColumns, 1, kColumns, 0, packed.data());
            std::vector<float> scratch(static_cast<std::size_t>(k.panelScratch(1)));
            float out = 0.0F;
            const WeightRows weights{.values = blocks.data(), .columns = kColumns};
            pairs.multiply(weights, packed.data(), 1, scratch.data(), &out, 1, 0, 1);
            EXPECT_NEAR(out, expected, 1e-5 * size) << name(dtype) << " " << byte;
        }
    }
}

// The kernels of this machine, and kernels that multiply pairs in plain arithmetic.
std::vector<const Kernels*> tablesWithPlainPairs()
{
    auto tables = kernelTables();
    tables.push_back(test::plainPairKernels());
    return tables;
}

INSTANTIATE_TEST_SUITE_P(Variants, BlockPairsTest, testing::ValuesIn(tablesWithPlainPairs()),
                         [](const auto& test) {
                             std::string name = test.param->name;
                             std::erase_if(name, [](char c) { return c == '-' || c == ' '; });
                             return name;
                         });

} // namespace
} // namespace ep::model
