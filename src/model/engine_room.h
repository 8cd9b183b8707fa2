// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::model {

// Whether the engine's libraries can be loaded within this program's limits (ulimit, control
// groups). OpenBLAS starts a thread for each processor while it is being loaded: if one cannot
// start, it interrupts the program or waits forever; if one gets no memory, it retries
// forever.
Status checkRoomForEngine();

} // namespace ep::model
