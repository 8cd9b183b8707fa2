// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of CpuOps compared with plain LibTorch operations, in whole decoders.
#include "aten_ops.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder.h"
#include "engine/cpu_ops.h"
#include "kernel_choice.h"
#include "quantization.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

std::vector<float> logitsOf(const Decoder& decoder, Ops& ops,
                            const std::vector<std::vector<text::TokenId>>& pieces)
{
    const c10::InferenceMode noGradients;
    const ModelConfig& config = decoder.config;
    KvCache cache(cacheShape(config), ops.cacheOptions(), 4);
    Workspace workspace;
    const CancelToken never;
    std::vector<float> logits;
    for (const std::vector<text::TokenId>& ids : pieces) {
        const auto rows = static_cast<std::int64_t>(ids.size());
        cache.reserve(cache.length() + rows);
        const std::array sequences{SequenceRows{.cache = &cache, .first = 0, .count = rows}};
        Step step{ops, sequences, workspace, nullptr, never};
        EXPECT_TRUE(decoder.forward(step, ids, Decoder::Logits::AllRows));
        cache.advance(rows);
        for (std::int64_t row = 0; row < rows; ++row) {
            const auto values = ops.host(workspace.logits, row);
            logits.insert(logits.end(), values.begin(), values.end());
        }
    }
    return logits;
}

struct ModelShape {
    const char* description;
    test::TinyModel model;
    std::optional<int> window;
    double partial_rotary_factor = 1.0;
};

class OpsTest : public testing::TestWithParam<ModelShape> { };

TEST_P(OpsTest, KernelsAgreeWithLibTorch)
{
    const test::TempFolder folder;
    test::writeTinyModel(folder.path(), GetParam().model);
    const auto checkpoint = Checkpoint::open(folder.path());
    auto config = readModelConfig(folder.path());
    ASSERT_TRUE(checkpoint && config);
    config->sliding_window = GetParam().window;
    config->partial_rotary_factor = GetParam().partial_rotary_factor;

    const auto pool = std::make_shared<ThreadPool>(2);
    WeightLoader weights(*checkpoint, at::kCPU, DType::F32, *pool, {}, {});
    const Decoder decoder = makeDecoder(*config, weights);
    CpuOps own(pool);
    AtenOps plain(at::kCPU, at::kFloat);

    // Several rows, single rows, and several rows after a filled cache.
    const std::vector<std::vector<text::TokenId>> pieces{
        {256, 1, 2, 3, 4, 5, 6}, {7}, {8}, {9, 10, 11, 12}, {13}};
    const auto a = logitsOf(decoder, own, pieces);
    const auto b = logitsOf(decoder, plain, pieces);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_NEAR(a[i], b[i], 2e-5) << "logit " << i;
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, OpsTest,
    testing::Values(
        ModelShape{"grouped heads", {}, {}},
        ModelShape{"one key head", {.heads = 4, .kv_heads = 1}, {}},
        ModelShape{"as many key heads", {.heads = 4, .kv_heads = 4}, {}},
        ModelShape{"window", {.layers = 3}, 3}, ModelShape{"half the head turns", {}, {}, 0.5},
        ModelShape{
            "odd sizes",
            {.hidden_size = 42, .intermediate_size = 51, .heads = 7, .kv_heads = 7, .tied = false},
            {}}),
    [](const auto& variant) {
        std::string name = variant.param.description;
        std::replace(name.begin(), name.end(), ' ', '_');
        return name;
    });

TEST(KvCacheTest, GrowsByDoublingAndKeepsWhatItHolds)
{
    const LayerCacheShape layer{.kv_heads = 3, .head_dim = 4, .v_head_dim = 4};
    LayerCacheShape second = layer;
    second.source = 1;
    KvCache cache({layer, second}, at::TensorOptions(at::kFloat), 5);
    EXPECT_EQ(cache.capacity(), 5);
    EXPECT_EQ(cache.bytes(), 2 * 2 * 3 * 5 * 4 * 4);
    for (int head = 0; head < 3; ++head) {
        for (int i = 0; i < 5 * 4; ++i)
            cache.layer(1).key_data[head * 20 + i] = static_cast<float>(head * 100 + i);
    }
    cache.advance(5);
    cache.reserve(5);
    EXPECT_EQ(cache.capacity(), 5);
    cache.reserve(6);
    EXPECT_EQ(cache.capacity(), 10);
    EXPECT_EQ(cache.length(), 5);
    for (int head = 0; head < 3; ++head) {
        for (int i = 0; i < 5 * 4; ++i)
            EXPECT_EQ(cache.layer(1).key_data[head * 40 + i], static_cast<float>(head * 100 + i));
    }
    cache.reserve(1000);
    EXPECT_EQ(cache.capacity(), 1000);
}

