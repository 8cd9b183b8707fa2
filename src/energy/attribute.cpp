// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/attribute.h"

#include "closure.h"
#include "phase_levels.h"
#include "span_energies.h"
#include "twin.h"
#include "uncertainty.h"

#include "ep/core/format.h"
#include "ep/core/known_energy.h"
#include "ep/core/metrics.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/align.h"
#include "ep/energy/baseline.h"
#include "ep/energy/cost_fit.h"
#include "ep/energy/energy_timeline.h"
#include "ep/energy/quality.h"
#include "ep/energy/server_rules.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

LoadShape loadOf(const RunTrace& trace, const WorkCurve& work, bool mayLead)
{
    LoadShape load;
    load.work = &work;
    load.may_lead = mayLead;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill)
            load.first.push_back(phase.time);
        else if (phase.phase == Phase::Decode)
            load.second.push_back(phase.time);
    }
    return load;
}

// A smaller offset is neither found nor applied, so it may still be there.
constexpr double kUnseenOffsetNs = 0.5e6;

// Searches for an offset; returns the standard deviation of the windows' times that remains.
double takeOffset(const RunTrace& trace, const LoadShape& load, AttributionRecord& record)
{
    const Offset offset = findOffset(trace.samples, load);
    record.offset_ns = offset.ns;
    record.offset_sd_ns = offset.sd_ns;
    if (!offset.significant)
        return kUnseenOffsetNs;
    // A shift that uncovers a part of the run would cost it its energy.
    const auto covered = [&](Nanoseconds shift) {
        return EnergyTimeline(trace.samples, {}, shift).known(trace.time).covered_ns;
    };
    record.offset_applied = covered(offset.ns) >= covered(0);
    return record.offset_applied ? offset.sd_ns
                                 : std::hypot(offset.sd_ns, static_cast<double>(offset.ns));
}

// Whether the energy is too uncertain to say anything. Only the energy of the whole run is judged:
// parts may be more uncertain than their sum, and their intervals show it.
bool isRefused(const EnergyValue& run)
{
    return run.total_mj && run.sd_mj && run.provenance != Provenance::Modelled
        && run.sd_mj->value > kMaxUncertain * std::abs(run.total_mj->value);
}

// The rails of the windows, or `system` if there is only a total without components.
std::vector<Rail> fittedRails(const EnergyTimeline& timeline)
{
    return timeline.rails().empty() ? std::vector{Rail::System} : timeline.rails();
}

// Marks decoded tokens and all of their parts. Even a measured energy is partly a share, because a
// token begins and ends in the middle of a window.
void markCalibrated(RunTrace& trace)
{
    for (TokenSpan& token : trace.tokens) {
        if (token.phase == Phase::Decode)
            token.energy.provenance = std::max(token.energy.provenance, Provenance::Calibrated);
    }
}

// Spreads energy evenly over time, where the idle power is known only inside the run.
SpreadRule timeRule(const EnergyTimeline& timeline, const WorkCurve& work, const TimeRange& run,
                    const PerRail<Milliwatts>& idle)
{
    SpreadRule rule{.work = &work, .fit = CostFit{}, .static_mw = idle, .run = run};
    for (const Rail rail : fittedRails(timeline))
        rule.fit->rails[rail] = UnitCosts{.time_mw = 1.0};
    return rule;
}

