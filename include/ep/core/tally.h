// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/time_range.h"

#include <cstdint>
#include <optional>

namespace ep {

// Time and energy of one node of a run's tree, or of several added up: the one place that says what
// a sum with missing parts is. Its energy is that of the parts that have one (a lower bound), and
// uncovered_ns() says for how much of the time there is none. Nothing known: no energy, never zero.
struct Tally {
    Nanoseconds duration_ns = 0;
    std::int64_t spans = 0;
    std::optional<Millijoules> energy_mj; // of the spans that have one
    std::int64_t energy_spans = 0;
    Nanoseconds energy_duration_ns = 0; // of the spans that have an energy
    Provenance provenance = Provenance::Missing; // the worst of those that have an energy
    std::optional<Millijoules> sd_mj{}; // of a single node; that of a sum is not known

    bool operator==(const Tally&) const = default;

    void add(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how);
    void add(const Tally& other);
    // Whole minus parts: what the children leave unexplained. Without an energy when that of the
    // whole or of any part is missing; below zero where children overlap.
    Tally operator-(const Tally& parts) const;

    bool partial() const
    {
        return energy_mj && (energy_spans < spans || energy_duration_ns < duration_ns);
    }
    Nanoseconds uncovered_ns() const { return duration_ns - energy_duration_ns; }
    // The energy only where no part of it is missing.
    std::optional<Millijoules> complete() const { return partial() ? std::nullopt : energy_mj; }
};

Tally tallyOf(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how);
Tally tallyOf(const TimeRange& time, const EnergyValue& energy);

} // namespace ep
