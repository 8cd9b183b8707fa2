// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

namespace ep::model {

// The number of threads of an engine that was asked for `asked` (0: choose).
int chooseThreads(int asked);

// Throws what LibTorch throws.
Result<ProductTimes> timeProductsOf(const ProductRequest& request);

} // namespace ep::model
