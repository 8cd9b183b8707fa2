// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/cost_fit.h"

#include "ep/core/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ep::energy {

namespace {

constexpr std::size_t kColumns = 3;
using Vector = std::array<double, kColumns>;
using Matrix = std::array<Vector, kColumns>;

constexpr double kTiny = 1e-12;

// Inverse of the rows and columns in `used` (Gauss-Jordan); absent if singular.
std::optional<Matrix> inverse(Matrix a, const std::array<bool, kColumns>& used)
{
    Matrix b{};
    for (std::size_t i = 0; i < kColumns; ++i)
        b[i][i] = 1.0;
    for (std::size_t p = 0; p < kColumns; ++p) {
        if (!used[p])
            continue;
        if (!(a[p][p] > kTiny))
            return std::nullopt;
        const double pivot = a[p][p];
        for (std::size_t j = 0; j < kColumns; ++j) {
            a[p][j] /= pivot;
            b[p][j] /= pivot;
        }
        for (std::size_t i = 0; i < kColumns; ++i) {
            if (i == p || !used[i])
                continue;
            const double factor = a[i][p];
            for (std::size_t j = 0; j < kColumns; ++j) {
                a[i][j] -= factor * a[p][j];
                b[i][j] -= factor * b[p][j];
            }
        }
    }
    return b;
}

// Eigenvalues of a symmetric matrix by Jacobi rotations.
Vector eigenvalues(Matrix a)
{
    constexpr int kSweeps = 30;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t p = 0; p < kColumns; ++p) {
            for (std::size_t q = p + 1; q < kColumns; ++q) {
                if (std::abs(a[p][q]) < 1e-300)
                    continue;
                const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                const double t =
                    std::copysign(1.0, theta) / (std::abs(theta) + std::hypot(theta, 1));
                const double c = 1.0 / std::hypot(t, 1.0);
                const double s = t * c;
                for (std::size_t k = 0; k < kColumns; ++k) {
                    const double kp = a[k][p];
                    const double kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (std::size_t k = 0; k < kColumns; ++k) {
                    const double pk = a[p][k];
                    const double qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                }
            }
        }
    }
    return {a[0][0], a[1][1], a[2][2]};
}

double residualSquares(std::span<const CostRow> rows, const Vector& scale, const Vector& k)
{
    double sum = 0.0;
    for (const CostRow& row : rows) {
        double rest = row.energy_pj;
        for (std::size_t i = 0; i < kColumns; ++i)
            rest -= scale[i] > 0.0 ? k[i] * row.x[i] / scale[i] : 0.0;
        sum += rest * rest;
    }
    return sum;
}

double squaresOf(std::span<const CostRow> rows)
{
    double sum = 0.0;
    for (const CostRow& row : rows)
        sum += row.energy_pj * row.energy_pj;
    return sum;
}

} // namespace

