// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "families/family.h"

#include "ep/core/result.h"
#include "ep/json/value.h"
#include "ep/model/config.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ep::model {

// Larger than any existing model, small enough that products fit in 64 bits.
inline constexpr int kMaxWidth = 1 << 22; // hidden, intermediate, heads x head_dim
inline constexpr int kMaxLayers = 4096;
inline constexpr int kMaxPositions = 1 << 28;
inline constexpr int kMaxExperts = 4096;

struct GgufFile;

// readModelConfig() of a folder, with the text of config.json.
struct StatedConfig {
    ModelConfig config;
    std::string text;
};
Result<StatedConfig> readFolderConfig(const std::filesystem::path& folder);
// Reads the config of a GGUF file that is open.
Result<ModelConfig> readGgufConfig(const GgufFile& gguf);

// Parts of readModelConfig() that need the sizes to have been read. They throw json::ReadError.
void readRope(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);
void readWindow(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);
// Reads which layers do not rotate; call after reading the windows.
void readUnrotated(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);
// Reads the list `key`, which has one word for each layer, and returns the mixers that these words
// stand for. Empty if there is no such list.
using MixerWord = std::pair<std::string_view, Mixer>;
std::vector<Mixer> readMixers(const json::Value& config, const char* key,
                              std::span<const MixerWord> words, int layers);
inline constexpr int kMaxTaps = 64; // taps of a convolution
void readExperts(const json::Value& config, ModelConfig& out, const ConfigDefaults& defaults);

} // namespace ep::model
