// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/message.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// A model folder, or a GGUF file, as shown in a list; read in milliseconds, without the weights.
struct ModelListing {
    // Folder name; "organisation/name" in a HuggingFace cache; name of a GGUF file without
    // extension; or Ollama's name.
    std::string name;
    std::filesystem::path path;
    std::string architecture; // empty if config.json does not state it
    bool supported = false;
    Message problem; // why the model is not supported; empty: it is
    std::int64_t parameters = 0; // 0 if unknown
    std::int64_t weight_bytes = 0; // size of the weight files

    bool operator==(const ModelListing&) const = default;
};

// Finds folders with a config.json among the given ones and those up to four levels below, which
// includes HuggingFace's cache (models--organisation--name/snapshots/revision); GGUF files in
// them, or given directly; and the models of an Ollama folder. Skips what does not exist. Sorted
// by name; any thread; reads the disk.
std::vector<ModelListing> discoverModels(std::span<const std::filesystem::path> folders);

// HuggingFace's download cache: HF_HUB_CACHE, HF_HOME/hub or ~/.cache/huggingface/hub.
std::filesystem::path huggingFaceCache();

// Where programs keep downloaded models: that cache, and the folders of Ollama (OLLAMA_MODELS or
// ~/.ollama/models) and of LM Studio.
std::vector<std::filesystem::path> downloadFolders();

} // namespace ep::model
