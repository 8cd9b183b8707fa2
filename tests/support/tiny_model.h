// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ep::test {

inline constexpr int kTinyBosId = 256;
inline constexpr int kTinyEosId = 257; // never the greedy choice of a model with tied embeddings
inline constexpr int kTinyVocabulary = 258;

// A Llama model with random weights and a byte-level tokenizer: any text becomes one id per byte
// after a beginning-of-sequence id. Under 200 kB by default, so that a test can write and load it
// in milliseconds.
struct TinyModel {
    int hidden_size = 32;
    int intermediate_size = 64;
    int layers = 2;
    int heads = 4;
    int kv_heads = 2;
    int max_positions = 256;
    bool tied = true; // without lm_head.weight in the file
    std::string dtype = "F32"; // F32, F16 or BF16
    std::uint64_t seed = 1;
    int vocabulary = kTinyVocabulary; // larger than the tokenizer's: further ids have no text
};

// Writes config.json, generation_config.json, tokenizer.json, tokenizer_config.json and
// model.safetensors. Throws std::runtime_error when the folder cannot be written.
void writeTinyModel(const std::filesystem::path& folder, const TinyModel& model = {});

} // namespace ep::test
