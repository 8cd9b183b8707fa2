// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/model/config.h"

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

} // namespace ep::model
