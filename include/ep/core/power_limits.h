// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/units.h"
#include "ep/core/words.h"

#include <array>
#include <cstddef>

// Default and largest settings of power sources, and the largest believable powers.
namespace ep {

inline constexpr double kMaxWatts = 1e6; // of a modelled machine
inline constexpr int kUsualIntervalMs = 100; // between two samples
inline constexpr int kMaxIntervalMs = 60'000;

// The most that a rail can draw, judged by the largest machines of 2026: up to 8 processors and 16
// accelerators, or a rack whose power meter counts as that of one machine. More is no power.
struct MostPower {
    Rail rail;
    Milliwatts machine;
    Milliwatts device; // one card, processor or memory
};
inline constexpr std::array<MostPower, kRailCount> kMostPower{{{Rail::Cpu, {10e6}, {2e6}},
                                                               {Rail::Gpu, {30e6}, {3e6}},
                                                               {Rail::Ane, {1e6}, {1e6}},
                                                               {Rail::Dram, {10e6}, {2e6}},
                                                               {Rail::System, {200e6}, {200e6}}}};
constexpr const MostPower& mostPower(Rail rail)
{
    return kMostPower[static_cast<std::size_t>(rail)];
}
static_assert(mostPower(Rail::System).rail == Rail::System);

// A device may exceed its rated power by this factor for short times.
inline constexpr double kAboveRated = 1.2;

} // namespace ep
