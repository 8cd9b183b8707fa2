// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <optional>

namespace ep {

// Mean power over the sample's window: as reported, otherwise from its energy.
std::optional<Milliwatts> powerOf(const PowerSample& sample, Rail rail);
std::optional<Milliwatts> totalPowerOf(const PowerSample& sample);

// Figures of the run from its spans and samples; the energies of the phases must be filled in.
// inputTokens: prompt length over all sequences; energy: energy during the run. server: of a
// request to another server, whose tokens are counted by its figures, not by the trace; may be
// null.
RunMetrics computeMetrics(const RunTrace& trace, int inputTokens, const EnergyValue& energy,
                          const ServerRecord* server = nullptr);

// Energy x duration, in J s; of a run, a phase or a token.
std::optional<double> energyDelayProduct(std::optional<Millijoules> energy, Nanoseconds duration);

// Largest mean power of a window that overlaps the run, and the middle of that window. Samples
// before or after the run are ignored.
struct PowerPeak {
    Milliwatts power;
    Nanoseconds at_ns = 0;

    bool operator==(const PowerPeak&) const = default;
};
std::optional<PowerPeak> peakOf(const RunTrace& trace); // of the total
PerRail<PowerPeak> peaksOf(const RunTrace& trace);

} // namespace ep
