// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/prepare.h"

#include "run/job_steps.h"
#include "run/prompt.h"

#include "ep/core/clock.h"
#include "ep/core/uuid.h"
#include "ep/model/context_length.h"
#include "ep/session/environment.h"
#include "ep/session/run_settings.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ep::session {

namespace {

std::vector<BatchSequence> batchOf(const RunRequest& request)
{
    std::vector<BatchSequence> batch;
    const auto add = [&](const std::string& prompt, const Conversation& conversation) {
        for (int copy = 0; copy < std::max(1, request.batch_size); ++copy)
            batch.push_back({.prompt = prompt, .response = {}, .conversation = conversation});
    };
    for (const Conversation& conversation : request.conversations)
        add(cleanPrompt(questionOf(conversation)), conversation);
    if (!batch.empty())
        return batch;
    add(request.prompt, {});
    for (const std::string& prompt : request.further_prompts)
        add(prompt, {});
    return batch;
}

RunInfo describeRequest(const RunRequest& request)
{
    RunInfo info;
    info.id = request.run_id.empty() ? makeUuid() : request.run_id;
    info.created_at_ms = wallClockMs();
    info.max_new_tokens = request.max_new_tokens;
    info.depth = request.depth;
    info.device = request.load.device;
    info.dtype = request.load.dtype;
    info.sparsity_threshold = request.sparsity_threshold;
    info.sampling = request.sampling;
    info.tags = request.tags;
    info.experiment = request.experiment;
    info.model.name = request.load.folder.filename().string();
    info.model.path = request.load.folder.string();
    info.power.source = "none";
    info.environment = readEnvironment();
    if (request.load.threads > 0)
        info.environment.threads = request.load.threads;
    info.execution.cache = model::name(request.levers.cache);
    info.profiling.settings = recordedSettings(request);
    return info;
}

void describeModel(const LoadedModel& model, RunInfo& info)
{
    const model::Engine& engine = *model.engine;
    info.model = engine.facts();
    info.device = engine.device();
    info.dtype = engine.dtype();
    info.environment.torch_version = model.versions.torch;
    info.environment.blas = model.versions.blas;
    info.execution.attention = engine.attentionImplementation(info.depth == Depth::Deep);
    info.execution.notes = engine.notes();
}

// The name of the attention distinguishes runs that need different calibrations.
void describeLevers(const Levers& levers, RunInfo& info)
{
    if (levers.cache == model::CacheKind::Q8) {
        info.execution.attention += ", keys and values in q8_0";
        // A block of 34 bytes holds 32 values, which otherwise take 4 bytes each on the processor.
        info.model.kv_bytes_per_token = info.model.kv_bytes_per_token / (4 * 32) * 34;
    }
    if (!levers.draft.empty()) {
        info.execution.attention +=
            ", tokens proposed by " + std::filesystem::path(levers.draft).filename().string();
    }
}

// Both models must use the same ids for the same tokens.
Status checkVocabulary(const LoadedModel& draft, const LoadedModel& model,
                       const std::vector<text::TokenId>& prompt)
{
    const auto differs = [&](text::TokenId id) {
        return draft.tokenizer->tokenString(id) != model.tokenizer->tokenString(id);
    };
    const auto least = static_cast<text::TokenId>(
        std::min(draft.tokenizer->vocabularySize(), model.tokenizer->vocabularySize()));
    constexpr text::TokenId kCompared = 256; // number of tokens, evenly spaced over the vocabulary
    bool other = std::ranges::any_of(prompt, differs);
    for (text::TokenId i = 0; i < kCompared && !other; ++i)
        other = differs(static_cast<text::TokenId>(std::int64_t{i} * least / kCompared));
    if (!other)
        return {};
    return Error{ErrorCode::InvalidInput,
                 {"The draft %1 has another vocabulary than %2: choose a smaller model of the same "
                  "family, or ngram.",
                  draft.engine->facts().name, model.engine->facts().name}};
}

Status measureIdleBeforeLoad(const RunScope& scope)
{
    const RunRequest& request = scope.request;
    if (request.baseline_moment != BaselineMoment::BeforeLoad || request.baseline_seconds <= 0.0)
        return {};
    if (const Status status = scope.power.start(request.load.device); !status)
        return status;
    return scope.power.measureIdle(request.baseline_seconds);
}

// Encodes the prompts, and checks that the context has space for the answer.
Result<std::vector<std::vector<text::TokenId>>> encodeFor(const ModelFacts& model,
                                                          const RunRequest& request,
                                                          Transcript& transcript,
                                                          const text::Tokenizer& tokenizer)
{
    if (const Status possible = transcript.checkContext(tokenizer, model); !possible)
        return possible.error();
    auto prompts = transcript.encode(tokenizer);
    if (!prompts)
        return prompts;
    for (const auto& ids : *prompts) {
        if (const Status fits = checkLengths(ids.size(), request.max_new_tokens, model); !fits)
            return fits.error();
        if (const Status fits = checkAskedContext(ids.size(), request.context_length); !fits)
            return fits.error();
    }
    return prompts;
}

// Upper bound of the number of new positions; a limit of the context lowers it.
std::int64_t newPositions(const RunRequest& request, std::int64_t sequences, std::int64_t ofPrompts)
{
    const std::int64_t asked = sequences * request.max_new_tokens;
    if (request.context_length <= 0)
        return asked;
    // The last token of a sequence needs no position of its own.
    return std::clamp<std::int64_t>(sequences * (request.context_length + 1) - ofPrompts, 0, asked);
}

Result<LoadedModel*> load(const RunScope& scope, OpenedModel opened, Transcript& transcript)
{
    const RunRequest& request = scope.request;
    // The context is checked first, since the memory depends on it.
    const auto plan =
        [&](const text::Tokenizer& tokenizer,
            const model::ModelConfig& config) -> Result<std::optional<model::GenerationPlan>> {
        ModelFacts model;
        model.name = request.load.folder.filename().string();
        model.context_length = config.contextLength();
        const auto prompts = encodeFor(model, request, transcript, tokenizer);
        if (!prompts)
            return prompts.error();
        if (request.ignore_memory)
            return std::optional<model::GenerationPlan>();
        const auto sequences = static_cast<std::int64_t>(transcript.size());
        return std::optional(model::GenerationPlan{
            .sequences = sequences,
            .prompt_positions = transcript.inputTokens(),
            .new_positions = newPositions(request, sequences, transcript.inputTokens()),
            .cache = request.levers.cache,
            .keeps_prompt = request.levers.prompt_cache});
    };
    return scope.context.models.acquire(std::move(opened), plan, scope.progressOf(),
                                        scope.context.cancel);
}

// Loads the model that proposes tokens, in the format and on the device of the main model.
Result<LoadedModel*> loadDraft(const RunScope& scope, const LoadedModel& model,
                               const std::vector<text::TokenId>& prompt)
{
    const RunRequest& request = scope.request;
    model::LoadRequest load = request.load;
    load.folder = request.levers.draft;
    const auto plan =
        [&](const text::Tokenizer&,
            const model::ModelConfig&) -> Result<std::optional<model::GenerationPlan>> {
        if (request.ignore_memory)
            return std::optional<model::GenerationPlan>();
        return std::optional(model::GenerationPlan{.prompt_positions = std::ssize(prompt),
                                                   .new_positions = request.max_new_tokens});
    };
    const auto draft =
        scope.context.models.acquireDraft(load, plan, scope.progressOf(), scope.context.cancel);
    if (!draft)
        return draft;
    if (const Status same = checkVocabulary(**draft, model, prompt); !same)
        return same.error();
    return draft;
}

} // namespace

