// SPDX-License-Identifier: GPL-3.0-or-later
#include "product_choice.h"

#include "cpu_ops.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace ep::model {
namespace {

constexpr std::int64_t kSide = 2048; // a matrix of 16 MiB
constexpr int kRounds = 3;
constexpr double kClearLead = 1.15;

// The best of several rounds over both matrices.
template <typename Multiply>
double bytesPerSecond(const std::array<Linear, 2>& layers, const Multiply& multiply)
{
    auto best = std::numeric_limits<Nanoseconds>::max();
    for (int round = 0; round < kRounds; ++round) {
        const Nanoseconds begin = monotonicNow();
        for (const Linear& layer : layers)
            multiply(layer);
        best = std::min(best, monotonicNow() - begin);
    }
    const auto bytes = static_cast<double>(layers.size() * sizeof(float) * kSide * kSide);
    return bytes / toSeconds(std::max<Nanoseconds>(1, best));
}

} // namespace

ProductChoice chooseProducts(double ownBytesPerSecond, double blasBytesPerSecond)
{
    const auto rate = [](double bytes) {
        return formatBytes(static_cast<std::int64_t>(bytes)) + "/s";
    };
    return {.own = blasBytesPerSecond < kClearLead * ownBytesPerSecond,
            .reason =
                "measured " + rate(ownBytesPerSecond) + ", LibTorch " + rate(blasBytesPerSecond)};
}

ProductChoice measureProducts(ThreadPool& pool)
{
    const c10::InferenceMode noGradients;
    std::array<Linear, 2> layers;
    for (Linear& layer : layers) {
        layer.weight.tensor = at::full({kSide, kSide}, 0.5, at::kFloat);
        layer.weight.data = layer.weight.tensor.data_ptr<float>();
        layer.weight.rows = kSide;
        layer.weight.columns = kSide;
    }
    Matrix input;
    input.resize(1, kSide);
    std::fill_n(input.data, kSide, 0.25F);
    Matrix output;
    // Both use the same pool, which must not be destroyed here.
    CpuOps own(std::shared_ptr<ThreadPool>(std::shared_ptr<void>(), &pool), true);
    CpuOps blas(std::shared_ptr<ThreadPool>(std::shared_ptr<void>(), &pool), false);
    const auto measure = [&](CpuOps& ops) {
        return bytesPerSecond(layers,
                              [&](const Linear& layer) { ops.linear(input, layer, output); });
    };
    const double ownRate = measure(own);
    return chooseProducts(ownRate, measure(blas));
}

} // namespace ep::model
