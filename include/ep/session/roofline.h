// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/machine_record.h"
#include "ep/core/power_limits.h"
#include "ep/core/result.h"
#include "ep/power/source.h"
#include "ep/session/backend.h"

#include <string>
#include <vector>

// Measures the limits that a diagnosis compares runs with: the rates that this machine's processor
// reaches with the engine's own matmuls and, if a power source works, their energy.
namespace ep::session {

struct RooflineRequest {
    std::vector<std::string> dtypes{"f32", "bf16", "f16", "int8"};
    double seconds = 10.0; // in total
    int threads = 0; // 0: the number that a model would use
    power::SourceChoice power{};
    int interval_ms = kUsualIntervalMs;
};

struct RooflineReport {
    std::vector<MachineRecord> limits; // one per number format
    Message energy_problem; // why joules are missing; empty: they are not
};

// Blocks; any thread. Fails if the engine cannot be opened. A power source that does not work is
// not a failure, unless it was requested by name.
Result<RooflineReport> measureRoofline(const RooflineRequest& request, const Backend& backend,
                                       const CancelToken& cancel = {},
                                       const ProgressFn& progress = {});

// One line per number format: "bf16  8.10 GB/s  52.0 GFLOP/s ...".
std::string rooflineToText(const RooflineReport& report);
std::string rooflineToJson(const RooflineReport& report); // resources/schema/roofline.schema.json

} // namespace ep::session
