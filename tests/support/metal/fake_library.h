// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metal/metal_library.h"

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
std::unique_ptr<model::MetalLibrary> fakeLibrary(const std::string& source,
                                                 LibraryBehaviour behaviour, LibraryLog& log);

// The same as a function of the text; log must outlive it.
model::CompileMetal compilesBy(LibraryBehaviour behaviour, LibraryLog& log);

} // namespace ep::test::metal
