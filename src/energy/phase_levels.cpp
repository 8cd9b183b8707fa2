// SPDX-License-Identifier: GPL-3.0-or-later
#include "phase_levels.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ep::energy {

namespace {

struct Part {
    TimeRange time;
    std::optional<Milliwatts> level;
};

// The phases and the time around them, in order: everything from the first sample to the last.
std::vector<Part> partsOf(const EnergyTimeline& timeline, const RunTrace& trace)
{
    std::vector<Part> parts;
    Nanoseconds at = timeline.windows().front().time.begin_ns;
    const auto add = [&](const TimeRange& time) {
        if (!time.empty())
            parts.push_back({time, {}});
        at = std::max(at, time.end_ns);
    };
    for (const PhaseSpan& phase : trace.phases) {
        add({at, phase.time.begin_ns});
        add({std::max(at, phase.time.begin_ns), phase.time.end_ns});
    }
    add({at, timeline.windows().back().time.end_ns});
    return parts;
}

// Mean power of the windows inside, and the relative rms deviation of a window from it.
struct Level {
    std::optional<Milliwatts> mean;
    double energy = 0.0;
    double squares = 0.0;
    double windows = 0.0;
};

Level levelOf(const EnergyTimeline& timeline, const TimeRange& time)
{
    Level level;
    Nanoseconds length = 0;
    const auto range = timeline.touching(time);
    const auto eachInside = [&](const auto& visit) {
        for (std::size_t i = range.first; i < range.second; ++i) {
            const EnergyTimeline::Window& window = timeline.windows()[i];
            if (window.total_pj && time.contains(window.time) && !window.time.empty())
                visit(window);
        }
    };
    eachInside([&](const auto& window) {
        level.energy += fromPicojoules(*window.total_pj).value;
        length += window.time.duration_ns();
        level.windows += 1.0;
    });
    if (length == 0)
        return level;
    level.mean = meanPower({level.energy}, length);
    eachInside([&](const auto& window) {
        const Millijoules expected = energyOf(*level.mean, window.time.duration_ns());
        const double miss = fromPicojoules(*window.total_pj).value - expected.value;
        level.squares += miss * miss;
    });
    return level;
}

void fillUnknown(std::vector<Part>& parts)
{
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (!parts[i].level)
            parts[i].level = parts[i - 1].level;
    }
    for (std::size_t i = parts.size(); i-- > 1;) {
        if (!parts[i - 1].level)
            parts[i - 1].level = parts[i].level;
    }
}

} // namespace

PhaseLevels::PhaseLevels(const EnergyTimeline& byTime, const RunTrace& trace)
{
    if (byTime.windows().empty())
        return;
    std::vector<Part> parts = partsOf(byTime, trace);
    double energy = 0.0;
    double squares = 0.0;
    double windows = 0.0;
    for (Part& part : parts) {
        const Level level = levelOf(byTime, part.time);
        part.level = level.mean;
        energy += level.energy;
        squares += level.squares;
        windows += level.windows;
    }
    fillUnknown(parts);
    if (!(energy > 0.0))
        return;
    constexpr double kPicojoules = 1e9; // in a millijoule
    std::vector<WorkCurve::Load> loads;
    for (const Part& part : parts) {
        const double pj = energyOf(part.level.value_or(Milliwatts{}), part.time.duration_ns()).value
            * kPicojoules;
        loads.push_back({part.time, {.flops = std::llround(std::min(pj, 1e18)), .bytes = 0}});
    }
    m_work = WorkCurve(loads, trace.time);
    UnitCosts costs;
    costs.pj_per_flop = 1.0;
    costs.relative_residual = std::sqrt(squares / windows) / (energy / windows);
    m_fit.emplace();
    for (auto& rail : m_fit->rails.values)
        rail = costs;
    m_fit->windows = static_cast<std::int64_t>(windows);
}

} // namespace ep::energy
