// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/run.h"
#include "ep/model/config.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace ep::model {

// Name by which people know the model: the folder's, or "organisation/name" in a HuggingFace cache.
std::string modelName(const std::filesystem::path& folder);

// Parameters of the architecture that the config describes, tied embeddings counted once.
std::int64_t parameterCount(const ModelConfig& config);

// The type that most of the weights are stored in.
DType storedDType(const Checkpoint& checkpoint);

// Hash of config.json and of what the headers of the weight files say: names, types and shapes.
std::string fingerprint(const Checkpoint& checkpoint);

// Everything of ModelFacts that config.json tells: not weight_bytes, kv_bytes_per_token,
// stored_dtype, quantization and fingerprint.
ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder);

} // namespace ep::model
