// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/json/value.h"
#include "ep/model/config.h"

#include <string>
#include <vector>

namespace ep::model {

// The object "quantization" (or "quantization_config") of a config.json that MLX wrote: group_size,
// bits and perhaps mode, and under the names of single layers the same, or false where a layer is
// not quantized. Throws json::ReadError; `unsupported` receives the name of a mode or a number of
// bits that the engine does not compute.
MlxSettings readMlx(const json::Value& config, std::string& unsupported);

// All settings; for each mode, the one with mlx-lm's usual group first.
const std::vector<MlxLayer>& mlxLayers();

} // namespace ep::model
