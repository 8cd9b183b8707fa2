// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/powerlog/recording.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ep::session {

// Energy of a rail within a time range; power follows a straight line inside each window.
struct RangeEnergy {
    double joules = 0.0;
    double edge_joules = 0.0; // largest change if windows at the ends are read differently
    std::int64_t whole_windows = 0;
};
// Absent if a part of the range is not covered.
std::optional<RangeEnergy> energyOver(const std::vector<powerlog::Window>& windows,
                                      const TimeRange& range);

// The rails of a recording that become the rails of a run, without rails that are parts of others
// or state the same in another way.
struct RunRail {
    Rail rail = Rail::System;
    const powerlog::RailRecording* recorded = nullptr;
};
std::vector<RunRail> runRails(const powerlog::Recording& recording);
bool isPartOfTotal(const std::vector<RunRail>& rails, Rail rail);

// The samples of a run; times are shifted by `shift`. The windows also end at the cuts (shifted
// times), because the first half of a window with rising power has less than half of its energy.
std::vector<PowerSample> samplesOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts = {});

} // namespace ep::session
