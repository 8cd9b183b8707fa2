// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_job.h"

#include "prompt.h"

#include "ep/core/clock.h"
#include "ep/core/uuid.h"
#include "ep/session/environment.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

namespace ep::session {

namespace {

// A source may take its time to come up (sudo, the first window); without any sample by then the
// run begins all the same.
constexpr std::chrono::milliseconds kFirstSampleTimeout{3000};
constexpr int kSectionsPerStep = 7;

Status cancelledStatus()
{
    return Error{ErrorCode::Cancelled, "The run was cancelled."};
}

std::size_t expectedSpans(const RunRequest& request, const ModelFacts& facts)
{
    std::size_t perStep = kSectionsPerStep;
    if (request.depth != Depth::None)
        perStep += static_cast<std::size_t>(std::max(0, facts.layers)) * (1 + kComponentCount / 2);
    return perStep * static_cast<std::size_t>(request.max_new_tokens);
}

} // namespace

RunJob::RunJob(const RunRequest& request, const RunContext& context)
    : m_request(request)
    , m_context(context)
{
    m_request.prompt = cleanPrompt(m_request.prompt);
}

RunJob::~RunJob() = default;

void RunJob::execute()
{
    Status outcome = guarded(&RunJob::prepare);
    if (outcome)
        outcome = guarded(&RunJob::settle);
    if (outcome)
        outcome = guarded(&RunJob::infer);
    const Status concluded = guarded(&RunJob::conclude);
    if (outcome)
        outcome = concluded;
    m_outcome = outcome;
    if (const Status finished = guarded(&RunJob::finish); !finished) {
        m_feed.reset(); // no event may follow the last one
        m_context.outbox.put(RunFailed{finished.error()});
    }
    m_context.current.store(pack({}), std::memory_order_relaxed);
}

// No exception of a library we call may end the thread, nor take with it what was recorded.
Status RunJob::guarded(Status (RunJob::*stage)())
{
    try {
        return (this->*stage)();
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Internal,
                     std::string("The run broke off with an unexpected error: ")
                         + exception.what()};
    }
}

Status RunJob::prepare()
{
    m_info.id = makeUuid();
    m_info.created_at_ms = wallClockMs();
    m_info.prompt = m_request.prompt;
    m_info.max_new_tokens = m_request.max_new_tokens;
    m_info.depth = m_request.depth;
    m_info.device = m_request.load.device;
    m_info.dtype = m_request.load.dtype;
    m_info.sparsity_threshold = m_request.sparsity_threshold;
    m_info.sampling = m_request.sampling;
    m_info.tags = m_request.tags;
    m_info.experiment = m_request.experiment;
    m_info.model.name = m_request.load.folder.filename().string();
    m_info.model.path = m_request.load.folder.string();
    m_info.power.source = "none";
    m_info.environment = readEnvironment();
    if (m_request.load.threads > 0)
        m_info.environment.threads = m_request.load.threads;

    if (m_request.baseline_moment == BaselineMoment::BeforeLoad
        && m_request.baseline_seconds > 0.0) {
        if (const Status status = startPower(); !status)
            return status;
        if (const Status status = waitIdle(m_request.baseline_seconds); !status)
            return status;
    }
    auto loaded = m_context.models.acquire(
        m_request.load,
        [this](double fraction, const std::string& what) {
            m_context.outbox.put(LoadProgress{fraction, what});
        },
        m_context.cancel);
    if (!loaded)
        return loaded.error();
    m_model = *loaded;
    m_info.model = m_model->engine->facts();
    m_info.device = m_model->engine->device();
    m_info.dtype = m_model->engine->dtype();
    m_info.environment.torch_version = m_model->versions.torch;
    m_info.environment.blas = m_model->versions.blas;

    m_promptIds = m_model->tokenizer->encode(m_request.prompt);
    m_info.input_tokens = static_cast<int>(m_promptIds.size());
    return checkLengths(m_promptIds.size(), m_request.max_new_tokens, m_info.model);
}

Status RunJob::settle()
{
    openStore();
    if (!m_feed) {
        if (const Status status = startPower(); !status)
            return status;
    }
    if (m_idle.empty()) {
        if (const Status status = waitIdle(m_request.baseline_seconds); !status)
            return status;
    }
    return warmUp();
}

void RunJob::openStore()
{
    if (m_request.database.empty())
        return;
    const std::lock_guard lock(m_liveMutex);
    m_store.emplace(m_request.database, m_info);
    for (const PowerSample& sample : m_unstored)
        m_store->add(sample);
    m_unstored.clear();
}

Status RunJob::startPower()
{
    m_context.outbox.put(LoadProgress{1.0, "Starting the power source"});
    m_feed = m_context.backend.makePowerFeed();
    power::SourceChoice choice = m_request.power;
    if (choice.kind == "auto")
        choice.argument = m_model != nullptr ? m_info.device : m_request.load.device;
    const Status status =
        m_feed->start(choice, m_request.interval_ms,
                      {.sample = [this](const PowerSample& sample) { heardSample(sample); },
                       .problem = [this](const std::string& problem) { heardProblem(problem); }});
    if (!status) {
        m_feed.reset();
        return status;
    }
    m_sides.start(m_context.backend, m_request.also, m_request.interval_ms);
    // The run's first moments need a window that covers them.
    if (m_feed->kind() != "none")
        m_power.waitForFirst(kFirstSampleTimeout, m_context.cancel);
    return m_context.cancel.cancelled() ? cancelledStatus() : Status();
}

