// SPDX-License-Identifier: GPL-3.0-or-later
#include "generation.h"

#include "guarded.h"

#include "ep/model/context_length.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

// Initial capacity of a growing cache, in positions beyond the prompt.
constexpr std::int64_t kInitialRoom = 256;

SamplingSettings settingsOf(const GenerationRequest& request, std::size_t sequence)
{
    SamplingSettings settings = request.sampling;
    settings.seed += sequence;
    return settings;
}

} // namespace

TorchGeneration::TorchGeneration(const Decoder& decoder, Ops& ops, const WeightFiles& files,
                                 PromptCache& kept, std::unique_ptr<Drafter> drafter,
                                 const GenerationRequest& request, Observer* observer,
                                 CancelToken cancel)
    : m_decoder(decoder)
    , m_ops(ops)
    , m_files(files)
    , m_kept(kept)
    , m_drafter(std::move(drafter))
    , m_request(request)
    , m_observer(observer)
    , m_cancel(std::move(cancel))
{
}

std::int64_t TorchGeneration::contextLength() const
{
    return contextFor(m_decoder.contextLength(m_request.past_context), m_request.context_length);
}

void TorchGeneration::start()
{
    const ModelConfig& config = m_decoder.config;
    const std::int64_t context = contextLength();
    const auto roomFor = [&](const Sequence& sequence, std::int64_t more) {
        const auto prompt = static_cast<std::int64_t>(sequence.ids.size());
        return std::min(prompt + more, std::max(prompt, context) + 1);
    };
    tapSection(m_observer, Section::TensorTransfer, [&] {
        for (std::size_t i = 0; i < m_request.prompts.size(); ++i) {
            Sequence& sequence =
                m_sequences.emplace_back(Sequence{.ids = m_request.prompts[i],
                                                  .sampler = Sampler(settingsOf(m_request, i)),
                                                  .cache = nullptr});
            sequence.sampler.observe(sequence.ids);
            sequence.ids.reserve(
                static_cast<std::size_t>(roomFor(sequence, m_request.max_new_tokens)));
        }
    });
    tapSection(m_observer, Section::KvCacheInit, [&] {
        const std::int64_t growing = std::min<std::int64_t>(m_request.max_new_tokens, kInitialRoom);
        const std::int64_t more =
            m_request.cache == CacheKind::Static ? m_request.max_new_tokens : growing;
        for (Sequence& sequence : m_sequences) {
            sequence.cache = std::make_unique<KvCache>(cacheShape(config), m_ops.cacheOptions(),
                                                       roomFor(sequence, more), m_request.cache);
            m_peakCacheBytes += sequence.cache->bytes();
        }
        if (m_request.prompt_cache != PromptCacheUse::Off)
            takeKeptPrompt();
    });
}

void TorchGeneration::takeKeptPrompt()
{
    Sequence& sequence = m_sequences.front();
    const PromptCache::Match match = m_kept.find(sequence.ids, sequence.cache->inBlocks());
    const auto length = static_cast<std::int64_t>(sequence.ids.size());
    // The length of a prompt may affect the rotation of all of its positions.
    if (!match.cache || m_decoder.startsAnew(match.length, length)
        || m_decoder.startsAnew(length, match.length))
        return;
    sequence.cache->takePrefix(*match.cache, match.positions);
    m_cachedTokens = match.positions;
}

void TorchGeneration::keepPrompt()
{
    if (m_request.prompt_cache != PromptCacheUse::ReadAndKeep)
        return;
    const Sequence& sequence = m_sequences.front();
    m_kept.keep(sequence.ids, *sequence.cache, cacheShape(m_decoder.config), m_ops.cacheOptions());
}

Result<StepResult> TorchGeneration::prefill()
{
    if (m_started || m_sequences.empty())
        return Error{ErrorCode::Internal, "A generation can only be prefilled once."};
    return guarded("the prefill", [&]() -> Result<StepResult> { return step(); });
}

Result<StepResult> TorchGeneration::decode()
{
    if (!m_started || finished()) {
        return Error{ErrorCode::Internal,
                     "A token was requested before the prefill or after the end of a generation."};
    }
    return guarded("decoding", [&]() -> Result<StepResult> { return step(); });
}

