// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/cancel.h"
#include "ep/core/power_limits.h"
#include "ep/core/result.h"
#include "ep/energy/calibration.h"
#include "ep/model/engine.h"
#include "ep/power/source.h"
#include "ep/session/backend.h"

#include <string>

// Measures the share of each kind of component in the energy of a token, with one model on this
// machine (energy/calibration.h).
namespace ep::session {

struct CalibrateRequest {
    model::LoadRequest load{};
    std::string prompt{}; // empty: a built-in passage of a few hundred words
    power::SourceChoice power{};
    int interval_ms = kUsualIntervalMs;
    // Blocks are longer if least_windows requires it; the cache size is taken from the machine.
    energy::CalibrationSettings settings{};
};

struct CalibrationReport {
    CalibrationRecord record;
    Message refusal; // why it must not be used, as a sentence; empty: it may be
    double seconds = 0.0; // duration

    bool usable() const { return refusal.empty(); }
};

// Blocks for minutes; any thread. Fails if the model cannot be loaded, or if no power source
// works; a refused calibration is a report, not an error.
Result<CalibrationReport> calibrate(const CalibrateRequest& request, const Backend& backend,
                                    const CancelToken& cancel = {},
                                    const ProgressFn& progress = {});

// One line per kind: share, interval, cross-check, and why it is not used.
std::string calibrationToText(const CalibrationReport& report);
std::string calibrationToJson(const CalibrationReport& report); // schema/calibration.schema.json

} // namespace ep::session