Status RunJob::waitIdle(double seconds)
{
    constexpr std::chrono::milliseconds kSlice{20};
    m_idle.begin_ns = monotonicNow();
    m_idle.end_ns = m_idle.begin_ns;
    while (toSeconds(m_idle.duration_ns()) < seconds) {
        if (m_context.cancel.cancelled())
            return cancelledStatus();
        m_context.outbox.put(
            LoadProgress{toSeconds(m_idle.duration_ns()) / seconds, "Measuring the idle machine"});
        std::this_thread::sleep_for(kSlice);
        m_idle.end_ns = monotonicNow();
    }
    return {};
}

Status RunJob::warmUp()
{
    if (m_request.warmup_tokens <= 0)
        return {};
    m_context.outbox.put(LoadProgress{1.0, "Warming up"});
    auto generation = m_model->engine->begin({.prompts = {m_promptIds},
                                              .max_new_tokens = m_request.warmup_tokens,
                                              .sampling = m_request.sampling,
                                              .eos = {}},
                                             nullptr, m_context.cancel);
    if (!generation)
        return generation.error();
    auto step = (*generation)->prefill();
    while (step && !step->finished)
        step = (*generation)->decode();
    if (!step)
        return step.error();
    return (*generation)->finish();
}

void RunJob::enter(Phase phase, std::int32_t token, Nanoseconds at)
{
    m_phases.enter(phase, at);
    m_recorder->enter(phase, token);
}

Status RunJob::infer()
{
    m_recorder.emplace(
        RecorderOptions{.depth = m_request.depth,
                        .sparsity_threshold = static_cast<float>(m_request.sparsity_threshold),
                        .expected_spans = expectedSpans(m_request, m_info.model)},
        m_context.current,
        Recorder::SectionListener{
            .began = [this](const SectionEvent& e) { m_context.outbox.put(SectionBegan{e}); },
            .ended = [this](const SectionEvent& e) { m_context.outbox.put(SectionEnded{e}); }});
    m_tokens.reserve(static_cast<std::size_t>(m_request.max_new_tokens));
    m_decoder.emplace(m_model->tokenizer);

    m_machine.begin();
    m_time.begin_ns = monotonicNow();
    announceStart();
    enter(Phase::PreInference, kNoToken, m_time.begin_ns);

    const model::Tap tokenization = model::Tap::ofSection(Section::Tokenization);
    m_recorder->began(tokenization);
    m_promptIds = m_model->tokenizer->encode(m_request.prompt);
    m_recorder->ended(tokenization, nullptr);

    auto generation =
        m_model->engine->begin({.prompts = {m_promptIds},
                                .max_new_tokens = m_request.max_new_tokens,
                                .sampling = m_request.sampling,
                                .eos = m_request.ignore_eos ? std::vector<model::TokenId>{}
                                                            : m_model->engine->eosTokenIds()},
                               &*m_recorder, m_context.cancel);
    if (!generation)
        return generation.error();
    m_generation = std::move(*generation);
    return generate();
}

Status RunJob::generate()
{
    for (std::int32_t index = 0;; ++index) {
        if (m_context.cancel.cancelled())
            return cancelledStatus();
        TokenSpan token;
        token.index = index;
        token.position = static_cast<std::int32_t>(m_promptIds.size()) + index;
        token.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        token.time.begin_ns = monotonicNow();
        if (index <= 1)
            enter(token.phase, index, token.time.begin_ns);
        else
            m_recorder->enter(token.phase, index);
        const auto step = index == 0 ? m_generation->prefill() : m_generation->decode();
        token.time.end_ns = monotonicNow();
        if (!step)
            return step.error();
        complete(*step, std::move(token));
        if (step->finished)
            return {};
    }
}

void RunJob::complete(const model::StepResult& step, TokenSpan token)
{
    const model::SequenceStep& first = step.sequences.front();
    token.id = first.token;
    token.probability = first.probability;
    token.text = m_decoder->push(first.token);
    if (step.finished)
        token.text += m_decoder->flush();
    m_info.response += token.text;
    m_tokens.push_back(token);
    if (m_store)
        m_store->add(token);

    TokenComplete event{.token = std::move(token), .layers = {}, .components = {}};
    m_recorder->currentStep(event.layers, event.components);
    estimateEnergy(event, m_power.recent(event.token.time.begin_ns));
    m_context.outbox.put(std::move(event));
}

Status RunJob::conclude()
{
    if (!m_recorder) // the run's own time never began
        return {};
    enter(Phase::PostInference, kNoToken, monotonicNow());
    const model::Tap detokenization = model::Tap::ofSection(Section::Detokenization);
    m_recorder->began(detokenization);
    if (!m_tokens.empty()) {
        // Empty unless the generation broke off inside a character.
        const std::string rest = m_decoder->flush();
        m_tokens.back().text += rest;
        m_info.response += rest;
    }
    m_recorder->ended(detokenization, nullptr);
    Status finished;
    if (m_generation)
        finished = m_generation->finish();
    m_generation.reset();
    m_time.end_ns = monotonicNow();
    m_phases.end(m_time.end_ns);
    m_machine.end();
    return finished;
}

} // namespace ep::session
