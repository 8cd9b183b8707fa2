// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/measured_power.h"

#include "ep/core/format.h"
#include "ep/energy/baseline.h"
#include "ep/energy/plausibility.h"
#include "ep/energy/quality.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

// Notes time without samples, because a capture ended or a source failed.
void noteUncovered(PowerInfo& power)
{
    if (power.quality->coverage >= 1.0)
        return;
    power.notice = sequence(
        {std::move(power.notice),
         Message("The samples cover only %1 of the run; energies outside of them are missing.",
                 energy::coverageText(power.quality->coverage))});
}

// Why there is no baseline, if the machine was not idle while it was measured.
Message busyBaseline(const PowerQuality& idle)
{
    if (energy::loadReasons(idle).empty())
        return {};
    const double share = idle.other_cpu_share.value_or(0.0) + idle.own_cpu_share.value_or(0.0);
    return Message("The idle power was not taken as a baseline: programs beside the run used %1 of "
                   "the processor while it was measured, so net energies are unknown; close them "
                   "and repeat the run.",
                   formatPercent(share));
}

} // namespace

MeasuredPower measuredPower(const RunScope& scope)
{
    return {.info = scope.power.describe(),
            .facts = scope.power.facts(),
            .samples = scope.power.samples(),
            .secondary = scope.power.secondary(),
            .idle = scope.power.idle(),
            .idle_load = scope.power.idleLoad(),
            .moment = scope.request.baseline_moment,
            .known_baseline = scope.request.known_baseline,
            .interval_ms = scope.request.interval_ms};
}

void measureBaseline(const MeasuredPower& measured, Run& run)
{
    auto& baseline = run.info.power.baseline;
    const TimeRange idle = measured.idle;
    const Nanoseconds begin = run.trace.time.begin_ns;
    if (energy::loadReasons(measured.idle_load).empty())
        baseline = energy::measureBaseline(run.trace.samples, idle, begin, measured.moment);
    if (const auto& known = measured.known_baseline; known && idle.empty()) {
        baseline = known->record;
        baseline->age_ns = begin - known->end_ns;
    }
}

void describeQuality(const MeasuredPower& measured, const MachineLoad& machine, Run& run)
{
    PowerInfo& power = run.info.power;
    const power::SourceFacts& facts = measured.facts;
    power.rated_mw = facts.rated_mw;
    power.sample_kind = facts.sample_kind;
    power.battery_mj = MachineLoad::batteryCapacity();
    power.quality = energy::assessQuality(run.trace, measured.interval_ms);
    power.quality->dropped = facts.dropped;
    machine.describe(*power.quality);
    energy::judgeQuality(*power.quality);
    for (const energy::Implausible& found :
         energy::implausibleSamples(run.trace.samples, facts.rated_mw)) {
        if (found.concern == energy::Concern::Note)
            continue;
        power.quality->verdict = std::max(
            power.quality->verdict,
            found.concern == energy::Concern::Poor ? QualityVerdict::Poor : QualityVerdict::Fair);
        power.quality->reasons.push_back(found.reason);
    }
    if (const Message busy = busyBaseline(measured.idle_load); !busy.empty()) {
        power.quality->reasons.push_back(busy);
        power.quality->verdict = std::max(power.quality->verdict, QualityVerdict::Fair);
    }
    for (const Message& fault : facts.faults) {
        power.quality->reasons.push_back(fault);
        power.quality->verdict = std::max(power.quality->verdict, QualityVerdict::Fair);
    }
    noteUncovered(power);
}

void noteLoad(const MachineLoad& machine, RunInfo& info)
{
    PowerQuality load;
    machine.describe(load);
    for (Message& reason : energy::loadReasons(load))
        info.status_message = sequence({std::move(info.status_message), std::move(reason)});
}

void takeSamples(MeasuredPower& measured, const std::vector<Interruption>& interruptions,
                 RunTrace& trace)
{
    trace.samples = std::move(measured.samples);
    foldLateReadings(trace.samples);
    excludeSleep(trace.samples, interruptions);
    trace.secondary = std::move(measured.secondary);
}

} // namespace ep::session
