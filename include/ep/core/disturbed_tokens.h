// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/trace.h"

#include <optional>
#include <span>
#include <vector>

// Finds tokens during which the system preempted the program. Such tokens take longer, and their
// layers are charged with the energy that the whole machine used meanwhile.
namespace ep {

// Says for each token whether it was disturbed: a disturbed token is a decoded one that took a
// fifth longer than the median of the fifteen tokens before and after it, and during which the
// program was preempted more often, or got a smaller share of its processors, than in the median of
// these tokens. False if that is unknown.
std::vector<bool> disturbedTokens(std::span<const TokenSpan> tokens);

// Median energy of the undisturbed decoded tokens, per sequence, in J; absent without energies.
std::optional<double> joulesPerTypicalToken(std::span<const TokenSpan> tokens);

// Indices of the undisturbed decoded tokens; the typical token is their median.
std::vector<std::size_t> typicalTokens(std::span<const TokenSpan> tokens);

} // namespace ep
