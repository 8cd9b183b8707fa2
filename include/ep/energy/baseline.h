// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/core/time_range.h"

#include <optional>
#include <span>

namespace ep::energy {

// Idle power from the windows completely inside `idle`; absent if there are none. The age is
// computed from runBegin.
std::optional<BaselineRecord> measureBaseline(std::span<const PowerSample> samples,
                                              const TimeRange& idle, Nanoseconds runBegin,
                                              BaselineMoment moment);

using ep::netEnergy;
using ep::staticEnergy;
// Standard deviation of the net energy, from the gross energy's and from the baseline's mean x
// time. Absent if one of them is unknown.
std::optional<Millijoules> netDeviation(std::optional<Millijoules> grossSd, Nanoseconds duration,
                                        const std::optional<BaselineRecord>& baseline);
PerRail<Millijoules> netRails(const PerRail<Millijoules>& gross, Nanoseconds duration,
                              const std::optional<BaselineRecord>& baseline);

} // namespace ep::energy
