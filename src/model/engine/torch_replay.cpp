// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_replay.h"

#include "guarded.h"
#include "kernel_measurement.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace ep::model {

namespace {

// Repeats the operations of a part after each of its components, taking those of layers that are
// evenly spaced over the model (for one repetition: half of the model away), so that the weights
// of a layer have left the caches before they are used again.
class ExtraWork final : public Observer {
public:
    ExtraWork(const Tape& tape, const ExtraPasses& extra, const TapedToken& token, int layers,
              Ops& ops)
        : m_tape(tape)
        , m_extra(extra)
        , m_token(token)
        , m_layers(layers)
        , m_ops(ops)
    {
    }

    bool wants(const Tap& tap) override { return m_tape.isPart(tap, m_extra.part); }
    void began(const Tap& /*tap*/) override { }
    void ended(const Tap& tap, const TensorProbe* /*output*/) override
    {
        const bool inLayer = tap.kind == TapKind::Component;
        for (int i = 1; i <= m_extra.times; ++i) {
            const int away = i * m_layers / (m_extra.times + 1);
            const int layer = inLayer ? (tap.layer + away) % m_layers : -1;
            for (const TapedCall& call : m_token.calls) {
                if (call.part == m_extra.part && call.layer == layer)
                    call.run(m_ops);
            }
        }
    }
    std::optional<float> statisticsThreshold() override { return std::nullopt; }

private:
    const Tape& m_tape;
    ExtraPasses m_extra;
    const TapedToken& m_token;
    int m_layers;
    Ops& m_ops;
};

Error replayCancelled()
{
    return {ErrorCode::Cancelled, "The replay was cancelled."};
}

} // namespace

TorchReplay::TorchReplay(const Decoder& decoder, Ops& ops, const WeightFiles& files,
                         at::Device device)
    : m_decoder(decoder)
    , m_ops(ops)
    , m_files(files)
    , m_device(device)
    , m_tape(ops)
    , m_sampler(SamplingSettings{})
{
}

std::optional<text::TokenId> TorchReplay::pass(Ops& ops, std::span<const text::TokenId> ids,
                                               std::int64_t position, Observer* observer,
                                               const CancelToken& cancel)
{
    m_cache->advance(position - m_cache->length());
    const std::array rows{SequenceRows{
        .cache = m_cache.get(), .first = 0, .count = static_cast<std::int64_t>(ids.size())}};
    Step step{ops, rows, m_workspace, observer, cancel};
    step.askObserver();
    if (!m_decoder.forward(step, ids, Decoder::Logits::LastRows))
        return std::nullopt;
    text::TokenId next = 0;
    tapSection(observer, Section::Sampling, [&] { next = sample(ops); });
    return next;
}

text::TokenId TorchReplay::sample(Ops& ops)
{
    const std::span<const float> logits = ops.host(m_workspace.logits, 0);
    if (&ops == &m_tape) {
        const std::vector<float> kept(logits.begin(), logits.end());
        m_tape.record(0, [this, kept](Ops&) { static_cast<void>(m_sampler.choose(kept)); });
    }
    return m_sampler.choose(logits).id;
}

Status TorchReplay::record(const ReplayRequest& request, const CancelToken& cancel)
{
    const auto prompt = static_cast<std::int64_t>(request.prompt.size());
    m_cache = std::make_unique<KvCache>(cacheShape(m_decoder.config), m_ops.cacheOptions(),
                                        prompt + request.tokens + 1);
    auto next = pass(m_ops, request.prompt, 0, nullptr, cancel);
    for (int i = 0; next && i < request.tokens; ++i) {
        m_places.push_back({.id = *next, .position = prompt + i});
        const Place& own = m_places.back();
        m_tape.beginToken();
        next = pass(m_tape, {&own.id, 1}, own.position, &m_tape, cancel);
    }
    return next ? m_files.unchanged() : replayCancelled();
}

std::int64_t TorchReplay::cacheBytes() const
{
    return m_device.is_cpu() ? lastCacheBytes() : 0;
}

template <typename Once>
Result<ReplayTimes> TorchReplay::repeat(Nanoseconds duration, const CancelToken& cancel, Once once)
{
    return guarded("the replay", [&]() -> Result<ReplayTimes> {
        synchronizeDevice(m_device);
        ReplayTimes times;
        times.time.begin_ns = monotonicNow();
        do {
            if (cancel.cancelled())
                return replayCancelled();
            once(m_next);
            m_next = (m_next + 1) % m_places.size();
            synchronizeDevice(m_device);
            ++times.repetitions;
            times.time.end_ns = monotonicNow();
        } while (times.time.duration_ns() < duration);
        if (const Status unchanged = m_files.unchanged(); !unchanged)
            return unchanged.error();
        return times;
    });
}

Result<ReplayTimes> TorchReplay::repeatParts(std::span<const int> passes, Nanoseconds duration,
                                             const CancelToken& cancel)
{
    const int most = passes.empty() ? 0 : std::ranges::max(passes);
    return repeat(duration, cancel, [&](std::size_t token) {
        for (int round = 0; round < most; ++round) {
            for (const TapedCall& call : m_tape.tokens()[token].calls) {
                if (passes[call.part] > round)
                    call.run(m_ops);
            }
        }
    });
}

Result<ReplayTimes> TorchReplay::repeatTokens(std::optional<ExtraPasses> extra,
                                              Nanoseconds duration, const CancelToken& cancel)
{
    const CancelToken never; // must complete a token
    return repeat(duration, cancel, [&](std::size_t token) {
        const Place own = m_places[token];
        std::optional<ExtraWork> work;
        if (extra) {
            work.emplace(m_tape, *extra, m_tape.tokens()[token], m_decoder.config.num_hidden_layers,
                         m_ops);
        }
        pass(m_ops, {&own.id, 1}, own.position, work ? &*work : nullptr, never);
    });
}

} // namespace ep::model
