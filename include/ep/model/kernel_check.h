// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

// Checks whether the processor's own kernels compute correctly on this machine.
namespace ep::model {

struct KernelTableCheck {
    std::string table; // "AVX2"
    bool used = false; // whether the program uses this table
    double largest_difference = 0.0; // relative to the largest value of the kernel's result
    std::string kernel{}; // the kernel with that difference
    bool agrees = false;
};

// Compares each instruction set of this build and machine with the portable table, and that table
// with sums in doubles. Takes some milliseconds; any thread.
std::vector<KernelTableCheck> checkKernelTables();

} // namespace ep::model
