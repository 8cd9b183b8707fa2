// SPDX-License-Identifier: GPL-3.0-or-later
#include "matmul_times.h"

#include "blas.h"
#include "cpu_ops.h"
#include "kernel_measurement.h"
#include "quantization.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace ep::model {

namespace {

constexpr Nanoseconds kBurst = 40'000'000;

at::ScalarType scalarOf(DType dtype)
{
    switch (dtype) {
    case DType::BF16:
        return at::kBFloat16;
    case DType::F16:
        return at::kHalf;
    default:
        return at::kFloat;
    }
}

Linear layerOf(DType dtype, std::int64_t width, ThreadPool& pool)
{
    const bool rounded = dtype == DType::Int8 || inBlocks(dtype);
    Linear layer;
    Weight& weight = layer.weight;
    weight.tensor = at::full({width, width}, 0.5, scalarOf(dtype));
    weight.data = weight.tensor.data_ptr();
    weight.dtype = rounded ? DType::F32 : dtype;
    weight.rows = width;
    weight.columns = width;
    if (rounded)
        weight = inBlocks(dtype) ? quantizedInBlocks(weight, dtype, pool) : quantized(weight);
    return layer;
}

double bytesOf(const MatmulRequest& request)
{
    const auto width = static_cast<double>(request.width);
    const double scales = request.dtype == DType::Int8 ? sizeof(float) * width : 0.0;
    return width * width * bytesOfNumber(request.dtype) + scales
        + 2.0 * static_cast<double>(request.rows) * width * sizeof(float);
}

} // namespace

Result<MatmulTimes> timeMatmulsOf(const MatmulRequest& request)
{
    const Error cancelled{ErrorCode::Cancelled, "The measurement was cancelled."};
    MatmulTimes times;
    times.threads = chooseThreads(request.threads);
    setThreadsBesideOurs(times.threads);
    const auto pool = std::make_shared<ThreadPool>(times.threads);
    const WeightKind kind{.dtype = request.dtype, .columns = request.width};
    KernelMeasurement measurement(pool, request.cancel);
    KernelChoice choice;
    if (!inBlocks(kind.dtype)) { // plain formats have one kernel each
        choice.setRow(kind, measurement.chooseRow(kind));
        choice.setMany(kind.dtype, measurement.chooseMany(kind));
    }
    CpuOps ops(pool, std::move(choice));
    std::vector<Linear> layers;
    for (std::int64_t i = 0; i < request.matrices; ++i) {
        if (request.cancel.cancelled())
            return cancelled;
        layers.push_back(layerOf(request.dtype, request.width, *pool));
    }
    Matrix input;
    input.resize(request.rows, request.width);
    std::fill_n(input.data, request.rows * request.width, 0.25F);
    Matrix output;
    for (const Linear& layer : layers) { // causes page faults and BLAS allocations in advance
        if (request.cancel.cancelled())
            return cancelled;
        ops.linear(input, layer, output);
    }

    const auto width = static_cast<double>(request.width);
    const double flops = 2.0 * static_cast<double>(request.rows) * width * width;
    const Nanoseconds end = monotonicNow() + static_cast<Nanoseconds>(request.seconds * 1e9);
    std::size_t next = 0;
    for (Nanoseconds begin = monotonicNow(); begin < end; begin = monotonicNow()) {
        MatmulBurst burst;
        burst.time = {begin, begin};
        while (burst.time.duration_ns() < kBurst) {
            if (request.cancel.cancelled())
                return cancelled;
            ops.linear(input, layers[next++ % layers.size()], output);
            burst.time.end_ns = monotonicNow();
            burst.flops += flops;
            burst.bytes += bytesOf(request);
        }
        times.bursts.push_back(burst);
    }
    return times;
}

} // namespace ep::model
