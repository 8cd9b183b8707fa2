// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/config.h"

#include <functional>
#include <optional>
#include <string>

namespace ep::model {

// Bytes per number of a matrix, including its share of the scales, by the name that the loader asks
// for, without ".weight"; absent if there is no such matrix.
using SizeOfMatrix = std::function<std::optional<double>(const std::string& module)>;

// The sizes that the analytic count uses, because formats of few bits seldom have all matrices in
// one type.
MatrixSizes matrixSizes(const SizeOfMatrix& sizeOf, const ModelConfig& config);

} // namespace ep::model
