// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// A model folder that was found, as a list shows it; reading it took milliseconds, no weights.
struct ModelListing {
    std::string name; // folder name, or "organisation/name" from a HuggingFace cache
    std::filesystem::path path;
    std::string architecture; // empty when config.json does not tell
    bool supported = false;
    std::string problem; // why it is not supported; empty when it is
    std::int64_t parameters = 0; // 0 when unknown
    std::int64_t weight_bytes = 0; // size of the weight files

    bool operator==(const ModelListing&) const = default;
};

// Looks for folders with a config.json: the given ones, and those up to four levels below, which
// reaches into HuggingFace's cache (models--organisation--name/snapshots/revision). Folders that do
// not exist are passed over. Sorted by name; any thread; touches the disk.
std::vector<ModelListing> discoverModels(std::span<const std::filesystem::path> folders);

// Where HuggingFace's tools keep downloads: HF_HUB_CACHE, HF_HOME/hub or ~/.cache/huggingface/hub.
std::filesystem::path huggingFaceCache();

} // namespace ep::model
