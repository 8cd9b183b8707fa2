// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/calibration_record.h"

#include "ep/core/machine_record.h"

#include <array>
#include <cstdlib>

namespace ep {

CalibrationKey calibrationKeyOf(const RunInfo& info)
{
    return {.machine = machineKey(info.environment),
            .os = info.environment.os,
            .device = info.device,
            .dtype = info.dtype,
            .fingerprint = info.model.fingerprint,
            .attention = info.execution.attention,
            .kernels = info.profiling.kernels,
            .threads = info.environment.threads,
            .source = info.power.source,
            .at_ms = info.created_at_ms};
}

Message mismatchOf(const CalibrationRecord& record, const CalibrationKey& key)
{
    struct Property {
        const char* what;
        bool equal;
    };
    const std::array properties{
        Property{"another machine", record.machine == key.machine},
        Property{"another model", record.fingerprint == key.fingerprint},
        Property{"another device", record.device == key.device},
        Property{"another number format", record.dtype == key.dtype},
        Property{"another power source", record.source == key.source},
        Property{"another number of threads", record.threads == key.threads},
        Property{"other kernels", record.kernels == key.kernels},
        Property{"another attention", record.attention == key.attention},
        Property{"another version of the system", record.os == key.os},
    };
    for (const Property& property : properties) {
        if (!property.equal)
            return {"The calibration was made with %1: calibrate again.", property.what};
    }
    if (std::llabs(key.at_ms - record.measured_at_ms) > kCalibrationLastsMs)
        return "The calibration is more than 30 days away from the run: calibrate again.";
    return {};
}

} // namespace ep
