// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "safetensors.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ep::model {

// All tensors of a model folder: model.safetensors, or the shards that
// model.safetensors.index.json names.
class Checkpoint {
public:
    struct Entry {
        StoredTensor tensor;
        std::shared_ptr<const MappedFile> mapping; // keeps the bytes alive
        std::string file; // name of its file
    };

    static Result<Checkpoint> open(const std::filesystem::path& folder);

    const Entry* find(const std::string& name) const; // null if there is none
    const std::map<std::string, Entry>& entries() const { return m_entries; }
    const std::filesystem::path& folder() const { return m_folder; }

private:
    Status addFile(const std::string& fileName);

    std::filesystem::path m_folder;
    std::map<std::string, Entry> m_entries;
};

} // namespace ep::model
