// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <nlohmann/json.hpp>

#include <string>

namespace ep::store {

// How a run's energies were obtained, as one JSON object: what PowerInfo has beyond its texts and
// the first figures of its quality, and the samples of other sensors. Absent parts have no member.
nlohmann::ordered_json energyRecordJson(const Run& run);
// Fills in what the object has; members of a wrong kind are left out.
void readEnergyRecord(const nlohmann::json& record, Run& run);

// The same as a column of profiling_runs.
std::string energyRecordText(const Run& run);
void readEnergyRecordText(const std::string& text, Run& run);

} // namespace ep::store
