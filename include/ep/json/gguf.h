// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

// GGUF, the file format of llama.cpp, Ollama and LM Studio: versions 2 and 3, little endian. A file
// begins with keys and values, which are read as one JSON object, so that the readers of JSON serve
// for them as well, and with the places of its tensors. The format is specified in the file
// docs/gguf.md of ggml.
namespace ep::json {

using Json = nlohmann::json;

struct GgufTensor {
    std::string name;
    std::uint32_t type = 0; // number of a ggml type
    std::vector<std::int64_t> extents; // innermost first; their product fits in 63 bits
    std::uint64_t offset = 0; // from the beginning of the data, a multiple of the alignment
};

struct GgufHeader {
    Json metadata; // an object, its strings are valid UTF-8
    std::vector<GgufTensor> tensors; // their names differ
    std::uint64_t data_begin = 0; // offset of the data in the file, at most its size
};

// For readers that need no vocabulary: longer lists are left out.
inline constexpr std::size_t kShortGgufList = 4096;
inline constexpr std::size_t kAnyGgufList = SIZE_MAX;

// Every count, length and offset is checked against the bytes that are there before it is used.
// The error is one sentence that names the file, InvalidInput.
Result<GgufHeader> readGgufHeader(std::span<const std::byte> file, const std::string& name,
                                  std::size_t longestList);

// Whether the id of a token means that there is none: -1, which becomes 4294967295 in a file.
bool isNoToken(const Json& id);

// The metadata of a file.
Result<Json> readGgufMetadata(const std::filesystem::path& file, std::size_t longestList);

} // namespace ep::json
