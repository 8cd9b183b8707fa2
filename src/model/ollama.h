// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Where Ollama stores models: manifests/REGISTRY/NAMESPACE/MODEL/TAG names a model's layers,
// blobs/sha256-DIGEST contains each; the layer with the weights is a GGUF file.
namespace ep::model {

struct OllamaModel {
    std::string name; // as `ollama list` shows it: "llama3.2:3b", "someone/model:tag"
    std::filesystem::path file; // the GGUF file; may be missing
};

// Whether the folder is one of Ollama's ("models").
bool isOllamaFolder(const std::filesystem::path& folder);

// Sorted by file; damaged manifests are left out.
std::vector<OllamaModel> ollamaModels(const std::filesystem::path& folder);

// The name of the model to which this GGUF file of Ollama belongs; the first name if there are
// several.
std::optional<std::string> ollamaNameOf(const std::filesystem::path& file);

} // namespace ep::model
