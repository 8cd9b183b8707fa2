// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"
#include "ep/core/words.h"

#include <optional>

namespace ep {

// The standard deviation to show with an energy. For a modelled machine, none is shown: only the
// error of dividing windows is known, and the error of the model itself may be many times as
// large.
inline std::optional<Millijoules> statedDeviation(const std::optional<Millijoules>& sd,
                                                  Provenance provenance)
{
    return provenance == Provenance::Modelled ? std::nullopt : sd;
}

} // namespace ep
