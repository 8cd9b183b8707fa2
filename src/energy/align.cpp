// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/align.h"

#include "inverse.h"
#include "uncertainty.h"

#include "ep/core/quantile.h"
#include "ep/energy/energy_timeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <random>

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

// Least squares of windows' energies = k . (two columns of load, seconds) with all k >= 0, for many
// energies at the same shift of the load.
class LoadFit {
public:
    LoadFit(const LoadShape& load, const std::vector<TimeRange>& windows, Nanoseconds offset)
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

    // Sum of squared residuals.
    double squares(const std::vector<double>& energies) const
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

private:
    static constexpr std::size_t kColumns = 3;
    using Row = std::array<double, kColumns>;
    // One choice of columns; the seconds always belong to it.
    struct Choice {
        std::array<bool, kColumns> used{};
        std::array<Row, kColumns> inverse{}; // of the normal matrix
    };

    std::vector<Row> m_rows;
    std::vector<Choice> m_choices;
};

// The energies that the windows would have if the same power ran `factor` times as fast (below
// zero: backwards), from another time on; the windows follow each other in a circle.
class OtherTimes {
public:
    OtherTimes(const std::vector<TimeRange>& windows, const std::vector<double>& energies)
        : m_ends{0.0}
        , m_sums{0.0}
    {
        for (std::size_t i = 0; i < windows.size(); ++i) {
            m_ends.push_back(m_ends.back() + static_cast<double>(windows[i].duration_ns()));
            m_sums.push_back(m_sums.back() + energies[i]);
        }
    }

    // Start: share of the circle.
    std::vector<double> played(double factor, double start) const
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

private:
    double until(double time) const
    {
        const double circle = m_ends.back();
        const double rounds = std::floor(time / circle);
        const double rest = time - rounds * circle;
        const auto after = std::ranges::upper_bound(m_ends, rest);
        const auto i =
            std::min(static_cast<std::size_t>(after - m_ends.begin()), m_ends.size() - 1);
        const double share = (rest - m_ends[i - 1]) / (m_ends[i] - m_ends[i - 1]);
        return rounds * m_sums.back() + m_sums[i - 1] + share * (m_sums[i] - m_sums[i - 1]);
    }

    std::vector<double> m_ends; // of the windows, in ns, without the gaps between them
    std::vector<double> m_sums; // energy up to there
};

constexpr double kReachWindows = 2.0;
constexpr Nanoseconds kLeastReach = 600'000'000;
constexpr int kStepsOfWindow = 20; // steps of the coarse search per window
constexpr int kMostSteps = 300; // maximum number of steps in each direction
constexpr std::size_t kMinWindowsToAlign = 8;
// A load shorter than a window is only a pulse in that window, so noise elsewhere would pass for a
// delay.
constexpr double kShortestLoadWindows = 1.0;
constexpr Nanoseconds kMinOffset = 1'000'000;
constexpr double kBetter = 0.7; // residual at the offset / residual without one
constexpr double kLeastGain = 16.0; // fall of n ln(residual^2)
constexpr double kSigmas = 3.0;
constexpr double kScatter = 2.0; // scatter of the windows, in units of their errors
constexpr int kTries = 299;
constexpr int kMostAsGood = 2;
constexpr double kFastest = 4.0;

Nanoseconds durationOf(const LoadShape& load)
{
    Nanoseconds sum = 0;
    for (const auto* ranges : {&load.first, &load.second}) {
        for (const TimeRange& range : *ranges)
            sum += range.duration_ns();
    }
    return sum;
}

// The windows affected by a shift of the load up to `reach`, and some flat ones around them.
std::vector<std::size_t> interesting(const EnergyTimeline& timeline, const LoadShape& load,
                                     Nanoseconds reach)
{
    constexpr std::size_t kMax = 4000;
    constexpr std::size_t kAround = 8;
    std::vector<std::size_t> windows;
    std::vector<bool> taken(timeline.windows().size(), false);
    const auto around = [&](Nanoseconds edge) {
        const auto [first, last] =
            timeline.touching({edge - (load.may_lead ? reach : 0), edge + reach});
        const std::size_t low = first > kAround ? first - kAround : 0;
        for (std::size_t i = low; i < std::min(last + kAround, taken.size()); ++i)
            taken[i] = timeline.windows()[i].total_pj.has_value();
    };
    for (const auto* ranges : {&load.first, &load.second}) {
        for (const TimeRange& range : *ranges) {
            around(range.begin_ns);
            around(range.end_ns);
        }
    }
    for (std::size_t i = 0; i < taken.size() && windows.size() < kMax; ++i) {
        if (taken[i])
            windows.push_back(i);
    }
    return windows;
}

Nanoseconds medianLength(const EnergyTimeline& timeline)
{
    std::vector<Nanoseconds> lengths;
    for (const EnergyTimeline::Window& window : timeline.windows())
        lengths.push_back(window.time.duration_ns());
    return medianDuration(std::move(lengths));
}

