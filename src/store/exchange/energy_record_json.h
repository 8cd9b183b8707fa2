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

// The same as two columns of profiling_runs, so that a list need not read samples.
std::string energyRecordText(const PowerInfo& power);
void readEnergyRecordText(const std::string& text, PowerInfo& power);
std::string secondaryText(const RunTrace& trace);
void readSecondaryText(const std::string& text, RunTrace& trace);

} // namespace ep::store
