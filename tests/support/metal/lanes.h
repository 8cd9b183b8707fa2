// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

// A GPU threadgroup on one thread of the processor: every thread of the group runs until it waits
// for others, then the next one runs, so that a barrier that is missing or that not all threads
// reach is noticed.
namespace ep::test::metal {

inline constexpr unsigned kLanes = 32; // threads in a SIMD group

// Runs body(thread) for each thread of the group; their number is a multiple of kLanes. Rethrows
// exceptions of a body; throws std::logic_error if some threads wait for others that have ended or
// wait elsewhere.
void runGroup(unsigned threads, const std::function<void(unsigned thread)>& body);

// To be called within a body:
void waitForGroup(); // stands in for threadgroup_barrier()
float sumOfLanes(float value); // stands in for simd_sum()
unsigned currentLane();

} // namespace ep::test::metal
