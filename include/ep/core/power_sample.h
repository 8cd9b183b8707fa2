// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/time_range.h"
#include "ep/core/words.h"

#include <optional>
#include <span>

namespace ep {

// One reading of a power source over its true window (never the requested interval).
struct PowerSample {
    TimeRange window; // monotonic clock
    PerRail<Milliwatts> power_mw; // mean over the window
    PerRail<Millijoules> energy_mj; // counter difference where the source has counters
    std::optional<Milliwatts>
        total_mw; // totalOf(power_mw), kept as reported by the source if it does
    Nanoseconds arrival_ns = 0; // when the reading reached us
    Phase phase = Phase::Idle; // phase that covers most of the window (set by the energy area)
    double phase_confidence = 0.0; // share of the window inside that phase, 0..1
    bool modelled = false; // from a model of the machine, not from a sensor
    // Of the moment only; a stored run keeps what its PowerQuality says of them.
    ThermalPressure thermal = ThermalPressure::Unknown;
    std::optional<float> cores_busy{}; // mean share of time in which the cores ran, 0..1

    bool operator==(const PowerSample&) const = default;
};

// Windows of one source follow each other; where they miss or overlap by no more than this, a tenth
// of the median window, their stamps are off. Anything longer is lost time, or a reading twice.
Nanoseconds stampTolerance(std::span<const PowerSample> samples);

} // namespace ep
