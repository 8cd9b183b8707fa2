// SPDX-License-Identifier: GPL-3.0-or-later
// The machine's costs from one run alone; its limits cannot be known from it.
#include "evidence.h"

#include "ep/core/trace_lookup.h"
#include "ep/energy/ledger.h"
#include "ep/energy/work_curve.h"
#include "ep/energy/work_nodes.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

// Work of each step, as a trace of sections: the prefill's components as recorded; a decode step's
// share of the totals, in which attention grows with the position and everything else is constant.
RunTrace coarseTrace(const RunParts& parts)
{
    const RunTrace& whole = parts.run.trace;
    RunTrace trace;
    trace.time = whole.time;
    trace.sections = whole.sections;
    trace.components = parts.first_step.components;
    SpanWork fixed;
    SpanWork growing;
    for (const ComponentTotal& total : parts.totals) {
        const SpanWork work = total.work.value_or(SpanWork{});
        SpanWork& sum = total.component == Component::Attention ? growing : fixed;
        sum.flops += work.flops;
        sum.bytes += work.bytes;
    }
    for (const ComponentSpan& span : trace.components) {
        const SpanWork work = span.work.value_or(SpanWork{});
        SpanWork& sum = span.component == Component::Attention ? growing : fixed;
        sum.flops -= work.flops;
        sum.bytes -= work.bytes;
    }
    double steps = 0.0;
    double sequences = 0.0;
    double positions = 0.0;
    for (const TokenSpan& token : whole.tokens) {
        if (token.phase != Phase::Decode)
            continue;
        steps += 1.0;
        sequences += token.sequences;
        positions += static_cast<double>(token.sequences) * (token.position + 1);
    }
    for (SectionSpan& section : trace.sections) {
        if (section.section != Section::Layers || section.phase != Phase::Decode)
            continue;
        const auto token =
            std::ranges::lower_bound(whole.tokens, section.token, {}, &TokenSpan::index);
        if (token == whole.tokens.end() || token->index != section.token || positions == 0.0)
            continue;
        const double grown =
            static_cast<double>(token->sequences) * (token->position + 1) / positions;
        const double rows = token->sequences / sequences;
        section.work =
            SpanWork{.flops = std::llround(static_cast<double>(fixed.flops) * rows
                                           + static_cast<double>(growing.flops) * grown),
                     .bytes = std::llround(static_cast<double>(fixed.bytes) / steps
                                           + static_cast<double>(growing.bytes) * grown)};
    }
    return trace;
}

} // namespace

std::vector<CostWindow> costWindowsOf(const RunParts& parts)
{
    const Run& run = parts.run;
    const RunTrace coarse = coarseTrace(parts);
    const WorkCurve work(coarse);
    if (work.empty())
        return {};
    const Ledger ledger(RunPtr(&run, [](const Run*) {})); // lives as long as the parts
    const PhaseSpan* idle = findPhase(run.trace, Phase::Idle);
    std::vector<CostWindow> windows;
    for (const EnergyTimeline::Window& window : ledger.timeline().windows()) {
        const bool inside = run.trace.time.contains(window.time);
        const bool resting = idle != nullptr && idle->time.contains(window.time);
        if (!window.total_pj || (!inside && !resting))
            continue;
        const WorkCurve::Work done = work.over(window.time);
        windows.push_back({.amount = {.flops = inside ? done.flops : 0.0,
                                      .bytes = inside ? done.bytes : 0.0,
                                      .seconds = toSeconds(window.time.duration_ns())},
                           .joules = toDouble(*window.total_pj) * kPico});
    }
    return windows;
}

MachineCosts fitMachineCosts(const RunParts& parts)
{
    MachineCosts costs;
    std::optional<KnownIdle> idle;
    const auto& baseline = parts.run.info.power.baseline;
    const bool recorded = findPhase(parts.run.trace, Phase::Idle) != nullptr;
    if (baseline && baseline->total_mw && !recorded) {
        constexpr double kUnknownError = 0.02; // relative to the mean, if the record states none
        const double watts = baseline->total_mw->value / kMillijoulesPerJoule;
        const double count = std::max(
            1.0, baseline->effective_samples.value_or(static_cast<double>(baseline->samples)));
        idle = {watts,
                baseline->total_sd_mw
                    ? baseline->total_sd_mw->value / kMillijoulesPerJoule / std::sqrt(count)
                    : kUnknownError * watts};
    }
    const auto windows = costWindowsOf(parts);
    if (const auto fit = fitEnergies(windows, idle)) {
        costs = fit->costs;
        // The residuals do not show an error that all windows of the same parts share.
        for (const auto constant : {&Prices::joules_per_flop, &Prices::joules_per_byte})
            costs.addSpread(constant, kPartsOffModel * (costs.mean.*constant));
    }
    return costs;
}

} // namespace ep::energy
