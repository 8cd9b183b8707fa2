// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

#include <string>

namespace ep::app {

// What the recording took, which attention and clock it had, and what it changed; a line each, each
// with a line break.
std::string profilingText(const Run& run);

// A table of the parts of the layers over all tokens: components, below each its operations with
// their figures and the remainder. Empty at depth none.
std::string partsText(const Run& run);

} // namespace ep::app