TEST(CpuOpsTest, EveryWayOfMultiplyingGivesTheSame)
{
    const c10::InferenceMode noGradients;
    const auto pool = std::make_shared<ThreadPool>(2);
    constexpr std::int64_t kOutputs = 130;
    constexpr std::int64_t kColumns = 300;
    const at::Tensor wide = at::randn({kOutputs, kColumns}, at::kFloat);
    const at::Tensor bias = at::randn({kOutputs}, at::kFloat);
    for (const auto& [dtype, type] :
         {std::pair(DType::F32, at::kFloat), std::pair(DType::BF16, at::kBFloat16)}) {
        Linear layer;
        layer.weight.tensor = wide.to(type);
        layer.weight.data = layer.weight.tensor.data_ptr();
        layer.weight.dtype = dtype;
        layer.weight.rows = kOutputs;
        layer.weight.columns = kColumns;
        layer.bias = {.tensor = bias, .data = bias.data_ptr<float>()};
        // One row, a few, some more, and more than are packed at once.
        for (const std::int64_t rows : {1, 5, 40, 300}) {
            Matrix x;
            x.resize(rows, kColumns);
            for (std::int64_t i = 0; i < rows * kColumns; ++i)
                x.data[i] = 0.01F * static_cast<float>(i % 97) - 0.4F;
            const at::Tensor expected = at::from_blob(x.data, {rows, kColumns}, at::kFloat)
                                            .matmul(layer.weight.tensor.to(at::kFloat).t())
                + bias;
            for (const char* wish : {"spread", "spread-ahead", "pairs", "blas,many=blas"}) {
                KernelChoice choice;
                const std::vector<WeightKind> kinds{{dtype, kColumns}};
                parseKernelWish(wish)->apply(kinds, choice);
                Matrix out;
                CpuOps(pool, choice).linear(x, layer, out);
                const at::Tensor result = at::from_blob(out.data, {rows, kOutputs}, at::kFloat);
                EXPECT_LT((result - expected).abs().max().item<float>(), 1e-3F)
                    << wish << ", " << rows << " rows, " << name(dtype);
            }
        }
    }
}

// Activations are rounded to 16 bits: negligible beside the 8 bits of the weights.
TEST(CpuOpsTest, PairsOfInt8GiveWhatPanelsGive)
{
    const c10::InferenceMode noGradients;
    const auto pool = std::make_shared<ThreadPool>(2);
    constexpr std::int64_t kOutputs = 130;
    constexpr std::int64_t kColumns = 300;
    constexpr std::int64_t kRows = 300;
    Linear layer;
    layer.weight.tensor = at::randn({kOutputs, kColumns}, at::kFloat);
    layer.weight.data = layer.weight.tensor.data_ptr();
    layer.weight.rows = kOutputs;
    layer.weight.columns = kColumns;
    layer.weight = quantized(layer.weight);
    Matrix x;
    x.resize(kRows, kColumns);
    for (std::int64_t i = 0; i < kRows * kColumns; ++i)
        x.data[i] = 0.01F * static_cast<float>(i % 97) - 0.4F;
    std::vector<at::Tensor> results;
    for (const ManyWay way : {ManyWay::Panels, ManyWay::Pairs}) {
        KernelChoice choice;
        choice.setMany(DType::Int8, way);
        Matrix out;
        CpuOps(pool, choice).linear(x, layer, out);
        results.push_back(at::from_blob(out.data, {kRows, kOutputs}, at::kFloat).clone());
    }
    EXPECT_LT((results[0] - results[1]).abs().max().item<float>(), 1e-3F);
    EXPECT_GT(results[0].abs().max().item<float>(), 1.0F);
}

