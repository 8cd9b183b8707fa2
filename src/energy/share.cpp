// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/share.h"

#include "ep/energy/energy_timeline.h"

#include <algorithm>

namespace ep::energy {

namespace {

// Weight per nanosecond; 0 for a phase without tokens or cost.
double weightOf(const SharedPhase& phase)
{
    if (phase.time.empty())
        return 0.0;
    return std::max(0.0, phase.tokens) * std::max(0.0, phase.solo_mj)
        / static_cast<double>(phase.time.duration_ns());
}

std::vector<Nanoseconds> bordersOf(const TimeRange& time, std::span<const SharedPhase> phases)
{
    std::vector<Nanoseconds> borders{time.begin_ns, time.end_ns};
    for (const SharedPhase& phase : phases) {
        borders.push_back(std::clamp(phase.time.begin_ns, time.begin_ns, time.end_ns));
        borders.push_back(std::clamp(phase.time.end_ns, time.begin_ns, time.end_ns));
    }
    std::ranges::sort(borders);
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    return borders;
}

} // namespace

std::optional<SharedEnergy> shareEnergy(std::span<const PowerSample> samples, const TimeRange& time,
                                        std::span<const SharedPhase> phases)
{
    const EnergyTimeline timeline(samples);
    const EnergyValue whole = timeline.over(time);
    if (!whole.total_mj)
        return std::nullopt;
    SharedEnergy shared;
    shared.phases_mj.resize(phases.size());
    shared.total_mj = whole.total_mj->value;
    shared.modelled = whole.provenance == Provenance::Modelled;
    const std::vector<Nanoseconds> borders = bordersOf(time, phases);
    std::vector<std::size_t> active;
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const TimeRange piece{borders[i], borders[i + 1]};
        const auto energy = timeline.totalOver(piece);
        if (!energy)
            return std::nullopt;
        active.clear();
        double sum = 0.0;
        for (std::size_t p = 0; p < phases.size(); ++p) {
            if (phases[p].time.contains(piece) && weightOf(phases[p]) > 0.0) {
                active.push_back(p);
                sum += weightOf(phases[p]);
            }
        }
        for (const std::size_t p : active)
            shared.phases_mj[p] += energy->value * weightOf(phases[p]) / sum;
        if (active.empty())
            shared.rest_mj += energy->value;
    }
    return shared;
}

} // namespace ep::energy
