// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <functional>
#include <optional>
#include <string>

namespace ep::model {

// Bytes per number of a matrix, including its share of the scales, by HuggingFace's name without
// ".weight"; absent if there is no such matrix.
using SizeOfMatrix = std::function<std::optional<double>(const std::string& module)>;

// Fills in config.stored_sizes, which the analytic count uses if matrices are computed as stored,
// because quantized files seldom have all matrices in one type.
void readStoredSizes(const SizeOfMatrix& sizeOf, ModelConfig& config);

} // namespace ep::model
