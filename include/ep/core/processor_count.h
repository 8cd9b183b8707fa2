// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace ep {

// Number of threads that share a product evenly, at least 1: the performance cores where the system
// tells them apart from slower ones, because an equal share would wait for the slower; otherwise
// all logical processors.
int fastProcessors(std::optional<int> performanceCores, int logicalProcessors);
int fastProcessors(); // of this machine

} // namespace ep
