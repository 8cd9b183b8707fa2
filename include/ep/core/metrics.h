// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <cstdint>
#include <optional>

namespace ep {

// Figures of the run from its spans and samples; energies of phases must be filled in before.
// inputTokens: prompt length over all sequences; energy: energy during the run. server: the record
// of a request to another server, whose token counts then replace those of the trace; otherwise
// null.
RunMetrics computeMetrics(const RunTrace& trace, int inputTokens, const EnergyValue& energy,
                          const ServerRecord* server = nullptr);

// Joules per token; absent without an energy or tokens.
std::optional<double> joulesPer(std::optional<Millijoules> energy, std::int64_t tokens);
// Sets J/token and its inverse from the energy of the run; absent as in joulesPer().
void setPerToken(std::int64_t tokens, RunMetrics& metrics);
// Energy of a decoded token for each sequence of the batch; absent for tokens of the prefill.
std::optional<Millijoules> decodedEnergy(const TokenSpan& token);

// Energy x duration, in J s; for a run, a phase or a token.
std::optional<double> energyDelayProduct(std::optional<Millijoules> energy, Nanoseconds duration);

// Largest mean power of a window that overlaps the run, and the middle of that window. Samples
// outside of the run are ignored.
struct PowerPeak {
    Milliwatts power;
    Nanoseconds at_ns = 0;

    bool operator==(const PowerPeak&) const = default;
};
std::optional<PowerPeak> peakOf(const RunTrace& trace); // peak of the total power
PerRail<PowerPeak> peaksOf(const RunTrace& trace);

// The peak of a part of a run, from the highest power of its windows: at least the mean, because a
// part inside one window may have a higher power than that window.
std::optional<Milliwatts> peakPower(std::optional<Milliwatts> windows,
                                    std::optional<Milliwatts> mean);

} // namespace ep
