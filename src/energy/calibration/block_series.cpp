// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/block_series.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::energy {

namespace {

// A few rounds say little about one kind, so the pooled deviation counts as this many more rounds.
constexpr double kPooledCount = 4.0;

} // namespace

double Series::mean() const
{
    double sum = 0.0;
    for (const double ratio : ratios)
        sum += ratio;
    return sum / static_cast<double>(ratios.size());
}

double Series::squares() const
{
    const double middle = mean();
    double sum = 0.0;
    for (const double ratio : ratios)
        sum += (ratio / middle - 1.0) * (ratio / middle - 1.0);
    return sum;
}

Scatter::Scatter(const SeriesOf& replays, const SeriesOf& multiplied)
{
    double squares = 0.0;
    double freedom = 0.0;
    for (const SeriesOf* all : {&replays, &multiplied}) {
        for (const auto& [passes, series] : *all) {
            squares += series.squares();
            freedom += static_cast<double>(series.ratios.size()) - 1.0;
        }
    }
    m_pooled = freedom > 0.0 ? squares / freedom : 0.0;
}

double Scatter::of(const Series& series) const
{
    const auto count = static_cast<double>(series.ratios.size());
    const double variance =
        (series.squares() + kPooledCount * m_pooled) / (count - 1.0 + kPooledCount);
    return std::sqrt(variance / count);
}

std::optional<Shares> sharesOf(const SeriesOf& replays, const Scatter& scatter, std::size_t kinds)
{
    SquareMatrix normal(kinds, std::vector<double>(kinds, 0.0));
    std::vector<double> right(kinds, 0.0);
    for (const auto& [passes, series] : replays) {
        const double mean = series.mean();
        // A single round has no scatter; then all blocks count the same.
        const double sd = std::max(1e-9, scatter.of(series) * std::abs(mean));
        for (std::size_t i = 0; i < kinds; ++i) {
            right[i] += passes[i] * mean / (sd * sd);
            for (std::size_t k = 0; k < kinds; ++k)
                normal[i][k] += passes[i] * passes[k] / (sd * sd);
        }
    }
    auto covariance = inverseOf(normal);
    if (!covariance)
        return std::nullopt;
    Shares solution{std::vector<double>(kinds, 0.0), *std::move(covariance)};
    for (std::size_t i = 0; i < kinds; ++i) {
        for (std::size_t k = 0; k < kinds; ++k)
            solution.shares[i] += solution.covariance[i][k] * right[k];
    }
    return solution;
}

} // namespace ep::energy
