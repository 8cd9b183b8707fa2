// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/assemble.h"

#include "record/span_work.h"
#include "run/measured_power.h"
#include "run/without_pauses.h"

#include "ep/core/calibration_record.h"
#include "ep/core/run.h"
#include "ep/energy/attribute.h"
#include "ep/store/store.h"

#include <filesystem>
#include <optional>
#include <utility>

namespace ep::session {
namespace {

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
    estimateWork(run.trace, run.info);
    energy::attribute(run, attributionOf(scope.request, run.info));
    if (run.info.power.source != "none")
        describeQuality(power, scope.load, run);
    else if (run.info.status == RunStatus::Complete) // a failed run has its own reason
        noteLoad(scope.load, run.info);
    noteInterruptions(run.info, interruptions, run.trace.time.begin_ns);
    return run;
}

} // namespace ep::session
