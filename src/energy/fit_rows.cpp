// SPDX-License-Identifier: GPL-3.0-or-later
#include "fit_rows.h"

#include "ep/core/quantile.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

bool followsExactly(const std::vector<FitRow>& rows)
{
    constexpr double kFarCloser = 0.1; // share of the expected errors
    double squares = 0.0;
    for (const FitRow& row : rows)
        squares += row.residual * row.residual / (row.sd * row.sd);
    return squares < kFarCloser * kFarCloser * static_cast<double>(rows.size());
}

Noise noiseOf(const std::vector<FitRow>& rows, double used)
{
    constexpr double kMinNoise = 0.1;
    constexpr double kPriorCount = 6.0;
    constexpr double kMedianOfNormal = 0.6744897501960817;
    // Efficiency of the median of neighbours' differences, relative to a mean of squares.
    constexpr double kEfficiency = 0.4;
    std::vector<double> steps;
    for (std::size_t i = 1; i < rows.size(); ++i)
        steps.push_back(std::abs(rows[i].residual - rows[i - 1].residual)
                        / std::hypot(rows[i].sd, rows[i - 1].sd));
    if (steps.empty())
        return {1.0, kPriorCount};
    const auto count = static_cast<double>(rows.size());
    const double left = std::max(1.0, count - used);
    const double scale = medianOf(std::move(steps)) / kMedianOfNormal;
    const double known = kEfficiency * left;
    return {std::max(kMinNoise,
                     std::sqrt((known * scale * scale * count / left + kPriorCount)
                               / (known + kPriorCount))),
            known + kPriorCount};
}

double sharedEnds(const std::vector<FitRow>& rows, double noise)
{
    constexpr double kSignificant = 1.5;
    double products = 0.0;
    for (std::size_t i = 1; i < rows.size(); ++i)
        products += rows[i].weight * rows[i].residual / rows[i].sd * rows[i - 1].weight
            * rows[i - 1].residual / rows[i - 1].sd;
    const auto count = static_cast<double>(rows.size());
    const double opposed = -products / std::max(1.0, count - 1.0);
    return opposed > kSignificant * noise * noise / std::sqrt(count) ? std::sqrt(opposed) : 0.0;
}

double dependenceOf(const std::vector<FitRow>& rows)
{
    constexpr double kMaxAlike = 0.9;
    double squares = 0.0;
    double products = 0.0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double own = rows[i].weight * rows[i].residual / rows[i].sd;
        squares += own * own;
        if (i > 0)
            products += own * rows[i - 1].weight * rows[i - 1].residual / rows[i - 1].sd;
    }
    const double rho = squares > 0.0 ? std::clamp(products / squares, 0.0, kMaxAlike) : 0.0;
    return (1.0 + rho) / (1.0 - rho);
}

} // namespace ep::energy
