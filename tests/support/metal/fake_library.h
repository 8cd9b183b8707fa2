// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/gpu_library.h"

#include <memory>
#include <string>
#include <vector>

namespace ep::test::metal {

enum class LibraryBehaviour {
    Right,
    Missing, // this LibTorch cannot compile kernels
    RefusesText, // the text does not compile
    WrongTiles, // one result of the kernel for many rows is 3 % too large
    NotNumbers, // the kernel for few rows returns NaN
    Throwing, // LibTorch throws when running a kernel
};

// What was requested from the fake libraries.
struct LibraryLog {
    std::vector<std::string> compiled; // kernel names in each text, "vector_.., tile_.."
    std::vector<std::string> run; // names of the kernels
};

// Replaces LibTorch's library of Metal kernels on a Mac: takes the same text, finds the kernels
// that it instantiates, and runs them, compiled as C++, on the processor's tensors.
std::unique_ptr<model::GpuLibrary> fakeLibrary(const model::GpuSource& source,
                                               LibraryBehaviour behaviour, LibraryLog& log);

// Metal as on a Mac, except for its compiler; log must outlive it. Without tiles, matmuls of many
// rows are done as on NVIDIA's GPUs.
model::GpuLanguage metalBy(LibraryBehaviour behaviour, LibraryLog& log, bool tiles = true);

} // namespace ep::test::metal
