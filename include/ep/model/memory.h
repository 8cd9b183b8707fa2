// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/computed_model.h"
#include "ep/model/engine.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Checks whether a model fits into memory before it is loaded.
namespace ep::model {

// The tokens of a planned generation, summed over all sequences.
struct GenerationPlan {
    std::int64_t sequences = 1;
    std::int64_t prompt_positions = 0;
    std::int64_t new_positions = 0;
    CacheKind cache = CacheKind::Growing;
    bool keeps_prompt = false; // whether the prompt is also kept in the prompt cache
};

struct MemoryNeed { // in bytes
    std::int64_t weights = 0; // in the computed format; includes weights mapped from the files
    std::int64_t cache = 0;
    std::int64_t workspace = 0;

    std::int64_t total() const { return weights + cache + workspace; }
    bool operator==(const MemoryNeed&) const = default;
};

MemoryNeed memoryNeed(const ComputedModel& model, const GenerationPlan& plan);

// Memory available to programs without swapping, in bytes; nullopt if the system does not report
// it. Reads /proc/meminfo, or queries the kernel on macOS.
std::optional<std::int64_t> availableMemory();
std::optional<std::int64_t> availableFromMeminfo(std::string_view text); // from /proc/meminfo

// An error with both figures if the model needs more memory than is available.
Status checkMemory(const MemoryNeed& need, std::optional<std::int64_t> available,
                   const std::string& modelName);

} // namespace ep::model
