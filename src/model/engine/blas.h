// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace ep::model {

// Which matrix library LibTorch uses here, with a warning where it is known to be slow.
std::string describeBlas();

// Divides the threads: OpenBLAS has a pool of its own, and two pools of spinning threads on the
// same cores halve each other's speed. With OpenBLAS, LibTorch itself gets one thread and OpenBLAS
// all; otherwise LibTorch's pool, which the other libraries use, gets all.
void setBlasThreads(int threads);

} // namespace ep::model
