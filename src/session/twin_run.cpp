// SPDX-License-Identifier: GPL-3.0-or-later
#include "twin_run.h"

#include "ep/core/clock.h"
#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::session {

namespace {

std::optional<TimeRange> hull(const std::vector<TimeRange>& steps, std::size_t first,
                              std::size_t last)
{
    if (first >= last)
        return std::nullopt;
    return TimeRange{steps[first].begin_ns, steps[last - 1].end_ns};
}

void scale(std::optional<Millijoules>& energy, double factor)
{
    if (energy)
        energy->value *= factor;
}

void scale(EnergyValue& energy, double factor)
{
    scale(energy.total_mj, factor);
    for (auto& rail : energy.rails_mj.values)
        scale(rail, factor);
    scale(energy.sd_mj, factor);
    scale(energy.alternative_mj, factor);
}

template <typename Spans>
void scaleSpans(Spans& spans, double prefill, double decode)
{
    for (auto& span : spans) {
        const double factor = span.token == 0 ? prefill : decode;
        scale(span.energy_mj, factor);
        span.energy_notes.sd_mj *= static_cast<float>(factor);
        span.energy_notes.alternative_mj *= static_cast<float>(factor);
    }
}

double factorOf(Phase phase, double prefill, double decode)
{
    return phase == Phase::Prefill ? prefill : phase == Phase::Decode ? decode : 1.0;
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

TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens)
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
    return record;
}

std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens)
{
    const TwinRecord record = compareTwin(rehearsal, tokens);
    if (record.clean_decode_ns <= 0)
        return std::nullopt;
    return static_cast<double>(record.decode_ns) / static_cast<double>(record.clean_decode_ns);
}

void takeCleanEnergies(const Rehearsal& clean, Run& run)
{
    RunTrace& trace = run.trace;
    TwinRecord* const twin = run.info.profiling.twin ? &*run.info.profiling.twin : nullptr;
    const std::size_t count = std::min(clean.steps.size(), trace.tokens.size());
    if (twin == nullptr || count == 0)
        return;
    const energy::EnergyTimeline timeline(trace.samples);
    // Of the steps that both have.
    const auto ratioOf = [&](std::size_t first, std::size_t last) -> std::optional<double> {
        const auto before = hull(clean.steps, first, last);
        if (!before)
            return 1.0;
        const TimeRange now{trace.tokens[first].time.begin_ns, trace.tokens[last - 1].time.end_ns};
        const auto cleanEnergy = timeline.totalOver(*before);
        const auto energy = timeline.totalOver(now);
        if (!cleanEnergy || !energy || !(energy->value > 0.0))
            return std::nullopt;
        twin->clean_mj = twin->clean_mj.value_or(0.0) + cleanEnergy->value;
        twin->instrumented_mj = twin->instrumented_mj.value_or(0.0) + energy->value;
        return cleanEnergy->value / energy->value;
    };
    const auto prefill = ratioOf(0, 1);
    const auto decode = ratioOf(1, count);
    if (!prefill || !decode) {
        twin->clean_mj.reset();
        twin->instrumented_mj.reset();
        return;
    }
    EnergyValue whole = run.metrics.energy;
    for (PhaseSpan& phase : trace.phases) {
        const auto before = phase.energy.total_mj;
        scale(phase.energy, factorOf(phase.phase, *prefill, *decode));
        if (whole.total_mj && before)
            whole.total_mj->value += phase.energy.total_mj->value - before->value;
    }
    if (whole.total_mj && run.metrics.energy.total_mj && run.metrics.energy.total_mj->value > 0.0) {
        const double factor = whole.total_mj->value / run.metrics.energy.total_mj->value;
        scale(run.metrics.energy, factor);
    }
    for (SectionSpan& section : trace.sections)
        scale(section.energy, factorOf(section.phase, *prefill, *decode));
    for (TokenSpan& token : trace.tokens)
        scale(token.energy, factorOf(token.phase, *prefill, *decode));
    scaleSpans(trace.layers, *prefill, *decode);
    scaleSpans(trace.components, *prefill, *decode);
    scaleSpans(trace.operations, *prefill, *decode);
    run.metrics = computeMetrics(trace, run.info.input_tokens, run.metrics.energy);
}

} // namespace ep::session
