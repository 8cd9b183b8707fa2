// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint.h"

#include "ep/core/result.h"
#include "ep/model/config.h"

#include <map>
#include <string>

namespace ep::model {

// Falcon-H1 multiplies the results of its projections, including biases. mlx-lm puts the
// multipliers only into the weights, so the biases of its folders are multiplied here. Other
// folders are not changed.
Status multiplyMlxBiases(const ModelConfig& config, const std::string& folder,
                         std::map<std::string, Checkpoint::Entry>& entries);

} // namespace ep::model
