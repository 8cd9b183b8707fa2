// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_quantization.h"
#include "kernels.h"
#include "random.h"
#include "support/folders.h"

#include "ep/model/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace ep::model {
namespace {

bool isMlx(DType dtype)
{
    return scalesApart(dtype) && dtype != DType::Fp8;
}

// The bytes as in a file; for MLX's formats the numbers, then scales and biases.
std::vector<std::byte> rounded(DType dtype, const std::vector<float>& x)
{
    const auto count = static_cast<std::int64_t>(x.size());
    std::vector<std::byte> out(static_cast<std::size_t>(bytesOf(dtype, count)));
    if (!isMlx(dtype)) {
        quantizeToBlocks(dtype, x.data(), count, out.data());
        return out;
    }
    std::vector<float> factors(static_cast<std::size_t>(2 * count / kMlxGroup));
    quantizeToMlx(static_cast<int>(rowOf(dtype).bytes / 4), x.data(), count, out.data(),
                  factors.data(), factors.data() + count / kMlxGroup);
    const std::size_t numbers = out.size();
    out.resize(numbers + 4 * factors.size());
    std::memcpy(out.data() + numbers, factors.data(), 4 * factors.size());
    return out;
}

// Compares with ggml's and MLX's own quantizers on the same values (tests/data/blocks/README.md).
TEST(BlockQuantizationTest, BytesAreThoseOfGgmlAndMlx)
{
    std::ifstream file(test::dataPath("blocks/rounded.txt"));
    std::set<std::string> types;
    std::string type;
    std::string values;
    std::string expected;
    while (file >> type >> values >> expected) {
        std::vector<float> x;
        for (std::size_t i = 0; i < values.size(); i += 8) {
            const auto bits =
                static_cast<std::uint32_t>(std::stoul(values.substr(i, 8), nullptr, 16));
            float value = 0.0F;
            std::memcpy(&value, &bits, sizeof value);
            x.push_back(value);
        }
        std::string hex;
        for (const std::byte byte : rounded(*dtypeFromName(type), x)) {
            constexpr const char* kDigits = "0123456789abcdef";
            hex += kDigits[std::to_integer<unsigned>(byte) >> 4U];
            hex += kDigits[std::to_integer<unsigned>(byte) & 15U];
        }
        EXPECT_EQ(hex, expected) << type;
        types.insert(type);
    }
    EXPECT_EQ(types.size(), 20U);
}

// Relative to the values; a format with more bits is never worse than one with fewer.
TEST(BlockQuantizationTest, ErrorsAreThoseOfTheBits)
{
    Random random(9);
    std::vector<float> x(256 * 64);
    for (float& value : x) {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += random.uniform();
        value = static_cast<float>(0.02 * sum);
    }
    x[7] = 1.0F; // an outlier
    std::fill(x.begin() + 512, x.begin() + 768, 0.0F);
    const struct {
        DType dtype;
        double error;
    } kCases[] = {{DType::Q8_0, 0.012}, {DType::Q6_K, 0.03},   {DType::Q5_K, 0.05},
                  {DType::Q5_1, 0.07},  {DType::Q5_0, 0.08},   {DType::Q4_K, 0.10},
                  {DType::Q4_1, 0.13},  {DType::IQ4_NL, 0.13}, {DType::IQ4_XS, 0.13},
                  {DType::Q4_0, 0.15},  {DType::Mxfp4, 0.2},   {DType::Nvfp4, 0.15},
                  {DType::Q3_K, 0.22},  {DType::Q2_K, 0.4}};
    const auto count = static_cast<std::int64_t>(x.size());
    for (const auto& c : kCases) {
        const auto blocks = rounded(c.dtype, x);
        std::vector<float> back(x.size());
        matmulsFor(kernels(), c.dtype)
            .dequantizeRow({.values = blocks.data(), .columns = count}, 0, back.data());
        double squares = 0.0;
        double errors = 0.0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            squares += std::pow(static_cast<double>(x[i]), 2.0);
            errors += std::pow(static_cast<double>(back[i] - x[i]), 2.0);
        }
        EXPECT_LT(std::sqrt(errors / squares), c.error) << name(c.dtype);
        EXPECT_GT(std::sqrt(errors / squares), c.error / 20.0) << name(c.dtype);
        EXPECT_EQ(back[600], 0.0F) << name(c.dtype);
    }
}

// E4M3: every number rounds to itself, and the middle between two rounds to even.
TEST(BlockQuantizationTest, Fp8HasAScaleForEachBlock)
{
    constexpr std::int64_t kRows = 3;
    constexpr std::int64_t kColumns = 160; // a whole block and a partial one
    Random random(4);
    std::vector<float> x(static_cast<std::size_t>(kRows * kColumns));
    for (float& value : x)
        value = static_cast<float>(random.uniform() - 0.5);
    x[5] = 4.48F; // the scale of its block shrinks to a hundredth
    x[131] = 8.96F;
    std::vector<std::byte> out(x.size());
    std::vector<float> scales(2);
    quantizeToFp8(x.data(), kRows, kColumns, out.data(), scales.data());
    EXPECT_FLOAT_EQ(scales[0], 0.01F);
    EXPECT_FLOAT_EQ(scales[1], 0.02F);
    std::vector<float> back(static_cast<std::size_t>(kColumns));
    for (std::int64_t row = 0; row < kRows; ++row) {
        const WeightRows weights{
            .values = out.data(),
            .columns = kColumns,
            .groups = {.scales = scales.data(), .columns = kFp8Block, .rows = kFp8Block}};
        matmulsFor(kernels(), DType::Fp8).dequantizeRow(weights, row, back.data());
        for (std::int64_t i = 0; i < kColumns; ++i) {
            const float value = x[static_cast<std::size_t>(row * kColumns + i)];
            EXPECT_NEAR(back[static_cast<std::size_t>(i)], value, std::abs(value) / 16.0F + 2e-5F)
                << row << ", " << i;
        }
    }
}

} // namespace
} // namespace ep::model
