// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/operation_extras.h"
#include "ep/core/profiling_record.h"
#include "ep/core/run.h"
#include "ep/json/document.h"

#include <optional>
#include <string>

namespace ep::store {

// Versions of a run's JSON (docs/run-format.md): the newest is written, all of them are read.
// Unlike the database's schema, they did not start again at 1.
inline constexpr int kOldestJson = 1;
inline constexpr int kNewestJson = 19;
inline constexpr int kLastJsonInEnglish = 18; // without the patterns of its messages

// Records of a run as JSON objects: in the JSON of a run, and in text columns of the database.
// Absent parts have no member; when reading, missing members or members of a wrong type leave the
// field unchanged.

// How a run's energies were obtained: PowerInfo except its texts and main quality
// figures, and the samples of other sensors.
ep::json::OrderedJson energyRecordJson(const Run& run);
void readEnergyRecord(const ep::json::OrderedJson& record, Run& run);

// The energy record as texts for two columns of profiling_runs, so that lists need not read
// samples.
std::string energyRecordText(const PowerInfo& power);
void readEnergyRecordText(const std::string& text, PowerInfo& power);
std::string secondaryText(const RunTrace& trace);
void readSecondaryText(const std::string& text, RunTrace& trace);

// How a run was recorded.
ep::json::OrderedJson profilingJson(const ProfilingRecord& record);
void readProfiling(const ep::json::OrderedJson& json, ProfilingRecord& record);
std::string profilingText(const ProfilingRecord& record);
void readProfilingText(const std::string& text, ProfilingRecord& record);

// A figure per head also has its mean: {"attention_entropy": 1.5, "attention_entropy_heads": []}.
ep::json::OrderedJson extrasJson(const OperationExtras& extras);
OperationExtras readExtras(const ep::json::OrderedJson& json);
std::optional<std::string> extrasText(const SharedExtras& extras); // absent without figures

} // namespace ep::store
