// SPDX-License-Identifier: GPL-3.0-or-later
// Our operations on the processor and plain LibTorch calls of the same shape, alternately in one
// process. `ratio` is how many times as long the LibTorch calls take, which always compute in f32.
#include "aten_ops.h"
#include "blas.h"
#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder.h"
#include "support/rounded_matrices.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ep::model {
namespace {

// 45 million parameters in 4 layers: larger than the caches, like any practical model.
constexpr int kHidden = 1024;
constexpr int kContext = 64; // positions before the decoded one

int threads()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

class Models {
public:
    static Models& instance()
    {
        static Models models;
        return models;
    }

    const Decoder& decoder(DType dtype) const
    {
        return dtype == DType::F32 ? m_f32 : dtype == DType::BF16 ? m_bf16 : m_int8;
    }
    const std::shared_ptr<ThreadPool>& pool() const { return m_pool; }

private:
    Models()
    {
        test::writeTinyModel(m_folder.path(),
                             {.hidden_size = kHidden,
                              .intermediate_size = 2816,
                              .layers = 4,
                              .heads = 16,
                              .kv_heads = 4,
                              .max_positions = 4096,
                              .tied = false});
        m_f32 = load(DType::F32, false);
        m_bf16 = load(DType::BF16, false);
        m_int8 = load(DType::F32, true);
    }

    Decoder load(DType dtype, bool quantize)
    {
        const auto config = readModelConfig(m_folder.path());
        const auto checkpoint = Checkpoint::open(m_folder.path());
        if (!config || !checkpoint)
            throw std::runtime_error("the model of the benchmark cannot be read");
        WeightLoader weights(*checkpoint, at::kCPU, dtype, *m_pool, {}, {});
        if (quantize)
            weights.roundMatrices(test::allRounded(*checkpoint, *config, DType::Int8));
        return makeDecoder(*config, weights);
    }

    test::TempFolder m_folder;
    std::shared_ptr<ThreadPool> m_pool = std::make_shared<ThreadPool>(threads());
    Decoder m_f32;
    Decoder m_bf16;
    Decoder m_int8;
};

// A batch after a context of kContext positions (or none) that computes the same step repeatedly.
class Runner {
public:
    Runner(const Decoder& decoder, Ops& ops, int batch, int rows, int context)
        : m_decoder(decoder)
        , m_ops(ops)
        , m_ids(static_cast<std::size_t>(batch) * static_cast<std::size_t>(rows), 65)
    {
        const ModelConfig& config = decoder.config;
        for (int i = 0; i < batch; ++i) {
            m_caches.push_back(
                std::make_unique<KvCache>(cacheShape(config), ops.cacheOptions(), context + rows));
            m_caches.back()->advance(context);
            m_rows.push_back(
                {.cache = m_caches.back().get(), .first = std::int64_t{i} * rows, .count = rows});
        }
    }

    double seconds()
    {
        const auto begin = std::chrono::steady_clock::now();
        const CancelToken never;
        Step step{m_ops, m_rows, m_workspace, nullptr, never};
        m_decoder.forward(step, m_ids, Decoder::Logits::LastRows);
        benchmark::DoNotOptimize(m_ops.host(m_workspace.logits, 0));
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }

private:
    const Decoder& m_decoder;
    Ops& m_ops;
    std::vector<text::TokenId> m_ids;
    std::vector<std::unique_ptr<KvCache>> m_caches;
    std::vector<SequenceRows> m_rows;
    Workspace m_workspace;
};

void compare(benchmark::State& state, DType dtype, int batch, int rows, int context)
{
    const c10::InferenceMode noGradients;
    const Models& models = Models::instance();
    CpuOps own(models.pool());
    AtenOps plain(at::kCPU, at::kFloat);
    Runner ours(models.decoder(dtype), own, batch, rows, context);
    Runner theirs(models.decoder(DType::F32), plain, batch, rows, context);
    ours.seconds();
    theirs.seconds();
    double ownTotal = 0.0;
    double plainTotal = 0.0;
    for (auto _ : state) {
        setBlasThreads(threads());
        plainTotal += theirs.seconds();
        setThreadsBesideOurs(threads());
        const double time = ours.seconds();
        ownTotal += time;
        state.SetIterationTime(time);
    }
    const auto steps = static_cast<double>(state.iterations());
    state.counters["plain_ms"] = plainTotal / steps * 1e3;
    state.counters["ratio"] = plainTotal / ownTotal;
    state.counters["tokens/s"] = steps * batch * rows / ownTotal;
}

void decode(benchmark::State& state, DType dtype)
{
    compare(state, dtype, static_cast<int>(state.range(0)), 1, kContext);
}

void prefill(benchmark::State& state, DType dtype)
{
    compare(state, dtype, 1, static_cast<int>(state.range(0)), 0);
}

#define EP_ENGINE_BENCHMARKS(dtype)                                                                \
    BENCHMARK_CAPTURE(decode, dtype, DType::dtype)                                                 \
        ->ArgName("batch")                                                                         \
        ->Arg(1)                                                                                   \
        ->Arg(4)                                                                                   \
        ->Arg(8)                                                                                   \
        ->Arg(16)                                                                                  \
        ->UseManualTime()                                                                          \
        ->Unit(benchmark::kMillisecond);                                                           \
    BENCHMARK_CAPTURE(prefill, dtype, DType::dtype)                                                \
        ->ArgName("tokens")                                                                        \
        ->Arg(128)                                                                                 \
        ->UseManualTime()                                                                          \
        ->Unit(benchmark::kMillisecond)
EP_ENGINE_BENCHMARKS(F32);
EP_ENGINE_BENCHMARKS(BF16);
EP_ENGINE_BENCHMARKS(Int8);

} // namespace
} // namespace ep::model
