// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_job.h"

#include "run/prompt.h"
#include "run/settled_check.h"

#include "ep/core/clock.h"
#include "ep/core/uuid.h"
#include "ep/session/environment.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

namespace ep::session {

namespace {

// A source may take its time to come up (sudo, the first window); without any sample by then the
// run begins all the same.
constexpr std::chrono::milliseconds kFirstSampleTimeout{3000};

Status cancelledStatus()
{
    return Error{ErrorCode::Cancelled, "The run was cancelled."};
}

std::vector<std::string> batchOf(const RunRequest& request)
{
    std::vector<std::string> prompts;
    const auto add = [&](const std::string& prompt) {
        for (int copy = 0; copy < std::max(1, request.batch_size); ++copy)
            prompts.push_back(prompt);
    };
    add(request.prompt);
    for (const std::string& prompt : request.further_prompts)
        add(prompt);
    return prompts;
}

} // namespace

RunJob::RunJob(const RunRequest& request, const RunContext& context)
    : m_request(request)
    , m_context(context)
{
    m_request.prompt = cleanPrompt(m_request.prompt);
    for (std::string& prompt : m_request.further_prompts)
        prompt = cleanPrompt(prompt);
    m_transcript = Transcript(batchOf(m_request), m_request.sampling.stop);
    if (m_context.backend.beginActivity)
        m_activity = m_context.backend.beginActivity("Profiling a model");
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
                     std::string("The run failed with an unexpected error: ") + exception.what()};
    }
}

Status RunJob::prepare()
{
    m_info.id = m_request.run_id.empty() ? makeUuid() : m_request.run_id;
    m_info.created_at_ms = wallClockMs();
    m_transcript.describe(m_info);
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

    auto encoder = PromptEncoder::make(m_request);
    if (!encoder)
        return encoder.error();
    m_info.chat_template = encoder->usesChat();
    m_transcript.setEncoder(std::move(*encoder));

    if (const Status usable = checkDatabase(); !usable)
        return usable;
    if (m_request.baseline_moment == BaselineMoment::BeforeLoad
        && m_request.baseline_seconds > 0.0) {
        if (const Status status = startPower(); !status)
            return status;
        if (const Status status = waitIdle(m_request.baseline_seconds); !status)
            return status;
    }
    const auto plan = [this](const text::Tokenizer& tokenizer) {
        const auto prompts = m_transcript.encode(tokenizer); // an error is told later
        const auto sequences = static_cast<std::int64_t>(m_transcript.size());
        return model::GenerationPlan{.sequences = sequences,
                                     .prompt_positions = prompts ? m_transcript.inputTokens() : 0,
                                     .new_positions = sequences * m_request.max_new_tokens};
    };
    const Nanoseconds asked = monotonicNow();
    auto loaded = m_context.models.acquire(
        m_request.load, m_request.ignore_memory ? PlanFn() : PlanFn(plan),
        [this](double fraction, const std::string& what) {
            m_context.outbox.put(LoadProgress{fraction, what});
        },
        m_context.cancel);
    if (!loaded)
        return loaded.error();
    m_model = *loaded;
    m_info.execution.model_ready_ns = monotonicNow() - asked;
    m_info.model = m_model->engine->facts();
    m_info.device = m_model->engine->device();
    m_info.dtype = m_model->engine->dtype();
    m_info.environment.torch_version = m_model->versions.torch;
    m_info.environment.blas = m_model->versions.blas;
    m_info.execution.attention =
        m_model->engine->attentionImplementation(m_request.depth == Depth::Deep);
    m_info.execution.cache = m_request.cache == model::CacheKind::Static ? "static" : "growing";
    m_info.execution.notes = m_model->engine->notes();

    const auto prompts = m_transcript.encode(*m_model->tokenizer);
    if (!prompts)
        return prompts.error();
    m_transcript.describe(m_info);
    for (const auto& ids : *prompts) {
        if (const Status fits = checkLengths(ids.size(), m_request.max_new_tokens, m_info.model);
            !fits)
            return fits;
    }
    return {};
}

// That a run cannot be stored is told before it is made.
Status RunJob::checkDatabase() const
{
    if (m_request.database.empty())
        return {};
    const auto store = store::Store::open(m_request.database);
    return store ? Status() : store.error();
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
    if (const Status status = warmUp(); !status)
        return status;
    return rehearseRun();
}

void RunJob::openStore()
{
    if (m_request.database.empty())
        return;
    const std::lock_guard lock(m_liveMutex);
    emplaceStore();
    for (const PowerSample& sample : m_unstored)
        m_store->add(sample);
    m_unstored.clear();
}

void RunJob::emplaceStore()
{
    RunInfo info = m_info;
    if (!m_request.store_texts)
        hashTexts(info);
    m_store.emplace(m_request.database, info);
}

Status RunJob::startFeed()
{
    m_feed = m_context.backend.makePowerFeed();
    power::SourceChoice choice = m_request.power;
    choice.replay_endless = true;
    if (choice.kind == "auto")
        choice.argument = m_model != nullptr ? m_info.device : m_request.load.device;
    const Status status =
        m_feed->start(choice, m_request.interval_ms,
                      {.sample = [this](const PowerSample& sample) { heardSample(sample); },
                       .problem = [this](const std::string& problem) { heardProblem(problem); }});
    if (!status)
        m_feed.reset();
    return status;
}

