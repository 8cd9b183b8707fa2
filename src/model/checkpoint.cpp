// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint.h"

#include "gguf/gguf_file.h"
#include "gguf/gguf_names.h"
#include "mlx/mlx_entries.h"
#include "packed/packed_entries.h"
#include "tensor_list.h"

#include "ep/json/document.h"
#include "ep/json/value.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <system_error>

namespace ep::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSingleFile = "model.safetensors";
constexpr const char* kIndexFile = "model.safetensors.index.json";
constexpr std::string_view kEnding = ".safetensors";
constexpr std::uint64_t kMaxIndexBytes = 64'000'000;
constexpr int kMaxShards = 1000;

bool present(const fs::path& path)
{
    std::error_code ignored;
    return fs::exists(path, ignored);
}

// Shards are next to the index; any other path would lead out of the model's folder.
bool plainFileName(const std::string& name)
{
    return !name.empty() && name != "." && name != ".."
        && name.find_first_of("/\\") == std::string::npos && name.find('\0') == std::string::npos;
}

// Maps each tensor to its file.
std::map<std::string, std::string> filesIn(const json::Value& index)
{
    const json::Value map = index.at("weight_map");
    if (map.requireObject().size() == 0)
        map.fail("is empty");
    std::map<std::string, std::string> files;
    for (const auto& [tensor, file] : map.json().items()) {
        const json::Value value = map.part(file);
        if (!plainFileName(value.asString()))
            value.fail(
                Message("must be the name of a file, not %1", json::inQuotes(value.asString())));
        files.emplace(tensor, value.asString());
    }
    return files;
}

// The names, plus those of the missing parts that "-00002-of-00003" implies.
std::set<std::string> withMissingParts(const std::set<std::string>& names)
{
    constexpr std::size_t kDigits = 5;
    constexpr std::string_view kOf = "-of-";
    std::set<std::string> all = names;
    for (const std::string& name : names) {
        const std::size_t of = name.find(kOf);
        if (of == std::string::npos || of < kDigits
            || name.size() != of + kOf.size() + kDigits + kEnding.size())
            continue;
        const std::string count = name.substr(of + kOf.size(), kDigits);
        int parts = 0;
        std::from_chars(count.data(), count.data() + kDigits, parts);
        for (int part = 1; part <= std::min(parts, kMaxShards); ++part) {
            std::string number = std::to_string(part);
            number.insert(0, kDigits - number.size(), '0');
            all.insert(name.substr(0, of - kDigits) + number + name.substr(of));
        }
    }
    return all;
}

Error noWeights(const fs::path& folder)
{
    if (present(folder / "pytorch_model.bin") || present(folder / "pytorch_model.bin.index.json")) {
        return {ErrorCode::Unsupported,
                {"%1 has its weights in pytorch_model.bin: use a copy of the model with "
                 "safetensors files.",
                 folder.string()}};
    }
    return {ErrorCode::NotFound,
            {"%1 contains neither %2 nor %3: choose the folder of a downloaded HuggingFace model.",
             folder.string(), kSingleFile, kIndexFile}};
}

} // namespace

Result<Checkpoint> Checkpoint::open(const fs::path& folder, const ModelConfig& config)
{
    auto checkpoint = open(folder);
    if (!checkpoint)
        return checkpoint;
    const Status arranged = arrangeMlxTensors(config, folder.string(), checkpoint->m_entries);
    if (!arranged)
        return arranged.error();
    const Status joined = joinPackedTensors(config.packed, folder.string(), checkpoint->m_entries);
    if (!joined)
        return joined.error();
    return checkpoint;
}

std::int64_t Checkpoint::Entry::bytes() const
{
    return static_cast<std::int64_t>(tensor.bytes.size())
        + (groups ? groups->scales.bytes() + (groups->biases ? groups->biases->bytes() : 0) : 0)
        + (factor ? factor->bytes() : 0);
}

Checkpoint::Entry Checkpoint::Entry::slice(std::int64_t index) const
{
    const auto sliceOf = [&](const StoredTensor& whole) {
        const auto count = static_cast<std::size_t>(whole.shape.front());
        const std::size_t bytes = whole.bytes.size() / count;
        return StoredTensor{
            .dtype = whole.dtype,
            .shape = {whole.shape.begin() + 1, whole.shape.end()},
            .bytes = whole.bytes.subspan(static_cast<std::size_t>(index) * bytes, bytes)};
    };
    Entry part = *this;
    part.tensor = sliceOf(tensor);
    if (groups) {
        Groups sliced = *groups;
        sliced.scales.tensor = sliceOf(groups->scales.tensor);
        if (groups->biases)
            sliced.biases->tensor = sliceOf(groups->biases->tensor);
        part.groups = std::make_shared<const Groups>(std::move(sliced));
    }
    if (factor && !factor->tensor.shape.empty()
        && factor->tensor.elements() == tensor.shape.front()) {
        Entry ofSlice = *factor;
        ofSlice.tensor = sliceOf(factor->tensor);
        part.factor = std::make_shared<const Entry>(std::move(ofSlice));
    }
    return part;
}

