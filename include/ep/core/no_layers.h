// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// Says why a run has no layers and, for a recording of power, what it shows instead. The window and
// the terminal share this text.
std::string whyNoLayers(const RunInfo& run);

} // namespace ep
