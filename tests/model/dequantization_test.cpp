// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_layouts.h"
#include "dequantization.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// What accelerators do with weights in blocks, on the processor.
namespace ep::model {
namespace {

constexpr DType kTypes[]{DType::Q8_0, DType::Q4_0, DType::Q4_K, DType::Q5_K,
                         DType::Q6_K, DType::Mlx4, DType::Mlx6, DType::Mlx8};

// Random bytes, with factors up to one.
Weight randomWeight(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t group)
{
    at::manual_seed(11);
    Weight weight;
    weight.dtype = dtype;
    weight.rows = rows;
    weight.columns = columns;
    weight.tensor = at::randint(256, {rows, bytesOf(dtype, columns)}, at::TensorOptions(at::kByte));
    weight.data = weight.tensor.data_ptr();
    if (isMlx(dtype)) {
        weight.scales = at::randn({rows, columns / group}).to(at::kHalf);
        weight.biases = at::randn({rows, columns / group}).to(at::kHalf);
        weight.groups = {.scales = weight.scales.data_ptr(),
                         .biases = weight.biases.data_ptr(),
                         .columns = group,
                         .type = GroupScales::Type::F16};
        return weight;
    }
    const at::Tensor blocks = weight.tensor.view({rows, -1, rowOf(dtype).bytes});
    const auto setFactor = [&](std::size_t place) {
        const at::Tensor factors = at::rand({rows, blocks.size(1), 1}).to(at::kHalf);
        blocks.narrow(2, static_cast<std::int64_t>(place), 2).copy_(factors.view(at::kByte));
    };
    setFactor(dtype == DType::Q6_K ? offsetof(BlockQ6_K, d) : 0);
    if (dtype == DType::Q4_K || dtype == DType::Q5_K)
        setFactor(offsetof(BlockQ4_K, m));
    return weight;
}

at::Tensor byKernels(const Weight& weight)
{
    at::Tensor wide = at::empty({weight.rows, weight.columns}, at::kFloat);
    const WeightRows rows{
        .values = weight.data, .columns = weight.columns, .groups = weight.groups};
    for (std::int64_t row = 0; row < weight.rows; ++row) {
        productsFor(*portableKernels(), weight.dtype)
            .widenRow(rows, row, wide.data_ptr<float>() + row * weight.columns);
    }
    return wide;
}

TEST(DequantizationTest, ValuesAreThoseOfTheKernels)
{
    for (const DType dtype : kTypes) {
        for (const std::int64_t group : {32, 128}) {
            const Weight weight = randomWeight(dtype, 5, 768, group);
            const at::Tensor wide = byKernels(weight);
            ASSERT_TRUE(wide.isfinite().all().item<bool>());
            EXPECT_TRUE(at::equal(dequantized(weight, at::kFloat), wide)) << name(dtype);
            EXPECT_TRUE(at::equal(dequantized(weight, at::kHalf), wide.to(at::kHalf)));
            EXPECT_TRUE(
                at::equal(dequantized(rowsOf(weight, 1, 3), at::kFloat), wide.narrow(0, 1, 3)));
            const at::Tensor some = at::tensor(std::vector<std::int64_t>{4, 0, 4}, at::kLong);
            EXPECT_TRUE(at::equal(dequantized(rowsOf(weight, some), at::kFloat),
                                  wide.index_select(0, some)));
        }
    }
}

TEST(DequantizationTest, ProductsInPiecesAreProducts)
{
    for (const DType dtype : kTypes) {
        Linear layer{.weight = randomWeight(dtype, 11, 512, 64), .bias = {}};
        const at::Tensor x = at::randn({3, 512});
        for (const bool bias : {false, true}) {
            if (bias)
                layer.bias.tensor = at::randn({11});
            const at::Tensor expected = at::linear(x, byKernels(layer.weight), layer.bias.tensor);
            for (const std::int64_t atOnce : {1, 4 * 512, 11 * 512, 1 << 20}) {
                const at::Tensor found = linearOfDequantized(x, layer, atOnce);
                const double size = expected.abs().max().item<double>();
                EXPECT_LE((found - expected).abs().max().item<double>(), 1e-5 * size)
                    << name(dtype) << " " << bias << " " << atOnce;
            }
        }
    }
}

} // namespace
} // namespace ep::model
