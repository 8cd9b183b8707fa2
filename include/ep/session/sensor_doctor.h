// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/message.h"
#include "ep/core/power_limits.h"
#include "ep/core/run.h"
#include "ep/energy/align.h"
#include "ep/power/source.h"
#include "ep/session/backend.h"

#include <optional>
#include <string>
#include <vector>

// Checks every power source, and measures a load with known timing by each one that works.
namespace ep::session {

struct SensorCheck {
    power::SourceReport report;
    Message problem{}; // why the sensor delivered nothing in the test although it seemed available
    std::optional<PowerQuality> quality; // absent if the sensor was not tested
    std::optional<Milliwatts> idle_mw; // during pauses of the load
    std::optional<Milliwatts> load_mw; // during busy phases of the load
    energy::Offset offset; // delay of power relative to the load
    // The sensor's step from idle to load / the step of the first sensor in the list (`reference`).
    std::optional<double> agreement;
    std::string reference{};
    // Sensors that delivered nothing or impossible values, and counters that stood still under
    // load, one sentence each.
    std::vector<Message> faults{};
    std::vector<PowerSample> samples{};
};

struct SensorExam {
    std::vector<SensorCheck> sources;
    std::vector<TimeRange> load; // busy phases; empty without a test
    std::optional<double> other_cpu_share; // share of all cores used by other programs
};

struct ExamOptions {
    double seconds = 5.0; // 0: checks without measuring
    int interval_ms = kUsualIntervalMs;
    double half_period_seconds = 0.5; // half a period of the square wave
    int threads = 0; // number of load threads; 0: all cores
};

// Blocks for about `seconds`; any thread. Cancelling ends it early with the results so far.
SensorExam examineSensors(const ExamOptions& options, const Backend& backend,
                          const CancelToken& cancel = {}, const ProgressFn& progress = {});

// Evaluates an exam: fills in quality, powers, offset and agreement from samples and load.
void judgeSensors(SensorExam& exam, const TimeRange& test, int intervalMs);

} // namespace ep::session
