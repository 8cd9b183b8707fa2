// SPDX-License-Identifier: GPL-3.0-or-later
#include "generation.h"

#include "guarded.h"

#include <algorithm>
#include <utility>

namespace ep::model {
namespace {

// Positions made room for at the start; longer generations grow the cache by doubling.
constexpr std::int64_t kInitialRoom = 256;

} // namespace

TorchGeneration::TorchGeneration(const Decoder& decoder, Ops& ops, const GenerationRequest& request,
                                 Observer* observer, CancelToken cancel)
    : m_decoder(decoder)
    , m_ops(ops)
    , m_request(request)
    , m_observer(observer)
    , m_cancel(std::move(cancel))
    , m_sampler(request.sampling)
{
}

void TorchGeneration::start()
{
    const ModelConfig& config = m_decoder.config;
    const auto prompt = static_cast<std::int64_t>(m_request.prompt.size());
    const std::int64_t room = std::min<std::int64_t>(m_request.max_new_tokens, kInitialRoom);
    tapSection(m_observer, Section::TensorTransfer, [&] {
        m_ids.reserve(
            static_cast<std::size_t>(std::min<std::int64_t>(prompt + m_request.max_new_tokens,
                                                            config.max_position_embeddings)
                                     + 1));
        m_ids = m_request.prompt;
    });
    tapSection(m_observer, Section::KvCacheInit, [&] {
        m_cache = std::make_unique<KvCache>(config.num_hidden_layers, config.num_key_value_heads,
                                            config.head_dim, m_ops.cacheOptions(), prompt + room);
    });
}

Result<StepResult> TorchGeneration::prefill()
{
    if (m_generated > 0 || !m_cache)
        return Error{ErrorCode::Internal, "A generation can only be prefilled once."};
    return guarded("the prefill", [&]() -> Result<StepResult> { return step(m_request.prompt); });
}

Result<StepResult> TorchGeneration::decode()
{
    if (m_generated == 0 || m_finished) {
        return Error{ErrorCode::Internal,
                     "A token was asked for before the prefill or after the end of a generation."};
    }
    const TokenId last = m_ids.back();
    return guarded("decoding", [&]() -> Result<StepResult> { return step({&last, 1}); });
}

Result<StepResult> TorchGeneration::step(std::span<const TokenId> ids)
{
    const bool first = m_generated == 0;
    const Error cancelled{ErrorCode::Cancelled, "The generation was cancelled."};
    if (m_cancel.cancelled())
        return cancelled;
    Step pass{m_ops, *m_cache, m_workspace, m_observer, m_cancel};
    if (!m_decoder.forward(pass, ids, Decoder::Logits::LastRow))
        return cancelled;

    const auto keep = [&] {
        m_cache->advance(static_cast<std::int64_t>(ids.size()));
        if (!m_finished)
            m_cache->reserve(m_cache->length() + 1);
    };
    if (first)
        tapSection(m_observer, Section::KvCacheStore, keep);

    StepResult result;
    Status healthy;
    tapSection(m_observer, Section::Sampling, [&] {
        const std::span<const float> logits = m_ops.host(m_workspace.logits, 0);
        healthy = checkLogits(logits);
        if (!healthy)
            return;
        const SampledToken chosen = m_sampler.choose(logits);
        result = {.token = chosen.id, .probability = chosen.probability};
        m_ids.push_back(chosen.id);
        ++m_generated;
        result.finished = m_finished = finishedBy(chosen.id);
    });
    if (!healthy)
        return healthy.error();
    if (!first)
        tapSection(m_observer, Section::KvCacheAppend, keep);
    return result;
}

Status TorchGeneration::finish()
{
    return guarded("the end of a generation", [&]() -> Status {
        tapSection(m_observer, Section::TensorTransfer,
                   [&] { synchronizeDevice(m_ops.cacheOptions().device()); });
        tapSection(m_observer, Section::MemoryCleanup, [&] {
            m_cache.reset();
            m_workspace = {};
        });
        return {};
    });
}

// Weights are checked when they are loaded; what is left are values too large for the type.
Status TorchGeneration::checkLogits(std::span<const float> logits) const
{
    if (kernels().finiteF32(logits.data(), static_cast<std::int64_t>(logits.size())))
        return {};
    return Error{ErrorCode::InvalidInput,
                 "The model " + m_decoder.config.architecture
                     + " computed values that are not numbers at token "
                     + std::to_string(m_generated)
                     + ": its weights are damaged, or do not fit the type (try f32)."};
}

bool TorchGeneration::finishedBy(TokenId token) const
{
    const auto& eos = m_request.eos;
    return m_generated >= m_request.max_new_tokens
        || std::find(eos.begin(), eos.end(), token) != eos.end()
        || m_ids.size() > static_cast<std::size_t>(m_decoder.config.max_position_embeddings);
}

} // namespace ep::model