Result<model::GenerationRequest> PreparedRun::generation(const RunRequest& request)
{
    auto prompts = transcript.encode(*model->tokenizer);
    if (!prompts)
        return prompts.error();
    const Levers& levers = request.levers;
    return model::GenerationRequest{
        .prompts = *std::move(prompts),
        .max_new_tokens = request.max_new_tokens,
        .context_length = request.context_length,
        .sampling = request.sampling,
        .eos = request.ignore_eos ? std::vector<text::TokenId>{} : model->engine->eosTokenIds(),
        .cache = levers.cache,
        .prompt_cache =
            levers.prompt_cache ? model::PromptCacheUse::ReadAndKeep : model::PromptCacheUse::Off,
        .draft_tokens = levers.draft.empty() ? 0 : levers.draft_tokens,
        .draft_model = draft ? draft->engine.get() : nullptr,
        .decomposed = request.depth == Depth::Deep};
}

Result<PreparedRun> prepareRun(const RunScope& scope, RunInfo& info)
{
    PreparedRun prepared{.transcript =
                             Transcript(batchOf(scope.request), scope.request.sampling.stop)};
    info = describeRequest(scope.request);
    prepared.transcript.describe(info);

    if (const Status possible = checkTogether(scope.request); !possible)
        return possible.error();
    if (const Status readable = text::checkStopRules(scope.request.sampling.stop); !readable)
        return readable.error();
    auto encoder = PromptEncoder::make(scope.request);
    if (!encoder)
        return encoder.error();
    info.chat_template = encoder->usesChat();
    prepared.transcript.setEncoder(*std::move(encoder));

    // Opens the files first, since a folder without a model must not leave a database behind, nor
    // open the engine.
    auto opened = scope.context.models.open(scope.request.load);
    if (!opened)
        return opened.error();
    if (const Status usable = checkDatabase(scope.request.database); !usable)
        return usable.error();
    if (const Status idle = measureIdleBeforeLoad(scope); !idle)
        return idle.error();
    if (const Status sampling = scope.power.startWhileLoading(scope.request.load.device); !sampling)
        return sampling.error();

    const Nanoseconds asked = monotonicNow();
    const auto loaded = load(scope, *std::move(opened), prepared.transcript);
    if (!loaded)
        return loaded.error();
    prepared.model = *loaded;
    info.execution.model_ready_ns = monotonicNow() - asked;
    describeModel(*prepared.model, info);
    const auto prompts =
        encodeFor(info.model, scope.request, prepared.transcript, *prepared.model->tokenizer);
    if (!prompts)
        return prompts.error();
    info.model.context_length =
        model::contextFor(info.model.context_length, scope.request.context_length);
    prepared.transcript.describe(info);
    const Levers& levers = scope.request.levers;
    if (!levers.draft.empty() && levers.draft != kNgramDraft) {
        const auto draft = loadDraft(scope, *prepared.model, prompts->front());
        if (!draft)
            return draft.error();
        prepared.draft = *draft;
    }
    describeLevers(levers, info);
    return prepared;
}

} // namespace ep::session
