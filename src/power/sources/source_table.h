// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/power/source.h"

#include <string>

// What source_choice.cpp and source_table.cpp share.
namespace ep::power {

bool isKnownSource(const std::string& kind); // has a row in the table
Error unknownSource(const std::string& kind); // names those that there are
Status validateWatts(const SourceChoice& choice); // of `modelled`

} // namespace ep::power
