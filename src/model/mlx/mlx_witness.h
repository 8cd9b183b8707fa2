// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include <filesystem>

namespace ep::model {

struct ModelConfig;

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
