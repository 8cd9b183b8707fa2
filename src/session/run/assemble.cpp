// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/assemble.h"

#include "record/span_work.h"
#include "run/measured_power.h"

#include "ep/core/calibration_record.h"
#include "ep/core/trace_lookup.h"
#include "ep/energy/attribute.h"
#include "ep/store/store.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace ep::session {

namespace {

// The longest time within the range in which no span begins or ends.
TimeRange longestRest(RunTrace& trace, const TimeRange& range)
{
    std::vector<Nanoseconds> events{range.begin_ns, range.end_ns};
    visitTimes(trace, [&](const TimeRange& time) {
        for (const Nanoseconds at : {time.begin_ns, time.end_ns}) {
            if (range.contains(at))
                events.push_back(at);
        }
    });
    std::ranges::sort(events);
    TimeRange longest;
    for (std::size_t i = 1; i < events.size(); ++i) {
        const TimeRange rest{events[i - 1], events[i]};
        if (rest.duration_ns() > longest.duration_ns())
            longest = rest;
    }
    return longest;
}

struct Pauses {
    std::vector<TimeRange> cut; // in order
    std::vector<Interruption> kept; // the run's clock stood still: there is nothing to cut
};

Pauses pausesOf(const std::vector<Interruption>& interruptions, RunTrace& trace)
{
    Pauses pauses;
    for (const Interruption& one : interruptions) {
        const Nanoseconds length = std::max(one.asleep_ns, one.stopped_ns);
        const TimeRange rest = longestRest(trace, intersection(one.time, trace.time));
        if (length > 0 && rest.duration_ns() > length / 2)
            pauses.cut.push_back(rest);
        else
            pauses.kept.push_back(one);
    }
    std::ranges::sort(pauses.cut, {}, &TimeRange::begin_ns);
    return pauses;
}

// The newest calibration in the database that applies to the run; absent also if the database
// cannot be read, which the run's own writer reports.
std::optional<CalibrationRecord> knownCalibration(const std::filesystem::path& database,
                                                  const RunInfo& info)
{
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store)
        return std::nullopt;
    auto found = (*store)->calibration(calibrationKeyOf(info));
    return found ? *std::move(found) : std::nullopt;
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

energy::AttributionSettings attributionOf(const RunRequest& request, const RunInfo& info)
{
    energy::AttributionSettings settings;
    if (request.attribution.value_or(AttributionMethod::Calibrated)
        == AttributionMethod::Calibrated)
        settings.calibration = knownCalibration(request.database, info);
    settings.method = request.attribution.value_or(
        settings.calibration ? AttributionMethod::Calibrated : AttributionMethod::Cost);
    return settings;
}

} // namespace

void cutPauses(const std::vector<Interruption>& interruptions, RunTrace& trace,
               std::vector<Annotation>& annotations)
{
    const Pauses found = pausesOf(interruptions, trace);
    excludeSleep(trace.samples, found.kept);
    const std::vector<TimeRange>& pauses = found.cut;
    if (pauses.empty())
        return;
    const auto moved = [&](Nanoseconds at) {
        Nanoseconds cut = 0;
        for (const TimeRange& pause : pauses) {
            if (at > pause.begin_ns)
                cut += std::min(at, pause.end_ns) - pause.begin_ns;
        }
        return at - cut;
    };
    const auto move = [&](TimeRange& time) { time = {moved(time.begin_ns), moved(time.end_ns)}; };
    const auto moveSamples = [&](std::vector<PowerSample>& samples) {
        std::erase_if(samples, [&](const PowerSample& sample) {
            return std::ranges::any_of(pauses, [&](const TimeRange& pause) {
                return !intersection(sample.window, pause).empty();
            });
        });
        for (PowerSample& sample : samples) {
            move(sample.window);
            sample.arrival_ns = moved(sample.arrival_ns);
        }
    };
    moveSamples(trace.samples);
    for (SecondarySource& other : trace.secondary)
        moveSamples(other.samples);
    visitTimes(trace, move);
    move(trace.time);
    for (Annotation& annotation : annotations) {
        annotation.begin_ns = moved(annotation.begin_ns);
        annotation.end_ns = moved(annotation.end_ns);
    }
}

Run assembleRun(const RunScope& scope, RunInfo info, const LoadedModel* model,
                const Recording* recording, const Rehearsals& rehearsals)
{
    Run run;
    run.info = std::move(info);
    MeasuredPower power = measuredPower(scope);
    run.info.power = power.info;
    if (!power.idle.empty())
        run.trace.phases.push_back({.phase = Phase::Idle, .time = power.idle, .energy = {}});
    if (recording != nullptr) {
        run.info.profiling = profilingOf(*recording, rehearsals, run.info.profiling);
        recording->appendTo(run.trace);
    }
    const auto interruptions =
        recording != nullptr ? recording->interruptions() : std::vector<Interruption>();
    takeSamples(power, {}, run.trace);
    measureBaseline(power, run);
    cutPauses(interruptions, run.trace, run.info.annotations);
    if (model != nullptr)
        analyticWork(run.trace, run.info, model->config);
    energy::attribute(run, attributionOf(scope.request, run.info));
    if (run.info.power.source != "none")
        describeQuality(power, scope.load, run);
    else if (run.info.status == RunStatus::Complete) // a failed run has its own reason
        noteLoad(scope.load, run.info);
    noteInterruptions(run.info, interruptions, run.trace.time.begin_ns);
    return run;
}

} // namespace ep::session
