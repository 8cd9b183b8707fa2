// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "thread_pool.h"

#include <cstdint>
#include <string>

namespace ep::model {

// How to multiply one row of activations by a matrix of f32 weights: with our kernels, or the BLAS
// behind LibTorch. Which is faster depends on the machine (Macs have a dedicated matrix unit).
struct ProductChoice {
    bool own = true;
    std::string reason; // description: "12.1 GB/s, LibTorch 9.8 GB/s"
};

// Measures both for some hundredths of a second. The BLAS is chosen only if it is clearly faster.
ProductChoice measureProducts(ThreadPool& pool);

// The choice for two measured rates.
ProductChoice chooseProducts(double ownBytesPerSecond, double blasBytesPerSecond);

} // namespace ep::model
