// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/powerlog/recording.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ep::session {

// Energy of a rail over a range of time, with power in a straight line inside each window.
struct RangeEnergy {
    double joules = 0.0;
    double edge_joules = 0.0; // largest difference if the windows at the ends are read otherwise
    std::int64_t whole_windows = 0;
};
// Absent if a part of the range is not covered.
std::optional<RangeEnergy> energyOver(const std::vector<powerlog::Window>& windows,
                                      const TimeRange& range);

// The rails of a recording that make up the rails of a run: parts of others and rails that state
// the same in another way are left out.
struct RunRail {
    Rail rail = Rail::System;
    const powerlog::RailRecording* recorded = nullptr;
};
std::vector<RunRail> runRails(const powerlog::Recording& recording);
bool isPartOfTotal(const std::vector<RunRail>& rails, Rail rail);

// The samples of a run; times are shifted by `shift`. Windows end at the cuts (shifted times) as
// well: half of a window in which the power rises has less than half of its energy.
std::vector<PowerSample> samplesOf(const std::vector<RunRail>& rails, Nanoseconds shift,
                                   std::span<const Nanoseconds> cuts = {});

} // namespace ep::session
