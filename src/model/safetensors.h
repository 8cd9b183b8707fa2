// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/mapped_file.h"
#include "ep/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ep::model {

// A stored tensor. dtype is the format's name ("F32", "BF16", "I64"); the bytes belong to the
// mapped file of the SafetensorsFile, and their number matches shape and dtype.
struct StoredTensor {
    std::string dtype;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;

    std::int64_t elements() const;
};

// A *.safetensors file: 8 bytes of header length, a JSON header, the data. The header is
// completely validated against the file.
class SafetensorsFile {
public:
    static Result<SafetensorsFile> open(const std::filesystem::path& file);

    const std::map<std::string, StoredTensor>& tensors() const { return m_tensors; }
    const std::shared_ptr<const MappedFile>& mapping() const { return m_mapping; }

private:
    std::shared_ptr<const MappedFile> m_mapping;
    std::map<std::string, StoredTensor> m_tensors;
};

} // namespace ep::model
