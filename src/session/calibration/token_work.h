// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/calibration_record.h"
#include "ep/core/cancel.h"
#include "ep/core/result.h"
#include "ep/core/run.h"
#include "ep/model/config.h"
#include "ep/model/engine.h"

#include <string>
#include <vector>

namespace ep::session {

// Mean FLOPs, bytes and time of each kind of component and section in a decoded token, over
// `tokens` tokens after the prompt, from the spans of a run. info: of such a run;
// config: of the engine's model.
Result<std::vector<CalibratedKind>> measureTokenWork(model::Engine& engine, const RunInfo& info,
                                                     const model::ModelConfig& config,
                                                     const std::vector<text::TokenId>& prompt,
                                                     int tokens, const CancelToken& cancel);

} // namespace ep::session
