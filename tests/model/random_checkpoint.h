// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "naive_math.h"

#include <cstdint>
#include <filesystem>

namespace ep::test {

// All tensors that HuggingFace's model of this config has, by its names, with random values that
// are the same on every machine.
NaiveWeights randomWeights(const nlohmann::json& config, std::uint64_t seed);

// config.json and model.safetensors; dtype as safetensors calls it.
void writeCheckpoint(const std::filesystem::path& folder, const nlohmann::json& config,
                     const NaiveWeights& weights, const std::string& dtype = "F32");

// The same with the tensors dealt out to two files and an index that says where each is.
void writeShardedCheckpoint(const std::filesystem::path& folder, const nlohmann::json& config,
                            const NaiveWeights& weights);

} // namespace ep::test