class Search {
public:
    Search(const EnergyTimeline& timeline, const std::vector<std::size_t>& windows,
           const LoadShape& load)
        : m_load(load)
    {
        const WindowErrors errors(timeline);
        for (const std::size_t i : windows) {
            const EnergyTimeline::Window& window = timeline.windows()[i];
            m_windows.push_back(window.time);
            m_energies.push_back(toDouble(*window.total_pj) / kPicojoulesPerMillijoule);
            m_errors += errors.sd_mj[i] * errors.sd_mj[i];
        }
        m_flat = LoadFit({}, m_windows, 0).squares(m_energies);
    }

    bool scatters() const { return m_flat > kScatter * kScatter * m_errors; }

    Offset find(Nanoseconds reach, Nanoseconds coarse)
    {
        const auto steps = static_cast<int>(reach / coarse);
        for (int step = m_load.may_lead ? -steps : 0; step <= steps; ++step)
            m_fits.emplace_back(step * coarse, LoadFit(m_load, m_windows, step * coarse));
        Offset offset;
        const double none = squaresAt(0);
        double least = none;
        const auto take = [&](Nanoseconds candidate, double squares) {
            if (squares >= least)
                return;
            least = squares;
            offset.ns = candidate;
        };
        for (const auto& [candidate, fit] : m_fits)
            take(candidate, withErrors(fit.squares(m_energies)));
        m_coarse = least;
        constexpr int kFine = 10;
        const Nanoseconds around = offset.ns;
        for (int step = -kFine; step <= kFine; ++step) {
            const Nanoseconds candidate = around + step * coarse / kFine;
            if (candidate >= 0 || m_load.may_lead)
                take(candidate, squaresAt(candidate));
        }
        // n ln(residual^2) rises by 1 at one standard deviation.
        const auto count = static_cast<double>(m_windows.size());
        const Nanoseconds width = 2 * coarse;
        const double rise = count
            * (std::log(squaresAt(offset.ns + width)) + std::log(squaresAt(offset.ns - width))
               - 2.0 * std::log(least))
            / 2.0;
        offset.sd_ns =
            rise > 0.0 ? static_cast<double>(width) / std::sqrt(rise) : static_cast<double>(reach);
        offset.correlation = std::sqrt(std::max(0.0, 1.0 - least / withErrors(m_flat)));
        offset.significant = least < kBetter * kBetter * none
            && count * std::log(none / least) > kLeastGain && std::abs(offset.ns) >= kMinOffset
            && static_cast<double>(std::abs(offset.ns)) > kSigmas * offset.sd_ns && !isChance();
        return offset;
    }

private:
    // No fit is better than the sensor.
    double withErrors(double squares) const { return squares + m_errors; }
    double squaresAt(Nanoseconds offset) const
    {
        return withErrors(LoadFit(m_load, m_windows, offset).squares(m_energies));
    }

    bool isChance() const
    {
        const OtherTimes other(m_windows, m_energies);
        const LoadFit flat({}, m_windows, 0);
        std::mt19937 random(1); // NOLINT: the same tries every time
        const auto uniform = [&] { return static_cast<double>(random() >> 5) / 134217728.0; };
        int asGood = 0;
        for (int i = 0; i < kTries && asGood <= kMostAsGood; ++i) {
            const double factor = std::pow(kFastest, 2.0 * uniform() - 1.0);
            const double direction = uniform() < 0.5 ? -1.0 : 1.0;
            const auto energies = other.played(direction * factor, uniform());
            const double limit = m_coarse / withErrors(m_flat) * withErrors(flat.squares(energies));
            const bool fits = std::ranges::any_of(m_fits, [&](const auto& fit) {
                return withErrors(fit.second.squares(energies)) <= limit;
            });
            asGood += fits ? 1 : 0;
        }
        return asGood > kMostAsGood;
    }

    const LoadShape& m_load;
    std::vector<TimeRange> m_windows;
    std::vector<double> m_energies; // in mJ
    double m_errors = 0.0; // expected sum of squares
    double m_flat = 0.0; // sum of squares without any load
    double m_coarse = 0.0; // sum of squares with the load, at the best of m_fits
    std::vector<std::pair<Nanoseconds, LoadFit>> m_fits;
};

} // namespace

Offset findOffset(std::span<const PowerSample> samples, const LoadShape& load)
{
    const EnergyTimeline timeline(samples);
    const Nanoseconds median = medianLength(timeline);
    const auto length = static_cast<double>(median);
    const Nanoseconds reach =
        std::max(kLeastReach, static_cast<Nanoseconds>(kReachWindows * length));
    const auto windows = interesting(timeline, load, reach);
    if (windows.size() < kMinWindowsToAlign
        || static_cast<double>(durationOf(load)) < kShortestLoadWindows * length)
        return {};
    Search search(timeline, windows, load);
    if (!search.scatters())
        return {};
    return search.find(reach, std::max(median / kStepsOfWindow, reach / kMostSteps));
}

} // namespace ep::energy
