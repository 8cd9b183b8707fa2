// SPDX-License-Identifier: GPL-3.0-or-later
#include "uneven_power.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ep::energy {

namespace {

constexpr double kAgreeSigmas = 3.0; // windows that differ by less agree
// Possible excess of power beyond the windows, in units of the largest excursion.
constexpr double kBeyond = 0.5;
constexpr double kBeyondAlone = 2.0; // for a single window, whose excursion may have been short

class Course {
public:
    explicit Course(const std::vector<WindowPower>& windows)
        : m_windows(windows)
    {
        m_quiet.assign(windows.size(), false);
        for (std::size_t first = 0; first < windows.size();) {
            std::size_t last = first;
            while (agrees(last, last + 1))
                ++last;
            std::fill(m_quiet.begin() + static_cast<std::ptrdiff_t>(first),
                      m_quiet.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                      isLevel(first, last));
            first = last + 1;
        }
    }

    double unevenness(std::size_t i) const
    {
        if (!m_windows[i].known || m_quiet[i])
            return 0.0;
        if (followsLine(i))
            return std::abs(power(i + 1) - power(i - 1)) / 2.0 / std::sqrt(12.0);
        const auto [low, high] = boundsOf(i);
        return std::sqrt(std::max(0.0, (power(i) - low) * (high - power(i))));
    }

private:
    struct Bounds {
        double low = 0.0;
        double high = 0.0;
    };

    double power(std::size_t i) const { return m_windows[i].mw; }
    bool touch(std::size_t i, std::size_t next) const
    {
        return next < m_windows.size() && m_windows[i].known && m_windows[next].known
            && m_windows[i].time.end_ns == m_windows[next].time.begin_ns;
    }
    double tolerance(std::size_t i, std::size_t next) const
    {
        return kAgreeSigmas * std::hypot(m_windows[i].sd_mw, m_windows[next].sd_mw);
    }
    bool agrees(std::size_t i, std::size_t next) const
    {
        return touch(i, next) && std::abs(power(next) - power(i)) <= tolerance(i, next);
    }

    // Whether the windows show a level that power keeps. Two windows may agree by chance while
    // power changes, unless both of their neighbours are higher, or both lower.
    bool isLevel(std::size_t first, std::size_t last) const
    {
        if (last - first != 1)
            return last > first;
        if (first == 0 || !touch(first - 1, first) || !touch(last, last + 1))
            return true;
        return (power(first - 1) - power(first)) * (power(last + 1) - power(last)) > 0.0;
    }

    // Whether the step before window i and the one after it are alike.
    bool isEven(std::size_t i) const
    {
        constexpr double kAlike = 0.3; // relative to the mean of both steps
        if (i == 0 || !touch(i - 1, i) || !touch(i, i + 1))
            return false;
        const double before = power(i) - power(i - 1);
        const double after = power(i + 1) - power(i);
        return before * after > 0.0
            && std::abs(after - before)
            <= kAlike * std::abs(after + before) / 2.0 + tolerance(i - 1, i + 1);
    }
    // A single change of level sometimes makes two equal steps, too, but not three.
    bool followsLine(std::size_t i) const { return isEven(i) && (isEven(i - 1) || isEven(i + 1)); }

    Bounds boundsOf(std::size_t i) const
    {
        std::size_t first = i;
        std::size_t last = i;
        while (first > 0 && touch(first - 1, first) && !m_quiet[first - 1])
            --first;
        while (touch(last, last + 1) && !m_quiet[last + 1])
            ++last;
        const bool knowsBefore = first > 0 && touch(first - 1, first);
        const bool knowsAfter = touch(last, last + 1);
        const double before = power(knowsBefore ? first - 1 : knowsAfter ? last + 1 : i);
        const double after = power(knowsAfter ? last + 1 : knowsBefore ? first - 1 : i);
        const Bounds levels{std::min(before, after), std::max(before, after)};
        Bounds bounds = levels;
        for (std::size_t k = first; k <= last; ++k) {
            bounds.low = std::min(bounds.low, power(k));
            bounds.high = std::max(bounds.high, power(k));
        }
        const double beyond = first == last ? kBeyondAlone : kBeyond;
        bounds.low -= beyond * (levels.low - bounds.low);
        bounds.high += beyond * (bounds.high - levels.high);
        // Beside a line, power does not jump to its far end.
        if (i > 0 && i > first && followsLine(i - 1))
            limit(bounds, i, i - 1);
        if (i < last && followsLine(i + 1))
            limit(bounds, i, i + 1);
        return bounds;
    }
    void limit(Bounds& bounds, std::size_t i, std::size_t line) const
    {
        const double edge = (power(i) + power(line)) / 2.0;
        if (power(line) > power(i))
            bounds.high = edge;
        else
            bounds.low = edge;
    }

    const std::vector<WindowPower>& m_windows;
    std::vector<bool> m_quiet; // agrees with a neighbour
};

} // namespace

std::vector<double> unevenness(const std::vector<WindowPower>& windows)
{
    const Course course(windows);
    std::vector<double> result;
    for (std::size_t i = 0; i < windows.size(); ++i)
        result.push_back(course.unevenness(i));
    return result;
}

double variancePart(double unevenMw, double seconds, double share)
{
    const double both = share * (1.0 - share);
    const double energy = unevenMw * seconds * both;
    return energy * energy * (1.0 + 4.0 * both);
}

} // namespace ep::energy
