// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/recording.h"

#include "power/own_use.h"
#include "run/answer_marks.h"
#include "run/job_steps.h"

#include "ep/core/clock.h"
#include "ep/core/token_ledger.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ep::session {

namespace {

constexpr int kSectionsPerStep = 7;
constexpr int kOperationsPerLayer = 24;

std::size_t expectedSpans(const RunRequest& request, const ModelFacts& model)
{
    const auto layers = static_cast<std::size_t>(std::max(0, model.layers));
    std::size_t perStep = kSectionsPerStep;
    if (request.depth != Depth::None)
        perStep += layers * (1 + kComponentCount / 2);
    if (request.depth == Depth::Deep)
        perStep += layers * kOperationsPerLayer;
    return perStep * static_cast<std::size_t>(request.max_new_tokens);
}

Recorder::SectionListener tellOfSections(Outbox& outbox)
{
    return {.began = [&outbox](const SectionEvent& event) { outbox.put(SectionBegan{event}); },
            .ended = [&outbox](const SectionEvent& event) { outbox.put(SectionEnded{event}); }};
}

std::vector<Annotation> sectionsOf(const Transcript& transcript,
                                   const std::vector<TokenSpan>& tokens)
{
    std::vector<TimeRange> times;
    for (const TokenSpan& token : tokens)
        times.push_back(token.phase == Phase::Decode ? token.time : TimeRange());
    return answerMarks(transcript.parts(), times);
}

} // namespace

RecorderOptions plainOptions(const RunRequest& request, const ModelFacts& model)
{
    return {.depth = request.depth,
            .sparsity_threshold = static_cast<float>(request.sparsity_threshold),
            .expected_spans = expectedSpans(request, model),
            .expected_tokens = static_cast<std::size_t>(request.max_new_tokens),
            .statistics_every = request.statistics_every};
}

Recording::Recording(const RunScope& scope, PreparedRun& prepared, RunInfo& info)
    : m_scope(scope)
    , m_prepared(prepared)
    , m_info(info)
    , m_recorder(recorderOptions(), scope.context.current, tellOfSections(scope.context.outbox))
{
    m_tokens.reserve(static_cast<std::size_t>(scope.request.max_new_tokens));
    prepared.transcript.startDecoding(prepared.model->tokenizer);
}

RecorderOptions Recording::recorderOptions()
{
    model::Engine& engine = *m_prepared.model->engine;
    RecorderOptions options = plainOptions(m_scope.request, m_info.model);
    ProfilingRecord& record = m_info.profiling;
    record.computation = engine.computation();
    record.kernels = engine.kernelsUsed();
    if (m_scope.request.exact) {
        options.synchronize = [&engine] { engine.synchronize(); };
        record.clock = "synchronised";
        return options;
    }
    options.timer = engine.makeSpanTimer();
    record.clock_note = engine.clockNote();
    record.clock = options.timer ? "device" : "host";
    if (!options.timer)
        options.ticks = TickClock::ofSystem();
    return options;
}

void Recording::enter(Phase phase, std::int32_t token, Nanoseconds at)
{
    m_scope.power.phases().enter(phase, at);
    m_recorder.enter(phase, token);
}

void Recording::begin()
{
    m_scope.load.begin();
    m_clocks.begin();
    m_time.begin_ns = monotonicNow();
    m_coveredBefore = m_scope.context.cover.total(m_time.begin_ns);
    m_info.power = m_scope.power.describe();
    m_scope.power.announce(m_info, m_time.begin_ns);
    enter(Phase::PreInference, kNoToken, m_time.begin_ns);
}

Status Recording::startGeneration()
{
    const model::Tap tokenization = model::Tap::ofSection(Section::Tokenization);
    m_recorder.began(tokenization);
    auto request = m_prepared.generation(m_scope.request);
    m_recorder.ended(tokenization, nullptr);
    if (!request)
        return request.error();
    auto generation =
        m_prepared.model->engine->begin(*std::move(request), &m_recorder, m_scope.context.cancel);
    if (!generation)
        return generation.error();
    m_generation = *std::move(generation);
    return {};
}

Status Recording::infer()
{
    if (const Status status = m_scope.power.restartReplay(m_info.device); !status)
        return status;
    begin();
    if (const Status status = startGeneration(); !status)
        return status;
    // Positions are those of the first sequence.
    const std::int32_t firstInput =
        m_info.batch.empty() ? m_info.input_tokens : m_info.batch.front().input_tokens;
    for (bool done = false; !done;) {
        if (m_scope.context.cancel.cancelled())
            return cancelledRun();
        TokenSpan token;
        token.index = static_cast<std::int32_t>(m_tokens.size());
        token.position = firstInput + token.index + m_confirmed;
        token.phase = token.index == 0 ? Phase::Prefill : Phase::Decode;
        const auto made = step(token);
        if (!made)
            return made.error();
        done = complete(*made, std::move(token));
    }
    return {};
}

Result<model::StepResult> Recording::step(TokenSpan& token)
{
    token.time.begin_ns = monotonicNow();
    if (token.index <= 1)
        enter(token.phase, token.index, token.time.begin_ns);
    else
        m_recorder.enter(token.phase, token.index);
    const auto before = ownUse();
    auto step = token.index == 0 ? m_generation->prefill() : m_generation->decode();
    if (!step)
        return step;
    if (const auto after = ownUse(); before && after) {
        token.processor_ns = after->processor_ns - before->processor_ns;
        token.preemptions = after->preemptions - before->preemptions;
    }
    if (const Status stamped = m_recorder.endStep(); !stamped)
        return stamped.error();
    token.time.end_ns = monotonicNow();
    return step;
}

