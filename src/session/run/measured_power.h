// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "power/machine_load.h"
#include "run/run_scope.h"

#include "ep/core/run.h"

#include <optional>
#include <vector>

namespace ep::session {

// What the power source delivered for a run, after it has stopped or for as long as it lasted.
struct MeasuredPower {
    PowerInfo info; // source, detail and notice
    power::SourceFacts facts;
    std::vector<PowerSample> samples;
    std::vector<SecondarySource> secondary;
    TimeRange idle; // empty: not measured
    BaselineMoment moment = BaselineMoment::AfterLoad;
    std::optional<KnownBaseline> known_baseline;
    int interval_ms = 100;
};

MeasuredPower measuredPower(const RunScope& scope);

// Moves the samples into the trace, without those of a sleep.
void takeSamples(MeasuredPower& measured, const std::vector<Interruption>& interruptions,
                 RunTrace& trace);
void measureBaseline(const MeasuredPower& measured, Run& run);
// Once the energies exist: quality, rated power and battery.
void describeQuality(const MeasuredPower& measured, const MachineLoad& machine, Run& run);
// For a run without power samples, which has no such quality: says who else used the processors.
void noteLoad(const MachineLoad& machine, RunInfo& info);

} // namespace ep::session
