// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "power/clock_watch.h"
#include "power/machine_load.h"
#include "run/run_scope.h"

#include "ep/core/power_limits.h"
#include "ep/core/run.h"

#include <optional>
#include <vector>

namespace ep::session {

// The output of the power source for a run, until it stopped or failed.
struct MeasuredPower {
    PowerInfo info; // source, detail and notice
    power::SourceFacts facts;
    std::vector<PowerSample> samples;
    std::vector<SecondarySource> secondary;
    TimeRange idle; // empty: not measured
    PowerQuality idle_load; // shares of the processors meanwhile
    BaselineMoment moment = BaselineMoment::AfterLoad;
    std::optional<KnownBaseline> known_baseline;
    int interval_ms = kUsualIntervalMs;
};

MeasuredPower measuredPower(const RunScope& scope);

// Moves the samples into the trace, except those taken during a sleep.
void takeSamples(MeasuredPower& measured, const std::vector<Interruption>& interruptions,
                 RunTrace& trace);
void measureBaseline(const MeasuredPower& measured, Run& run);
// Judges quality, rated power and battery; call it once the energies exist.
void describeQuality(const MeasuredPower& measured, const MachineLoad& machine, Run& run);
// Records who else used processors, for a run without power samples and thus without a quality.
void noteLoad(const MachineLoad& machine, RunInfo& info);

} // namespace ep::session
