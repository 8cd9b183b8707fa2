// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/engine.h"

#include <string>
#include <vector>

namespace ep::session {

// FLOPs, bytes and time of each kind of component and section in a decoded token, on average over
// `tokens` tokens after the prompt, as the spans of a run have them. info: of such a run.
Result<std::vector<CalibratedKind>> measureTokenWork(model::Engine& engine, const RunInfo& info,
                                                     const std::vector<text::TokenId>& prompt,
                                                     int tokens, const CancelToken& cancel);

} // namespace ep::session
