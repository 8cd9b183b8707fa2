// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/store/run_source.h"

#include <string>

namespace ep::app {

// A table of the parts of layers over all tokens: components, each followed by its operations with
// their figures and the remainder. Empty at depth none. Fails if the source does.
Result<std::string> partsText(const store::RunSource& run);

} // namespace ep::app
