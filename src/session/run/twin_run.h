// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/run.h"
#include "ep/model/engine.h"

#include <memory>
#include <vector>

namespace ep::session {

// A generation before the run, with the same prompt and seed, that shows the effect of
// recording.
struct Rehearsal {
    std::vector<TimeRange> steps;
    std::vector<text::TokenId> tokens; // from the first sequence still generating
};

// Runs at most maxSteps steps; the observer may be null.
Result<Rehearsal> rehearse(model::Engine& engine, const model::GenerationRequest& request,
                           int maxSteps, model::Observer* observer, const CancelToken& cancel);

// Times of the steps in both, and the first position where the tokens differ. Energies are added
// by attribution.
TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens,
                       Nanoseconds runBegin);

// Time of the common steps after the first, run / rehearsal; absent if there are no such
// steps.
std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens);

} // namespace ep::session
