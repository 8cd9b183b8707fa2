// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_model.h"

#include "blas.h"
#include "support/rounded_matrices.h"
#include "weight_loader.h"

#include "ep/core/clock.h"
#include "ep/model/model_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace ep::bench {

namespace {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define EP_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EP_WIDEST
#endif

// Reads everything and does hardly anything else: the fastest that a thread can be.
EP_WIDEST std::uint64_t touch(const float* values, std::int64_t count)
{
    typedef std::uint64_t Vec __attribute__((vector_size(64)));
    constexpr std::int64_t kLanes = sizeof(Vec) / sizeof(float);
    Vec bits[8] = {};
    for (std::int64_t i = 0; i + 8 * kLanes <= count; i += 8 * kLanes) {
        for (std::int64_t block = 0; block < 8; ++block) {
            Vec read;
            std::memcpy(&read, values + i + block * kLanes, sizeof read);
            bits[block] |= read;
        }
    }
    std::uint64_t all = 0;
    for (const Vec& block : bits) {
        for (std::size_t lane = 0; lane < sizeof(Vec) / sizeof(std::uint64_t); ++lane)
            all |= block[lane];
    }
    return all;
}

} // namespace

BenchModel::BenchModel(const test::TinyModel& shape, int threads)
    : m_shape(shape)
    , m_pool(std::make_shared<model::ThreadPool>(threads))
{
    model::setThreadsBesideOurs(threads);
    test::writeTinyModel(m_folder.path(), m_shape);
    m_f32 = in(model::DType::F32);
}

model::Decoder BenchModel::in(model::DType dtype) const
{
    const auto config = model::readModelConfig(m_folder.path());
    const auto checkpoint = model::Checkpoint::open(m_folder.path());
    if (!config || !checkpoint)
        throw std::runtime_error("the model of the benchmark cannot be read");
    const bool blocks = model::inBlocks(dtype);
    model::WeightLoader weights(*checkpoint, at::kCPU, blocks ? model::DType::F32 : dtype, *m_pool,
                                {}, {});
    if (blocks)
        weights.roundMatrices(test::allRounded(*checkpoint, *config, dtype));
    return model::makeDecoder(*config, weights);
}

namespace {

std::shared_ptr<const model::ModelFiles> filesOf(const std::filesystem::path& path)
{
    const auto files = model::openModel(path);
    if (!files)
        throw std::runtime_error(files.error().message.english());
    return *files;
}

} // namespace

model::Decoder storedModel(const std::filesystem::path& path, model::ThreadPool& pool)
{
    const auto files = filesOf(path);
    model::WeightLoader weights(*files->weights, at::kCPU, model::DType::F32, pool, {}, {});
    weights.keepStoredTypes();
    return model::makeDecoder(files->config, weights);
}

std::shared_ptr<const model::Checkpoint> storedWeights(const std::filesystem::path& path)
{
    return filesOf(path)->weights;
}

BenchStep::BenchStep(const model::Decoder& decoder, const std::shared_ptr<model::ThreadPool>& pool,
                     int rows, int context)
    : m_decoder(decoder)
    , m_ops(pool)
    , m_cache(model::cacheShape(decoder.config), m_ops.cacheOptions(), context + rows)
    , m_ids(static_cast<std::size_t>(rows), 65)
    , m_sampler({})
{
    m_cache.advance(context);
    m_rows.push_back({.cache = &m_cache, .first = 0, .count = rows});
}

Nanoseconds BenchStep::run(model::Observer* observer, bool decomposed)
{
    const c10::InferenceMode noGradients;
    const CancelToken never;
    const Nanoseconds begin = monotonicNow();
    model::Step step{m_ops, m_rows, m_workspace, observer, never};
    step.decomposed = decomposed;
    step.askObserver();
    m_decoder.forward(step, m_ids, model::Decoder::Logits::LastRows);
    model::tapSection(observer, Section::Sampling,
                      [&] { m_sampler.choose(m_ops.host(m_workspace.logits, 0)); });
    return monotonicNow() - begin;
}

