// SPDX-License-Identifier: GPL-3.0-or-later
#include "block_factors.h"
#include "dequantization.h"
#include "values_by_kernels.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

// What accelerators do with block formats, computed on the processor.
namespace ep::model {
namespace {

// All block formats.
std::vector<DType> blockTypes()
{
    std::vector<DType> types;
    for (const DTypeRow& row : kDTypes) {
        if (inBlocks(row.dtype))
            types.push_back(row.dtype);
    }
    return types;
}

// A weight of random bytes with factors of at most one.
Weight randomWeight(DType dtype, std::int64_t rows, std::int64_t columns, std::int64_t group)
{
    at::manual_seed(11);
    Weight weight;
    weight.dtype = dtype;
    weight.rows = rows;
    weight.columns = columns;
    weight.tensor = at::randint(256, {rows, bytesOf(dtype, columns)}, at::TensorOptions(at::kByte));
    weight.data = weight.tensor.data_ptr();
    if (dtype == DType::MlxMxfp4 || dtype == DType::MlxNvfp4) { // one byte per scale
        const bool of16 = dtype == DType::MlxNvfp4;
        const std::int64_t ofScale = of16 ? 16 : 32;
        weight.scales = at::randint(90, 130, {rows, columns / ofScale}, at::kByte);
        weight.groups = {.scales = weight.scales.data_ptr(),
                         .columns = ofScale,
                         .type = of16 ? GroupScales::Type::E4M3 : GroupScales::Type::E8M0};
        return weight;
    }
    if (scalesApart(dtype)) {
        weight.scales = at::randn({rows, columns / group}).to(at::kHalf);
        weight.groups = {
            .scales = weight.scales.data_ptr(), .columns = group, .type = GroupScales::Type::F16};
        if (dtype != DType::Fp8) {
            weight.biases = at::randn({rows, columns / group}).to(at::kHalf);
            weight.groups.biases = weight.biases.data_ptr();
        }
        return weight;
    }
    auto* const bytes = static_cast<std::byte*>(weight.tensor.data_ptr());
    const at::Tensor factors = at::rand({weight.tensor.numel() / rowOf(dtype).bytes}).to(at::kHalf);
    const auto* const halves = static_cast<const std::uint16_t*>(factors.data_ptr());
    for (std::int64_t i = 0; i < factors.numel(); ++i)
        setFactors(dtype, bytes + i * rowOf(dtype).bytes, halves[i]);
    return weight;
}

TEST(DequantizationTest, ValuesAreThoseOfTheKernels)
{
    for (const DType dtype : blockTypes()) {
        for (const std::int64_t group : {32, 128}) {
            const Weight weight = randomWeight(dtype, 5, 768, group);
            const at::Tensor wide = test::valuesByKernels(weight);
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
    for (const DType dtype : blockTypes()) {
        Linear layer{.weight = randomWeight(dtype, 11, 512, 64), .bias = {}};
        const at::Tensor x = at::randn({3, 512});
        for (const bool bias : {false, true}) {
            if (bias)
                layer.bias.tensor = at::randn({11});
            const at::Tensor expected =
                at::linear(x, test::valuesByKernels(layer.weight), layer.bias.tensor);
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
