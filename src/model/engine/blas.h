// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::model {

// Which matrix library LibTorch uses here, with a warning where it is known to be slow.
std::string describeBlas();

// Threads of the matrix library. OpenBLAS has a pool of its own, and two pools of spinning threads
// on the same cores halve each other's speed: with it, LibTorch itself gets one thread and OpenBLAS
// as many as asked for; otherwise LibTorch's pool, which the other libraries use, gets them.
void setBlasThreads(int threads);

// True where products are best divided among threads of ours, with one thread of the library for
// each: OpenBLAS gives every thread a fixed share and waits for the slowest, so that on a machine
// that does other things too a small product takes a time slice of the system.
bool dividesProducts();

// For an engine that divides its products among that many threads of its own where that is best.
void setThreadsBesideOurs(int threads);

} // namespace ep::model
