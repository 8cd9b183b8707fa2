// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

namespace ep::model {

// Whether the libraries of the engine can be loaded under the limits of this program (ulimit,
// control groups). OpenBLAS starts a thread for each processor while it is loaded: if one of them
// cannot be started, it interrupts the program or waits for it for ever, and if one of them gets no
// memory, it asks for it for ever.
Status checkRoomForEngine();

} // namespace ep::model
