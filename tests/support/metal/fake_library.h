// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metal/metal_library.h"

#include <memory>
#include <string>
#include <vector>

namespace ep::test::metal {

enum class LibraryBehaviour {
    Right,
    Missing, // this LibTorch compiles nothing
    RefusesText, // the text does not compile
    WrongTiles, // one result of a kernel for many rows is 3 % too large
    NotNumbers, // the kernel for few rows gives NaN
    Throwing, // LibTorch throws when a kernel is run
};

// What was asked of the fake libraries.
struct LibraryLog {
    std::vector<std::string> compiled; // names of the kernels of each text, "vector_.., tile_.."
    std::vector<std::string> run; // kernels
};

// Stands in for LibTorch's library of Metal kernels on a Mac: takes the same text, finds the
// kernels that it instantiates, and runs them, compiled as C++, on tensors of the processor.
std::unique_ptr<model::MetalLibrary> fakeLibrary(const std::string& source,
                                                 LibraryBehaviour behaviour, LibraryLog& log);

// The same as a function of the text; log has to outlive it.
model::CompileMetal compilesBy(LibraryBehaviour behaviour, LibraryLog& log);

} // namespace ep::test::metal
