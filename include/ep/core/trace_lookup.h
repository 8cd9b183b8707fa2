// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <cstddef>
#include <span>

// Parts of a trace by binary search; they rely on the order that trace.h promises.
namespace ep {

std::span<const LayerSpan> layersOf(const RunTrace& trace, std::int32_t token);
std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token);
std::span<const ComponentSpan> componentsOf(const RunTrace& trace, std::int32_t token,
                                            std::int32_t layer);
std::span<const OperationSpan> operationsOf(const RunTrace& trace, std::int32_t token);

// The span of a phase, or null.
const PhaseSpan* findPhase(const RunTrace& trace, Phase phase);

// Tokens that the steps made, of all sequences; decoded: without those that the prefill made.
std::size_t outputTokens(std::span<const TokenSpan> steps);
std::size_t decodedTokens(std::span<const TokenSpan> steps);

} // namespace ep
