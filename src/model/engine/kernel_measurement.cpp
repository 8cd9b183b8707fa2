// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_measurement.h"

#include "blas.h"
#include "cpu_ops.h"
#include "quantization.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/model/memory.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <random>
#include <utility>

#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

namespace ep::model {
namespace {

constexpr std::int64_t kMinBytes = std::int64_t{64} << 20;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 30;
constexpr std::int64_t kTrialBytes = std::int64_t{3} << 20;
constexpr int kRowRounds = 41;
constexpr int kPanelRounds = 21;
constexpr std::int64_t kManyRows = 128;
constexpr std::int64_t kManyOutputs = 1024;
// Smaller leads over the usual kernel depend on what else the machine does, and a choice that
// changes makes runs differ. The BLAS computes in another order, on its own threads.
constexpr double kLead = 0.08;
constexpr double kBlasLead = 0.13;

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

std::int64_t lastCacheBytes()
{
    std::int64_t largest = 0;
#ifdef __APPLE__
    for (const char* key : {"hw.l3cachesize", "hw.perflevel0.l2cachesize", "hw.l2cachesize"}) {
        std::int64_t value = 0;
        std::size_t size = sizeof value;
        if (sysctlbyname(key, &value, &size, nullptr, 0) == 0)
            largest = std::max(largest, value);
    }
#else
    // sysconf() would return the sum of all caches on some processors.
    for (int index = 0; index < 8; ++index) {
        std::string name = "/sys/devices/system/cpu/cpu0/cache/index";
        name += std::to_string(index);
        name += "/size";
        std::ifstream file(name);
        std::int64_t kilobytes = 0; // "32768K"
        if (file >> kilobytes)
            largest = std::max(largest, kilobytes << 10);
    }
#endif
    return largest;
}

std::size_t chooseByTrials(std::span<const std::vector<double>> times, double lead)
{
    std::size_t best = 0;
    for (std::size_t candidate = 1; candidate < times.size(); ++candidate) {
        const std::size_t rounds = times[candidate].size();
        std::vector<double> ratios(rounds);
        for (std::size_t round = 0; round < rounds; ++round)
            ratios[round] = times[candidate][round] / times[best][round];
        std::sort(ratios.begin(), ratios.end());
        // The median of the distribution is below this ratio with a probability of 99.95 %:
        // n/2 + 3.3 sqrt(n)/2.
        const double above =
            0.5 * static_cast<double>(rounds) + 1.65 * std::sqrt(static_cast<double>(rounds));
        const auto bound = std::min(rounds - 1, static_cast<std::size_t>(std::ceil(above)));
        if (ratios[rounds / 2] < 1.0 - lead && ratios[bound] < 1.0)
            best = candidate;
    }
    return best;
}

// The memory that the weights of trials point into. Its values are arbitrary, but not subnormal.
struct KernelMeasurement::Memory {
    explicit Memory(ThreadPool& pool)
    {
        const std::int64_t room = availableMemory().value_or(kMaxBytes) / 4;
        bytes = std::clamp(4 * lastCacheBytes(), kMinBytes, kMaxBytes);
        bytes = std::max(kTrialBytes, std::min(bytes, room));
        values = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes));
        pool.runRanges(bytes, std::int64_t{1} << 20, 1, [&](std::int64_t begin, std::int64_t end) {
            std::memset(values.get() + begin, 0x3C, static_cast<std::size_t>(end - begin));
        });
    }

    // Returns the next `rows` rows of the memory, which were not read recently.
    Linear next(const WeightKind& kind, std::int64_t rows)
    {
        const std::int64_t size = bytesOf(kind.dtype, rows * kind.columns);
        if (place + size > bytes)
            place = 0;
        Linear layer;
        layer.weight.dtype = kind.dtype;
        layer.weight.data = values.get() + place;
        layer.weight.rows = rows;
        layer.weight.columns = kind.columns;
        if (kind.dtype == DType::F32) {
            layer.weight.tensor =
                at::from_blob(values.get() + place, {rows, kind.columns}, at::kFloat);
        }
        if (kind.dtype == DType::Int8) {
            scales.resize(static_cast<std::size_t>(rows), 0.01F);
            layer.weight.scale_data = scales.data();
        }
        place += (size + 63) / 64 * 64;
        return layer;
    }

    std::unique_ptr<std::byte[]> values;
    std::int64_t bytes = 0;
    std::int64_t place = 0;
    std::vector<float> scales;
};