std::string Checkpoint::ownName(const std::string& name) const
{
    const Entry* const entry = find(name);
    return entry && !entry->own_name.empty() ? entry->own_name : m_ownName ? m_ownName(name) : name;
}

std::vector<std::pair<std::string, int>> Checkpoint::types() const
{
    std::map<std::string, int> counts;
    for (const auto& [name, entry] : m_entries)
        ++counts[entry.tensor.dtype];
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

Result<Checkpoint> Checkpoint::ofGguf(const GgufFile& file, const ModelConfig& config)
{
    Checkpoint checkpoint;
    checkpoint.m_folder = file.path.parent_path();
    for (const auto& [name, tensor] : file.tensors) {
        if (std::ranges::find(checkpoint.m_files, tensor.mapping) == checkpoint.m_files.end())
            checkpoint.m_files.push_back(tensor.mapping);
    }
    auto entries = ggufEntries(file, config);
    if (!entries)
        return entries.error();
    checkpoint.m_entries = *std::move(entries);
    checkpoint.m_ownName = ggufNaming(config);
    return checkpoint;
}

Result<Checkpoint> Checkpoint::open(const fs::path& folder)
{
    Checkpoint checkpoint;
    checkpoint.m_folder = folder;
    Status added;
    if (present(folder / kSingleFile))
        added = checkpoint.addFile(kSingleFile);
    else if (present(folder / kIndexFile))
        added = checkpoint.addIndexed();
    else
        added = checkpoint.addShards();
    if (!added)
        return added.error();
    return checkpoint;
}

Status Checkpoint::addIndexed()
{
    const fs::path indexPath = m_folder / kIndexFile;
    const auto index = json::readFile(indexPath, kMaxIndexBytes);
    if (!index)
        return index.error();
    // Indexes also name tensors that are tied to others, so a missing one is reported only where
    // it is needed.
    const auto map = json::read(indexPath.string(), *index, filesIn);
    if (!map)
        return map.error();
    std::map<std::string, bool> needed; // by file
    for (const auto& [name, file] : *map)
        needed[file] = needed[file] || !isUnneededTensor(name);
    for (const auto& [file, any] : needed) {
        if (!any && !present(m_folder / file))
            continue;
        if (const Status added = addFile(file); !added)
            return added.error();
    }
    return {};
}

// Finds shards like mlx-lm: "model-00001-of-00002.safetensors" and so on.
Status Checkpoint::addShards()
{
    std::set<std::string> names;
    std::error_code ignored;
    for (const fs::directory_entry& file : fs::directory_iterator(m_folder, ignored)) {
        const std::string name = file.path().filename().string();
        if (name.starts_with("model") && name.ends_with(kEnding))
            names.insert(name);
    }
    if (names.empty())
        return noWeights(m_folder);
    const std::set<std::string> all = withMissingParts(names);
    for (const std::string& name : all) {
        if (const Status added = addFile(name); !added)
            return added.error();
    }
    return {};
}

Status Checkpoint::addFile(const std::string& fileName)
{
    const fs::path path = m_folder / fileName;
    const auto file = SafetensorsFile::open(path);
    if (!file && file.error().code == ErrorCode::NotFound) {
        return Error{ErrorCode::NotFound,
                     {"%1 is missing: put it beside the other files of the model.", path.string()}};
    }
    if (!file)
        return file.error();
    m_files.push_back(file->mapping());
    for (const auto& [name, tensor] : file->tensors()) {
        const auto [place, isNew] =
            m_entries.emplace(name, Entry{tensor, file->mapping(), fileName});
        if (!isNew) {
            return Error{ErrorCode::InvalidInput,
                         {"The tensor %1 is in both %2 and %3 of %4: remove the file that does not "
                          "belong to the model.",
                          name, place->second.file, fileName, m_folder.string()}};
        }
    }
    return {};
}

const Checkpoint::Entry* Checkpoint::find(const std::string& name) const
{
    const auto found = m_entries.find(name);
    return found == m_entries.end() ? nullptr : &found->second;
}

} // namespace ep::model