void TorchGeneration::stop(int sequence)
{
    m_sequences.at(static_cast<std::size_t>(sequence)).finish = FinishReason::Stopped;
}

bool TorchGeneration::finished() const
{
    return std::all_of(m_sequences.begin(), m_sequences.end(), [](const Sequence& sequence) {
        return sequence.finish != FinishReason::None;
    });
}

// An accepted draft token counts as a generated token and takes a position.
std::int64_t TorchGeneration::mostDrafts(const Sequence& sequence) const
{
    const std::int64_t context = contextLength();
    const auto length = static_cast<std::int64_t>(sequence.ids.size());
    const std::int64_t most = std::min(
        {std::int64_t{m_request.draft_tokens},
         std::int64_t{m_request.max_new_tokens} - sequence.generated - 1, context - length});
    const bool turns = m_decoder.startsAnew(sequence.cache->length(), length + most);
    return turns ? 0 : std::max<std::int64_t>(0, most);
}

bool TorchGeneration::draft()
{
    m_proposed.clear();
    const Sequence& sequence = m_sequences.front();
    if (!m_started)
        return m_drafter->begin(sequence.ids);
    const std::int64_t most = mostDrafts(sequence);
    return most == 0 || m_drafter->propose(sequence.ids, most, m_proposed);
}

void TorchGeneration::collectRows()
{
    m_ids.clear();
    m_rows.clear();
    m_active.clear();
    for (std::size_t i = 0; i < m_sequences.size(); ++i) {
        const Sequence& sequence = m_sequences[i];
        if (sequence.finish != FinishReason::None)
            continue;
        const auto length = static_cast<std::int64_t>(sequence.ids.size());
        if (m_decoder.startsAnew(sequence.cache->length(), length))
            sequence.cache->clear();
        const auto stored = static_cast<std::ptrdiff_t>(sequence.cache->length());
        m_rows.push_back({.cache = sequence.cache.get(),
                          .first = static_cast<std::int64_t>(m_ids.size()),
                          .count = static_cast<std::int64_t>(sequence.ids.size()) - stored});
        m_ids.insert(m_ids.end(), sequence.ids.begin() + stored, sequence.ids.end());
        m_active.push_back(static_cast<int>(i));
    }
    if (m_proposed.empty())
        return;
    m_ids.insert(m_ids.end(), m_proposed.begin(), m_proposed.end());
    SequenceRows& rows = m_rows.front();
    rows.count += std::ssize(m_proposed);
    rows.cache->reserve(rows.cache->length() + rows.count);
}

void TorchGeneration::keepRows()
{
    // All tokens of a sequence except the last have positions in the cache; those of rejected
    // tokens are overwritten.
    for (const int index : m_active) {
        const Sequence& sequence = m_sequences[static_cast<std::size_t>(index)];
        const auto stored = std::ssize(sequence.ids) - (m_started ? 1 : 0);
        sequence.cache->advance(stored - sequence.cache->length());
    }
    if (finished()) // memory_cleanup frees the caches
        return;
    std::int64_t bytes = 0;
    for (Sequence& sequence : m_sequences) {
        if (sequence.finish != FinishReason::None)
            sequence.cache.reset();
        if (!sequence.cache)
            continue;
        sequence.cache->reserve(sequence.cache->length() + 1);
        bytes += sequence.cache->bytes();
    }
    bytes += m_drafter ? m_drafter->cacheBytes() : 0;
    m_peakCacheBytes = std::max(m_peakCacheBytes, bytes);
}