// Returns whether any sequence is still generating.
bool Recording::takeTexts(const model::StepResult& step, TokenSpan& token)
{
    bool going = false;
    token.sequences = 0;
    for (std::size_t i = 0; i < step.sequences.size(); ++i) {
        const model::SequenceStep& one = step.sequences[i];
        // A draft may have added tokens after a stop text; they are not part of the answer.
        if (m_prepared.transcript.stopped(one.sequence))
            continue;
        const std::string text = m_prepared.transcript.add(one);
        if (one.sequence == 0) {
            token.text += text;
            if (!token.probability)
                token.probability = one.probability;
        }
        ++token.sequences;
        m_accepted += one.drafted ? 1 : 0;
        const bool stopped = m_prepared.transcript.stopped(one.sequence);
        if (stopped)
            m_generation->stop(one.sequence);
        const bool last =
            i + 1 == step.sequences.size() || step.sequences[i + 1].sequence != one.sequence;
        going = going || (last && !stopped && !one.finished());
    }
    if (!m_scope.request.levers.draft.empty())
        token.drafted = step.drafted;
    m_drafted += step.drafted;
    if (m_info.batch.empty())
        m_confirmed += std::max(0, token.sequences - 1);
    return going;
}

// Returns whether it was the last one.
bool Recording::complete(const model::StepResult& step, TokenSpan token)
{
    const bool going = takeTexts(step, token);
    token.id = step.sequences.front().token;
    m_tokens.push_back(token);
    if (m_scope.store != nullptr)
        m_scope.store->add(token);
    m_clocks.look();

    TokenComplete event{.token = std::move(token), .layers = {}, .components = {}};
    if (marksSections() && step.sequences.front().sequence == 0)
        event.section = m_prepared.transcript.section();
    m_recorder.currentStep(event.layers, event.components);
    m_scope.power.estimate(event);
    m_scope.context.outbox.put(std::move(event));
    return !going;
}

Status Recording::conclude()
{
    if (m_time.begin_ns == 0)
        return {};
    enter(Phase::PostInference, kNoToken, monotonicNow());
    const model::Tap detokenization = model::Tap::ofSection(Section::Detokenization);
    m_recorder.began(detokenization);
    // Empty unless the generation ended inside a character.
    const std::string rest = m_prepared.transcript.flush();
    if (!m_tokens.empty())
        m_tokens.back().text += rest;
    m_prepared.transcript.describe(m_info);
    m_recorder.ended(detokenization, nullptr);
    Status finished;
    if (m_generation) {
        finished = m_generation->finish();
        if (const std::int64_t bytes = m_generation->peakCacheBytes(); bytes > 0)
            m_info.execution.peak_cache_bytes = bytes;
        describeLevers();
    }
    m_generation.reset();
    if (const Status stamped = m_recorder.endStep(); finished)
        finished = stamped;
    m_time.end_ns = monotonicNow();
    m_covered = m_scope.context.cover.total(m_time.end_ns) - m_coveredBefore;
    m_scope.power.phases().end(m_time.end_ns);
    m_scope.load.end();
    m_clocks.look();
    if (marksSections())
        m_info.annotations = sectionsOf(m_prepared.transcript, m_tokens);
    return finished;
}

// A step with drafts has several tokens, some of which may be thinking and others not.
bool Recording::marksSections() const
{
    return m_scope.request.levers.draft.empty();
}

void Recording::describeLevers()
{
    const Levers& levers = m_scope.request.levers;
    TokenCounts counts{.drafted = m_drafted, .accepted = m_accepted};
    if (levers.prompt_cache)
        counts.cached = m_generation->cachedTokens();
    if (!levers.draft.empty())
        counts.draft =
            m_prepared.draft ? m_prepared.draft->engine->facts().name : std::string(kNgramDraft);
    if (counts.any())
        m_info.profiling.token_counts = counts;
    for (Message& note : tokenNotes(counts, m_info.input_tokens))
        m_info.execution.notes.push_back(std::move(note));
}

void Recording::appendTo(RunTrace& trace) const
{
    trace.time = m_time;
    const std::vector<PhaseSpan> phases = m_scope.power.phases().phases();
    trace.phases.insert(trace.phases.end(), phases.begin(), phases.end());
    trace.tokens = m_tokens;
    m_recorder.appendTo(trace, static_cast<std::int32_t>(m_tokens.size()));
}

void Recording::describe(ProfilingRecord& record) const
{
    const RecorderCost cost = m_recorder.cost();
    record.spans = cost.spans;
    record.statistics = cost.statistics;
    record.statistics_every = m_recorder.statisticsEvery();
    record.span_cost_ns = cost.span_ns;
    record.statistic_cost_ns = cost.statistic_ns;
    record.cost_ns = cost.total_ns();
    record.memory_bytes = cost.memory_bytes;
    if (cost.lost_marks > 0) {
        record.clock_note =
            sequence({std::move(record.clock_note),
                      Message(cost.lost_marks == 1 ? "%1 mark of the device could not be read and "
                                                     "took the time of the mark before"
                                                   : "%1 marks of the device could not be read and "
                                                     "took the time of the mark before",
                              cost.lost_marks)},
                     "; ");
    }
}

} // namespace ep::session
