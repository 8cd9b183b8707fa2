// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

// Everything of ModelFacts that config.json tells; weight_bytes are the caller's.
ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder);

} // namespace ep::model
