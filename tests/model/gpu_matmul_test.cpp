// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "block_factors.h"
#include "dequantization.h"
#include "gpu/gpu_matmul.h"
#include "support/metal/fake_library.h"
#include "support/metal/lanes.h"
#include "values_by_kernels.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// The kernels for Apple's GPUs, compiled as C++, compared with those of the processor.
namespace ep::model {
namespace {

using test::metal::LibraryBehaviour;
using test::metal::LibraryLog;
using test::metal::metalBy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct GpuCase {
    DType dtype;
    std::int64_t group = 0; // columns that share a scale, for separate scales; 0: none
    GroupScales::Type scales = GroupScales::Type::F16;
};

// Every format, and for separate scales every group size.
std::vector<GpuCase> gpuCases()
{
    using enum GroupScales::Type;
    std::vector<GpuCase> cases;
    for (const GpuFormat& format : kGpuFormats) {
        if (format.biases) {
            // One format whose numbers share words, and one whose numbers do not, with every type.
            const bool all = format.dtype == DType::Mlx4 || format.dtype == DType::Mlx6;
            for (const auto& [group, usual] : {std::pair{32, F32}, {64, F16}, {128, BF16}}) {
                for (const GroupScales::Type scales : {F32, F16, BF16}) {
                    if (all || scales == usual)
                        cases.push_back({.dtype = format.dtype, .group = group, .scales = scales});
                }
            }
        } else if (format.dtype == DType::MlxMxfp4) {
            cases.push_back({.dtype = format.dtype, .group = 32, .scales = E8M0});
        } else if (format.dtype == DType::MlxNvfp4) {
            cases.push_back({.dtype = format.dtype, .group = 16, .scales = E4M3});
        } else {
            cases.push_back({.dtype = format.dtype});
        }
        if (format.dtype == DType::Fp8) {
            for (const GpuCase& of : {GpuCase{DType::Fp8, 32, E8M0},
                                      {DType::Fp8, 128, F32},
                                      {DType::Fp8, 128, BF16},
                                      {DType::Fp8, 128, F16}})
                cases.push_back(of);
        }
    }
    return cases;
}

at::Tensor randomScales(GroupScales::Type type, at::IntArrayRef shape)
{
    switch (type) {
    case GroupScales::Type::E8M0:
        return at::randint(118, 128, shape, at::kByte);
    case GroupScales::Type::E4M3: // from a subnormal number up to 1
        return at::randint(1, 57, shape, at::kByte);
    case GroupScales::Type::F16:
        return (at::randn(shape) / 16.0).to(at::kHalf);
    case GroupScales::Type::BF16:
        return (at::randn(shape) / 16.0).to(at::kBFloat16);
    case GroupScales::Type::F32:
        break;
    }
    return at::randn(shape) / 16.0;
}

Weight randomWeight(const GpuCase& of, std::int64_t rows, std::int64_t columns)
{
    Weight weight;
    weight.dtype = of.dtype;
    weight.rows = rows;
    weight.columns = columns;
    weight.tensor = at::randint(256, {rows, bytesOf(of.dtype, columns)}, at::kByte);
    if (of.dtype == DType::Fp8)
        weight.tensor = weight.tensor.bitwise_and(0xF7); // excludes NaN
    weight.data = weight.tensor.data_ptr();
    if (scalesApart(of.dtype) && of.group > 0) {
        const std::int64_t ofRow = (columns + of.group - 1) / of.group; // the last may be shorter
        weight.scales = randomScales(of.scales, {rows, ofRow});
        weight.groups = {
            .scales = weight.scales.data_ptr(), .columns = of.group, .type = of.scales};
        if (gpuFormatOf(of.dtype)->biases) {
            weight.biases = at::randn({rows, ofRow}).to(weight.scales.scalar_type());
            weight.groups.biases = weight.biases.data_ptr();
        }
        return weight;
    }
    if (scalesApart(of.dtype))
        return weight;
    auto* const bytes = static_cast<std::byte*>(weight.tensor.data_ptr());
    std::mt19937 random(5);
    for (std::int64_t i = 0; i < weight.tensor.numel(); i += rowOf(of.dtype).bytes) {
        // An f16 of either sign, with magnitude 2^-9 to 2^-8.
        const auto factor =
            static_cast<std::uint16_t>((random() & 0x8000) | 0x1800 | random() >> 22);
        setFactors(of.dtype, bytes + i, factor);
    }
    return weight;
}

GpuMatmul matmulBy(LibraryBehaviour behaviour, LibraryLog& log, at::ScalarType type,
                   bool tiles = true)
{
    return {metalBy(behaviour, log, tiles), at::kCPU, type};
}

// The largest difference from sums in doubles of the values that the processor's kernels give,
// relative to the largest sum.
double differenceOf(const at::Tensor& found, const at::Tensor& x, const Linear& layer)
{
    at::Tensor expected =
        at::mm(x.to(at::kDouble), test::valuesByKernels(layer.weight).to(at::kDouble).t());
    if (layer.weight.row_scales.defined())
        expected = expected * layer.weight.row_scales.to(at::kDouble);
    if (layer.bias.tensor.defined())
        expected = expected + layer.bias.tensor.to(at::kDouble);
    return ((found.to(at::kDouble) - expected).abs().max() / expected.abs().max()).item<double>();
}

struct GpuType {
    at::ScalarType type;
    const char* name;
    double allowed; // the rounding of the result and, for f32, the order of its sum
};
constexpr GpuType kGpuTypes[] = {
    {at::kFloat, "f32", 2e-6}, {at::kHalf, "f16", 5e-4}, {at::kBFloat16, "bf16", 4e-3}};

// Whole tiles, and remainders in each direction if the format allows such columns.
struct GpuSize {
    std::int64_t rows;
    std::int64_t columns; // rounded up to whole blocks of the format
    std::int64_t inputs;
};
constexpr GpuSize kGpuSizes[] = {{8, 256, 1},   {13, 544, 1}, {5, 32, 3},  {70, 800, 4},
                                 {64, 256, 32}, {70, 544, 5}, {3, 96, 33}, {129, 288, 37}};

TEST(GpuMatmulTest, AreThoseOfTheProcessorsKernels)
{
    std::printf("largest difference, relative to the largest value of the product\n%-8s", "");
    for (const GpuType& type : kGpuTypes)
        std::printf("  %4s few   %4s many ", type.name, type.name);
    std::printf("\n");
    std::string shown;
    std::vector<double> worst(6);
    const auto show = [&] {
        if (shown.empty())
            return;
        std::printf("%-8s", shown.c_str());
        for (double& one : worst)
            std::printf("  %.2e ", std::exchange(one, 0.0));
        std::printf("\n");
    };
    at::manual_seed(3);
    LibraryLog log;
    std::vector<GpuMatmul> matmulIn;
    for (const GpuType& type : kGpuTypes)
        matmulIn.push_back(matmulBy(LibraryBehaviour::Right, log, type.type));
    for (const GpuCase& of : gpuCases()) {
        const std::string format(name(of.dtype));
        if (format != shown) {
            show();
            shown = format;
        }
        for (const GpuSize& size : kGpuSizes) {
            const std::int64_t block = rowOf(of.dtype).block;
            const std::int64_t columns = (size.columns + block - 1) / block * block;
            Linear layer{.weight = randomWeight(of, size.rows, columns), .bias = {}};
            if (size.rows % 2 == 1)
                layer.bias.tensor = at::randn({size.rows}).to(at::kBFloat16);
            if (size.rows % 5 == 0)
                layer.weight.row_scales = at::rand({size.rows}) + 0.5;
            for (std::size_t i = 0; i < matmulIn.size(); ++i) {
                const GpuType& type = kGpuTypes[i];
                GpuMatmul& matmul = matmulIn[i];
                const at::Tensor x = at::randn({size.inputs, columns}).to(type.type);
                const auto found = matmul.linear(x, layer);
                ASSERT_TRUE(found) << testing::PrintToString(matmul.notes());
                EXPECT_EQ(found->scalar_type(), type.type);
                const double difference = differenceOf(*found, x, layer);
                EXPECT_LE(difference, type.allowed)
                    << format << " groups of " << of.group << ", " << size.rows << " x " << columns
                    << " by " << size.inputs << ", " << type.name;
                EXPECT_FALSE(std::isnan(difference));
                const bool many = size.inputs > kMaxVectorInputs;
                EXPECT_THAT(log.run.back(), HasSubstr(many ? "tile_" : "vector_"));
                double& kept = worst[2 * i + (many ? 1 : 0)];
                kept = std::max(kept, difference);
            }
        }
    }
    show();
}

// On NVIDIA's GPUs: a kernel dequantizes the weights of a matmul, and the rows of an embedding.
TEST(GpuMatmulTest, WithoutTilesAKernelDequantizes)
{
    LibraryLog log;
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) { // LibTorch 1.13 lacks f16 here
        GpuMatmul matmul = matmulBy(LibraryBehaviour::Right, log, type, false);
        for (const GpuCase& of : gpuCases()) {
            const std::int64_t columns =
                (96 + rowOf(of.dtype).block - 1) / rowOf(of.dtype).block * rowOf(of.dtype).block;
            Linear layer{.weight = randomWeight(of, 5, columns), .bias = {}};
            if (!scalesApart(of.dtype))
                layer.weight.row_scales = at::rand({5}) + 0.5;
            ASSERT_TRUE(matmul.prepare(of.dtype)) << testing::PrintToString(matmul.notes());
            log.run.clear();
            const auto values = matmul.dequantized(layer.weight);
            ASSERT_TRUE(values);
            EXPECT_TRUE(at::equal(*values, dequantized(layer.weight, type)))
                << name(of.dtype) << " groups of " << of.group << ", " << at::toString(type);
            const at::Tensor x = at::randn({6, columns}).to(type);
            EXPECT_TRUE(at::equal(*matmul.linear(x, layer), at::linear(x, *values)));
            EXPECT_THAT(log.run, SizeIs(2));
            EXPECT_THAT(log.run, testing::Each(HasSubstr("dequantize_")));
        }
    }
}

// A slice of a wider matrix, and weights that start in the middle of a tensor.
TEST(GpuMatmulTest, TakeViewsOfMatrices)
{
    LibraryLog log;
    GpuMatmul matmul = matmulBy(LibraryBehaviour::Right, log, at::kFloat);
    for (const DType dtype : {DType::Q6_K, DType::Mlx6}) {
        const Weight all = randomWeight({.dtype = dtype, .group = 64}, 20, 512);
        Linear layer{.weight = rowsOf(all, 7, 11), .bias = {}};
        const at::Tensor x = at::randn({9, 1024}).narrow(1, 300, 512);
        const auto found = matmul.linear(x, layer);
        ASSERT_TRUE(found);
        const at::Tensor expected = linearOfDequantized(x, layer);
        EXPECT_LE((*found - expected).abs().max().item<double>(),
                  1e-5 * expected.abs().max().item<double>());
    }
}

TEST(GpuMatmulTest, ATestOfEachFormatComesFirst)
{
    LibraryLog log;
    GpuMatmul matmul = matmulBy(LibraryBehaviour::Right, log, at::kHalf);
    EXPECT_TRUE(matmul.prepare(DType::Q4_K));
    EXPECT_THAT(log.compiled, ElementsAre("tile_q4_k_f16, vector_q4_k_f16"));
    EXPECT_THAT(log.run, ElementsAre("vector_q4_k_f16", "vector_q4_k_f16", "tile_q4_k_f16"));
    EXPECT_TRUE(matmul.prepare(DType::Q4_K)); // is not tested again
    EXPECT_THAT(log.run, SizeIs(3));
    EXPECT_TRUE(matmul.prepare(DType::Mlx8));
    EXPECT_THAT(log.run, SizeIs(3 + 9)); // three group sizes
    EXPECT_FALSE(matmul.prepare(DType::TQ1_0)); // has no kernels
    EXPECT_FALSE(matmul.prepare(DType::F16)); // needs none
    EXPECT_FALSE(matmul.dequantized(randomWeight({.dtype = DType::Q4_K}, 2, 256))); // tiles
    EXPECT_EQ(matmul.computation(),
              "LibTorch; as they are stored, by kernels for Metal: q4_k, mlx8; dequantized first: "
              "tq1_0");
    EXPECT_THAT(matmul.notes(), IsEmpty());
}

struct GpuFailure {
    LibraryBehaviour behaviour;
    const char* why;
};

TEST(GpuMatmulTest, WhatFailsItsTestIsNotUsedAndSaidSo)
{
    const GpuFailure failures[] = {
        {LibraryBehaviour::Missing, ": this LibTorch compiles no kernels."},
        {LibraryBehaviour::RefusesText, ": program_source:12:3: error: unknown type name."},
        {LibraryBehaviour::WrongTiles, ": matmuls with 37 rows differ by 3.0 % from LibTorch's."},
        {LibraryBehaviour::NotNumbers, ": matmuls with 1 rows differ by "},
        {LibraryBehaviour::Throwing, ": the GPU has been reset."}};
    const Linear layer{.weight = randomWeight({.dtype = DType::Q5_K}, 9, 512), .bias = {}};
    for (const GpuFailure& failure : failures) {
        LibraryLog log;
        GpuMatmul matmul = matmulBy(failure.behaviour, log, at::kFloat);
        for (const std::int64_t inputs : {1, 9})
            EXPECT_FALSE(matmul.linear(at::randn({inputs, 512}), layer)) << failure.why;
        EXPECT_LE(log.compiled.size(), 1U); // is not tried again
        EXPECT_LE(log.run.size(), 3U);
        EXPECT_EQ(matmul.computation(), "LibTorch; dequantized first: q5_k");
        EXPECT_THAT(matmul.used(), IsEmpty());
        EXPECT_THAT(matmul.notes(),
                    ElementsAre(AllOf(HasSubstr("Weights of the type q5_k are dequantized"),
                                      HasSubstr(failure.why), Not(HasSubstr("\n")))));
    }
}

// doctor and selftest print these checks.
TEST(GpuMatmulTest, EveryFormatIsCheckedInEveryType)
{
    LibraryLog log;
    const auto checksWith = [&](LibraryBehaviour behaviour) {
        return checkGpuMatmul(metalBy(behaviour, log), at::kCPU);
    };
    const auto right = checksWith(LibraryBehaviour::Right);
    ASSERT_EQ(right.size(), kGpuFormats.size());
    for (const DeviceKernelCheck& check : right)
        EXPECT_EQ(check.problem, "") << check.dtype;
    EXPECT_THAT(log.compiled, SizeIs(3 * kGpuFormats.size()));
    for (const DeviceKernelCheck& check : checksWith(LibraryBehaviour::WrongTiles))
        EXPECT_THAT(check.problem, HasSubstr("differ by 3.0 %")) << check.dtype;
}

TEST(GpuMatmulTest, WeightsThatTheKernelsCannotTakeAreLeftToLibTorch)
{
    LibraryLog log;
    GpuMatmul matmul = matmulBy(LibraryBehaviour::Right, log, at::kFloat);
    Linear layer{.weight = randomWeight({.dtype = DType::Mlx4, .group = 64}, 9, 512), .bias = {}};
    EXPECT_TRUE(matmul.linear(at::randn({1, 512}), layer));
    EXPECT_FALSE(matmul.linear(at::randn({1, 512}).to(at::kHalf), layer)); // another type
    EXPECT_FALSE(matmul.linear(at::randn({0, 512}), layer));
    layer.weight.biases = at::Tensor();
    EXPECT_FALSE(matmul.linear(at::randn({1, 512}), layer));
}

// A decoder's operations use the kernels, and LibTorch's functions where kernels do not apply.
TEST(GpuMatmulTest, OperationsGiveTheSameWithKernelsAndWithout)
{
    Linear layer{.weight = randomWeight({.dtype = DType::Q4_0}, 19, 544), .bias = {}};
    for (const LibraryBehaviour behaviour :
         {LibraryBehaviour::Right, LibraryBehaviour::WrongTiles, LibraryBehaviour::Missing}) {
        for (const std::int64_t inputs : {1, 6}) {
            LibraryLog log;
            auto matmul =
                std::make_shared<GpuMatmul>(metalBy(behaviour, log), at::kCPU, at::kFloat);
            const bool works = matmul->prepare(DType::Q4_0);
            EXPECT_EQ(works, behaviour == LibraryBehaviour::Right);
            EXPECT_EQ(matmul->kernels(), works ? "Metal: q4_0" : "");
            const std::size_t before = log.run.size();
            AtenOps ops(at::kCPU, at::kFloat, false);
            ops.useMatmul(matmul);
            Matrix x;
            x.rows = inputs;
            x.columns = 544;
            x.tensor = at::randn({inputs, 544});
            Matrix out;
            ops.linear(x, layer, out);
            EXPECT_EQ(log.run.size() - before, works ? 1U : 0U);
            EXPECT_EQ(out.rows, inputs);
            EXPECT_LE(differenceOf(out.tensor, x.tensor, layer), 1e-5);
        }
    }
}

// Tests the imitation: it finds diverging threads, and barriers that only some threads reach.
TEST(MetalLanesTest, ThreadsThatPartAreFound)
{
    using namespace test::metal;
    float total = 0.0F;
    runGroup(64, [&](unsigned thread) {
        waitForGroup();
        const float sum = sumOfLanes(static_cast<float>(thread));
        if (thread == 40)
            total = sum;
    });
    EXPECT_EQ(total, 32.0F * 47.5F); // sum over the second 32 threads
    EXPECT_THROW(runGroup(32,
                          [](unsigned thread) {
                              if (thread > 3)
                                  waitForGroup();
                          }),
                 std::logic_error);
    EXPECT_THROW(runGroup(32,
                          [](unsigned thread) {
                              if (thread % 2 == 0)
                                  waitForGroup();
                              else
                                  (void)sumOfLanes(1.0F);
                          }),
                 std::logic_error);
    EXPECT_THROW(runGroup(32, [](unsigned) { throw std::runtime_error("within"); }),
                 std::runtime_error);
    runGroup(32, [](unsigned) { waitForGroup(); }); // and can be used again
}

} // namespace
} // namespace ep::model