Result<StepResult> TorchGeneration::step()
{
    const bool first = !m_started;
    const auto cancelled = [] {
        return Error{ErrorCode::Cancelled, "The generation was cancelled."};
    };
    if (m_cancel.cancelled())
        return cancelled();
    if (m_drafter) {
        bool going = true;
        tapSection(m_observer, Section::Sampling, [&] { going = draft(); });
        if (!going)
            return cancelled();
    }
    collectRows();
    Step pass{m_ops, m_rows, m_workspace, m_observer, m_cancel};
    pass.decomposed = m_request.decomposed;
    if (!m_proposed.empty())
        pass.like = RowsLike::One;
    else if (first && m_cachedTokens > 0)
        pass.like = RowsLike::Many;
    pass.askObserver();
    if (!m_decoder.forward(
            pass, m_ids, m_proposed.empty() ? Decoder::Logits::LastRows : Decoder::Logits::AllRows))
        return cancelled();
    if (const Status whole = m_files.whole(); !whole)
        return whole.error();
    if (first) {
        tapSection(m_observer, Section::KvCacheStore, [&] {
            keepRows();
            keepPrompt();
        });
    }
    m_started = true;
    StepResult result;
    Status healthy;
    tapSection(m_observer, Section::Sampling, [&] { healthy = sample(result); });
    if (!healthy)
        return healthy.error();
    if (!first)
        tapSection(m_observer, Section::KvCacheAppend, [&] { keepRows(); });
    if (pass.statistics) {
        m_ops.takeDeferred(m_deferred);
        if (!m_deferred.empty())
            m_observer->deferred(m_deferred);
    }
    return result;
}

Status TorchGeneration::sample(StepResult& result)
{
    m_tokens.clear();
    for (std::size_t row = 0; row < m_active.size(); ++row) {
        const int index = m_active[row];
        Sequence& sequence = m_sequences[static_cast<std::size_t>(index)];
        if (const Status healthy = choose(static_cast<std::int64_t>(row), sequence, index);
            !healthy)
            return healthy;
        // After each proposed token that the model would have chosen itself, the next row is what
        // it would have computed next.
        for (std::size_t i = 0; i < m_proposed.size(); ++i) {
            SequenceStep& made = m_tokens.back();
            made.drafted = made.token == m_proposed[i];
            if (!made.drafted || made.finished())
                break;
            if (const Status healthy = choose(static_cast<std::int64_t>(i) + 1, sequence, index);
                !healthy)
                return healthy;
        }
    }
    result = {.sequences = m_tokens,
              .finished = finished(),
              .drafted = static_cast<int>(m_proposed.size())};
    return {};
}

// Chooses the next token of a sequence from a row of logits.
Status TorchGeneration::choose(std::int64_t row, Sequence& sequence, int index)
{
    const std::span<const float> logits = m_ops.host(m_workspace.logits, row);
    if (const Status healthy = checkLogits(logits, sequence.generated); !healthy)
        return healthy;
    const SampledToken chosen = sequence.sampler.choose(logits);
    sequence.ids.push_back(chosen.id);
    ++sequence.generated;
    sequence.finish = finishAfter(sequence, chosen.id);
    m_tokens.push_back({.sequence = index,
                        .token = chosen.id,
                        .probability = chosen.probability,
                        .finish = sequence.finish});
    return {};
}

Status TorchGeneration::finish()
{
    return guarded("the end of a generation", [&]() -> Status {
        tapSection(m_observer, Section::TensorTransfer,
                   [&] { synchronizeDevice(m_ops.cacheOptions().device()); });
        tapSection(m_observer, Section::MemoryCleanup, [&] {
            m_sequences.clear();
            m_drafter.reset();
            m_workspace = {};
        });
        return m_files.unchanged();
    });
}

// Weights are checked when loading; the remaining cause is values too large for the type.
Status TorchGeneration::checkLogits(std::span<const float> logits, int generated) const
{
    if (kernels().finiteF32(logits.data(), static_cast<std::int64_t>(logits.size())))
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"The model %1 computed values that are not numbers at token %2: its weights are "
                  "damaged, or do not fit the type (try f32).",
                  m_decoder.config.architecture, generated}};
}

FinishReason TorchGeneration::finishAfter(const Sequence& sequence, text::TokenId token) const
{
    const auto& eos = m_request.eos;
    if (std::find(eos.begin(), eos.end(), token) != eos.end())
        return FinishReason::EndToken;
    if (sequence.generated >= m_request.max_new_tokens)
        return FinishReason::MaxTokens;
    // The last position predicts the last token, which needs no position itself.
    if (sequence.ids.size() > static_cast<std::size_t>(contextLength()))
        return FinishReason::Context;
    return FinishReason::None;
}

} // namespace ep::model
