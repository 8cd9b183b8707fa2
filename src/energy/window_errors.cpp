// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_errors.h"

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

constexpr double kGainNoise = 0.005; // relative, of one window
constexpr double kMinTimestampNs = 50'000.0; // arrival times are never better

// 1 mJ if all energies are multiples of a millijoule, 1 uJ if of a microjoule; otherwise 0.
double stepOf(const EnergyTimeline& timeline)
{
    for (const double step : {1.0, 1e-3}) {
        const auto pj = static_cast<Picojoules>(step * kPicojoulesPerMillijoule);
        if (std::ranges::all_of(timeline.windows(), [&](const EnergyTimeline::Window& window) {
                return window.total_pj.value_or(0) % pj == 0;
            }))
            return step;
    }
    return 0.0;
}

// In mJ. Each rail has its own sensor, so the errors add up in squares.
double gainNoiseOf(const EnergyTimeline::Window& window, const std::vector<Rail>& rails)
{
    double squares = 0.0;
    for (const Rail rail : rails) {
        const double energy = toDouble(window.rails_pj[rail].value_or(0));
        squares += energy * energy;
    }
    const double energy =
        squares > 0.0 ? std::sqrt(squares) : toDouble(window.total_pj.value_or(0));
    return kGainNoise * energy / kPicojoulesPerMillijoule;
}

double timestampsOf(const EnergyTimeline& timeline)
{
    double squares = 0.0;
    for (const EnergyTimeline::Window& window : timeline.windows())
        squares += static_cast<double>(window.bridged_ns) * static_cast<double>(window.bridged_ns);
    const auto count = static_cast<double>(std::max<std::size_t>(1, timeline.windows().size()));
    return std::max(kMinTimestampNs, std::sqrt(squares / count / 2.0));
}

} // namespace

double windowPower(const EnergyTimeline::Window& window)
{
    return toDouble(window.total_pj.value_or(0)) / static_cast<double>(window.time.duration_ns());
}

WindowErrors::WindowErrors(const EnergyTimeline& timeline)
    : step_mj(stepOf(timeline))
    , timestamp_ns(timestampsOf(timeline))
{
    sd_mj.reserve(timeline.windows().size());
    const double rails = static_cast<double>(std::max<std::size_t>(1, timeline.rails().size()));
    for (const EnergyTimeline::Window& window : timeline.windows()) {
        sd_mj.push_back(std::hypot(gainNoiseOf(window, timeline.rails()),
                                   step_mj * std::sqrt(rails / 6.0),
                                   windowPower(window) * std::sqrt(2.0) * timestamp_ns * 1e-9));
    }
}

} // namespace ep::energy
