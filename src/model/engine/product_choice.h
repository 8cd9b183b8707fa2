// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "thread_pool.h"

#include <cstdint>
#include <string>

namespace ep::model {

// Who multiplies one row of activations by a matrix of f32 weights: our kernels, or the BLAS behind
// LibTorch. Which is faster depends on the machine (Macs have a unit of their own for it).
struct ProductChoice {
    bool own = true;
    std::string reason; // in words: "12.1 GB/s, LibTorch 9.8 GB/s"
};

// Measures both for some hundredths of a second. The BLAS is only chosen where it leads clearly.
ProductChoice measureProducts(ThreadPool& pool);

// What follows from two measured rates.
ProductChoice chooseProducts(double ownBytesPerSecond, double blasBytesPerSecond);

} // namespace ep::model
