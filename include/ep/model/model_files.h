// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <filesystem>
#include <memory>
#include <string>

namespace ep {
class MappedFile;
}

namespace ep::model {

class Checkpoint;

// The files of a supported model, opened once and passed on to everything that describes, checks
// and loads the model. The weight files stay mapped as long as this exists. Immutable.
struct ModelFiles {
    std::filesystem::path path; // the folder, or the GGUF file
    ModelConfig config;
    std::string format; // "q4_k_m", as a GGUF file states it; otherwise the type of most weights
    std::string stated; // text of config.json, or GGUF's metadata as JSON without long lists
    std::shared_ptr<const Checkpoint> weights;
    std::shared_ptr<const MappedFile> gguf; // with the tokenizer; null for a folder
};

// Reads config.json and the headers of the weight files, or those of a GGUF file, which takes
// milliseconds. Any thread; the same errors as when loading, except for those of single values.
Result<std::shared_ptr<const ModelFiles>> openModel(const std::filesystem::path& path);

} // namespace ep::model
