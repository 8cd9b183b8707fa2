// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"
#include "ep/core/words.h"

#include <optional>

namespace ep {

// The standard deviation to state beside an energy. Of a model of the machine only the error of the
// division into windows is known, and that of the model itself may be many times as large: nothing
// is stated.
inline std::optional<Millijoules> statedDeviation(const std::optional<Millijoules>& sd,
                                                  Provenance provenance)
{
    return provenance == Provenance::Modelled ? std::nullopt : sd;
}

} // namespace ep
