// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/library.h"

#include "model_facts.h"
#include "ollama.h"
#include "read_guarded.h"

#include "ep/core/lfs_pointer.h"
#include "ep/core/mapped_file.h"
#include "ep/model/config.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>

namespace ep::model {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 4;
constexpr std::size_t kMaxFolders = 20'000; // limits a search from the root of a disk

constexpr std::string_view kFirstPart = "-00001-of-";

fs::path variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

struct Search {
    const DescribeModel& describe;
    std::set<fs::path> seen{}; // canonical paths, so that a link does not list a model twice
    std::vector<ModelListing> found{};
};

// Size of a folder's weights, or of a GGUF file with all its parts.
std::int64_t weightBytes(const fs::path& folder)
{
    std::int64_t bytes = 0;
    std::error_code ignored;
    if (isFile(folder)) {
        const std::string first = folder.filename().string();
        const auto part = first.find(kFirstPart);
        const fs::path parent = folder.parent_path();
        if (part == std::string::npos)
            return static_cast<std::int64_t>(fs::file_size(folder, ignored));
        for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
            std::error_code problem;
            const std::string name = entry.path().filename().string();
            const auto size = entry.file_size(problem);
            if (!problem && name.size() == first.size() && name.starts_with(first.substr(0, part))
                && name.ends_with(first.substr(part + kFirstPart.size() - 4)))
                bytes += static_cast<std::int64_t>(size);
        }
        return bytes;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        std::error_code problem;
        const auto size = entry.file_size(problem);
        if (entry.path().extension() == ".safetensors" && !problem)
            bytes += static_cast<std::int64_t>(size);
    }
    return bytes;
}

// The error to show if Git LFS has not fetched the weights of a folder.
std::optional<Error> pointerIn(const fs::path& folder)
{
    constexpr std::uintmax_t kPointerBytes = 1024; // maximum size of a pointer
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        std::error_code problem;
        if (entry.path().extension() != ".safetensors" || entry.file_size(problem) > kPointerBytes
            || problem)
            continue;
        std::ifstream file(entry.path(), std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        if (auto pointer = lfsPointer(entry.path(), text))
            return pointer;
    }
    return std::nullopt;
}

Status describe(const fs::path& folder, ModelListing& listing)
{
    listing.weight_bytes = weightBytes(folder);
    const Result<ModelConfig> config = readModelConfig(folder);
    if (!config)
        return config.error();
    listing.architecture = config->architecture;
    if (const Status supported = checkSupported(*config); !supported)
        return supported;
    listing.parameters = parameterCount(*config);
    if (listing.weight_bytes == 0) {
        return Error{ErrorCode::NotFound,
                     {"There are no safetensors files in %1: fetch the weights of the model as "
                      "well.",
                      folder.string()}};
    }
    const auto pointer = pointerIn(folder);
    return pointer ? Status(*pointer) : Status();
}

ModelListing listingOf(const fs::path& folder, const DescribeModel& describe)
{
    ModelListing listing;
    listing.name = modelName(folder);
    listing.path = folder;
    const Status described = readGuarded(folder, [&] { return describe(folder, listing); });
    listing.supported = described.has_value();
    if (!described)
        listing.problem = described.error().message;
    return listing;
}

// Whether a GGUF file is a model: not a later part of one, nor the encoder for its images.
bool isModelFile(const fs::path& path)
{
    const std::string name = path.filename().string();
    const auto part = name.rfind("-of-");
    const bool later = part != std::string::npos && name.find(kFirstPart) == std::string::npos
        && part >= 6 && name[part - 6] == '-';
    return path.extension() == ".gguf" && !later && !name.starts_with("mmproj") && isFile(path);
}

void addFile(const fs::path& file, const std::string& name, Search& search)
{
    std::error_code problem;
    const fs::path canonical = fs::canonical(file, problem);
    if (problem || search.seen.size() >= kMaxFolders || !search.seen.insert(canonical).second)
        return;
    ModelListing& listing = search.found.emplace_back(listingOf(file, search.describe));
    if (!name.empty())
        listing.name = name;
}

void visit(const fs::path& folder, int depth, Search& search)
{
    std::error_code problem;
    const fs::path canonical = fs::canonical(folder, problem);
    if (problem || !fs::is_directory(canonical, problem) || search.seen.size() >= kMaxFolders
        || !search.seen.insert(canonical).second)
        return;
    if (isFile(folder / "config.json")) {
        search.found.push_back(listingOf(folder, search.describe));
        return;
    }
    if (isOllamaFolder(folder)) {
        for (const OllamaModel& model : ollamaModels(folder))
            addFile(model.file, model.name, search);
        return;
    }
    if (depth == kMaxDepth)
        return;
    fs::directory_iterator entries(folder, fs::directory_options::skip_permission_denied, problem);
    for (; !problem && entries != fs::directory_iterator(); entries.increment(problem)) {
        std::error_code ignored;
        if (entries->is_directory(ignored))
            visit(entries->path(), depth + 1, search);
        else if (isModelFile(entries->path()))
            addFile(entries->path(), {}, search);
    }
}

} // namespace

std::vector<ModelListing> discoverModels(std::span<const fs::path> folders)
{
    return discoverModels(folders, describe);
}

std::vector<ModelListing> discoverModels(std::span<const fs::path> folders,
                                         const DescribeModel& describeModel)
{
    Search search{.describe = describeModel};
    for (const fs::path& folder : folders) {
        if (isModelFile(folder))
            addFile(folder, {}, search);
        else
            visit(folder, 0, search);
    }
    std::sort(search.found.begin(), search.found.end(),
              [](const ModelListing& a, const ModelListing& b) {
                  return a.name != b.name ? a.name < b.name : a.path < b.path;
              });
    return std::move(search.found);
}

fs::path huggingFaceCache()
{
    if (const fs::path cache = variable("HF_HUB_CACHE"); !cache.empty())
        return cache;
    if (const fs::path home = variable("HF_HOME"); !home.empty())
        return home / "hub";
    const fs::path home = variable("HOME");
    return home.empty() ? fs::path() : home / ".cache" / "huggingface" / "hub";
}

std::vector<fs::path> downloadFolders()
{
    std::vector<fs::path> folders{huggingFaceCache()};
    const fs::path home = variable("HOME");
    if (const fs::path models = variable("OLLAMA_MODELS"); !models.empty())
        folders.push_back(models);
    else if (!home.empty())
        folders.push_back(home / ".ollama" / "models");
    if (!home.empty()) {
        folders.push_back(home / ".lmstudio" / "models");
        folders.push_back(home / ".cache" / "lm-studio" / "models"); // until 2024
    }
    return folders;
}

} // namespace ep::model
