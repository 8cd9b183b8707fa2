// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/config.h"
#include "ep/model/model_files.h"
#include "ep/model/tensor_list.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ep::model {

// A description of a model from the files of its folder, without loading the weights.
struct ModelDescription {
    ModelConfig config;
    DType stored = DType::F32; // type of most of the weights
    std::string format; // the name of the stored format, "q4_k_m", or of that type
    TensorList tensors;
    // Types of the tensors as named in the files, with their counts, most frequent first.
    std::vector<std::pair<std::string, int>> types;
    ModelFacts facts; // for the processor and the stored type; weights as stored
};

ModelDescription describe(const ModelFiles& files);
// Describes the model in a folder or GGUF file; errors: see openModel().
Result<ModelDescription> describeModel(const std::filesystem::path& folder);

} // namespace ep::model