std::optional<NonNegativeFit> fitNonNegative(std::span<const CostRow> rows)
{
    Vector scale{};
    double mean = 0.0;
    for (const CostRow& row : rows) {
        for (std::size_t i = 0; i < kColumns; ++i)
            scale[i] += row.x[i] * row.x[i];
        mean += row.energy_pj / static_cast<double>(rows.size());
    }
    for (double& length : scale)
        length = std::sqrt(length);
    if (rows.size() <= kColumns || !(mean > 0.0) || !(scale[2] > 0.0))
        return std::nullopt;

    Matrix gram{};
    Vector right{};
    for (const CostRow& row : rows) {
        for (std::size_t i = 0; i < kColumns; ++i) {
            const double xi = scale[i] > 0.0 ? row.x[i] / scale[i] : 0.0;
            right[i] += xi * row.energy_pj;
            for (std::size_t j = 0; j < kColumns; ++j)
                gram[i][j] += scale[j] > 0.0 ? xi * row.x[j] / scale[j] : 0.0;
        }
    }

    NonNegativeFit best;
    constexpr double kAgainstTime = 6.0;
    constexpr double kExact = 1e-20; // squared; rounding errors, not residuals
    const auto count = static_cast<double>(rows.size());
    const double exact = kExact * squaresOf(rows);
    double least = std::numeric_limits<double>::infinity();
    double bestSquares = 0.0;
    for (unsigned choice = 1; choice < 1U << kColumns; ++choice) {
        std::array<bool, kColumns> used{};
        bool possible = true;
        for (std::size_t i = 0; i < kColumns; ++i) {
            used[i] = (choice >> i & 1U) != 0;
            possible = possible && (!used[i] || scale[i] > 0.0);
        }
        if (!possible)
            continue;
        const auto inverted = inverse(gram, used);
        if (!inverted)
            continue;
        Vector k{};
        for (std::size_t i = 0; i < kColumns; ++i) {
            for (std::size_t j = 0; j < kColumns; ++j)
                k[i] += used[i] && used[j] ? (*inverted)[i][j] * right[j] : 0.0;
        }
        if (std::ranges::any_of(k, [](double value) { return value < 0.0; }))
            continue;
        const double squares = residualSquares(rows, scale, k);
        const double score = count * std::log(std::max(squares, exact) / count)
            + 3.0 * std::log(count) * static_cast<double>(std::ranges::count(used, true))
            + (used[2] ? kAgainstTime : 0.0);
        if (score >= least)
            continue;
        least = score;
        bestSquares = squares;
        const double variance = squares / (count - static_cast<double>(kColumns));
        for (std::size_t i = 0; i < kColumns; ++i) {
            best.k[i] = used[i] ? k[i] / scale[i] : 0.0;
            best.sd[i] = used[i] ? std::sqrt(variance * (*inverted)[i][i]) / scale[i] : 0.0;
        }
    }
    if (!std::isfinite(least))
        return std::nullopt;
    best.relative_residual = std::sqrt(bestSquares / count) / mean;

    // A column without entries is not an unknown.
    for (std::size_t i = 0; i < kColumns; ++i)
        gram[i][i] = scale[i] > 0.0 ? gram[i][i] : 1.0;
    const Vector values = eigenvalues(gram);
    const auto [low, high] = std::ranges::minmax(values);
    best.condition = std::sqrt(high / std::max(low, kTiny * kTiny));
    return best;
}

namespace {

constexpr std::size_t kMinWindowsToFit = 6;
// A unit cost whose error would move more than this share of the energy is meaningless.
constexpr double kMaxShareError = 0.25;
constexpr double kMaxCondition = 3e4;

struct RailFit {
    NonNegativeFit fit;
    Vector share_sd{}; // error of each part, relative to the mean energy
    double mean_pj = 0.0;
};

// For Rail::System, a total without components, the windows' total is used.
std::optional<RailFit> fitRail(const EnergyTimeline& timeline, const WorkCurve& work,
                               std::span<const std::size_t> windows, Rail rail, Milliwatts idle)
{
    std::vector<CostRow> rows;
    Vector mean{};
    double energy = 0.0;
    for (const std::size_t index : windows) {
        const EnergyTimeline::Window& window = timeline.windows()[index];
        const auto& value = rail == Rail::System ? window.total_pj : window.rails_pj[rail];
        const WorkCurve::Work done = work.over(window.time);
        CostRow row;
        row.x = {done.bytes, done.flops, toSeconds(window.time.duration_ns())};
        row.energy_pj = toDouble(value.value_or(0))
            - toDouble(toPicojoules(energyOf(idle, window.time.duration_ns())));
        for (std::size_t i = 0; i < kColumns; ++i)
            mean[i] += row.x[i] / static_cast<double>(windows.size());
        energy += row.energy_pj / static_cast<double>(windows.size());
        rows.push_back(row);
    }
    const auto fit = fitNonNegative(rows);
    if (!fit)
        return std::nullopt;
    RailFit result{*fit, {}, energy};
    for (std::size_t i = 0; i < kColumns; ++i)
        result.share_sd[i] = fit->sd[i] * mean[i] / energy;
    return result;
}

Message problemOfFew(std::size_t complete, std::size_t incomplete)
{
    if (incomplete > 0)
        return {"only %1 of %2 power samples have every rail, %3 are needed", complete,
                complete + incomplete, kMinWindowsToFit};
    if (complete == 0)
        return {"the run is too short: no power sample lies wholly inside it, %1 are needed",
                kMinWindowsToFit};
    if (complete == 1)
        return {"the run is too short: it has 1 whole power sample, %1 are needed",
                kMinWindowsToFit};
    return {"the run is too short: it has %1 whole power samples, %2 are needed", complete,
            kMinWindowsToFit};
}

UnitCosts unitCosts(const NonNegativeFit& fit)
{
    constexpr double kPicojoulesASecondPerMilliwatt = 1e9;
    return {.pj_per_byte = fit.k[0],
            .pj_per_flop = fit.k[1],
            .time_mw = fit.k[2] / kPicojoulesASecondPerMilliwatt,
            .pj_per_byte_sd = fit.sd[0],
            .pj_per_flop_sd = fit.sd[1],
            .time_mw_sd = fit.sd[2] / kPicojoulesASecondPerMilliwatt,
            .relative_residual = fit.relative_residual};
}

} // namespace

