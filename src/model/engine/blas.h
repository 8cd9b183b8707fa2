// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::model {

// Describes LibTorch's matrix library, with a warning if it is known to be slow.
std::string describeBlas();

// Sets the threads of the matrix library. OpenBLAS has its own pool, and two pools of spinning
// threads on the same cores halve each other's speed: with OpenBLAS, LibTorch gets one thread and
// OpenBLAS the requested number; otherwise LibTorch's pool, shared with the library, gets them.
void setBlasThreads(int threads);

// Whether matmuls are divided among our own threads, each calling the library with one thread:
// OpenBLAS gives every thread a fixed share and waits for the slowest, so that on a machine with
// other load a small matmul takes a scheduler time slice.
bool dividesMatmuls();

// Sets the library's threads for an engine with this many threads of its own: one if
// dividesMatmuls(), otherwise the same number.
void setThreadsBesideOurs(int threads);

} // namespace ep::model
