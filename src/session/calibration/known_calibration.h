// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <filesystem>
#include <optional>

namespace ep::session {

// The newest calibration in the database that applies to the run; absent also if the database
// cannot be read, which the run's own writer reports.
std::optional<CalibrationRecord> knownCalibration(const std::filesystem::path& database,
                                                  const RunInfo& info);

} // namespace ep::session