CostFinding findCosts(const EnergyTimeline& byTime, const WorkCurve& work, const TimeRange& time,
                      const PerRail<Milliwatts>& static_mw)
{
    if (work.empty())
        return {.fit = {}, .problem = "the spans have no bytes and FLOPs"};
    std::vector<std::size_t> windows;
    const auto [first, last] = byTime.touching(time);
    std::size_t incomplete = 0;
    for (std::size_t i = first; i < last; ++i) {
        const EnergyTimeline::Window& window = byTime.windows()[i];
        if (!time.contains(window.time))
            continue;
        if (window.total_pj)
            windows.push_back(i);
        else
            ++incomplete;
    }
    if (windows.size() < kMinWindowsToFit)
        return {.fit = {}, .problem = problemOfFew(windows.size(), incomplete)};

    CostFinding finding;
    CostFit costs;
    costs.windows = static_cast<std::int64_t>(windows.size());
    double whole = 0.0; // mean dynamic energy of a window, over all rails
    double explained = 0.0; // part explained by bytes and FLOPs
    double worst = 0.0; // error of one part, in the same unit
    const std::vector<Rail> rails =
        byTime.rails().empty() ? std::vector{Rail::System} : byTime.rails();
    for (const Rail rail : rails) {
        const auto fit =
            fitRail(byTime, work, windows, rail, static_mw[rail].value_or(Milliwatts{}));
        if (!fit) // a rail without load is split by time
            continue;
        costs.rails[rail] = unitCosts(fit->fit);
        costs.condition = std::max(costs.condition, fit->fit.condition);
        whole += fit->mean_pj;
        worst = std::max(worst, fit->mean_pj * std::ranges::max(fit->share_sd));
        if (fit->fit.k[0] > 0.0 || fit->fit.k[1] > 0.0)
            explained += fit->mean_pj;
    }
    if (costs.condition == 0.0)
        return {.fit = {}, .problem = "no rail used more power than the idle machine"};
    const std::string condition = formatSignificant(costs.condition);
    if (costs.condition > kMaxCondition)
        finding.problem = {"bytes, FLOPs and time are proportional in all windows; condition "
                           "number %1",
                           condition};
    else if (worst > kMaxShareError * whole)
        finding.problem = {"the windows are too similar to distinguish bytes, FLOPs and time; "
                           "condition number %1",
                           condition};
    else if (explained == 0.0)
        finding.problem = "the windows depend on time alone";
    finding.fit = costs;
    return finding;
}

} // namespace ep::energy
