// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/library.h"

#include "model_facts.h"

#include "ep/core/mapped_file.h"
#include "ep/model/config.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <system_error>

namespace ep::model {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxFolders = 20'000; // limits a search from the root of a disk

struct Search {
    std::set<fs::path> seen; // canonical, so that a link does not list a model twice
    std::vector<ModelListing> found;
};

std::int64_t weightBytes(const fs::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        std::error_code problem;
        const auto size = entry.file_size(problem);
        if (entry.path().extension() == ".safetensors" && !problem)
            bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

ModelListing describe(const fs::path& folder)
{
    ModelListing listing;
    listing.name = modelName(folder);
    listing.path = folder;
    listing.weight_bytes = weightBytes(folder);
    const Result<ModelConfig> config = readModelConfig(folder);
    if (!config) {
        listing.problem = config.error().message;
        return listing;
    }
    listing.architecture = config->architecture;
    if (const Status supported = checkSupported(*config); !supported) {
        listing.problem = supported.error().message;
        return listing;
    }
    listing.parameters = parameterCount(*config);
    if (listing.weight_bytes == 0) {
        listing.problem = "There are no safetensors files in " + folder.string()
            + ": download the model again, all its files.";
        return listing;
    }
    listing.supported = true;
    return listing;
}

void visit(const fs::path& folder, int depth, Search& search)
{
    std::error_code problem;
    const fs::path canonical = fs::canonical(folder, problem);
    if (problem || !fs::is_directory(canonical, problem) || search.seen.size() >= kMaxFolders
        || !search.seen.insert(canonical).second)
        return;
    if (isFile(folder / "config.json")) {
        search.found.push_back(describe(folder));
        return;
    }
    if (depth == kMaxDepth)
        return;
    fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, problem);
    for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
        std::error_code ignored;
        if (entries->is_directory(ignored))
            visit(entries->path(), depth + 1, search);
    }
}

} // namespace

std::vector<ModelListing> discoverModels(std::span<const fs::path> folders)
{
    Search search;
    for (const fs::path& folder : folders)
        visit(folder, 0, search);
    std::sort(search.found.begin(), search.found.end(),
              [](const ModelListing& a, const ModelListing& b) {
                  return a.name != b.name ? a.name < b.name : a.path < b.path;
              });
    return std::move(search.found);
}

fs::path huggingFaceCache()
{
    const auto variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return fs::path(value ? value : "");
    };
    if (const fs::path cache = variable("HF_HUB_CACHE"); !cache.empty())
        return cache;
    if (const fs::path home = variable("HF_HOME"); !home.empty())
        return home / "hub";
    const fs::path home = variable("HOME");
    return home.empty() ? fs::path() : home / ".cache" / "huggingface" / "hub";
}

} // namespace ep::model
