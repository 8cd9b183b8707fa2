// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <optional>
#include <span>
#include <vector>

// Finds tokens during which the system took a processor away: they took longer, and their layers
// are charged with what the whole machine used meanwhile.
namespace ep {

// For each token whether it was disturbed: a decoded token that took a fifth longer than the
// median of the fifteen before and after it, and during which the program was preempted more
// often, or got a smaller share of its processors, than in their median. False if that is unknown.
std::vector<bool> disturbedTokens(std::span<const TokenSpan> tokens);

// Median energy of the undisturbed decoded tokens, per sequence, in J; absent without energies.
std::optional<double> joulesPerTypicalToken(std::span<const TokenSpan> tokens);

// Indices of the undisturbed decoded tokens, over which the typical token is the median.
std::vector<std::size_t> typicalTokens(std::span<const TokenSpan> tokens);

} // namespace ep
