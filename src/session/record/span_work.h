// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/model/config.h"

namespace ep::session {

// Shapes of one step: rows of new positions of all sequences, and how many positions each of them
// looks at on average.
struct StepShape {
    double rows = 1.0;
    double context = 1.0;
    double sequences = 1.0;
};

// FLOPs and bytes of a part of one layer, from the model's sizes: 2 FLOPs for each weight and row;
// weights, inputs and outputs moved once; keys and values read once for each sequence. Nothing for
// parts that are not known.
std::optional<SpanWork> componentWork(const ModelFacts& model, Component component,
                                      const StepShape& step);
std::optional<SpanWork> sectionWork(const ModelFacts& model, Section section,
                                    const StepShape& step);

// Fills in the work of the sections and components that the model's arithmetic knows
// (ep/model/analytic.h).
void analyticWork(RunTrace& trace, const RunInfo& info, const model::ModelConfig& config);

// Fills in, from the sizes alone, the work of those that have none then.
void estimateWork(RunTrace& trace, const RunInfo& info);

} // namespace ep::session
