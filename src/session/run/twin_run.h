// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/cancel.h"
#include "ep/core/run.h"
#include "ep/model/engine.h"

#include <memory>
#include <vector>

namespace ep::session {

// A generation that was made before the one of the run, with the same prompt and seed, to see what
// the recording changes.
struct Rehearsal {
    std::vector<TimeRange> steps;
    std::vector<text::TokenId> tokens; // of the first sequence that was still going
};

// At most maxSteps of them; the observer may be null.
Result<Rehearsal> rehearse(model::Engine& engine, const model::GenerationRequest& request,
                           int maxSteps, model::Observer* observer, const CancelToken& cancel);

// Times of the steps that both have, and where their tokens part. Energies come with attribution
// (energy/twin.h).
TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens,
                       Nanoseconds runBegin);

// Time of the steps after the first that both have, in the run / in the rehearsal; nothing without
// such steps.
std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens);

} // namespace ep::session
