// SPDX-License-Identifier: GPL-3.0-or-later
#include "aten_ops.h"
#include "cpu_ops.h"
#include "naive_mixers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

// Convolutions and states of both implementations compared with plain loops, over more positions
// than a chunk has, however a sequence is cut up.
namespace ep::model {
namespace {

constexpr std::int64_t kRows = 150;
const std::vector<std::int64_t> kOnePass{kRows};
const std::vector<std::int64_t> kChunks{64, 1, 1, 70, 14};
const std::vector<std::int64_t> kSingle(static_cast<std::size_t>(kRows), 1);

Matrix matrixOf(const at::Tensor& values, bool own)
{
    Matrix matrix;
    if (!own) {
        matrix.rows = values.size(0);
        matrix.columns = values.size(1);
        matrix.tensor = values.clone();
        return matrix;
    }
    matrix.resize(values.size(0), values.size(1));
    std::copy_n(values.contiguous().data_ptr<float>(), values.numel(), matrix.data);
    return matrix;
}

test::NaiveRows rowsOf(const at::Tensor& values)
{
    test::NaiveRows rows;
    for (std::int64_t row = 0; row < values.size(0); ++row) {
        test::NaiveRow& one = rows.emplace_back();
        for (std::int64_t column = 0; column < values.size(1); ++column)
            one.push_back(static_cast<double>(values[row][column].item<float>()));
    }
    return rows;
}

WeightVector vectorOf(const at::Tensor& values)
{
    return {.tensor = values, .data = values.data_ptr<float>()};
}

// The largest difference from `expected` in either implementation, run piece by piece.
template <typename Run>
double worst(const std::vector<std::int64_t>& pieces, const LayerCacheShape& shape,
             const test::NaiveRows& expected, const Run& run)
{
    double distance = 0.0;
    const auto pool = std::make_shared<ThreadPool>(2);
    for (const bool own : {true, false}) {
        std::unique_ptr<Ops> ops;
        if (own)
            ops = std::make_unique<CpuOps>(pool);
        else
            ops = std::make_unique<AtenOps>(at::kCPU, at::kFloat);
        KvCache cache({shape}, ops->cacheOptions(), kRows);
        std::int64_t first = 0;
        for (const std::int64_t count : pieces) {
            Matrix out;
            const std::array rows{SequenceRows{.cache = &cache, .first = 0, .count = count}};
            run(*ops, own, first, count, rows, out);
            cache.advance(count);
            for (std::int64_t row = 0; row < count; ++row) {
                const auto values = ops->host(out, row);
                const test::NaiveRow& wanted = expected[static_cast<std::size_t>(first + row)];
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const double off = std::abs(static_cast<double>(values[i]) - wanted[i]);
                    distance = off <= distance ? distance : off; // also catches NaN
                }
            }
            first += count;
        }
    }
    return distance;
}

TEST(StateOps, ConvolutionsContinueWhereTheyWere)
{
    const c10::InferenceMode noGradients;
    for (const std::int64_t taps : {1, 2, 4, 9}) {
        constexpr std::int64_t kChannels = 21;
        const at::Tensor x = at::randn({kRows, kChannels});
        const at::Tensor weights = at::randn({kChannels, 1, taps});
        const at::Tensor bias = at::randn({kChannels});
        const test::NaiveTensor stored{
            {kChannels, 1, taps},
            {weights.data_ptr<float>(), weights.data_ptr<float>() + weights.numel()}};
        const test::NaiveTensor storedBias{
            {kChannels}, {bias.data_ptr<float>(), bias.data_ptr<float>() + kChannels}};
        const auto expected = test::naiveConvolution(rowsOf(x), stored, &storedBias, false);
        const at::Tensor turned = weights.reshape({kChannels, taps}).t().contiguous();
        const Convolution convolution{
            .weights = vectorOf(turned), .bias = vectorOf(bias), .taps = taps};
        for (const auto& pieces : {kOnePass, kChunks, kSingle}) {
            EXPECT_LT(worst(pieces, {.inputs = taps - 1, .channels = kChannels}, expected,
                            [&](Ops& ops, bool own, std::int64_t first, std::int64_t count,
                                std::span<const SequenceRows> rows, Matrix& out) {
                                ops.convolve(matrixOf(x.narrow(0, first, count), own), convolution,
                                             rows, 0, out);
                            }),
                      1e-5)
                << taps << " taps in " << pieces.size() << " pieces";
        }
    }
}

struct StateCase {
    StateShape shape;
    double fastest; // rate of decay
};

std::vector<StateCase> stateCases()
{
    const StateShape small{.key_heads = 2, .value_heads = 6, .key_dim = 5, .value_dim = 19};
    const StateShape wide{.key_heads = 1, .value_heads = 2, .key_dim = 16, .value_dim = 70};
    std::vector<StateCase> cases;
    for (const StateShape& shape : {small, wide}) {
        for (const bool delta : {false, true}) {
            for (const bool tiled : {false, true}) {
                cases.push_back({shape, 0.3});
                cases.back().shape.delta = delta;
                cases.back().shape.tiled = tiled;
            }
        }
    }
    cases.push_back({small, 200.0}); // a state that forgets everything at once
    cases.back().shape.delta = true;
    return cases;
}

TEST(StateOps, RecurrencesAreThoseOfPlainLoops)
{
    const c10::InferenceMode noGradients;
    for (const StateCase& c : stateCases()) {
        const StateShape& s = c.shape;
        const auto unit = [](const at::Tensor& x, std::int64_t heads) {
            const at::Tensor parts = x.view({kRows, heads, -1});
            return (parts / parts.norm(2, -1, true)).view({kRows, -1}).contiguous();
        };
        const at::Tensor q = unit(at::randn({kRows, s.key_heads * s.key_dim}), s.key_heads);
        const at::Tensor k = unit(at::randn({kRows, s.key_heads * s.key_dim}), s.key_heads);
        const at::Tensor v = at::randn({kRows, s.value_heads * s.value_dim});
        const at::Tensor factors = at::rand({kRows, s.value_heads});
        const at::Tensor decays = (at::rand({kRows, s.value_heads}) * -c.fastest).exp();
        const at::Tensor skip = at::randn({s.value_heads});
        StateShape shape = s;
        shape.skip = vectorOf(skip);

        // The plain loops only support adjacent value heads.
        const test::NaiveState plain{.key_heads = static_cast<std::size_t>(s.value_heads),
                                     .value_heads = static_cast<std::size_t>(s.value_heads),
                                     .key_dim = static_cast<std::size_t>(s.key_dim),
                                     .value_dim = static_cast<std::size_t>(s.value_dim),
                                     .delta = s.delta};
        const auto spread = [&](const at::Tensor& x) {
            std::vector<at::Tensor> heads;
            for (std::int64_t head = 0; head < s.value_heads; ++head) {
                const std::int64_t from =
                    s.tiled ? head % s.key_heads : head / (s.value_heads / s.key_heads);
                heads.push_back(x.narrow(1, from * s.key_dim, s.key_dim));
            }
            return rowsOf(at::cat(heads, 1));
        };
        auto expected = test::naiveRecurrence(spread(q), spread(k), rowsOf(v), rowsOf(factors),
                                              rowsOf(decays), plain);
        for (std::size_t row = 0; row < expected.size(); ++row) {
            for (std::size_t i = 0; i < expected[row].size(); ++i) {
                const auto at = static_cast<std::int64_t>(i);
                expected[row][i] +=
                    static_cast<double>(skip[at / s.value_dim].item<float>()
                                        * v[static_cast<std::int64_t>(row)][at].item<float>());
            }
        }
        for (const auto& pieces : {kOnePass, kChunks, kSingle}) {
            const double off = worst(
                pieces,
                {.state_heads = s.value_heads, .key_dim = s.key_dim, .value_dim = s.value_dim},
                expected,
                [&](Ops& ops, bool own, std::int64_t first, std::int64_t count,
                    std::span<const SequenceRows> rows, Matrix& out) {
                    const auto part = [&](const at::Tensor& x) {
                        return matrixOf(x.narrow(0, first, count), own);
                    };
                    ops.recur({part(q), part(k), part(v), part(factors), part(decays)}, shape, rows,
                              0, out);
                });
            double largest = 0.0;
            for (const test::NaiveRow& row : expected) {
                for (const double value : row)
                    largest = std::max(largest, std::abs(value));
            }
            EXPECT_LT(off, 1e-5 * std::max(1.0, largest))
                << "delta " << s.delta << ", tiled " << s.tiled << ", value_dim " << s.value_dim
                << ", " << pieces.size() << " pieces";
        }
    }
}

TEST(StateOps, AClearedCacheHasNoState)
{
    KvCache cache({{.inputs = 2, .channels = 3, .state_heads = 1, .key_dim = 2, .value_dim = 2}},
                  at::TensorOptions(at::kFloat), 4);
    EXPECT_EQ(cache.bytes(), (2 * 3 + 2 * 2) * 4); // and no keys
    const KvCache::Layer& layer = cache.layer(0);
    std::fill_n(layer.input_data, 6, 1.0F);
    std::fill_n(layer.state_data, 4, 1.0F);
    cache.reserve(400);
    EXPECT_EQ(layer.state_data[3], 1.0F);
    cache.clear();
    EXPECT_TRUE(std::all_of(layer.input_data, layer.input_data + 6,
                            [](float value) { return value == 0.0F; }));
    EXPECT_TRUE(std::all_of(layer.state_data, layer.state_data + 4,
                            [](float value) { return value == 0.0F; }));
}

} // namespace
} // namespace ep::model
