// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <cstddef>
#include <span>

// Finds parts of a trace by binary search; relies on the order specified in trace.h.
namespace ep {

std::span<const LayerSpan> layersOf(const RunTrace& trace, std::int32_t token);
std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token);
std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token,
                                            std::int32_t layer);
std::span<const OperationSpan> operationsOf(const RunTrace& trace, std::int32_t token);

// The span of a phase, or null.
const PhaseSpan* findPhase(const RunTrace& trace, Phase phase);

// Number of tokens produced over all sequences; decoded: without the prefill's.
std::size_t outputTokens(std::span<const TokenSpan> steps);
std::size_t decodedTokens(std::span<const TokenSpan> steps);

} // namespace ep
