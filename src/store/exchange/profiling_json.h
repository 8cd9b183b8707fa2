// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/operation_extras.h"
#include "ep/core/profiling_record.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

// How a run was recorded, and the figures of some operations, as JSON objects: in the JSON of a
// run, and in text columns of the database. Absent parts have no member; when reading, missing
// members or members of a wrong type leave the field unchanged.
namespace ep::store {

nlohmann::ordered_json profilingJson(const ProfilingRecord& record);
void readProfiling(const nlohmann::ordered_json& json, ProfilingRecord& record);
std::string profilingText(const ProfilingRecord& record);
void readProfilingText(const std::string& text, ProfilingRecord& record);

// A figure per head also has its mean: {"attention_entropy": 1.5, "attention_entropy_heads": []}.
nlohmann::ordered_json extrasJson(const OperationExtras& extras);
OperationExtras readExtras(const nlohmann::ordered_json& json);
std::optional<std::string> extrasText(const SharedExtras& extras); // absent without figures
SharedExtras readExtrasText(const std::string& text);

} // namespace ep::store
