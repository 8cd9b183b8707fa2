// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_functions.h"
#include "aten_ops.h"
#include "gpu/gpu_fused.h"
#include "support/metal/fake_library.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

// The kernels of fused.metal, compiled as C++, compared with LibTorch's functions in f32.
namespace ep::model {
namespace {

using test::metal::LibraryBehaviour;
using test::metal::LibraryLog;
using test::metal::metalBy;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// The difference that a result type allows, relative to the largest value: two roundings.
double allowed(at::ScalarType type)
{
    return type == at::kHalf ? 1e-3 : type == at::kBFloat16 ? 8e-3 : 2e-6;
}

double furthest(const std::optional<at::Tensor>& found, const at::Tensor& expected)
{
    if (!found)
        return std::numeric_limits<double>::infinity(); // the kernel was not used
    return ((found->to(at::kDouble) - expected.to(at::kDouble)).abs().max()
            / expected.abs().max().to(at::kDouble))
        .item<double>();
}

constexpr at::ScalarType kTypes[] = {at::kFloat, at::kHalf, at::kBFloat16};

struct FusedSize {
    std::int64_t rows;
    std::int64_t heads;
    std::int64_t dim;
};
// One value, fewer and more values than a threadgroup has threads, and a remainder.
constexpr FusedSize kFusedSizes[] = {{1, 1, 1}, {3, 1, 576}, {2, 9, 64}, {5, 3, 131}};

TEST(GpuFusedTest, NormsAreThoseOfLibTorch)
{
    at::manual_seed(4);
    LibraryLog log;
    for (const at::ScalarType type : kTypes) {
        GpuFused fused(metalBy(LibraryBehaviour::Right, log), at::kCPU, type);
        for (const FusedSize& size : kFusedSizes) {
            const at::Tensor x = (at::randn({size.rows, size.heads * size.dim}) * 3.0).to(type);
            for (const NormKind kind : {NormKind::Rms, NormKind::Layer}) {
                for (const at::ScalarType weights : {type, at::kFloat}) {
                    for (const bool per_head : {false, true}) {
                        Norm norm{.kind = kind, .weight = {}, .bias = {}, .per_head = per_head};
                        const std::int64_t width = per_head ? size.heads * size.dim : size.dim;
                        norm.weight.tensor = at::randn({width}).to(weights);
                        if (size.rows % 2 == 1)
                            norm.bias.tensor = at::randn({width}).to(weights);
                        if (kind == NormKind::Rms)
                            norm.bias.tensor = at::Tensor(); // layer norms only
                        Norm wide = norm;
                        wide.weight.tensor = norm.weight.tensor.to(at::kFloat);
                        EXPECT_LE(
                            furthest(fused.norm(x, norm, size.heads),
                                     normOfHeads(x.to(at::kFloat), wide, size.heads, at::kFloat)),
                            allowed(type))
                            << at::toString(type) << ' ' << size.rows << " x " << size.heads
                            << " x " << size.dim;
                    }
                }
            }
        }
    }
}

TEST(GpuFusedTest, RotationsAreThoseOfLibTorch)
{
    at::manual_seed(5);
    LibraryLog log;
    for (const at::ScalarType type : kTypes) {
        GpuFused fused(metalBy(LibraryBehaviour::Right, log), at::kCPU, type);
        for (const FusedSize& size : kFusedSizes) {
            // A part of a wider matrix; the last values of each head must stay unchanged.
            const at::Tensor x = at::randn({size.rows, size.heads * size.dim + 5})
                                     .to(type)
                                     .narrow(1, 2, size.heads * size.dim);
            const std::int64_t pairs = size.dim / 4;
            const at::Tensor angles = at::randn({size.rows, pairs});
            const at::Tensor cosines = at::cos(angles).to(type);
            const at::Tensor sines = at::sin(angles).to(type);
            for (const bool interleaved : {false, true}) {
                EXPECT_LE(furthest(fused.rotate(x, size.heads, cosines, sines, interleaved),
                                   rotated(x.to(at::kFloat), size.heads, cosines.to(at::kFloat),
                                           sines.to(at::kFloat), interleaved)),
                          allowed(type))
                    << at::toString(type) << ' ' << size.dim << ' ' << interleaved;
            }
        }
    }
}

TEST(GpuFusedTest, GatesAreThoseOfLibTorch)
{
    at::manual_seed(6);
    LibraryLog log;
    for (const at::ScalarType type : kTypes) {
        GpuFused fused(metalBy(LibraryBehaviour::Right, log), at::kCPU, type);
        // Far beyond the range in which f32 exponentials are finite.
        at::Tensor x = at::randn({3, 171}) * 5.0;
        x[0][0] = 200.0;
        x[0][1] = -200.0;
        x = x.to(type);
        const at::Tensor y = at::randn({3, 171}).to(type);
        for (const Activation kind : {Activation::Silu, Activation::GeluTanh}) {
            const auto found = fused.gate(kind, x, y);
            EXPECT_LE(furthest(found, activationOf(kind, x.to(at::kFloat)) * y.to(at::kFloat)),
                      allowed(type))
                << at::toString(type);
        }
        EXPECT_FALSE(fused.gate(Activation::GeluErf, x, y)); // is left to LibTorch
    }
}

TEST(GpuFusedTest, StatisticsAreThoseOfLibTorch)
{
    at::manual_seed(7);
    LibraryLog log;
    for (const at::ScalarType type : kTypes) {
        GpuFused fused(metalBy(LibraryBehaviour::Right, log), at::kCPU, type);
        for (const std::int64_t count : {1, 31, 256, 700}) {
            // Far from zero, where the square of a sum would lose digits.
            const at::Tensor x = (at::randn({1, count}) * 0.5 + 8.0).to(type);
            const at::Tensor out = at::empty({4}, at::kFloat);
            EXPECT_TRUE(fused.statistics(x, 8.0F, out));
            EXPECT_LE((out - statisticsOf(x, 8.0F)).abs().max().item<float>(), 2e-5F)
                << at::toString(type) << ' ' << count;
        }
        EXPECT_TRUE(fused.statistics(at::randn({2, 9}), 1.0F, at::empty({4}, at::kFloat)))
            << "values in f32, as in decomposed norms";
        EXPECT_FALSE(fused.statistics(at::empty({0, 9}).to(type), 1.0F, at::empty({4})));
    }
}

TEST(GpuFusedTest, WhatFailsItsTestIsLeftToLibTorch)
{
    const struct {
        LibraryBehaviour behaviour;
        const char* why;
    } failures[] = {
        {LibraryBehaviour::Missing, ": this LibTorch compiles no kernels."},
        {LibraryBehaviour::RefusesText, ": program_source:12:3: error: unknown type name."},
        {LibraryBehaviour::NotNumbers, ": its results differ by "},
        {LibraryBehaviour::Throwing, ": the GPU has been reset."}};
    for (const auto& failure : failures) {
        LibraryLog log;
        GpuFused fused(metalBy(failure.behaviour, log), at::kCPU, at::kFloat);
        const at::Tensor x = at::randn({2, 8});
        EXPECT_FALSE(fused.gate(Activation::Silu, x, x));
        EXPECT_FALSE(fused.rotate(x, 1, at::ones({2, 4}), at::zeros({2, 4}), false));
        EXPECT_THAT(fused.notes(), SizeIs(4));
        EXPECT_THAT(fused.notes(), Each(HasSubstr(failure.why)));
        EXPECT_LE(log.compiled.size(), 1U);
    }
}

// doctor and selftest print these checks.
TEST(GpuFusedTest, EveryOperationIsCheckedInEveryType)
{
    LibraryLog log;
    for (const DeviceKernelCheck& check :
         checkGpuFused(metalBy(LibraryBehaviour::Right, log), at::kCPU)) {
        EXPECT_EQ(check.problem, "") << check.operation;
        EXPECT_EQ(check.dtype, "");
    }
    EXPECT_THAT(
        log.compiled,
        ElementsAre("gate, normalize, rotation, statistics",
                    "gate, normalize, normalize_f32, rotation, statistics, statistics_f32",
                    "gate, normalize, normalize_f32, rotation, statistics, statistics_f32"));
    const auto wrong = checkGpuFused(metalBy(LibraryBehaviour::NotNumbers, log), at::kCPU);
    EXPECT_THAT(wrong, SizeIs(4));
    EXPECT_THAT(wrong, Each(testing::Field(&DeviceKernelCheck::problem, HasSubstr("differ by"))));
}

// A decoder's operations use the kernels, and give the same results without them.
TEST(GpuFusedTest, OperationsGiveTheSameWithKernelsAndWithout)
{
    LibraryLog log;
    AtenOps plain(at::kCPU, at::kFloat, false);
    AtenOps fused(at::kCPU, at::kFloat, false);
    fused.useFused(
        std::make_shared<GpuFused>(metalBy(LibraryBehaviour::Right, log), at::kCPU, at::kFloat));
    const auto matrix = [](const at::Tensor& tensor) {
        Matrix out;
        out.rows = tensor.size(0);
        out.columns = tensor.size(1);
        out.tensor = tensor;
        return out;
    };
    const at::Tensor x = at::randn({3, 4 * 16});
    const at::Tensor y = at::randn({3, 4 * 16});
    const RotaryAngles angles{.cosines = matrix(at::randn({3, 8})),
                              .sines = matrix(at::randn({3, 8}))};
    Norm norm{.weight = {}, .bias = {}};
    norm.weight.tensor = at::randn({4 * 16});
    Norm heads{.weight = {}, .bias = {}};
    heads.weight.tensor = at::randn({16});
    AttentionShape shape;
    shape.heads = 4;
    shape.head_dim = 16;
    shape.rotary_dim = 16;
    const auto all = [&](AtenOps& ops) {
        Matrix normed;
        ops.norm(matrix(x), norm, normed);
        ops.normHeads(normed, heads, 4);
        ops.rotateHeads(normed, 4, shape, angles);
        Matrix out;
        const Matrix multiplier = matrix(y);
        ops.activate(Activation::Silu, normed, &multiplier, out);
        return out.tensor;
    };
    const at::Tensor expected = all(plain);
    const std::size_t before = log.run.size();
    EXPECT_LE(furthest(all(fused), expected), 1e-5);
    EXPECT_THAT(std::vector(log.run.begin() + static_cast<std::ptrdiff_t>(before), log.run.end()),
                ElementsAre("normalize", "normalize", "rotation", "gate"));
}

} // namespace
} // namespace ep::model
