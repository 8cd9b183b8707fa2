// SPDX-License-Identifier: GPL-3.0-or-later
#include "ollama.h"

#include "ep/core/mapped_file.h"
#include "ep/json/document.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace ep::model {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxManifestBytes = 1'000'000;
constexpr std::size_t kMaxManifests = 10'000;
constexpr int kManifestDepth = 3; // registry, namespace and model precede the tag
constexpr std::string_view kWeights = "application/vnd.ollama.image.model";
constexpr std::string_view kDigest = "sha256:";
constexpr std::size_t kDigestDigits = 64;

// The digits of the weight layer's digest; nothing else may become part of a path.
std::optional<std::string> digestIn(const json::Json& manifest)
{
    const auto layers = manifest.find("layers");
    if (layers == manifest.end() || !layers->is_array())
        return std::nullopt;
    for (const json::Json& layer : *layers) {
        if (!layer.is_object() || layer.value("mediaType", json::Json()) != kWeights)
            continue;
        const auto digest = layer.find("digest");
        if (digest == layer.end() || !digest->is_string())
            return std::nullopt;
        const auto text = digest->get<std::string>();
        const std::string digits = text.substr(std::min(text.size(), kDigest.size()));
        const bool valid = text.starts_with(kDigest) && digits.size() == kDigestDigits
            && digits.find_first_not_of("0123456789abcdef") == std::string::npos;
        return valid ? std::optional(digits) : std::nullopt;
    }
    return std::nullopt;
}

// The usual registry and namespace are left out of a name.
std::string nameOf(const fs::path& tag)
{
    const fs::path model = tag.parent_path();
    const std::string space = model.parent_path().filename().string();
    return (space == "library" ? "" : space + "/") + model.filename().string() + ":"
        + tag.filename().string();
}

} // namespace

bool isOllamaFolder(const fs::path& folder)
{
    std::error_code ignored;
    return fs::is_directory(folder / "manifests", ignored)
        && fs::is_directory(folder / "blobs", ignored);
}

std::vector<OllamaModel> ollamaModels(const fs::path& folder)
{
    std::vector<OllamaModel> models;
    std::error_code problem;
    fs::recursive_directory_iterator entries(
        folder / "manifests", fs::directory_options::skip_permission_denied, problem);
    std::size_t seen = 0;
    for (; !problem && entries != fs::recursive_directory_iterator() && seen < kMaxManifests;
         entries.increment(problem), ++seen) {
        if (entries.depth() > kManifestDepth)
            entries.disable_recursion_pending();
        if (entries.depth() != kManifestDepth || !isFile(entries->path()))
            continue;
        const auto manifest = json::readFile(entries->path(), kMaxManifestBytes);
        const auto digest = manifest ? digestIn(*manifest) : std::nullopt;
        if (digest)
            models.push_back({nameOf(entries->path()), folder / "blobs" / ("sha256-" + *digest)});
    }
    std::sort(models.begin(), models.end(), [](const OllamaModel& a, const OllamaModel& b) {
        return a.file != b.file ? a.file < b.file : a.name < b.name;
    });
    return models;
}

std::optional<std::string> ollamaNameOf(const fs::path& file)
{
    const fs::path blobs = file.parent_path();
    if (blobs.filename() != "blobs" || !file.filename().string().starts_with("sha256-"))
        return std::nullopt;
    for (const OllamaModel& model : ollamaModels(blobs.parent_path())) {
        if (model.file.filename() == file.filename())
            return model.name;
    }
    return std::nullopt;
}

} // namespace ep::model
