// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/result.h"

#include <vector>

namespace ep::store {

class Database;

Status writeCalibration(Database& database, const CalibrationRecord& record); // replaces its id
Result<std::vector<CalibrationRecord>> readCalibrations(Database& database); // newest first

} // namespace ep::store
