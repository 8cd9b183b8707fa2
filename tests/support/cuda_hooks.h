// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace ep::test {

// How often LibTorch's functions for CUDA have been asked for in this process.
int cudaHooksAsked();

} // namespace ep::test
