// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/settle.h"

#include "run/recording.h"

#include "ep/core/clock.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace ep::session {

namespace {

// From the first to the last of these steps; empty if there are none.
TimeRange hull(const std::vector<TimeRange>& steps, std::size_t first, std::size_t last)
{
    if (first >= last)
        return {};
    return {steps[first].begin_ns, steps[last - 1].end_ns};
}

constexpr std::size_t kSettledSteps = 8;

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

Result<Rehearsal> rehearse(model::Engine& engine, const model::GenerationRequest& request,
                           int maxSteps, model::Observer* observer, const CancelToken& cancel)
{
    auto generation = engine.begin(request, observer, cancel);
    if (!generation)
        return generation.error();
    Rehearsal rehearsal;
    for (int index = 0; index < maxSteps; ++index) {
        const Nanoseconds begin = monotonicNow();
        const auto step = index == 0 ? (*generation)->prefill() : (*generation)->decode();
        const Nanoseconds end = monotonicNow();
        if (!step)
            return step.error();
        rehearsal.steps.push_back({begin, end});
        rehearsal.tokens.push_back(step->sequences.front().token);
        if (step->finished)
            break;
    }
    if (const Status finished = (*generation)->finish(); !finished)
        return finished.error();
    return rehearsal;
}

TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens,
                       Nanoseconds runBegin)
{
    TwinRecord record;
    const std::size_t count = std::min(clean.steps.size(), tokens.size());
    record.tokens = static_cast<std::int64_t>(count);
    bool parted = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Nanoseconds before = clean.steps[i].duration_ns();
        const Nanoseconds now = tokens[i].time.duration_ns();
        (i == 0 ? record.clean_prefill_ns : record.clean_decode_ns) += before;
        (i == 0 ? record.prefill_ns : record.decode_ns) += now;
        parted = parted || clean.tokens[i] != tokens[i].id;
        record.different_tokens += parted ? 1 : 0;
    }
    const auto sinceBegin = [&](TimeRange range) {
        return range.empty() ? range
                             : TimeRange{range.begin_ns - runBegin, range.end_ns - runBegin};
    };
    record.clean_prefill = sinceBegin(hull(clean.steps, 0, std::min<std::size_t>(1, count)));
    record.clean_decode = sinceBegin(hull(clean.steps, 1, count));
    return record;
}

std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens)
{
    const TwinRecord record = compareTwin(rehearsal, tokens, 0);
    if (record.clean_decode_ns <= 0)
        return std::nullopt;
    return static_cast<double>(record.decode_ns) / static_cast<double>(record.clean_decode_ns);
}

SettledCheck::SettledCheck(double limit)
    : m_limit(limit)
{
}

void SettledCheck::add(Nanoseconds stepTime)
{
    m_times.push_back(static_cast<double>(stepTime));
    if (m_times.size() > kSettledSteps)
        m_times.erase(m_times.begin());
}

bool SettledCheck::reached() const
{
    if (m_limit <= 0.0 || m_times.size() < kSettledSteps)
        return false;
    const double count = static_cast<double>(m_times.size());
    const double mean = std::accumulate(m_times.begin(), m_times.end(), 0.0) / count;
    double squares = 0.0;
    for (const double time : m_times)
        squares += (time - mean) * (time - mean);
    const double sd = std::sqrt(squares / (count - 1.0));
    return mean > 0.0 && sd / mean < m_limit;
}

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
