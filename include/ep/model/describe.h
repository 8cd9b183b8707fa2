// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/config.h"

#include <filesystem>

namespace ep::model {

// What a folder's files say about a model, without loading its weights.
struct ModelDescription {
    ModelConfig config;
    DType stored = DType::F32; // of most of the weights
    ModelFacts facts; // as computed on the processor from the stored type; weights as in the files
};

// Reads config.json and the headers of the weight files: milliseconds. Any thread; the errors are
// those of a load.
Result<ModelDescription> describeModel(const std::filesystem::path& folder);

} // namespace ep::model
