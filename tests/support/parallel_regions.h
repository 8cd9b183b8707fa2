// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::test {

// Number of parallel regions of OpenMP that this process has entered, including LibTorch's.
// Counted by a GOMP_parallel that overrides libgomp's, so only where LibTorch uses libgomp.
int parallelRegions();

} // namespace ep::test
