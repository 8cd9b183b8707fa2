// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"
#include "ep/json/document.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// GGUF, the file format of llama.cpp, Ollama and LM Studio: versions 2 and 3, little-endian. The
// keys and values at the beginning of a file are read as one JSON object, so that readers of JSON
// work with them too, together with the places of its tensors. The file docs/gguf.md of ggml
// specifies the format.
namespace ep {
class MappedFile;
}
namespace ep::json {

struct GgufTensor {
    std::string name;
    std::uint32_t type = 0; // number of its ggml type
    std::vector<std::int64_t> extents; // innermost first; the product fits into 63 bits
    std::uint64_t offset = 0; // relative to the beginning of the data, a multiple of the alignment
};

struct GgufHeader {
    Json metadata; // an object whose strings are valid UTF-8
    std::vector<GgufTensor> tensors; // with distinct names
    std::uint64_t data_begin = 0; // offset of the data in the file, at most the file's size
};

// Limit for readers that need no vocabulary; longer lists are left out.
inline constexpr std::size_t kShortGgufList = 4096;
inline constexpr std::size_t kAnyGgufList = SIZE_MAX;

// Checks every count, length and offset against the available bytes before using it. The error is
// one sentence that names the file, InvalidInput.
Result<GgufHeader> readGgufHeader(std::span<const std::byte> file, const std::string& name,
                                  std::size_t longestList);

// Whether a token id means "none": -1, which a file stores as 4294967295.
bool isNoToken(const Json& id);

// The metadata of a file, which may be open already.
Result<Json> readGgufMetadata(const std::filesystem::path& file, std::size_t longestList);
Result<Json> readGgufMetadata(const MappedFile& file, std::size_t longestList);

} // namespace ep::json
