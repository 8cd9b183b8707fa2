// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/time_range.h"
#include "ep/core/words.h"

#include <optional>
#include <span>
#include <vector>

namespace ep {

// One reading of a power source over its true window (never the requested interval).
struct PowerSample {
    TimeRange window; // monotonic clock
    PerRail<Milliwatts> power_mw; // mean over the window
    PerRail<Millijoules> energy_mj; // counter difference, if the source has counters
    std::optional<Milliwatts> total_mw; // totalOf(power_mw), or as reported by the source
    Nanoseconds arrival_ns = 0; // when the reading arrived
    Phase phase = Phase::Idle; // phase that covers most of the window (set by the energy area)
    double phase_confidence = 0.0; // share of the window inside that phase, 0..1
    bool modelled = false; // from a model of the machine instead of a sensor
    // Live only; a stored run keeps the summary in its PowerQuality.
    ThermalPressure thermal = ThermalPressure::Unknown;
    std::optional<float> cores_busy{}; // mean share of time in which the cores ran, 0..1

    bool operator==(const PowerSample&) const = default;
};

// Mean power over the sample's window: as reported, otherwise from its energy.
std::optional<Milliwatts> powerOf(const PowerSample& sample, Rail rail);
std::optional<Milliwatts> totalPowerOf(const PowerSample& sample);

// Fills in mean powers for known energies, the total and the arrival time.
PowerSample completed(PowerSample sample);
// Removes the total of a window that lacks a rail which the source otherwise has.
PowerSample withoutTotal(PowerSample sample);

// A counter that is published again after a long time produces a sample that overlaps others that
// lack its rail. Removes such samples and distributes their energy over the others, by time.
void foldLateReadings(std::vector<PowerSample>& samples);

// Windows of one source are consecutive. Gaps or overlaps of up to a tenth of the median window
// are errors of the timestamps; longer ones are lost time or duplicate readings.
Nanoseconds timestampTolerance(std::span<const PowerSample> samples);

} // namespace ep