namespace {

// Returns times[candidate][round]. Each round tries all candidates, in random order.
template <typename Trial>
std::vector<std::vector<double>> timesOf(std::size_t candidates, int rounds,
                                         const CancelToken& cancel, const Trial& trial)
{
    std::vector<std::vector<double>> times(candidates);
    std::vector<std::size_t> order(candidates);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937 random(1); // NOLINT: the same order in every process
    for (const std::size_t candidate : order)
        trial(candidate); // wakes threads and allocates results
    for (int round = 0; round < rounds; ++round) {
        std::shuffle(order.begin(), order.end(), random);
        for (const std::size_t candidate : order)
            times[candidate].push_back(cancel.cancelled() ? 1.0 : toSeconds(trial(candidate)));
    }
    return times;
}

void fill(Matrix& x, std::int64_t rows, std::int64_t columns)
{
    x.resize(rows, columns);
    std::fill_n(x.data, rows * columns, 0.25F);
}

Nanoseconds timeOf(CpuOps& ops, const Matrix& x, const Linear& layer, Matrix& out)
{
    const Nanoseconds begin = monotonicNow();
    ops.linear(x, layer, out);
    return std::max<Nanoseconds>(1, monotonicNow() - begin);
}

} // namespace

KernelMeasurement::KernelMeasurement(std::shared_ptr<ThreadPool> pool, CancelToken cancel)
    : m_pool(std::move(pool))
    , m_cancel(std::move(cancel))
    , m_memory(std::make_unique<Memory>(*m_pool))
{
}

KernelMeasurement::~KernelMeasurement() = default;

RowWay KernelMeasurement::chooseRow(const WeightKind& kind)
{
    const c10::InferenceMode noGradients;
    std::vector<RowWay> ways{kUsualShape};
    std::vector<CpuOps> candidates;
    for (int shape = 0; shape < kRowShapes; ++shape) {
        const RowWay way = static_cast<RowShape>(shape);
        if (way != kUsualShape && canMultiplyRow(kind.dtype, way))
            ways.push_back(way);
    }
    const std::size_t own = ways.size();
    if (kind.dtype == DType::F32)
        ways.push_back({});
    for (const RowWay way : ways) {
        KernelChoice choice;
        choice.setRow(kind, way);
        candidates.emplace_back(m_pool, choice);
    }
    const std::int64_t rowBytes = bytesOf(kind.dtype, kind.columns);
    const std::int64_t rows = std::max<std::int64_t>(16, kTrialBytes / rowBytes);
    Matrix x;
    Matrix out;
    fill(x, 1, kind.columns);
    const auto times = timesOf(ways.size(), kRowRounds, m_cancel, [&](std::size_t candidate) {
        return timeOf(candidates[candidate], x, m_memory->next(kind, rows), out);
    });
    std::size_t best = chooseByTrials(std::span(times).first(own), kLead);
    if (kind.dtype == DType::F32) {
        const std::array pair{times[best], times.back()};
        best = chooseByTrials(pair, kBlasLead) == 0 ? best : times.size() - 1;
    }
    m_rates.clear();
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const double rate = static_cast<double>(rows * rowBytes) / medianOf(times[i]);
        m_rates +=
            (i ? ", " : "") + std::string(nameOf(ways[i])) + " " + formatSignificant(rate / 1e9, 3);
    }
    m_rates += " GB/s";
    return ways[best];
}

ManyWay KernelMeasurement::chooseMany(const WeightKind& kind)
{
    const c10::InferenceMode noGradients;
    std::vector<CpuOps> candidates;
    std::vector<ManyWay> ways;
    for (const ManyWay way : {ManyWay::Pairs, ManyWay::Panels, ManyWay::Blas}) {
        KernelChoice choice;
        choice.setMany(kind.dtype, way);
        if (choice.many(kind.dtype) == way) {
            ways.push_back(way);
            candidates.emplace_back(m_pool, choice);
        }
    }
    Matrix x;
    Matrix out;
    fill(x, kManyRows, kind.columns);
    const auto times =
        timesOf(candidates.size(), kPanelRounds, m_cancel, [&](std::size_t candidate) {
            return timeOf(candidates[candidate], x, m_memory->next(kind, kManyOutputs), out);
        });
    const std::size_t own = chooseByTrials(std::span(times).first(ways.size() - 1), kLead);
    const std::array pair{times[own], times.back()};
    return chooseByTrials(pair, kBlasLead) == 0 ? ways[own] : ManyWay::Blas;
}

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
