// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/attribute.h"

#include "closure.h"
#include "uncertainty.h"

#include "ep/core/metrics.h"
#include "ep/energy/align.h"
#include "ep/energy/baseline.h"
#include "ep/energy/cost_fit.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"
#include "ep/energy/twin.h"

#include <cmath>

namespace ep::energy {

namespace {

// Both distributions of the same windows, and their uncertainty.
struct Books {
    EnergyTimeline used;
    const EnergyTimeline* other = nullptr; // absent if there is only one
    std::optional<Uncertainty> uncertainty;
};

void noteValue(EnergyValue& energy, const TimeRange& time, const Books& books)
{
    if (!energy.total_mj)
        return;
    if (books.other != nullptr)
        energy.alternative_mj = books.other->totalOver(time);
    if (!books.uncertainty)
        return;
    auto sd = books.uncertainty->of(time).value_or(0.0);
    // By time, the difference from the result by cost is the best estimate of the error.
    if (energy.alternative_mj)
        sd = std::hypot(sd, (energy.total_mj->value - energy.alternative_mj->value) / 2.0);
    energy.sd_mj = Millijoules{sd};
}

template <typename Span>
void fillSpans(std::vector<Span>& spans, const Books& books)
{
    for (Span& span : spans) {
        span.energy_mj = books.used.totalOver(span.time);
        span.energy_notes = {};
        if (!span.energy_mj || !books.uncertainty)
            continue;
        double sd = books.uncertainty->of(span.time).value_or(0.0);
        if (books.other != nullptr) {
            const auto alternative = books.other->totalOver(span.time);
            if (alternative) {
                span.energy_notes.alternative_mj = static_cast<float>(alternative->value);
                sd = std::hypot(sd, (span.energy_mj->value - alternative->value) / 2.0);
            }
        }
        span.energy_notes.sd_mj = static_cast<float>(sd);
    }
}

EnergyValue valueOver(const TimeRange& time, const Books& books)
{
    EnergyValue energy = books.used.over(time);
    noteValue(energy, time, books);
    return energy;
}

void fill(RunTrace& trace, const Books& books)
{
    for (PhaseSpan& phase : trace.phases)
        phase.energy = valueOver(phase.time, books);
    for (SectionSpan& section : trace.sections)
        section.energy = valueOver(section.time, books);
    for (TokenSpan& token : trace.tokens) {
        token.energy = valueOver(token.time, books);
        token.power_snapshot_mw =
            books.used.powerAt(token.time.begin_ns + token.time.duration_ns() / 2);
    }
    fillSpans(trace.layers, books);
    fillSpans(trace.components, books);
    fillSpans(trace.operations, books);
}

LoadShape loadOf(const RunTrace& trace, const WorkCurve& work)
{
    LoadShape load;
    load.work = &work;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill)
            load.first.push_back(phase.time);
        else if (phase.phase == Phase::Decode)
            load.second.push_back(phase.time);
    }
    return load;
}

} // namespace

void tagPhases(std::vector<PowerSample>& samples, const std::vector<PhaseSpan>& phases)
{
    for (PowerSample& sample : samples) {
        const Nanoseconds duration = sample.window.duration_ns();
        Nanoseconds idle = duration;
        Nanoseconds longest = 0;
        sample.phase = Phase::Idle;
        for (const PhaseSpan& phase : phases) {
            const Nanoseconds inside = intersection(sample.window, phase.time).duration_ns();
            if (phase.phase != Phase::Idle)
                idle -= inside;
            if (phase.phase != Phase::Idle && inside > longest) {
                longest = inside;
                sample.phase = phase.phase;
            }
        }
        if (idle >= longest) {
            longest = idle;
            sample.phase = Phase::Idle;
        }
        sample.phase_confidence =
            duration > 0 ? static_cast<double>(longest) / static_cast<double>(duration) : 0.0;
    }
}

void attributeByTime(RunTrace& trace, const std::vector<Rail>& rails)
{
    tagPhases(trace.samples, trace.phases);
    SpreadRule evenly;
    evenly.rails = rails;
    fill(trace,
         {.used = EnergyTimeline(trace.samples, evenly), .other = nullptr, .uncertainty = {}});
}

Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline)
{
    tagPhases(trace.samples, trace.phases);
    const WorkCurve work(trace);
    Attribution result;
    AttributionRecord& record = result.record;
    record.asked = settings.method;
    if (settings.align) {
        const Offset offset = findOffset(trace.samples, loadOf(trace, work));
        record.offset_ns = offset.ns;
        record.offset_sd_ns = offset.sd_ns;
        record.offset_applied = offset.significant;
    }
    const Nanoseconds shift = record.offset_applied ? record.offset_ns : 0;

    const PerRail<Milliwatts> idle = baseline ? baseline->power_mw : PerRail<Milliwatts>{};
    const EnergyTimeline byTime(trace.samples, {}, shift);
    const CostFinding costs = findCosts(byTime, work, trace.time, idle);
    record.fit = costs.fit;
    const bool usable = costs.fit && costs.problem.empty();
    record.method = settings.method == AttributionMethod::Cost && usable ? AttributionMethod::Cost
                                                                         : AttributionMethod::Time;
    if (settings.method == AttributionMethod::Cost && !usable)
        record.note = costs.problem;

    const SpreadRule byCostRule{
        .work = &work, .fit = usable ? costs.fit : std::nullopt, .static_mw = idle};
    const EnergyTimeline byCost(trace.samples, byCostRule, shift);
    const bool cost = record.method == AttributionMethod::Cost;
    Books books{.used = cost ? byCost : byTime,
                .other = !usable ? nullptr
                    : cost       ? &byTime
                                 : &byCost,
                .uncertainty = {}};
    const SpreadRule rule = cost ? byCostRule : SpreadRule{};
    books.uncertainty.emplace(books.used, rule, record.offset_applied ? record.offset_sd_ns : 0.0);
    fill(trace, books);
    result.run = valueOver(trace.time, books);
    record.closure = closureOf(trace, books.used);
    return result;
}

void completeEnergies(Run& run)
{
    if (run.trace.samples.empty() || run.metrics.energy.total_mj)
        return;
    PowerInfo& power = run.info.power;
    for (const PhaseSpan& phase : run.trace.phases) {
        if (phase.phase == Phase::Idle && !power.baseline)
            power.baseline = measureBaseline(run.trace.samples, phase.time, run.trace.time.begin_ns,
                                             BaselineMoment::AfterLoad);
    }
    if (power.source.empty() || power.source == "none")
        power.source = "imported";
    attribute(run, {});
    if (!power.quality)
        power.quality = assessQuality(run.trace, 0);
}

void attribute(Run& run, const AttributionSettings& settings)
{
    const PhaseEnergies stored = phaseEnergies(run.trace);
    Attribution result = attribute(run.trace, settings, run.info.power.baseline);
    run.metrics = computeMetrics(run.trace, run.info.input_tokens, result.run);
    if (run.trace.samples.empty())
        run.info.power.attribution.reset();
    else
        run.info.power.attribution = std::move(result.record);
    takeCleanExecution(run, stored);
}

} // namespace ep::energy