BareRead::BareRead(std::shared_ptr<const model::Checkpoint> weights,
                   std::shared_ptr<model::ThreadPool> pool, const BenchStep& step)
    : m_weights(std::move(weights))
    , m_pool(std::move(pool))
{
    const auto add = [&](std::span<const float> values) {
        constexpr std::size_t kChunk = 1 << 16;
        for (; values.size() > kChunk; values = values.subspan(kChunk))
            m_chunks.push_back(values.first(kChunk));
        m_chunks.push_back(values);
    };
    const auto addTensors = [&](const std::string& prefix) {
        for (const auto& [name, entry] : m_weights->entries()) {
            const auto bytes = entry.tensor.bytes;
            if (name.starts_with(prefix))
                add({reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)});
        }
    };
    for (int i = 0; i < step.layers(); ++i) {
        addTensors("model.layers." + std::to_string(i) + ".");
        const model::KvCache::Layer& layer = step.cache().layer(i);
        add({layer.key_data, static_cast<std::size_t>(layer.keys.numel())});
        add({layer.value_data, static_cast<std::size_t>(layer.values.numel())});
    }
    const bool tied = m_weights->find("lm_head.weight") == nullptr;
    addTensors(tied ? "model.embed_tokens." : "lm_head.");
    m_read.resize(m_chunks.size());
}

Nanoseconds BareRead::run()
{
    const Nanoseconds begin = monotonicNow();
    m_pool->run(static_cast<std::int64_t>(m_chunks.size()), [&](std::int64_t index) {
        const std::span<const float> chunk = m_chunks[static_cast<std::size_t>(index)];
        m_read[static_cast<std::size_t>(index)] =
            touch(chunk.data(), static_cast<std::int64_t>(chunk.size()));
    });
    return monotonicNow() - begin;
}

BareProducts::BareProducts(const BenchModel& model)
    : m_ops(model.pool())
{
    const test::TinyModel& shape = model.shape();
    const std::int64_t hidden = shape.hidden_size;
    const std::int64_t inner = shape.intermediate_size;
    const std::int64_t keys = hidden / shape.heads * shape.kv_heads;
    const std::int64_t layer = 2 * hidden * hidden + 2 * hidden * keys + 3 * hidden * inner;
    m_memory.assign(static_cast<std::size_t>(shape.layers * layer + hidden * shape.vocabulary),
                    0.01F);
    float* place = m_memory.data();
    const auto add = [&](std::int64_t outputs, std::int64_t inputs) {
        model::Linear linear;
        linear.weight.tensor = at::from_blob(place, {outputs, inputs}, at::kFloat);
        linear.weight.data = place;
        linear.weight.rows = outputs;
        linear.weight.columns = inputs;
        m_linears.push_back(linear);
        place += outputs * inputs;
    };
    for (int i = 0; i < shape.layers; ++i) {
        add(hidden, hidden);
        add(keys, hidden);
        add(keys, hidden);
        add(hidden, hidden);
        add(inner, hidden);
        add(inner, hidden);
        add(hidden, inner);
    }
    add(shape.vocabulary, hidden);
}

Nanoseconds BareProducts::run(int rows)
{
    const c10::InferenceMode noGradients;
    const Nanoseconds begin = monotonicNow();
    for (const model::Linear& linear : m_linears) {
        const bool head = &linear == &m_linears.back();
        const std::int64_t count = head ? 1 : rows;
        if (m_input.rows != count || m_input.columns != linear.weight.columns) {
            m_input.resize(count, linear.weight.columns);
            std::fill_n(m_input.data, count * linear.weight.columns, 0.25F); // subnormals are slow
        }
        m_ops.linear(m_input, linear, m_output);
    }
    return monotonicNow() - begin;
}

double medianRatio(int pairs, const std::function<Nanoseconds()>& first,
                   const std::function<Nanoseconds()>& second)
{
    first();
    second();
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
        double a = 0.0;
        double b = 0.0;
        if (pair % 2 == 0) {
            a = static_cast<double>(first());
            b = static_cast<double>(second());
        } else {
            b = static_cast<double>(second());
            a = static_cast<double>(first());
        }
        ratios.push_back(b / a);
    }
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return *middle;
}

} // namespace ep::bench
