// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <optional>
#include <span>
#include <vector>

// A token during which the system took a processor away took longer, and its layers are charged
// with what the whole machine used meanwhile.
namespace ep {

// For each token whether it was disturbed: a decoded one that took a fifth longer than the median
// of the fifteen before and after it, during which the program was preempted more often, or had a
// smaller part of its processors, than in the median of those. False where that is not known.
std::vector<bool> disturbedTokens(std::span<const TokenSpan> tokens);

// Median energy of the undisturbed decoded tokens, per sequence, in J; absent without energies.
std::optional<double> joulesPerTypicalToken(std::span<const TokenSpan> tokens);

// Indices of the undisturbed decoded tokens, of which a typical one is the median.
std::vector<std::size_t> typicalTokens(std::span<const TokenSpan> tokens);

} // namespace ep
