// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"

#include <cstdint>
#include <optional>

namespace ep::session {

// Resources that this process has used so far, over all threads. Takes two system calls.
struct OwnUse {
    Nanoseconds processor_ns = 0;
    std::int64_t preemptions = 0; // number of involuntary context switches
};
std::optional<OwnUse> ownUse();

} // namespace ep::session
