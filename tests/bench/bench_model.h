// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"
#include "cpu_ops.h"
#include "decoder.h"
#include "sampler.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/core/units.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

// The common parts of the benchmarks of recording and of the engine.
namespace ep::bench {

inline constexpr int kThreads = 2;

// A model with random weights, on the processor.
class BenchModel {
public:
    explicit BenchModel(const test::TinyModel& shape, int threads = kThreads);

    const model::Decoder& f32() const { return m_f32; }
    // A decoder with the same weights in another type; block formats only apply to the projections.
    model::Decoder in(model::DType dtype) const;
    const std::shared_ptr<model::ThreadPool>& pool() const { return m_pool; }
    const std::filesystem::path& folder() const { return m_folder.path(); }
    const test::TinyModel& shape() const { return m_shape; }

private:
    test::TinyModel m_shape;
    test::TempFolder m_folder;
    std::shared_ptr<model::ThreadPool> m_pool;
    model::Decoder m_f32;
};

// Loads the model of a folder or a GGUF file, with its matrices as they are stored.
model::Decoder storedModel(const std::filesystem::path& path, model::ThreadPool& pool);
std::shared_ptr<const model::Checkpoint> storedWeights(const std::filesystem::path& path);

// Computes the same step again and again: `rows` new positions behind `context` of them, and the
// choice of a token.
class BenchStep {
public:
    BenchStep(const model::Decoder& decoder, const std::shared_ptr<model::ThreadPool>& pool,
              int rows, int context);

    Nanoseconds run(model::Observer* observer, bool decomposed); // returns how long it took
    const model::KvCache& cache() const { return m_cache; }
    int layers() const { return m_decoder.config.num_hidden_layers; }

private:
    const model::Decoder& m_decoder;
    model::CpuOps m_ops;
    model::KvCache m_cache;
    std::vector<text::TokenId> m_ids;
    std::vector<model::SequenceRows> m_rows;
    model::Workspace m_workspace;
    model::Sampler m_sampler;
};

// Reads the memory of a decoded token in the same order: the actual pages of the weights, keys and
// values, since their location and the state of the caches determine the speed.
class BareRead {
public:
    BareRead(std::shared_ptr<const model::Checkpoint> weights,
             std::shared_ptr<model::ThreadPool> pool, const BenchStep& step);

    Nanoseconds run(); // once, with all threads

private:
    std::shared_ptr<const model::Checkpoint> m_weights;
    std::shared_ptr<model::ThreadPool> m_pool;
    std::vector<std::span<const float>> m_chunks;
    std::vector<std::uint64_t> m_read; // keeps the reads from being optimised away
};

// The matrix products of a prefill and nothing else, with separate weights.
class BareProducts {
public:
    explicit BareProducts(const BenchModel& model);

    Nanoseconds run(int rows); // the head's product for one row only

private:
    std::vector<float> m_memory;
    std::vector<model::Linear> m_linears;
    model::CpuOps m_ops;
    model::Matrix m_input;
    model::Matrix m_output;
};

// Calls both alternately, each one first in half of the pairs; the median of second / first.
double medianRatio(int pairs, const std::function<Nanoseconds()>& first,
                   const std::function<Nanoseconds()>& second);

} // namespace ep::bench
