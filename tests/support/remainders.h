// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/tally.h"
#include "ep/core/trace.h"

// The part of a node of a trace that its children do not explain; the sums of all views rely on it
// never being negative. The energy is absent if the node's or any child's is.
namespace ep::test {

Tally remainderOfPhase(const RunTrace& trace, const PhaseSpan& phase); // phase - sections
Tally remainderOfToken(const RunTrace& trace, const TokenSpan& token); // token - sections
Tally remainderOfLayers(const RunTrace& trace, const Span& layers); // `layers` - layers
Tally remainderOfLayer(const RunTrace& trace, const Span& layer); // layer - components

} // namespace ep::test
