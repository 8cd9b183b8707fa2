// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/student.h"
#include "ep/energy/group_test.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr std::size_t kMaxExact = 50; // values per group

// Pairs in which b is larger; ties count half.
double pairsWon(std::span<const double> a, std::span<const double> b)
{
    std::vector<double> sorted(a.begin(), a.end());
    std::sort(sorted.begin(), sorted.end());
    double won = 0.0;
    for (const double value : b) {
        const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), value);
        won += static_cast<double>(low - sorted.begin()) + 0.5 * static_cast<double>(high - low);
    }
    return won;
}

// Fraction of the arrangements of m and n values with at most u pairs won. Arrangements are counted
// by Mann & Whitney's recursion, adding one value of the first group at a time.
double exactTail(std::size_t m, std::size_t n, double u)
{
    // ways[j][k]: number of arrangements of i values of one group and j of the other with k pairs.
    std::vector<std::vector<double>> ways(n + 1, std::vector<double>(m * n + 1, 0.0));
    for (std::size_t j = 0; j <= n; ++j)
        ways[j][0] = 1.0;
    for (std::size_t i = 1; i <= m; ++i) {
        auto next = ways;
        std::fill(next[0].begin(), next[0].end(), 0.0);
        next[0][0] = 1.0;
        for (std::size_t j = 1; j <= n; ++j) {
            // The largest value belongs to the first group (and wins j pairs) or to the second.
            for (std::size_t k = 0; k <= m * n; ++k)
                next[j][k] = (k >= j ? ways[j][k - j] : 0.0) + next[j - 1][k];
        }
        ways = std::move(next);
    }
    double below = 0.0;
    double all = 0.0;
    for (std::size_t k = 0; k <= m * n; ++k) {
        all += ways[n][k];
        if (static_cast<double>(k) <= u)
            below += ways[n][k];
    }
    return below / all;
}

// Sum of t^3 - t over groups of t equal values.
double tieTerm(std::vector<double> all)
{
    std::sort(all.begin(), all.end());
    double term = 0.0;
    for (auto at = all.begin(); at != all.end();) {
        const auto end = std::upper_bound(at, all.end(), *at);
        const auto count = static_cast<double>(end - at);
        term += count * count * count - count;
        at = end;
    }
    return term;
}

} // namespace

std::optional<WelchResult> welchTest(std::span<const double> a, std::span<const double> b)
{
    const auto sdA = sampleSd(a);
    const auto sdB = sampleSd(b);
    if (!sdA || !sdB)
        return std::nullopt;
    const auto nA = static_cast<double>(a.size());
    const auto nB = static_cast<double>(b.size());
    const double errorA = *sdA * *sdA / nA;
    const double errorB = *sdB * *sdB / nB;
    const double error = std::sqrt(errorA + errorB);
    const double difference = meanOf(b) - meanOf(a);
    if (!(error > 1e-12 * std::max(std::abs(meanOf(a)), std::abs(meanOf(b)))))
        return std::nullopt;
    WelchResult result;
    result.t = difference / error;
    result.df = (errorA + errorB) * (errorA + errorB)
        / (errorA * errorA / (nA - 1.0) + errorB * errorB / (nB - 1.0));
    const boost::math::students_t t(result.df);
    result.p = 2.0 * boost::math::cdf(boost::math::complement(t, std::abs(result.t)));
    const double half = studentQuantile(0.975, result.df) * error;
    result.ci95 = {difference - half, difference + half};
    return result;
}

std::optional<MannWhitneyResult> mannWhitneyTest(std::span<const double> a,
                                                 std::span<const double> b)
{
    if (a.empty() || b.empty())
        return std::nullopt;
    std::vector<double> all(a.begin(), a.end());
    all.insert(all.end(), b.begin(), b.end());
    const double ties = tieTerm(all);
    const auto m = static_cast<double>(a.size());
    const auto n = static_cast<double>(b.size());
    const double variance = m * n / 12.0 * ((m + n + 1.0) - ties / ((m + n) * (m + n - 1.0)));
    if (!(variance > 1e-9))
        return std::nullopt;
    MannWhitneyResult result;
    result.u = pairsWon(a, b);
    const double smaller = std::min(result.u, m * n - result.u);
    result.exact = ties == 0.0 && a.size() <= kMaxExact && b.size() <= kMaxExact;
    if (result.exact) {
        result.p = std::min(1.0, 2.0 * exactTail(a.size(), b.size(), smaller));
        return result;
    }
    const double z = std::min(0.0, smaller - m * n / 2.0 + 0.5) / std::sqrt(variance);
    result.p = std::min(1.0, 2.0 * boost::math::cdf(boost::math::normal(), z));
    return result;
}

std::optional<double> cliffsDelta(std::span<const double> a, std::span<const double> b)
{
    if (a.empty() || b.empty())
        return std::nullopt;
    return 2.0 * pairsWon(a, b) / (static_cast<double>(a.size()) * static_cast<double>(b.size()))
        - 1.0;
}

std::vector<double> holmAdjusted(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    std::vector<double> adjusted(p.size());
    double largest = 0.0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        largest = std::max(largest, p[order[rank]] * static_cast<double>(order.size() - rank));
        adjusted[order[rank]] = std::min(1.0, largest);
    }
    return adjusted;
}

} // namespace ep::energy
