// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep {

// Number of threads that share a matmul evenly, at least 1: the performance cores if the system
// distinguishes them from slower ones, for which equal shares would have to wait; otherwise all
// logical processors.
int fastProcessors(std::optional<int> performanceCores, int logicalProcessors);
int fastProcessors(); // for this machine

} // namespace ep
