// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <string>

// Shared by source_choice.cpp and source_table.cpp.
namespace ep::power {

bool isKnownSource(const std::string& kind); // whether the table has a row for it
Error unknownSource(const std::string& kind); // the message lists the available ones
Status validateWatts(const SourceChoice& choice); // for `modelled`
// The one rule for `auto` without a sensor: it never falls back to a model, which must be asked
// for. What each source lacks is the doctor's business.
Message noSensor();

} // namespace ep::power
