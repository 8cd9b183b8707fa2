// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/json/value.h"
#include "ep/model/config.h"

#include <filesystem>
#include <string>
#include <vector>

namespace ep::model {

// Reads the object "quantization" (or "quantization_config") of a config.json written by MLX:
// group_size, bits and perhaps mode, and the same under the names of single layers, or false for a
// layer that is not quantized. Throws json::ReadError; `unsupported` receives a mode or a number
// of bits that the engine does not support.
MlxSettings readMlx(const json::Value& config, std::string& unsupported);

// All settings; for each mode, the one with mlx-lm's usual group first.
const std::vector<MlxLayer>& mlxLayers();

// Falcon-H1: name of the first layer's convolution weights.
inline constexpr const char* kFirstFalconTaps = "model.layers.0.mamba.conv1d.weight";
// Whether a convolution's weights are stored as by mlx-lm: [channels, taps, 1].
bool isTurned(const StoredTensor& convolution);

// mlx-lm rearranges the weights of some families in ways that config.json does not show, but their
// tensors do:
// - Granite 4 without experts: gate and up of the MLP are separate;
// - Falcon-H1: its multipliers are already in the weights.
// Changes the config of such a folder accordingly. Ignores folders whose weights cannot be opened,
// which will be reported when they are read.
void followMlxTensors(const std::filesystem::path& folder, ModelConfig& config);

} // namespace ep::model
