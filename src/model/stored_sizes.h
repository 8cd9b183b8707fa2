// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <functional>
#include <optional>
#include <string>

namespace ep::model {

// Bytes of one number of a matrix, with its share of the scales, by HuggingFace's name without
// ".weight"; nothing if there is no such matrix.
using SizeOfMatrix = std::function<std::optional<double>(const std::string& module)>;

// Fills in config.stored_sizes, which the analytic count uses where matrices are computed as they
// are stored: quantized files seldom hold all of them in one type.
void readStoredSizes(const SizeOfMatrix& sizeOf, ModelConfig& config);

} // namespace ep::model
