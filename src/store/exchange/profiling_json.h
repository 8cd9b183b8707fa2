// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/operation_extras.h"
#include "ep/core/profiling_record.h"
#include "ep/json/document.h"

#include <optional>
#include <string>

// How a run was recorded, and the figures of some operations, as JSON objects: in the JSON of a
// run, and in text columns of the database. Absent parts have no member; when reading, missing
// members or members of a wrong type leave the field unchanged.
namespace ep::store {

json::OrderedJson profilingJson(const ProfilingRecord& record);
void readProfiling(const json::OrderedJson& json, ProfilingRecord& record);
std::string profilingText(const ProfilingRecord& record);
void readProfilingText(const std::string& text, ProfilingRecord& record);

// A figure per head also has its mean: {"attention_entropy": 1.5, "attention_entropy_heads": []}.
json::OrderedJson extrasJson(const OperationExtras& extras);
OperationExtras readExtras(const json::OrderedJson& json);
std::optional<std::string> extrasText(const SharedExtras& extras); // absent without figures
SharedExtras readExtrasText(const std::string& text);

} // namespace ep::store
