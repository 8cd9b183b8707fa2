// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"

// Which energies of a request to another server are valid. Its record lists each refusal in one
// sentence; a refused energy is missing, not zero. Pure; applying it again changes nothing.
namespace ep::energy {

// Number of windows that a phase must contain; with fewer, the sensor cannot resolve it.
inline constexpr double kMinPhaseWindows = 10.0;
// Largest share of all cores that programs other than the server may use.
inline constexpr double kMaxOtherLoad = 0.2;
// Largest difference between the decode time by our clock and by the server's.
inline constexpr Nanoseconds kMaxClockDifference = 50'000'000;
inline constexpr double kMaxClockDifferenceShare = 0.03;

// Removes:
//  all energies, if other programs used more than kMaxOtherLoad, or if the request overlapped with
//    others and has no share of their energy;
//  the energies of phases and tokens, if the clocks disagree about the decode, or the answer came
//    without a final message;
//  those of a phase that is too short, and of its tokens.
// Rewrites the record's refusals and the figures. Does nothing to a run of our own engine.
void applyServerRules(Run& run);

} // namespace ep::energy
