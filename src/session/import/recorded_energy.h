// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/powerlog/recording.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ep::session {

// Energy of a rail within a time range at whose ends the load changes, such as a phase.
//
// Power follows a straight line inside each window of instantaneous values and is even in the
// others. Where an end of the range cuts a window, the power changed at that end, anywhere between
// the two readings. With the rise r from one reading to the other, the length d of the window, and
// the change at a fraction u of it, all u being equally likely, a straight line misses
// r d (1 - u)^2 / 2 of what comes later: r d / 6 on average, which is added, and 0.149 r d as
// standard deviation. The energy of a window with a measured mean is known, so that only
// r d u (1 - u) lies on the wrong side: again r d / 6, and 0.075 r d.
struct RangeEnergy {
    double joules = 0.0;
    // Standard deviations because of the two ends, with the sign of the change: rails that were
    // read at the same times err together.
    double begin_sd_joules = 0.0;
    double end_sd_joules = 0.0;
    double noise_variance = 0.0; // of the sum of instantaneous values that scatter, in J^2
    std::int64_t whole_windows = 0;

    RangeEnergy& operator+=(const RangeEnergy& other);
    double deviation() const; // in J
};
// Absent if a part of the range is not covered.
std::optional<RangeEnergy> energyOver(const powerlog::RailRecording& rail, const TimeRange& range);

// A rail of a run, and the recorded rail that measures it. Recorded rails that are parts of others,
// or that state the same energy in another way, do not become rails of a run.
struct RunRail {
    Rail rail = Rail::System;
    const powerlog::RailRecording* recorded = nullptr;
};
std::vector<RunRail> runRails(const powerlog::Recording& recording);
bool isPartOfTotal(const std::vector<RunRail>& rails, Rail rail);

// The samples of a run; times are shifted by `shift`. The windows also end at the cuts (shifted
// times), at which the load changes; between two cuts, the samples add up to energyOver().
std::vector<PowerSample> samplesOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts = {});

} // namespace ep::session
