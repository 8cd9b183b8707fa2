// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"
#include "ep/core/tally.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::viz {

// The cost of the parts of a run. Net energy is the energy above the idle power of the machine.
enum class CostMetric : std::uint8_t { Time, Energy, NetEnergy };
inline constexpr std::array<CostMetric, 3> kCostMetrics{CostMetric::Time, CostMetric::Energy,
                                                        CostMetric::NetEnergy};
std::string_view title(CostMetric metric); // "Time", "Energy (gross)", "Energy (net)"
std::string_view unit(CostMetric metric); // "ms" or "mJ"

// In ms or mJ; absent if missing. Net energy needs a baseline and may be negative.
std::optional<double> valueOf(const Tally& cost, CostMetric metric,
                              std::optional<Milliwatts> baseline);
std::optional<Milliwatts> baselineOf(const Run& run); // total idle power

// Whether the metric can be shown for this run at all.
bool available(const Run& run, CostMetric metric);

} // namespace ep::viz
