// SPDX-License-Identifier: GPL-3.0-or-later
#include "load_fits.h"

#include "inverse.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

double secondsInside(const TimeRange& window, std::span<const TimeRange> load)
{
    Nanoseconds sum = 0;
    auto it = std::partition_point(load.begin(), load.end(), [&](const TimeRange& range) {
        return range.end_ns <= window.begin_ns;
    });
    for (; it != load.end() && it->begin_ns < window.end_ns; ++it)
        sum += intersection(window, *it).duration_ns();
    return toSeconds(sum);
}

// Whether columns of length 1 are nearly proportional.
bool isVague(const SquareMatrix& inverse)
{
    constexpr double kMost = 1e8;
    for (std::size_t i = 0; i < inverse.size(); ++i) {
        if (!(inverse[i][i] < kMost))
            return true;
    }
    return false;
}

} // namespace

LoadFit::LoadFit(const LoadShape& load, const std::vector<TimeRange>& windows, Nanoseconds offset)
{
    Row lengths{};
    for (const TimeRange& window : windows) {
        const TimeRange moved{window.begin_ns - offset, window.end_ns - offset};
        const double seconds = toSeconds(window.duration_ns());
        Row row{secondsInside(moved, load.first), secondsInside(moved, load.second), seconds};
        if (load.work != nullptr && !load.work->empty()) {
            const WorkCurve::Work work = load.work->over(moved);
            row = {work.bytes, work.flops, seconds};
        }
        for (std::size_t i = 0; i < kColumns; ++i)
            lengths[i] += row[i] * row[i];
        m_rows.push_back(row);
    }
    for (Row& row : m_rows) {
        for (std::size_t i = 0; i < kColumns; ++i)
            row[i] /= lengths[i] > 0.0 ? std::sqrt(lengths[i]) : 1.0;
    }
    for (unsigned bits = 0; bits < 4; ++bits) {
        Choice choice;
        std::vector<std::size_t> columns;
        for (std::size_t i = 0; i < kColumns; ++i) {
            choice.used[i] = i + 1 == kColumns || (bits >> i & 1U) != 0;
            if (choice.used[i])
                columns.push_back(i);
        }
        SquareMatrix gram(columns.size(), std::vector<double>(columns.size(), 0.0));
        for (const Row& row : m_rows) {
            for (std::size_t i = 0; i < columns.size(); ++i) {
                for (std::size_t k = 0; k < columns.size(); ++k)
                    gram[i][k] += row[columns[i]] * row[columns[k]];
            }
        }
        const auto inverse = inverseOf(gram);
        if (!inverse || isVague(*inverse))
            continue;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            for (std::size_t k = 0; k < columns.size(); ++k)
                choice.inverse[columns[i]][columns[k]] = (*inverse)[i][k];
        }
        m_choices.push_back(choice);
    }
}

double LoadFit::squares(const std::vector<double>& energies) const
{
    Row right{};
    double all = 0.0;
    for (std::size_t n = 0; n < m_rows.size(); ++n) {
        for (std::size_t i = 0; i < kColumns; ++i)
            right[i] += m_rows[n][i] * energies[n];
        all += energies[n] * energies[n];
    }
    double least = all;
    for (const Choice& choice : m_choices) {
        double explained = 0.0;
        bool possible = true;
        for (std::size_t i = 0; i < kColumns && possible; ++i) {
            double k = 0.0;
            for (std::size_t j = 0; j < kColumns; ++j)
                k += choice.inverse[i][j] * right[j];
            possible = !choice.used[i] || k >= 0.0;
            explained += k * right[i];
        }
        if (possible)
            least = std::min(least, all - explained);
    }
    return std::max(0.0, least);
}

OtherTimes::OtherTimes(const std::vector<TimeRange>& windows, const std::vector<double>& energies)
    : m_ends{0.0}
    , m_sums{0.0}
{
    for (std::size_t i = 0; i < windows.size(); ++i) {
        m_ends.push_back(m_ends.back() + static_cast<double>(windows[i].duration_ns()));
        m_sums.push_back(m_sums.back() + energies[i]);
    }
}

double OtherTimes::until(double time) const
{
    const double circle = m_ends.back();
    const double rounds = std::floor(time / circle);
    const double rest = time - rounds * circle;
    const auto after = std::ranges::upper_bound(m_ends, rest);
    const auto i = std::min(static_cast<std::size_t>(after - m_ends.begin()), m_ends.size() - 1);
    const double share = (rest - m_ends[i - 1]) / (m_ends[i] - m_ends[i - 1]);
    return rounds * m_sums.back() + m_sums[i - 1] + share * (m_sums[i] - m_sums[i - 1]);
}

std::vector<double> OtherTimes::played(double factor, double start) const
{
    std::vector<double> energies;
    const double from = start * m_ends.back();
    double before = until(from);
    for (std::size_t i = 1; i < m_ends.size(); ++i) {
        const double now = until(from + factor * m_ends[i]);
        energies.push_back((now - before) / factor);
        before = now;
    }
    return energies;
}

} // namespace ep::energy
