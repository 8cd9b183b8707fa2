// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/config.h"

#include <filesystem>

namespace ep::model {

// A description of a model from the files of its folder, without loading the weights.
struct ModelDescription {
    ModelConfig config;
    DType stored = DType::F32; // type of most of the weights
    ModelFacts facts; // for the processor and the stored type; weights as in the files
};

// Reads config.json and the headers of the weight files, which takes milliseconds. Any thread; same
// errors as a load.
Result<ModelDescription> describeModel(const std::filesystem::path& folder);

} // namespace ep::model
