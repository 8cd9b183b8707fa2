// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

// A threadgroup of a GPU on one thread of the processor: every thread of the group runs until it
// waits for others, then the next one, so that a barrier that is missing or that not all threads
// reach shows.
namespace ep::test::metal {

inline constexpr unsigned kLanes = 32; // threads of a SIMD group

// Runs body(thread) for each thread of the group; a multiple of kLanes. Rethrows what a body
// throws; throws std::logic_error if some threads wait for others that have ended or wait
// elsewhere.
void runGroup(unsigned threads, const std::function<void(unsigned thread)>& body);

// Within a body:
void waitForGroup(); // threadgroup_barrier()
float sumOfLanes(float value); // simd_sum()
unsigned currentLane();

} // namespace ep::test::metal
