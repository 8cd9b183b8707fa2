// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/model/config.h"

namespace ep::session {

// Shape of one step: rows of new positions over all sequences, and the mean number of positions
// that each of them attends to.
struct StepShape {
    double rows = 1.0;
    double context = 1.0;
    double sequences = 1.0;
};

// FLOPs and bytes of a part of one layer, from the model's sizes: 2 FLOPs per weight and row;
// weights, inputs and outputs transferred once; keys and values read once per sequence. Absent for
// unknown parts.
std::optional<SpanWork> componentWork(const ModelFacts& model, Component component,
                                      const StepShape& step);
std::optional<SpanWork> sectionWork(const ModelFacts& model, Section section,
                                    const StepShape& step);

// Fills in the work of the sections and components known to the analytic model
// (ep/model/analytic.h).
void analyticWork(RunTrace& trace, const RunInfo& info, const model::ModelConfig& config);

// Estimates the work of the remaining parts from the sizes alone.
void estimateWork(RunTrace& trace, const RunInfo& info);

} // namespace ep::session
