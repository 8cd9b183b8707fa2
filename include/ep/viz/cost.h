// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/run.h"
#include "ep/core/run_breakdown.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace ep::viz {

// What the parts of a run cost. Net energy is what lies above the idle power of the machine.
enum class CostMetric : std::uint8_t { Time, Energy, NetEnergy };
inline constexpr std::array<CostMetric, 3> kCostMetrics{CostMetric::Time, CostMetric::Energy,
                                                        CostMetric::NetEnergy};
std::string_view title(CostMetric metric); // "Time", "Energy (gross)", "Energy (net)"
std::string_view unit(CostMetric metric); // "ms" or "mJ"

// Time and energy of one part, or of several added up.
struct Cost {
    Nanoseconds duration_ns = 0;
    std::optional<Millijoules> energy_mj;
    Nanoseconds energy_duration_ns = 0; // time of what has energy
    Provenance provenance = Provenance::Missing; // the worst of what has energy
    bool partial = false; // some of it has no energy: a lower bound
    std::optional<Millijoules> sd_mj; // only where it is known for the whole

    bool operator==(const Cost&) const = default;
    void add(const Cost& other); // the deviation of a sum is not known
    Cost operator-(const Cost& parts) const; // absent energy when either is absent
};
Cost costOf(const TimeRange& time, const EnergyValue& energy);
Cost costOf(const SpanSum& sum, Provenance ofToken); // at best attributed

// ms or mJ; absent when missing, for net energy also without a baseline. Net energy may be below 0.
std::optional<double> valueOf(const Cost& cost, CostMetric metric,
                              std::optional<Milliwatts> baseline);
std::optional<Milliwatts> baselineOf(const Run& run); // total idle power

// Whether the metric can be shown for this run at all.
bool available(const Run& run, CostMetric metric);

} // namespace ep::viz
