// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep::session {

std::string applicationVersion(); // "0.1.0"
std::string builtFromCommit(); // "4f2a91c0d3e8"; empty if not built from a git checkout
std::string builtWithTorch(); // "1.13.0": the LibTorch whose headers the engine was compiled with

// Describes this machine: operating system, model, processor, threads, version of the program.
// Leaves the engine's fields (torch_version, blas) empty. Any thread; reads a few files.
Environment readEnvironment();

} // namespace ep::session
