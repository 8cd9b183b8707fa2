// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/analytic.h"
#include "ep/model/config.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Whether a model fits into memory, told before it is loaded.
namespace ep::model {

// What a generation is going to hold, all sequences together.
struct GenerationPlan {
    std::int64_t sequences = 1;
    std::int64_t prompt_positions = 0;
    std::int64_t new_positions = 0;
};

struct MemoryNeed { // bytes
    std::int64_t weights = 0; // as computed; those that are mapped from the files included
    std::int64_t cache = 0;
    std::int64_t workspace = 0;

    std::int64_t total() const { return weights + cache + workspace; }
    bool operator==(const MemoryNeed&) const = default;
};

MemoryNeed memoryNeed(const ModelConfig& config, DType computed, DType stored,
                      const GenerationPlan& plan);

// Memory that programs can still get without swapping, in bytes; nullopt where the system does not
// tell. Reads /proc/meminfo, or asks the kernel of macOS.
std::optional<std::int64_t> availableMemory();
std::optional<std::int64_t> availableFromMeminfo(std::string_view text); // of /proc/meminfo

// An error that says both figures when the need is larger than what is there.
Status checkMemory(const MemoryNeed& need, std::optional<std::int64_t> available,
                   const std::string& modelName);

} // namespace ep::model
