// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/result.h"

#include <cstddef>

namespace ep::model {

// Fails if that many sequences cannot be computed together with a draft or the prompt cache.
Status checkSequences(std::size_t sequences, bool draftsOrCaches);

} // namespace ep::model
