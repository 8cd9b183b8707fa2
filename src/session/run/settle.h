// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "run/prepare.h"

#include "ep/core/cancel.h"
#include "ep/core/run.h"
#include "ep/core/units.h"
#include "ep/model/engine.h"

#include <optional>
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

// The times of the steps in both runs, and the first position where the tokens differ. Energies are
// added by attribution.
TwinRecord compareTwin(const Rehearsal& clean, const std::vector<TokenSpan>& tokens,
                       Nanoseconds runBegin);

// Time of the common steps after the first, run / rehearsal; absent if there are no such
// steps.
std::optional<double> slowdown(const Rehearsal& rehearsal, const std::vector<TokenSpan>& tokens);

// Whether the times of a warm-up's steps have settled: the coefficient of variation (standard
// deviation / mean) of the last eight is below a limit.
class SettledCheck {
public:
    explicit SettledCheck(double limit); // 0 or less: never settled

    void add(Nanoseconds stepTime);
    bool reached() const;

private:
    double m_limit;
    std::vector<double> m_times; // the last ones, oldest first
};

// Generations before the run, with its prompts and seed, that show the effect of
// recording.
struct Rehearsals {
    std::optional<Rehearsal> clean; // without recording
    std::optional<Rehearsal> inexact; // recorded without waiting for the device
};

// Starts the power source, measures the idle machine, warms up, and rehearses as requested.
Result<Rehearsals> settleRun(const RunScope& scope, PreparedRun& prepared, const RunInfo& info);

} // namespace ep::session
