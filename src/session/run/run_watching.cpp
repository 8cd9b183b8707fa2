// SPDX-License-Identifier: GPL-3.0-or-later
// How a run is watched: the recorder, what is run beside it to see what it changes, and the record.
#include "run/run_job.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

constexpr int kSectionsPerStep = 7;
constexpr int kOperationsPerLayer = 24;
constexpr int kInexactSteps = 32;
constexpr int kColdSteps = 4; // thrown away

std::size_t expectedSpans(const RunRequest& request, const ModelFacts& facts)
{
    std::size_t perStep = kSectionsPerStep;
    if (request.depth != Depth::None)
        perStep += static_cast<std::size_t>(std::max(0, facts.layers)) * (1 + kComponentCount / 2);
    if (request.depth == Depth::Deep)
        perStep += static_cast<std::size_t>(std::max(0, facts.layers)) * kOperationsPerLayer;
    return perStep * static_cast<std::size_t>(request.max_new_tokens);
}

} // namespace

model::GenerationRequest RunJob::generationRequest(std::vector<std::vector<text::TokenId>> prompts,
                                                   int maxNewTokens,
                                                   std::vector<text::TokenId> eos) const
{
    return {.prompts = std::move(prompts),
            .max_new_tokens = maxNewTokens,
            .sampling = m_request.sampling,
            .eos = std::move(eos),
            .cache = m_request.cache,
            .decomposed = m_request.depth == Depth::Deep};
}

std::vector<text::TokenId> RunJob::endTokens() const
{
    return m_request.ignore_eos ? std::vector<text::TokenId>{} : m_model->engine->eosTokenIds();
}

RecorderOptions RunJob::recorderOptions()
{
    RecorderOptions options{.depth = m_request.depth,
                            .sparsity_threshold = static_cast<float>(m_request.sparsity_threshold),
                            .expected_spans = expectedSpans(m_request, m_info.model),
                            .expected_tokens = static_cast<std::size_t>(m_request.max_new_tokens),
                            .statistics_every = m_request.statistics_every};
    ProfilingRecord& record = m_info.profiling;
    record.computation = m_model->engine->computation();
    record.statistics_every = std::max(1, m_request.statistics_every);
    if (m_request.exact) {
        options.synchronize = [engine = m_model->engine.get()] { engine->synchronize(); };
        record.clock = "synchronised";
        return options;
    }
    options.timer = m_model->engine->makeSpanTimer();
    record.clock_note = m_model->engine->clockNote();
    record.clock = options.timer ? "device" : "host";
    if (!options.timer)
        options.ticks = TickClock::ofSystem();
    return options;
}

bool RunJob::wantsTwin() const
{
    return m_request.twin.value_or(m_info.device != "cpu" && m_request.depth != Depth::None);
}

Status RunJob::rehearseRun()
{
    const auto made = [&](int steps, model::Observer* observer) -> Result<Rehearsal> {
        auto prompts = m_transcript.encode(*m_model->tokenizer);
        if (!prompts)
            return prompts.error();
        auto request =
            generationRequest(std::move(*prompts), m_request.max_new_tokens, endTokens());
        request.decomposed = request.decomposed && observer != nullptr;
        return rehearse(*m_model->engine, request, steps, observer, m_context.cancel);
    };
    // The first generation of all meets cold caches and clocks. Apple's GPUs compile a graph for
    // each new length of the context, which only a generation of the full length gets done with.
    const bool compiles = m_info.device == "mps";
    if ((wantsTwin() || m_request.exact) && (compiles || m_request.warmup_tokens <= 0)) {
        const int steps =
            compiles ? m_request.max_new_tokens : std::min(kColdSteps, m_request.max_new_tokens);
        m_context.outbox.put(LoadProgress{1.0, "Warming up"});
        if (const auto cold = made(steps, nullptr); !cold)
            return cold.error();
    }
    if (wantsTwin()) {
        m_context.outbox.put(LoadProgress{1.0, "Running without recording"});
        auto clean = made(m_request.max_new_tokens, nullptr);
        if (!clean)
            return clean.error();
        m_clean = std::move(*clean);
    }
    if (m_request.exact) {
        m_context.outbox.put(LoadProgress{1.0, "Running without synchronising with the device"});
        RecorderOptions options = recorderOptions();
        options.synchronize = nullptr;
        PublishedOperation unseen{0};
        Recorder recorder(std::move(options), unseen, {});
        recorder.enter(Phase::Decode, 0);
        auto inexact = made(std::min(kInexactSteps, m_request.max_new_tokens), &recorder);
        if (!inexact)
            return inexact.error();
        m_inexact = std::move(*inexact);
    }
    return {};
}

ProfilingRecord RunJob::describeProfiling() const
{
    ProfilingRecord record = m_info.profiling;
    if (!m_recorder)
        return record;
    const RecorderCost cost = m_recorder->cost();
    record.spans = cost.spans;
    record.statistics = cost.statistics;
    record.span_cost_ns = cost.span_ns;
    record.statistic_cost_ns = cost.statistic_ns;
    record.cost_ns = cost.total_ns();
    record.memory_bytes = cost.memory_bytes;
    if (cost.lost_marks > 0) {
        record.clock_note += (record.clock_note.empty() ? "" : "; ")
            + std::to_string(cost.lost_marks) + (cost.lost_marks == 1 ? " mark" : " marks")
            + " of the device could not be read and took the time of the mark before";
    }
    if (m_clean)
        record.twin = compareTwin(*m_clean, m_tokens, m_time.begin_ns);
    if (m_inexact)
        record.exact_slowdown = slowdown(*m_inexact, m_tokens);
    return record;
}

} // namespace ep::session
