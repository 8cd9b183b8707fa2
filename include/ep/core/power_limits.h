// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The usual and the largest values of settings of power sources, for every place that takes them.
namespace ep {

inline constexpr double kMaxWatts = 1e6; // of a modelled machine
inline constexpr int kUsualIntervalMs = 100; // between two samples
inline constexpr int kMaxIntervalMs = 60'000;

} // namespace ep
