// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include <filesystem>

namespace ep::model {

struct ModelConfig;

// Falcon-H1: the weights of the first layer's convolution.
inline constexpr const char* kFirstFalconTaps = "model.layers.0.mamba.conv1d.weight";
// Whether the weights of a convolution are stored as mlx-lm does it: [channels, taps, 1].
bool isTurned(const StoredTensor& convolution);

// mlx-lm rearranges the weights of some families in ways that config.json does not show; their
// tensors do:
// - Granite 4 without experts: gate and up of the MLP are apart;
// - Falcon-H1: its multipliers are already in the weights.
// Changes the config of such a folder accordingly. A folder whose weights cannot be opened is left
// to those who read them.
void followMlxTensors(const std::filesystem::path& folder, ModelConfig& config);

} // namespace ep::model
