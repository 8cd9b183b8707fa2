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

struct GgufFile;
struct ModelConfig;

// All tensors of a model: from a folder with model.safetensors, with the shards named in
// model.safetensors.index.json, or with shards without an index; or from a GGUF file, under
// HuggingFace's names.
class Checkpoint {
public:
    struct Entry {
        // How the stored values differ from those that HuggingFace stores under this name.
        struct Form {
            int turned_heads =
                0; // number of heads whose rows are interleaved: row 2i + j is row j dim/2 + i
            bool plus_one = false; // norm weights centred on one where a family centres on 0
            bool negative_exponential = false; // stores -exp(x) for a family that stores x
            bool rows_of_outputs = false; // [out, in], also where a family stores [in, out]
        };
        StoredTensor tensor;
        std::shared_ptr<const void> mapping; // keeps the bytes alive
        std::string file; // name of its file
        Form form{};
        // For formats with separate scales.
        struct Groups;
        std::shared_ptr<const Groups> groups{};
        // A number for the whole tensor, or for each row, that multiplies its values.
        std::shared_ptr<const Entry> factor{};
        std::string own_name{}; // name in a GGUF file
        // For packed weights (GPTQ, AWQ, ..), whose bytes are stored as in the file: converts them
        // to the entry's type in new memory. Takes as long as reading them.
        std::function<Result<Entry>()> unpack{};
        std::int64_t bytes() const; // includes groups and factor
        Entry slice(std::int64_t index) const; // slice of the outermost dimension, not copied
    };

    static Result<Checkpoint> open(const std::filesystem::path& folder);
    // Opens a folder and converts the tensors of MLX and of packed formats to those that the loader
    // expects.
    static Result<Checkpoint> open(const std::filesystem::path& folder, const ModelConfig& config);
    // config: read from the file
    static Result<Checkpoint> ofGguf(const GgufFile& file, const ModelConfig& config);

    const Entry* find(const std::string& name) const; // null if there is none
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    // The tensors' files. Entries that were unpacked into other memory no longer need them.
    const std::vector<std::shared_ptr<const MappedFile>>& files() const { return m_files; }
    const std::filesystem::path& folder() const { return m_folder; } // holds the files
    // The name that a tensor has, or would have, in the files; GGUF uses other names.
    std::string ownName(const std::string& name) const;
    // Number of tensors by type ("Q4_K"), most frequent type first.
    std::vector<std::pair<std::string, int>> types() const;

private:
    Status addFile(const std::string& fileName);
    Status addIndexed();
    Status addShards();

    std::filesystem::path m_folder;
    std::map<std::string, Entry> m_entries;
    std::vector<std::shared_ptr<const MappedFile>> m_files;
    std::function<std::string(const std::string& name)> m_ownName{}; // for GGUF
};

struct Checkpoint::Entry::Groups {
    Entry scales{}; // type: F32, F16, BF16, E8M0 or E4M3
    std::optional<Entry> biases{};
    std::int64_t columns = 0; // number of columns that share a scale and a bias
    std::int64_t rows = 1; // number of rows that share a scale and a bias
};

} // namespace ep::model
