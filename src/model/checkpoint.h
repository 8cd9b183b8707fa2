// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "safetensors.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ep::model {

struct ModelConfig;

// All tensors of a model: of a folder with model.safetensors, with the shards that
// model.safetensors.index.json names, or with shards without an index; or of a GGUF file, under
// HuggingFace's names.
class Checkpoint {
public:
    struct Entry {
        // How the values differ from those that HuggingFace stores under the name.
        struct Form {
            int turned_heads =
                0; // number of heads whose rows are interleaved: row 2i + j is row j dim/2 + i
            bool plus_one = false; // the weights of a norm around one, where a family has 0
            bool negative_exponential = false; // -exp(x), where a family has x
            bool rows_of_outputs = false; // [out, in], also where a family stores [in, out]
        };
        StoredTensor tensor;
        std::shared_ptr<const void> mapping; // keeps the bytes alive
        std::string file; // name of its file
        Form form{};
        // For formats with scales apart.
        struct Groups;
        std::shared_ptr<const Groups> groups{};
        // A number for the whole tensor, or for each row, by which its values are multiplied.
        std::shared_ptr<const Entry> factor{};
        std::string own_name{}; // in a GGUF file
        // Packed weights (GPTQ, AWQ, ..), whose bytes are those of the file: the same values in
        // the entry's type, in new memory. Takes as long as reading them.
        std::function<Result<Entry>()> unpack{};
        std::int64_t bytes() const; // with groups and factor
        Entry slice(std::int64_t index) const; // of the outermost dimension, without a copy
    };

    static Result<Checkpoint> open(const std::filesystem::path& folder);
    // The same, or a GGUF file with the config that was read from it.
    static Result<Checkpoint> open(const std::filesystem::path& model, const ModelConfig& config);

    const Entry* find(const std::string& name) const; // null if there is none
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    // Their files; entries that were unpacked into other memory do not need them any more.
    const std::vector<std::shared_ptr<const MappedFile>>& files() const { return m_files; }
    const std::filesystem::path& folder() const { return m_folder; } // that holds the files
    // The name that a tensor has, or would have, in the files: another one in GGUF.
    std::string ownName(const std::string& name) const;
    // How many tensors have each type ("Q4_K"), the most frequent type first.
    std::vector<std::pair<std::string, int>> types() const;
    // What the model says of itself: config.json, or the metadata of GGUF; for a fingerprint.
    const std::string& description() const { return m_description; }

private:
    static Result<Checkpoint> openGguf(const std::filesystem::path& file,
                                       const ModelConfig& config);
    Status addFile(const std::string& fileName);
    Status addIndexed();
    Status addShards();

    std::filesystem::path m_folder;
    std::string m_description;
    std::map<std::string, Entry> m_entries;
    std::vector<std::shared_ptr<const MappedFile>> m_files;
    std::function<std::string(const std::string& name)> m_ownName{}; // of GGUF
};

struct Checkpoint::Entry::Groups {
    Entry scales{}; // type: F32, F16, BF16, E8M0 or E4M3
    std::optional<Entry> biases{};
    std::int64_t columns = 0; // that have one scale and one bias in common
    std::int64_t rows = 1; // likewise
};

} // namespace ep::model
