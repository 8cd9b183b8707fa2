// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/machine_costs.h"

#include "ep/core/enum_words.h"
#include "ep/core/quantile.h"

#include <algorithm>

namespace ep::energy {

namespace {

constexpr std::size_t kUnknowns = 3; // FLOPs, bytes, seconds
using Row = std::array<double, kUnknowns>;
using Square = std::array<Row, kUnknowns>;

// Cholesky factor of a symmetric positive matrix; a direction without information gets a pivot of
// `floor`, so that its variance is large instead of undefined.
Square factorOf(const Square& a, double floor)
{
    Square l{};
    for (std::size_t i = 0; i < kUnknowns; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i][j];
            for (std::size_t k = 0; k < j; ++k)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? std::sqrt(std::max(sum, floor)) : sum / l[j][j];
        }
    }
    return l;
}

// Inverse of a lower triangular matrix L; (L^-1)^T L^-1 is the inverse of the factored L L^T.
Square inverseOf(const Square& l)
{
    Square inverse{};
    for (std::size_t i = 0; i < kUnknowns; ++i) {
        inverse[i][i] = 1.0 / l[i][i];
        for (std::size_t j = 0; j < i; ++j) {
            double sum = 0.0;
            for (std::size_t k = j; k < i; ++k)
                sum -= l[i][k] * inverse[k][j];
            inverse[i][j] = sum / l[i][i];
        }
    }
    return inverse;
}

Row rowOf(const CostWindow& window)
{
    return {window.amount.flops / window.joules, window.amount.bytes / window.joules,
            window.amount.seconds / window.joules};
}

// Columns are scaled to length 1. An unknown that is switched off stays at 0.
struct Solution {
    Row k{};
    Square spread{}; // row d: one standard deviation of direction d, without the noise
    double squares = 0.0; // sum of the squared residuals
};

class Equations {
public:
    Equations(std::span<const CostWindow> windows, const std::optional<KnownIdle>& idle)
        : m_windows(windows)
        , m_idle(idle)
    {
        for (const CostWindow& window : windows) {
            const Row x = rowOf(window);
            for (std::size_t i = 0; i < kUnknowns; ++i)
                m_scale[i] += x[i] * x[i];
        }
        for (double& length : m_scale)
            length = length > 0.0 ? std::sqrt(length) : 0.0;
    }

    bool hasColumn(std::size_t i) const { return m_scale[i] > 0.0; }

    // noise: the relative error of a window; determines the weight of the known idle power.
    Solution solve(const std::array<bool, kUnknowns>& used, double noise) const
    {
        Square gram{};
        Row right{};
        for (const CostWindow& window : m_windows) {
            const Row x = rowOf(window);
            for (std::size_t i = 0; i < kUnknowns; ++i) {
                if (!used[i])
                    continue;
                right[i] += x[i] / m_scale[i];
                for (std::size_t j = 0; j < kUnknowns; ++j)
                    gram[i][j] += used[j] ? x[i] * x[j] / (m_scale[i] * m_scale[j]) : 0.0;
            }
        }
        if (m_idle && used[2]) {
            const double weight = noise / m_idle->sd / m_scale[2];
            gram[2][2] += weight * weight;
            right[2] += weight * weight * m_idle->watts * m_scale[2];
        }
        for (std::size_t i = 0; i < kUnknowns; ++i)
            gram[i][i] = used[i] ? gram[i][i] : 1.0;
        constexpr double kNoInformation = 1e-12;
        const Square inverse = inverseOf(factorOf(gram, kNoInformation));
        Solution solution;
        for (std::size_t d = 0; d < kUnknowns; ++d) {
            double along = 0.0;
            for (std::size_t i = 0; i < kUnknowns; ++i)
                along += inverse[d][i] * right[i];
            for (std::size_t i = 0; i < kUnknowns; ++i) {
                const double step = used[i] ? inverse[d][i] / m_scale[i] : 0.0;
                solution.spread[d][i] = step;
                solution.k[i] += along * step;
            }
        }
        for (const CostWindow& window : m_windows) {
            const Row x = rowOf(window);
            double rest = 1.0;
            for (std::size_t i = 0; i < kUnknowns; ++i)
                rest -= solution.k[i] * x[i];
            solution.squares += rest * rest;
        }
        return solution;
    }

private:
    std::span<const CostWindow> m_windows;
    std::optional<KnownIdle> m_idle;
    Row m_scale{};
};

} // namespace

std::string_view name(CostOrigin origin)
{
    return wordOf(std::array{"measured", "fitted", "unknown"}, origin);
}

void MachineCosts::addSpread(double Prices::*constant, double sd)
{
    Prices step;
    step.*constant = sd;
    spread.push_back(step);
}

Estimate MachineCosts::of(double Prices::*constant) const
{
    double variance = 0.0;
    for (const Prices& step : spread)
        variance += step.*constant * (step.*constant);
    return {mean.*constant, std::sqrt(variance)};
}

MachineCosts MachineCosts::forTime() const
{
    MachineCosts time;
    time.mean = {.watts = 1.0,
                 .seconds_per_flop = mean.seconds_per_flop,
                 .seconds_per_byte = mean.seconds_per_byte};
    time.ceilings = ceilings;
    for (const auto constant : {&Prices::seconds_per_flop, &Prices::seconds_per_byte}) {
        if (const double sd = of(constant).sd; sd > 0.0)
            time.addSpread(constant, sd);
    }
    return time;
}

std::optional<EnergyFit> fitEnergies(std::span<const CostWindow> windows,
                                     const std::optional<KnownIdle>& idle)
{
    constexpr std::size_t kMin = 5;
    std::vector<CostWindow> valid;
    for (const CostWindow& window : windows) {
        if (window.joules > 0.0 && window.amount.seconds > 0.0)
            valid.push_back(window);
    }
    const std::optional<KnownIdle> known = idle && idle->sd > 0.0 ? idle : std::nullopt;
    const Equations equations(valid, known);
    if (valid.size() < kMin || (!equations.hasColumn(0) && !equations.hasColumn(1)))
        return std::nullopt;

    std::array<bool, kUnknowns> used{equations.hasColumn(0), equations.hasColumn(1), true};
    const auto count = static_cast<double>(valid.size());
    const double degrees = count - static_cast<double>(std::ranges::count(used, true));
    double noise = 0.01; // until the residuals are known
    Solution all;
    for (int pass = 0; pass < 2; ++pass) {
        all = equations.solve(used, noise);
        noise = std::max(1e-9, std::sqrt(all.squares / degrees));
    }
    Solution best = all;
    for (std::size_t tries = 0; tries < kUnknowns; ++tries) {
        const auto worst =
            static_cast<std::size_t>(std::ranges::min_element(best.k) - best.k.begin());
        if (best.k[worst] >= 0.0)
            break;
        used[worst] = false;
        best = equations.solve(used, noise);
    }

    EnergyFit fit;
    fit.windows = valid.size();
    fit.relative_residual = std::sqrt(best.squares / count);
    fit.costs.energies = CostOrigin::Fitted;
    fit.costs.mean.joules_per_flop = best.k[0];
    fit.costs.mean.joules_per_byte = best.k[1];
    fit.costs.mean.watts = best.k[2];
    for (const Row& direction : all.spread) {
        const double sd = noise * studentFactor(degrees);
        fit.costs.spread.push_back({.joules_per_flop = sd * direction[0],
                                    .joules_per_byte = sd * direction[1],
                                    .watts = sd * direction[2]});
    }
    return fit;
}

} // namespace ep::energy
