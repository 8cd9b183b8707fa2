// SPDX-License-Identifier: GPL-3.0-or-later
#include "sources/load_shape.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace ep::power {

namespace {

constexpr std::size_t kCount = LoadFeatures::kCount;
using Vector = std::array<double, kCount>;
using Matrix = std::array<Vector, kCount>;

// A further term must reduce the error by this fraction.
constexpr double kWorthIt = 0.7;
// Power within a batch is assumed to be at least this fraction of the mean.
constexpr double kFloor = 0.01;

// Solves for the chosen terms; the others are 0. Absent if the terms cannot be told apart, or if
// one would be negative.
std::optional<Vector> solved(const Matrix& squares, const Vector& products,
                             const std::vector<std::size_t>& terms)
{
    const std::size_t n = terms.size();
    std::array<std::array<double, kCount + 1>, kCount> rows{};
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j)
            rows[i][j] = squares[terms[i]][terms[j]];
        rows[i][n] = products[terms[i]];
    }
    // Gaussian elimination; the matrix is symmetric and positive definite, so no pivoting is
    // needed.
    constexpr double kMin = 1e-6; // fraction of a term that is independent of the others
    for (std::size_t i = 0; i < n; ++i) {
        if (!(rows[i][i] > kMin * squares[terms[i]][terms[i]]))
            return std::nullopt;
        for (std::size_t k = 0; k < n; ++k) {
            if (k == i)
                continue;
            const double factor = rows[k][i] / rows[i][i];
            for (std::size_t j = i; j <= n; ++j)
                rows[k][j] -= factor * rows[i][j];
        }
    }
    Vector factors{};
    for (std::size_t i = 0; i < n; ++i) {
        factors[terms[i]] = rows[i][n] / rows[i][i];
        if (factors[terms[i]] < 0.0)
            return std::nullopt;
    }
    return factors;
}

double product(const Vector& a, const Vector& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < kCount; ++i)
        sum += a[i] * b[i];
    return sum;
}

} // namespace

void LoadShape::learn(const LoadFeatures& load, double power_mw, double seconds)
{
    const Vector f = load.values();
    for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t j = 0; j < kCount; ++j)
            m_squares[i][j] += f[i] * f[j] * seconds;
        m_matmul[i] += f[i] * power_mw * seconds;
    }
    m_power += power_mw * power_mw * seconds;
    fit();
}

void LoadShape::fit()
{
    // Fewest terms first: the constant alone, then the constant with one other term, ...
    static const std::vector<std::vector<std::size_t>> kChoices = {{0},    {1},    {2},      {0, 1},
                                                                   {0, 2}, {1, 2}, {0, 1, 2}};
    std::optional<double> least;
    for (const auto& terms : kChoices) {
        const auto factors = solved(m_squares, m_matmul, terms);
        if (!factors)
            continue;
        Vector fitted{};
        for (std::size_t i = 0; i < kCount; ++i)
            fitted[i] = product(m_squares[i], *factors);
        const double error =
            std::max(0.0, m_power - 2.0 * product(*factors, m_matmul) + product(*factors, fitted));
        if (least && error >= kWorthIt * *least)
            continue;
        least = error;
        m_factors = *factors;
    }
    m_mean = m_squares[0][0] > 0.0 ? product(m_factors, m_squares[0]) / m_squares[0][0] : 0.0;
}

double LoadShape::weight(const LoadFeatures& load) const
{
    if (!(m_mean > 0.0))
        return 1.0;
    return std::max(kFloor * m_mean, product(m_factors, load.values()));
}

} // namespace ep::power