// Unit costs of the total, and its idle power if that of every rail is known.
SplitModel::Input modelInput(const EnergyTimeline& timeline, const KindWork& work,
                             const std::optional<BaselineRecord>& baseline)
{
    SplitModel::Input input{.timeline = timeline, .work = work, .costs = {}, .prior = {}};
    if (!baseline)
        return input;
    Milliwatts idle{};
    for (const Rail rail : fittedRails(timeline)) {
        const auto& known = baseline->power_mw[rail];
        if (!known)
            return input;
        idle += *known;
    }
    input.idle = idle;
    // Error of one baseline: its own scatter, and 1 % because the machine may change afterwards.
    constexpr double kDrift = 0.01;
    const auto ofMean = netDeviation(Millijoules{}, Nanoseconds{1'000'000'000}, baseline);
    input.idle_sd_mw = std::hypot(ofMean.value_or(Millijoules{}).value, kDrift * idle.value);
    return input;
}

UnitCosts sumOf(const CostFit& fit)
{
    UnitCosts sum;
    for (const auto& costs : fit.rails.values) {
        if (!costs)
            continue;
        sum.pj_per_byte += costs->pj_per_byte;
        sum.pj_per_flop += costs->pj_per_flop;
        sum.time_mw += costs->time_mw;
    }
    return sum;
}

// Scales each rail's unit costs like those of the total; costs that no rail had are spread
// evenly.
CostFit changed(CostFit fit, const UnitCosts& from, const UnitCosts& to)
{
    const auto rails = static_cast<double>(std::ranges::count_if(
        fit.rails.values, [](const auto& costs) { return costs.has_value(); }));
    for (auto& costs : fit.rails.values) {
        if (!costs)
            continue;
        const auto change = [&](double UnitCosts::*field) {
            double& own = (*costs).*field;
            own = from.*field > 0.0 ? own * (to.*field / from.*field) : to.*field / rails;
        };
        change(&UnitCosts::pj_per_byte);
        change(&UnitCosts::pj_per_flop);
        change(&UnitCosts::time_mw);
    }
    return fit;
}

// Unit costs learned from decoding alone say nothing about prefill, which computes far more for
// each byte.
bool hardlyAnyPrefill(const RunTrace& trace)
{
    constexpr double kHardlyAny = 0.05;
    Nanoseconds prefill = 0;
    for (const PhaseSpan& phase : trace.phases) {
        if (phase.phase == Phase::Prefill)
            prefill += phase.time.duration_ns();
    }
    return static_cast<double>(prefill)
        < kHardlyAny * static_cast<double>(trace.time.duration_ns());
}

// A calibration knows shares of the total. Every rail gets the same unit costs, so that the rails
// add up to those shares.
CostFit ofAllRails(CostFit fit, const UnitCosts& costs)
{
    for (auto& own : fit.rails.values) {
        if (own)
            own = costs;
    }
    return fit;
}

} // namespace

namespace {

// A command may generate more than once: the run has the tokens of all generations, and the steps
// and phases of one. Which generation used the energy of a step is unknown if others ran with it.
void countGenerations(Run& run)
{
    const auto& command = run.info.profiling.command;
    if (!command || command->generations < 2)
        return;
    const EnergyValue energy = run.metrics.energy;
    RunMetrics& metrics = run.metrics;
    metrics = computeMetrics(run.trace, static_cast<int>(command->shown_input_tokens), energy);
    metrics.joules_per_token.reset();
    metrics.tokens_per_joule.reset();
    if (energy.total_mj && run.info.output_tokens > 0) {
        metrics.joules_per_token =
            energy.total_mj->value / kMillijoulesPerJoule / run.info.output_tokens;
        if (*metrics.joules_per_token > 0.0)
            metrics.tokens_per_joule = 1.0 / *metrics.joules_per_token;
    }
    if (command->overlapping) {
        metrics.joules_per_input_token.reset();
        metrics.joules_per_output_token.reset();
        metrics.joules_per_typical_token.reset();
    }
}

// The start of a command, such as its imports, is no wait for the first token.
void countFromTheGeneration(Run& run)
{
    const PhaseSpan* prefill = findPhase(run.trace, Phase::Prefill);
    if (run.info.profiling.command && prefill != nullptr && !run.trace.tokens.empty())
        run.metrics.time_to_first_token_ns =
            run.trace.tokens.front().time.end_ns - prefill->time.begin_ns;
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
    Distributions distributions{.used = EnergyTimeline(trace.samples, evenly)};
    fillEnergies(trace, distributions);
}

Attribution attribute(RunTrace& trace, const AttributionSettings& settings,
                      const std::optional<BaselineRecord>& baseline)
{
    tagPhases(trace.samples, trace.phases);
    const WorkCurve work(trace);
    Attribution result;
    AttributionRecord& record = result.record;
    record.asked = settings.method;
    const double offsetSdNs = settings.align
        ? takeOffset(trace, loadOf(trace, work, settings.power_may_lead), record)
        : kUnseenOffsetNs;
    const Nanoseconds shift = record.offset_applied ? record.offset_ns : 0;

    const PerRail<Milliwatts> idle = baseline ? baseline->power_mw : PerRail<Milliwatts>{};
    const EnergyTimeline evenly(trace.samples, {}, shift);
    const CostFinding costs = findCosts(evenly, work, trace.time, idle);
    record.fit = costs.fit;
    const bool usable = costs.fit && costs.problem.empty();
    const bool calibrated =
        settings.method == AttributionMethod::Calibrated && settings.calibration.has_value();
    const bool cost = settings.method != AttributionMethod::Time && (usable || calibrated);
    record.method = calibrated ? AttributionMethod::Calibrated
        : cost                 ? AttributionMethod::Cost
                               : AttributionMethod::Time;
    if (settings.method != AttributionMethod::Time && !usable && !calibrated)
        record.note = costs.problem;
    if (calibrated)
        record.calibration = settings.calibration;

    const KindWork kinds(trace);
    SplitModel::Input input = modelInput(evenly, kinds, baseline);
    input.costs = usable                        ? sumOf(*costs.fit)
        : calibrated && hardlyAnyPrefill(trace) ? costsOf(*settings.calibration)
                                                : UnitCosts{.time_mw = 1.0};
    input.prior = usable ? uncalibratedPrior() : timeOnlyPrior();
    if (calibrated)
        input.prior = calibratedPrior(input.prior, *settings.calibration, input.costs);
    input.learn = usable;
    const SplitModel model(input);
    const auto finish = [&](const EnergyTimeline& used, const EnergyTimeline* other) {
        const Uncertainty uncertainty(used, &model, offsetSdNs);
        Distributions distributions{.used = used,
                                    .other = other,
                                    .uncertainty = &uncertainty,
                                    .byCost = record.method != AttributionMethod::Time};
        result.run = valueOver(trace.time, distributions);
        if (isRefused(result.run)) {
            distributions.refused = true;
            result.run = valueOver(trace.time, distributions);
            record.note += (record.note.empty() ? "" : "; ")
                + ("too short for this sensor: the run's energy has a standard deviation above "
                   + formatPercent(kMaxUncertain) + " and is not shown; repeat it");
        }
        fillEnergies(trace, distributions);
        if (record.method == AttributionMethod::Calibrated)
            markCalibrated(trace);
        record.closure = closureOf(trace, distributions.used);
    };

    const SpreadRule evenRule = timeRule(evenly, work, trace.time, idle);
    const EnergyTimeline byTime(trace.samples, evenRule, shift);
    if (settings.phase_levels) {
        const PhaseLevels levels(evenly, trace);
        record.method = AttributionMethod::Time;
        record.note = "windows with two phases are split by the mean power of each";
        finish(EnergyTimeline(trace.samples, levels.rule(), shift), &byTime);
        return result;
    }
    const WorkCurve weighted(trace, model.factors());
    SpreadRule rule{.work = &weighted, .fit = evenRule.fit, .static_mw = idle, .run = trace.time};
    if (calibrated)
        rule.fit = ofAllRails(*(usable ? costs.fit : evenRule.fit), model.costs());
    else if (usable)
        rule.fit = changed(*costs.fit, input.costs, model.costs());
    const EnergyTimeline byCost(trace.samples, rule, shift);
    finish(cost ? byCost : byTime, cost ? &byTime : usable ? &byCost : nullptr);
    return result;
}

void markImported(Run& run)
{
    const auto mark = [](EnergyValue& energy) {
        if (energy.total_mj)
            energy.provenance = Provenance::Imported;
    };
    mark(run.metrics.energy);
    for (PhaseSpan& phase : run.trace.phases)
        mark(phase.energy);
    for (SectionSpan& section : run.trace.sections)
        mark(section.energy);
    for (TokenSpan& token : run.trace.tokens)
        mark(token.energy);
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
        power.source = kImportedSource;
    attribute(run, {});
    if (!power.quality)
        power.quality = assessQuality(run.trace, 0);
}

void attribute(Run& run, const AttributionSettings& settings)
{
    const auto& server = run.info.profiling.server;
    const bool imported = run.info.power.source == kImportedSource;
    // The import has already divided a recording's energy among several requests, by its own rule.
    if (server && (server->group || imported))
        return;
    AttributionSettings own = settings;
    own.phase_levels = own.phase_levels || server.has_value();
    own.power_may_lead = imported;
    own.align = own.align && !run.info.power.source.starts_with("replay"); // begins with the run
    std::string mismatch;
    if (own.method == AttributionMethod::Calibrated) {
        mismatch = own.calibration ? mismatchOf(*own.calibration, calibrationKeyOf(run.info))
                                   : "This machine was not calibrated with this model.";
        if (!mismatch.empty())
            own.calibration.reset();
    }
    Attribution result = attribute(run.trace, own, run.info.power.baseline);
    if (!mismatch.empty())
        result.record.note =
            mismatch + (result.record.note.empty() ? "" : " ") + result.record.note;
    run.metrics =
        computeMetrics(run.trace, run.info.input_tokens, result.run, server ? &*server : nullptr);
    if (run.trace.samples.empty())
        run.info.power.attribution.reset();
    else
        run.info.power.attribution = std::move(result.record);
    countGenerations(run);
    countFromTheGeneration(run);
    measureTwin(run);
    applyServerRules(run);
    if (imported)
        markImported(run);
    auto& record = run.info.power.attribution;
    if (const Tally known = knownEnergy(run); record && known.partial()) {
        record->known_mj = known.energy_mj;
        record->known_ns = known.energy_duration_ns;
    }
}

} // namespace ep::energy