TEST(AtenOpsTest, StatisticsAreThoseOfTheKernels)
{
    const c10::InferenceMode noGradients;
    at::manual_seed(7);
    CpuOps own(std::make_shared<ThreadPool>(1));
    AtenOps plain(at::kCPU, at::kFloat);
    Matrix a;
    a.resize(70, 9);
    Matrix b;
    b.tensor = at::randn({70, 9}, at::kFloat) - 0.3;
    std::memcpy(a.data, b.tensor.data_ptr<float>(), 70 * 9 * sizeof(float));
    const ActivationStats ours = own.stats(a, 0.5F);
    const ActivationStats theirs = plain.stats(b, 0.5F);
    // Each implementation adds in the order of its vector width, which differs between processors.
    EXPECT_NEAR(ours.mean_abs, theirs.mean_abs, 1e-5);
    EXPECT_NEAR(ours.std, theirs.std, 1e-5);
    EXPECT_EQ(ours.max_abs, theirs.max_abs);
    EXPECT_EQ(ours.sparsity, theirs.sparsity);
    EXPECT_EQ(own.count(a), plain.count(b));
    EXPECT_NEAR(own.negativeFraction(a), plain.negativeFraction(b), 1e-6);
}

// A profile computes figures of at most 32 rows; a reference needs those of all rows.
TEST(MatrixProbeTest, FiguresOfAllRowsLeaveNoRowOut)
{
    CpuOps ops(std::make_shared<ThreadPool>(1));
    Matrix x;
    x.resize(40, 2);
    for (std::int64_t row = 0; row < 40; ++row) {
        x.row(row)[0] = 1.0F;
        x.row(row)[1] = row == 3 ? -9.0F : -1.0F; // row 3 is not in the sample
    }
    const MatrixProbe probe(ops, x);
    EXPECT_EQ(probe.stats(0.01F).max_abs, 1.0F);
    const ActivationStats all = probe.statsOfAllRows(0.01F);
    EXPECT_EQ(all.max_abs, 9.0F);
    EXPECT_FLOAT_EQ(all.mean_abs, 88.0F / 80.0F);
    EXPECT_FLOAT_EQ(all.std, std::sqrt(160.0F / 80.0F - 0.01F)); // the mean is -0.1
}

Matrix filled(std::int64_t rows, std::int64_t columns)
{
    Matrix matrix;
    matrix.resize(rows, columns);
    return matrix;
}

TEST(KnownStatsTest, RemembersUntilTheMatrixIsWritten)
{
    KnownStats known;
    const Matrix x = filled(3, 8);
    EXPECT_EQ(known.find(x, 0.01F), nullptr);
    known.keep(x, 0.01F, {.mean_abs = 5.0F});
    ASSERT_NE(known.find(x, 0.01F), nullptr);
    EXPECT_EQ(known.find(x, 0.01F)->mean_abs, 5.0F);
    EXPECT_EQ(known.find(x, 0.02F), nullptr); // another threshold means another sparsity
    EXPECT_EQ(known.find(x.slice(0, 4), 0.01F), nullptr); // a part counts as another matrix
    known.forget(x);
    EXPECT_EQ(known.find(x, 0.01F), nullptr);
}

TEST(KnownStatsTest, AWriteToSharedMemoryIsAWrite)
{
    KnownStats known;
    const Matrix x = filled(4, 8);
    const Matrix other = filled(4, 8);
    for (const Matrix& part : {x.slice(6, 2), x.rowsFrom(3, 1), x}) {
        known.keep(x, 0.01F, {});
        known.forget(other);
        EXPECT_NE(known.find(x, 0.01F), nullptr);
        known.forget(part);
        EXPECT_EQ(known.find(x, 0.01F), nullptr);
    }
}

TEST(KnownStatsTest, TheOldestGiveWay)
{
    KnownStats known;
    const Matrix x = filled(1, 64);
    for (int i = 0; i < 20; ++i) {
        known.keep(x.slice(i, 1), 0.01F, {.mean_abs = static_cast<float>(i)});
        ASSERT_NE(known.find(x.slice(i, 1), 0.01F), nullptr);
        EXPECT_EQ(known.find(x.slice(i, 1), 0.01F)->mean_abs, static_cast<float>(i));
    }
    EXPECT_EQ(known.find(x.slice(0, 1), 0.01F), nullptr);
    known.clear();
    EXPECT_EQ(known.find(x.slice(19, 1), 0.01F), nullptr);
}

} // namespace
} // namespace ep::model
