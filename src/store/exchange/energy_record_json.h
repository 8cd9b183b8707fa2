// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/json/document.h"

#include <string>

namespace ep::store {

// How a run's energies were obtained, as a JSON object: PowerInfo except its texts and main
// quality figures, and the samples of other sensors. Absent parts have no member.
json::OrderedJson energyRecordJson(const Run& run);
// Reads the existing members; ignores those of a wrong type.
void readEnergyRecord(const json::OrderedJson& record, Run& run);

// The energy record as texts for two columns of profiling_runs, so that lists need not read
// samples.
std::string energyRecordText(const PowerInfo& power);
void readEnergyRecordText(const std::string& text, PowerInfo& power);
std::string secondaryText(const RunTrace& trace);
void readSecondaryText(const std::string& text, RunTrace& trace);

} // namespace ep::store
