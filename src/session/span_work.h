// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

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

// Fills in the work of every section and component that has none.
void estimateWork(RunTrace& trace, const RunInfo& info);

} // namespace ep::session
