// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/run.h"
#include "ep/model/config.h"
#include "ep/model/library.h"
#include "ep/model/model_files.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace ep::model {

// The display name of the model: the folder name, "organisation/name" in a HuggingFace cache, or
// the name of a GGUF file without its ending.
std::string modelName(const std::filesystem::path& model);

// Number of parameters of the architecture described by the config; tied embeddings count once.
std::int64_t parameterCount(const ModelConfig& config);

// The stored type of most of the weights.
DType storedDType(const Checkpoint& checkpoint);

// Hash of the configuration and of the headers of the weight files: names, types and
// shapes.
std::string fingerprint(const ModelFiles& files);

// The fields of ModelFacts that config.json determines: all except weight_bytes,
// kv_bytes_per_token, stored_dtype, quantization and fingerprint.
ModelFacts factsOf(const ModelConfig& config, const std::filesystem::path& folder);

// Fills in the facts of a model until it finds something wrong with it.
using DescribeModel = std::function<Status(const std::filesystem::path&, ModelListing&)>;
std::vector<ModelListing> discoverModels(std::span<const std::filesystem::path> folders,
                                         const DescribeModel& describeModel);

} // namespace ep::model
