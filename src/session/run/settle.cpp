// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/settle.h"

#include "run/recording.h"
#include "run/settled_check.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

constexpr int kInexactSteps = 32;
constexpr int kColdSteps = 4; // number of first steps that are discarded

Status settlePower(const RunScope& scope, const RunInfo& info)
{
    if (!scope.power.started()) {
        if (const Status status = scope.power.start(info.device); !status)
            return status;
    }
    return scope.power.idle().empty() ? scope.power.measureIdle(scope.request.baseline_seconds)
                                      : Status();
}

Status warmUp(const RunScope& scope, PreparedRun& prepared)
{
    if (scope.request.warmup_tokens <= 0)
        return {};
    scope.progress("Warming up");
    auto request = prepared.generation(scope.request);
    if (!request)
        return request.error();
    request->max_new_tokens = scope.request.warmup_tokens;
    request->eos.clear();
    auto generation = prepared.model->engine->begin(*request, nullptr, scope.context.cancel);
    if (!generation)
        return generation.error();
    SettledCheck settled(scope.request.warmup_settled);
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

Result<Rehearsal> rehearse(const RunScope& scope, PreparedRun& prepared, int steps,
                           model::Observer* observer)
{
    auto request = prepared.generation(scope.request);
    if (!request)
        return request.error();
    request->decomposed = request->decomposed && observer != nullptr;
    // The rehearsal reads the prompt cache as the run will, but adds nothing to it.
    if (request->prompt_cache == model::PromptCacheUse::ReadAndKeep)
        request->prompt_cache = model::PromptCacheUse::Read;
    return session::rehearse(*prepared.model->engine, *request, steps, observer,
                             scope.context.cancel);
}

// A first generation has cold caches and clocks. Apple's GPUs also compile a graph for each new
// context length, so it has the full length.
Status rehearseCold(const RunScope& scope, PreparedRun& prepared, const RunInfo& info)
{
    const bool compiles = info.device == "mps";
    if (!compiles && scope.request.warmup_tokens > 0)
        return {};
    const int all = scope.request.max_new_tokens;
    scope.progress("Warming up");
    const auto cold =
        rehearse(scope, prepared, compiles ? all : std::min(kColdSteps, all), nullptr);
    return cold ? Status() : cold.error();
}

Result<Rehearsal> rehearseInexact(const RunScope& scope, PreparedRun& prepared)
{
    scope.progress("Running without synchronising with the device");
    PublishedOperation unseen{0};
    Recorder recorder(plainOptions(scope.request, prepared.model->engine->facts()), unseen, {});
    recorder.enter(Phase::Decode, 0);
    return rehearse(scope, prepared, std::min(kInexactSteps, scope.request.max_new_tokens),
                    &recorder);
}

} // namespace

Result<Rehearsals> settleRun(const RunScope& scope, PreparedRun& prepared, const RunInfo& info)
{
    if (const Status settled = settlePower(scope, info); !settled)
        return settled.error();
    if (const Status warm = warmUp(scope, prepared); !warm)
        return warm.error();
    const bool twin =
        scope.request.twin.value_or(info.device != "cpu" && scope.request.depth != Depth::None);
    Rehearsals rehearsals;
    if (twin || scope.request.exact) {
        if (const Status cold = rehearseCold(scope, prepared, info); !cold)
            return cold.error();
    }
    if (twin) {
        scope.progress("Running without recording");
        auto clean = rehearse(scope, prepared, scope.request.max_new_tokens, nullptr);
        if (!clean)
            return clean.error();
        rehearsals.clean = *std::move(clean);
    }
    if (scope.request.exact) {
        auto inexact = rehearseInexact(scope, prepared);
        if (!inexact)
            return inexact.error();
        rehearsals.inexact = *std::move(inexact);
    }
    return rehearsals;
}

} // namespace ep::session
