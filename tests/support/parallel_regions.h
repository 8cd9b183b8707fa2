// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::test {

// Parallel regions of OpenMP that this process has entered so far, LibTorch's included. Counted by
// a GOMP_parallel in front of libgomp's, so only where LibTorch uses libgomp.
int parallelRegions();

} // namespace ep::test
