// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <map>
#include <string>

namespace ep::model {

// Joins the tensors of each packed matrix X (X.qweight, X.weight_packed, X_blocks, .. with their
// scales and zeros) into one entry X.weight with the shape of the matrix. Values scale x (q - zero)
// in groups become MLX's affine formats when loading, exactly, if groups are multiples of 32; what
// no format of the program can represent becomes f32.
Status joinPackedTensors(const PackedSettings& settings, const std::string& folder,
                         std::map<std::string, Checkpoint::Entry>& entries);

} // namespace ep::model
