// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/assemble.h"

#include "record/span_work.h"

#include "ep/core/format.h"
#include "ep/energy/attribute.h"
#include "ep/energy/baseline.h"
#include "ep/energy/quality.h"
#include "ep/power/late_readings.h"

#include <utility>

namespace ep::session {

namespace {

// A capture that ends, or a source that fails, leaves time without samples.
void noteUncovered(PowerInfo& power)
{
    constexpr double kWhole = 0.9995; // shown as 100.0 %
    if (power.quality->coverage >= kWhole)
        return;
    if (!power.notice.empty())
        power.notice += ' ';
    power.notice += "The samples cover only " + formatPercent(power.quality->coverage)
        + " of the run; energies outside of them are missing.";
}

void measureBaseline(const RunScope& scope, Run& run)
{
    auto& baseline = run.info.power.baseline;
    const TimeRange idle = scope.power.idle();
    const Nanoseconds begin = run.trace.time.begin_ns;
    baseline =
        energy::measureBaseline(run.trace.samples, idle, begin, scope.request.baseline_moment);
    if (const auto& known = scope.request.known_baseline; known && idle.empty()) {
        baseline = known->record;
        baseline->age_ns = begin - known->end_ns;
    }
}

void describeQuality(const RunScope& scope, const MachineLoad& machine, Run& run)
{
    PowerInfo& power = run.info.power;
    const power::SourceFacts facts = scope.power.facts();
    power.rated_mw = facts.rated_mw;
    power.sample_kind = facts.sample_kind;
    power.battery_mj = MachineLoad::batteryCapacity();
    power.quality = energy::assessQuality(run.trace, scope.request.interval_ms);
    power.quality->dropped = facts.dropped;
    machine.describe(*power.quality);
    energy::judgeQuality(*power.quality);
    noteUncovered(power);
}

void takeSamples(const RunScope& scope, const std::vector<Interruption>& interruptions,
                 RunTrace& trace)
{
    trace.samples = scope.power.samples();
    power::foldLateReadings(trace.samples);
    excludeSleep(trace.samples, interruptions);
    trace.secondary = scope.power.secondary();
}

ProfilingRecord profilingOf(const Recording& recording, const Rehearsals& rehearsals,
                            ProfilingRecord record)
{
    recording.describe(record);
    if (rehearsals.clean)
        record.twin = compareTwin(*rehearsals.clean, recording.tokens(), recording.time().begin_ns);
    if (rehearsals.inexact)
        record.exact_slowdown = slowdown(*rehearsals.inexact, recording.tokens());
    return record;
}

} // namespace

Run assembleRun(const RunScope& scope, RunInfo info, const Recording* recording,
                const Rehearsals& rehearsals)
{
    Run run;
    run.info = std::move(info);
    run.info.power = scope.power.describe();
    if (!scope.power.idle().empty())
        run.trace.phases.push_back(
            {.phase = Phase::Idle, .time = scope.power.idle(), .energy = {}});
    if (recording != nullptr) {
        run.info.profiling = profilingOf(*recording, rehearsals, run.info.profiling);
        recording->appendTo(run.trace);
    }
    const auto interruptions =
        recording != nullptr ? recording->interruptions() : std::vector<Interruption>();
    takeSamples(scope, interruptions, run.trace);
    measureBaseline(scope, run);
    if (const auto config = model::readModelConfig(scope.request.load.folder))
        analyticWork(run.trace, run.info, *config);
    estimateWork(run.trace, run.info);
    energy::attribute(run, {.method = scope.request.attribution, .align = true});
    if (run.info.power.source != "none")
        describeQuality(scope, recording != nullptr ? recording->machine() : MachineLoad(), run);
    noteInterruptions(run.info, interruptions, run.trace.time.begin_ns);
    return run;
}

} // namespace ep::session
