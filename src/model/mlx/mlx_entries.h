// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <map>
#include <string>

namespace ep::model {

// Joins the tensors X.weight (packed numbers, U32), X.scales and X.biases of each quantised matrix
// to one entry X.weight with the shape of the matrix and a type of dtype.h (MLX1 to MLX8,
// MLX_MXFP4, MLX_NVFP4, FP8); only the affine ones have biases.
Status joinMlxTensors(const MlxSettings& settings, const std::string& folder,
                      std::map<std::string, Checkpoint::Entry>& entries);

} // namespace ep::model
