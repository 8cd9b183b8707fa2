// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace ep::energy {

using SquareMatrix = std::vector<std::vector<double>>; // rows of the matrix

// Absent if the matrix is singular.
std::optional<SquareMatrix> inverseOf(const SquareMatrix& matrix);

double dot(const std::vector<double>& a, const std::vector<double>& b);
std::vector<double> product(const SquareMatrix& matrix, const std::vector<double>& vector);

} // namespace ep::energy
