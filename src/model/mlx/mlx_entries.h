// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace ep::model {

// Converts the tensors of a folder written by mlx-lm to the layout that a family's loader expects:
// - X.weight (packed numbers, U32), X.scales and X.biases of a quantized matrix become one entry
//   X.weight with the shape of the matrix and a type of dtype.h (MLX1 to MLX8, MLX_MXFP4,
//   MLX_NVFP4, FP8); only the affine ones have biases;
// - the experts of a layer, one tensor "switch_mlp.gate_proj" in the file, are split;
// - the names that mlx-lm has for GPT-2 and GPT-NeoX become HuggingFace's;
// - so do those of the MLP of a Granite 4 without experts, and of LFM2's first layers.
// Other folders are left as they are.
Status arrangeMlxTensors(const ModelConfig& config, const std::string& folder,
                         std::map<std::string, Checkpoint::Entry>& entries);

inline constexpr std::int64_t kMlxWordBits = 32;

// Sizes of a quantized tensor, read from its shape and that of its scales.
struct MlxPacked {
    std::int64_t words = 0; // number of 32-bit words per row
    std::int64_t groups = 0; // number of scales per row
    bool affine = true; // scales in the type of the model; otherwise they are single bytes
    std::int64_t columns = 0; // columns of the matrix in the model; 0: unknown
};

// The bits, group and mode that a tensor was quantized with. They follow from its shapes, because
// config.json may leave out or misstate them. If several settings fit, config.json decides:
// `stated` for the tensor (null: not stated), else `usual` for the folder. Absent if no setting
// fits.
std::optional<MlxLayer> settledLayer(const MlxPacked& packed, const MlxLayer* stated,
                                     const MlxLayer& usual);

} // namespace ep::model
