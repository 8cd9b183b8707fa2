// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/store/run_source.h"

#include <string>

namespace ep::app {

// The overhead of recording, the clock, and the effect on the run, one line
// each.
std::string profilingText(const Run& run);

// A table of the parts of layers over all tokens: components, each followed by its
// operations with their figures and the remainder. Empty at depth none. Errors are those of
// the source.
Result<std::string> partsText(const store::RunSource& run);

} // namespace ep::app
