// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/model/engine_library.h"

namespace ep::model {

// The number of threads for an engine if `asked` were requested (0: choose).
int chooseThreads(int asked);

// Passes on what LibTorch throws.
Result<MatmulTimes> timeMatmulsOf(const MatmulRequest& request);

} // namespace ep::model
