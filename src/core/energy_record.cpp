// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/energy_record.h"

namespace ep {

std::optional<Millijoules> staticEnergy(Nanoseconds duration,
                                        const std::optional<BaselineRecord>& baseline)
{
    if (!baseline || !baseline->total_mw)
        return std::nullopt;
    return energyOf(*baseline->total_mw, duration);
}

std::optional<Millijoules> netEnergy(std::optional<Millijoules> gross, Nanoseconds duration,
                                     const std::optional<BaselineRecord>& baseline)
{
    const auto idle = staticEnergy(duration, baseline);
    return gross && idle && *gross >= *idle ? std::optional(*gross - *idle) : std::nullopt;
}

} // namespace ep
