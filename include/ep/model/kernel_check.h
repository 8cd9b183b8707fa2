// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// Whether the processor's own kernels compute what they should, on this very machine.
namespace ep::model {

struct KernelTableCheck {
    std::string table; // "AVX2"
    bool used = false; // the one that computes here
    double largest_difference = 0.0; // relative to the largest value of the kernel's result
    std::string kernel{}; // that it was found in
    bool agrees = false;
};

// Each instruction set that this build and this machine have, compared with the portable table;
// that one with sums in doubles. Some milliseconds; any thread.
std::vector<KernelTableCheck> checkKernelTables();

} // namespace ep::model
