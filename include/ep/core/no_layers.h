// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep {

// Why a run has no layers, in one sentence that window and terminal share, and what it has instead.
std::string whyNoLayers(const RunInfo& run);

} // namespace ep
