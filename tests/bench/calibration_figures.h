// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::bench {

// Tables of docs/accuracy.md about calibrations of simulated machines: errors of shares, refusals
// of healthy machines, and how often kinds that stay in a cache are caught.
std::string calibrationTables(int seeds);

} // namespace ep::bench
