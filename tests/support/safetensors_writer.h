// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Writes checkpoints for tests: valid ones and, from a custom header, invalid ones.
namespace ep::test {

struct StoredTensor {
    std::string name;
    std::string dtype = "F32"; // as in the safetensors format
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};

// Converts values to F32, F16 or BF16 (rounded to nearest even).
StoredTensor makeTensor(std::string name, std::vector<std::int64_t> shape,
                        const std::vector<float>& values, const std::string& dtype = "F32");

// The header for tensors stored one after another.
std::string safetensorsHeader(const std::vector<StoredTensor>& tensors);

void writeSafetensors(const std::filesystem::path& file, const std::vector<StoredTensor>& tensors);

// headerLength is what the first eight bytes claim; -1 stands for the header's true length.
void writeSafetensorsRaw(const std::filesystem::path& file, const std::string& header,
                         const std::vector<std::byte>& data, std::int64_t headerLength = -1);

void writeText(const std::filesystem::path& file, const std::string& text);

} // namespace ep::test
