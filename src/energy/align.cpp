// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/align.h"

#include "ep/energy/cost_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ep::energy {

namespace {

constexpr int kSteps = 80; // steps of the coarse search in each direction
constexpr double kReachWindows = 2.0;
constexpr std::size_t kMinWindowsToAlign = 8;
// A load shorter than a window is only a pulse in that window, so noise elsewhere would pass for a
// delay.
constexpr double kShortestLoadWindows = 1.0;
constexpr Nanoseconds kMinOffset = 1'000'000;
constexpr double kBetter = 0.7; // residual at the offset / residual without one
constexpr double kSigmas = 3.0;

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

class Residuals {
public:
    Residuals(const EnergyTimeline& timeline, std::span<const std::size_t> windows,
              const LoadShape& load)
        : m_timeline(timeline)
        , m_windows(windows)
        , m_load(load)
        , m_rows(windows.size())
    {
    }

    // rms residual / mean energy, assuming that power is late by `offset`.
    double at(Nanoseconds offset)
    {
        for (std::size_t i = 0; i < m_windows.size(); ++i) {
            const EnergyTimeline::Window& window = m_timeline.windows()[m_windows[i]];
            const TimeRange moved{window.time.begin_ns - offset, window.time.end_ns - offset};
            const double seconds = toSeconds(window.time.duration_ns());
            if (m_load.work != nullptr && !m_load.work->empty()) {
                const WorkCurve::Work work = m_load.work->over(moved);
                m_rows[i].x = {work.bytes, work.flops, seconds};
            } else {
                m_rows[i].x = {secondsInside(moved, m_load.first),
                               secondsInside(moved, m_load.second), seconds};
            }
            m_rows[i].energy_pj = toDouble(window.total_pj.value_or(0));
        }
        const auto fit = fitNonNegative(m_rows);
        if (!fit)
            return std::numeric_limits<double>::infinity();
        m_flat = fit->time_only_residual;
        return fit->relative_residual;
    }
    double flat() const { return m_flat; } // without any load term

private:
    const EnergyTimeline& m_timeline;
    std::span<const std::size_t> m_windows;
    const LoadShape& m_load;
    std::vector<CostRow> m_rows;
    double m_flat = 0.0;
};

Nanoseconds durationOf(const LoadShape& load)
{
    Nanoseconds sum = 0;
    for (const auto* ranges : {&load.first, &load.second}) {
        for (const TimeRange& range : *ranges)
            sum += range.duration_ns();
    }
    return sum;
}

// The windows affected by a shift of the load, and some flat ones around them.
std::vector<std::size_t> interesting(const EnergyTimeline& timeline, const LoadShape& load)
{
    constexpr std::size_t kMax = 4000;
    std::vector<std::size_t> windows;
    std::vector<bool> taken(timeline.windows().size(), false);
    const auto around = [&](Nanoseconds edge) {
        const auto [first, last] = timeline.touching({edge, edge + 1});
        const std::size_t low = first > 8 ? first - 8 : 0;
        for (std::size_t i = low; i < std::min(last + 8, taken.size()); ++i)
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

} // namespace

Offset findOffset(std::span<const PowerSample> samples, const LoadShape& load)
{
    const EnergyTimeline timeline(samples);
    const auto windows = interesting(timeline, load);
    if (windows.size() < kMinWindowsToAlign)
        return {};
    std::vector<Nanoseconds> lengths;
    for (const std::size_t i : windows)
        lengths.push_back(timeline.windows()[i].time.duration_ns());
    std::ranges::nth_element(lengths, lengths.begin() + static_cast<long>(lengths.size() / 2));
    const auto median = static_cast<double>(lengths[lengths.size() / 2]);
    if (static_cast<double>(durationOf(load)) < kShortestLoadWindows * median)
        return {};

    Residuals residuals(timeline, windows, load);
    const double none = residuals.at(0);
    Offset offset;
    double least = none;
    const double coarse = kReachWindows * median / kSteps;
    for (int step = load.may_lead ? -kSteps : 0; step <= kSteps; ++step) {
        const auto candidate = std::llround(step * coarse);
        if (const double value = residuals.at(candidate); value < least) {
            least = value;
            offset.ns = candidate;
        }
    }
    const Nanoseconds around = offset.ns;
    constexpr int kFine = 10;
    for (int step = -kFine; step <= kFine; ++step) {
        const auto candidate = around + std::llround(step * coarse / kFine);
        if (candidate < 0 && !load.may_lead)
            continue;
        if (const double value = residuals.at(candidate); value < least) {
            least = value;
            offset.ns = candidate;
        }
    }
    if (!std::isfinite(none))
        return {};

    // n ln(residual^2) rises by 1 at one standard deviation.
    const double floor = std::max(least, 1e-9);
    const auto count = static_cast<double>(windows.size());
    const auto width = std::llround(coarse);
    const double rise = count
        * (std::log(std::max(residuals.at(offset.ns + width), floor))
           + std::log(std::max(residuals.at(offset.ns - width), floor)) - 2.0 * std::log(floor));
    const double flat = residuals.flat();
    offset.sd_ns = rise > 0.0 ? coarse / std::sqrt(rise) : kReachWindows * median;
    if (flat > 0.0)
        offset.correlation = std::sqrt(std::max(0.0, 1.0 - least * least / (flat * flat)));
    offset.significant = least < kBetter * none && std::abs(offset.ns) >= kMinOffset
        && static_cast<double>(std::abs(offset.ns)) > kSigmas * offset.sd_ns;
    return offset;
}

} // namespace ep::energy
