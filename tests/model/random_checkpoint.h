// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace ep::test {

// All tensors of HuggingFace's model for this config, with its names and with random values that
// are the same on every machine.
NaiveWeights randomWeights(const nlohmann::json& config, std::uint64_t seed);

// Writes config.json and model.safetensors; dtype as in safetensors.
void writeCheckpoint(const std::filesystem::path& folder, const nlohmann::json& config,
                     const NaiveWeights& weights, const std::string& dtype = "F32");

// Writes a checkpoint with a type for each tensor, by its name.
void writeCheckpoint(const std::filesystem::path& folder, const nlohmann::json& config,
                     const NaiveWeights& weights,
                     const std::function<std::string(const std::string&)>& dtypeOf);

// Writes a checkpoint with the tensors distributed over two files, and an index of their locations.
void writeShardedCheckpoint(const std::filesystem::path& folder, const nlohmann::json& config,
                            const NaiveWeights& weights);

} // namespace ep::test