Status RunJob::startPower()
{
    m_context.outbox.put(LoadProgress{1.0, "Starting the power source"});
    if (const Status status = startFeed(); !status)
        return status;
    m_sides.start(m_context.backend, m_request.also, m_request.interval_ms);
    // The run's first moments need a window that covers them. A replay begins with the run.
    if (m_feed->kind() != "none" && !replays())
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
    auto prompts = m_transcript.encode(*m_model->tokenizer);
    if (!prompts)
        return prompts.error();
    auto generation = begin(std::move(*prompts), m_request.warmup_tokens, {}, nullptr);
    if (!generation)
        return generation.error();
    SettledCheck settled(m_request.warmup_settled);
    auto step = (*generation)->prefill();
    while (step && !step->finished && !settled.reached()) {
        const Nanoseconds begin = monotonicNow();
        step = (*generation)->decode();
        settled.add(monotonicNow() - begin);
    }
    if (!step)
        return step.error();
    return (*generation)->finish();
}

Result<std::unique_ptr<model::Generation>>
RunJob::begin(std::vector<std::vector<text::TokenId>> prompts, int maxNewTokens,
              std::vector<text::TokenId> eos, model::Observer* observer)
{
    return m_model->engine->begin(
        generationRequest(std::move(prompts), maxNewTokens, std::move(eos)), observer,
        m_context.cancel);
}

void RunJob::enter(Phase phase, std::int32_t token, Nanoseconds at)
{
    m_phases.enter(phase, at);
    m_recorder->enter(phase, token);
}

Status RunJob::infer()
{
    m_recorder.emplace(
        recorderOptions(), m_context.current,
        Recorder::SectionListener{
            .began = [this](const SectionEvent& e) { m_context.outbox.put(SectionBegan{e}); },
            .ended = [this](const SectionEvent& e) { m_context.outbox.put(SectionEnded{e}); }});
    m_tokens.reserve(static_cast<std::size_t>(m_request.max_new_tokens));
    m_transcript.startDecoding(m_model->tokenizer);

    if (replays()) { // again from its beginning: what came before the run has used some of it up
        if (const Status status = startFeed(); !status)
            return status;
    }
    m_machine.begin();
    m_clocks.begin();
    m_time.begin_ns = monotonicNow();
    m_coveredBefore = m_context.cover.total(m_time.begin_ns);
    announceStart();
    enter(Phase::PreInference, kNoToken, m_time.begin_ns);

    const model::Tap tokenization = model::Tap::ofSection(Section::Tokenization);
    m_recorder->began(tokenization);
    auto prompts = m_transcript.encode(*m_model->tokenizer);
    m_recorder->ended(tokenization, nullptr);
    if (!prompts)
        return prompts.error();

    auto generation =
        begin(std::move(*prompts), m_request.max_new_tokens, endTokens(), &*m_recorder);
    if (!generation)
        return generation.error();
    m_generation = std::move(*generation);
    return generate();
}

Status RunJob::generate()
{
    // Of the first sequence.
    const std::int32_t firstInput =
        m_info.batch.empty() ? m_info.input_tokens : m_info.batch.front().input_tokens;
    for (std::int32_t index = 0;; ++index) {
        if (m_context.cancel.cancelled())
            return cancelledStatus();
        TokenSpan token;
        token.index = index;
        token.position = firstInput + index;
        token.phase = index == 0 ? Phase::Prefill : Phase::Decode;
        token.time.begin_ns = monotonicNow();
        if (index <= 1)
            enter(token.phase, index, token.time.begin_ns);
        else
            m_recorder->enter(token.phase, index);
        const auto step = index == 0 ? m_generation->prefill() : m_generation->decode();
        if (!step)
            return step.error();
        if (const Status stamped = m_recorder->endStep(); !stamped)
            return stamped;
        token.time.end_ns = monotonicNow();
        if (complete(*step, std::move(token)))
            return {};
    }
}

// Whether no sequence goes on.
bool RunJob::complete(const model::StepResult& step, TokenSpan token)
{
    int going = 0;
    for (const model::SequenceStep& one : step.sequences) {
        std::string text = m_transcript.add(one);
        if (one.sequence == 0) {
            token.text = std::move(text);
            token.probability = one.probability;
        }
        if (m_transcript.stopped(one.sequence))
            m_generation->stop(one.sequence);
        else if (!one.finished())
            ++going;
    }
    token.sequences = static_cast<std::int32_t>(step.sequences.size());
    token.id = step.sequences.front().token;
    m_tokens.push_back(token);
    if (m_store) {
        TokenSpan stored = token;
        if (!m_request.store_texts)
            leaveTextOut(stored);
        m_store->add(stored);
    }
    m_clocks.look();

    TokenComplete event{.token = std::move(token), .layers = {}, .components = {}};
    m_recorder->currentStep(event.layers, event.components);
    estimateEnergy(event, m_power.recent(event.token.time.begin_ns), m_power.rails());
    m_context.outbox.put(std::move(event));
    return going == 0;
}

Status RunJob::conclude()
{
    if (!m_recorder) // the run's own time never began
        return {};
    enter(Phase::PostInference, kNoToken, monotonicNow());
    const model::Tap detokenization = model::Tap::ofSection(Section::Detokenization);
    m_recorder->began(detokenization);
    // Empty unless the generation broke off inside a character.
    const std::string rest = m_transcript.flush();
    if (!m_tokens.empty())
        m_tokens.back().text += rest;
    m_transcript.describe(m_info);
    m_recorder->ended(detokenization, nullptr);
    Status finished;
    if (m_generation) {
        finished = m_generation->finish();
        if (const std::int64_t bytes = m_generation->peakCacheBytes(); bytes > 0)
            m_info.execution.peak_cache_bytes = bytes;
    }
    m_generation.reset();
    if (const Status stamped = m_recorder->endStep(); finished)
        finished = stamped;
    m_time.end_ns = monotonicNow();
    m_covered = m_context.cover.total(m_time.end_ns) - m_coveredBefore;
    m_phases.end(m_time.end_ns);
    m_machine.end();
    m_clocks.look();
    return finished;
}

} // namespace ep::session
