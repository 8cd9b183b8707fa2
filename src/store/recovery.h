// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

namespace ep::store {

// Turns a run whose recording stopped without an end into an interrupted one: derives its range,
// the phases prefill and decode, and its metrics from the committed tokens and samples. The range
// is that of the tokens, so the time to the first token counts from the start of the prefill.
void completeInterrupted(Run& run);

} // namespace ep::store
