// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/recorded_energy.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ep::session {

namespace {

using powerlog::Window;

constexpr Nanoseconds kTouching = 1'000; // windows with a smaller gap are consecutive

// Energy of a part of a window whose power follows a straight line.
double partOf(const Window& window, const TimeRange& part)
{
    const double length = toSeconds(window.end_ns - window.begin_ns);
    if (part.begin_ns <= window.begin_ns && part.end_ns >= window.end_ns)
        return window.joules;
    const auto at = [&](Nanoseconds time) {
        const double share = toSeconds(time - window.begin_ns) / length;
        return window.begin_w + share * (window.end_w - window.begin_w);
    };
    const double line = (at(part.begin_ns) + at(part.end_ns)) / 2.0 * toSeconds(part.duration_ns());
    // The line gives only the shape; the energy itself is exact for counters and long windows.
    const double whole = (window.begin_w + window.end_w) / 2.0 * length;
    return whole > 0.0 ? line * (window.joules / whole)
                       : window.joules * toSeconds(part.duration_ns()) / length;
}

} // namespace

std::optional<RangeEnergy> energyOver(const std::vector<Window>& windows, const TimeRange& range)
{
    RangeEnergy energy;
    auto window = std::ranges::upper_bound(windows, range.begin_ns, {}, &Window::end_ns);
    Nanoseconds covered = range.begin_ns;
    double even = 0.0; // if power were constant in each window
    double earlier = 0.0; // if each value held for the time before its timestamp
    for (; window != windows.end() && window->begin_ns < range.end_ns; ++window) {
        if (window->begin_ns > covered + kTouching)
            return std::nullopt;
        const TimeRange own{window->begin_ns, window->end_ns};
        const TimeRange part = intersection(own, range);
        const double joules = partOf(*window, part);
        const double share = toSeconds(part.duration_ns()) / toSeconds(own.duration_ns());
        energy.joules += joules;
        even += window->joules * share;
        earlier += window->begin_w == window->end_w
            ? window->joules * share
            : static_cast<double>(window->end_w) * toSeconds(part.duration_ns());
        energy.whole_windows += range.contains(own) ? 1 : 0;
        covered = std::max(covered, window->end_ns);
    }
    if (covered + kTouching < range.end_ns)
        return std::nullopt;
    energy.edge_joules =
        std::max(std::abs(even - energy.joules), std::abs(earlier - energy.joules));
    return energy;
}

std::vector<RunRail> runRails(const powerlog::Recording& recording)
{
    std::vector<RunRail> rails;
    const auto take = [&](std::string_view part, Rail rail) {
        for (const powerlog::RailRecording& recorded : recording.rails) {
            if (recorded.part == part && !recorded.windows.empty())
                rails.push_back({rail, &recorded});
        }
    };
    take("cpu", Rail::Cpu);
    take("gpu", Rail::Gpu);
    take("ane", Rail::Ane);
    take("dram", Rail::Dram);
    take("system", Rail::System);
    // A sum of rails is used only if the rails themselves are absent, and so on.
    if (rails.empty())
        take("sum", Rail::System);
    if (rails.empty())
        take("part", Rail::System);
    return rails;
}

bool isPartOfTotal(const std::vector<RunRail>& rails, Rail rail)
{
    const bool components =
        std::ranges::any_of(rails, [](const RunRail& one) { return one.rail != Rail::System; });
    return components == (rail != Rail::System);
}

std::vector<PowerSample> samplesOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts)
{
    constexpr std::size_t kMax = 200'000; // more samples cannot be shown fluently
    std::vector<Nanoseconds> borders;
    for (const RunRail& rail : rails) {
        for (const Window& window : rail.recorded->windows) {
            borders.push_back(window.begin_ns);
            borders.push_back(window.end_ns);
        }
    }
    for (const Nanoseconds cut : cuts) {
        const auto [first, last] = std::ranges::minmax(borders);
        if (cut - shift > first && cut - shift < last)
            borders.push_back(cut - shift);
    }
    std::ranges::sort(borders);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    const std::size_t together = borders.size() / kMax + 1;
    std::vector<PowerSample> samples;
    for (std::size_t i = 0; i + 1 < borders.size(); i += together) {
        const TimeRange time{borders[i], borders[std::min(i + together, borders.size() - 1)]};
        PowerSample sample;
        bool any = false;
        PerRail<bool> lacking;
        for (const RunRail& rail : rails) {
            const auto energy = energyOver(rail.recorded->windows, time);
            if (!energy) {
                lacking[rail.rail] = true;
                continue;
            }
            any = true;
            auto& sum = sample.energy_mj[rail.rail];
            sum = sum.value_or(Millijoules{}) + Millijoules{energy->joules * kMillijoulesPerJoule};
        }
        if (!any)
            continue; // a gap
        sample.window = {time.begin_ns + shift, time.end_ns + shift};
        sample.arrival_ns = sample.window.end_ns;
        for (const Rail rail : kRails) {
            // A sum that lacks one of its devices is unknown.
            if (lacking[rail])
                sample.energy_mj[rail].reset();
            if (const auto& energy = sample.energy_mj[rail])
                sample.power_mw[rail] = meanPower(*energy, time.duration_ns());
        }
        sample.total_mw = totalOf(sample.power_mw);
        if (sample.total_mw)
            samples.push_back(sample);
    }
    return samples;
}

} // namespace ep::session
