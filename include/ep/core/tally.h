// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/time_range.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ep {

struct Span;

// Time and energy of one node of a run's tree, or of a sum of nodes; the only definition of sums
// with missing parts. The energy is the sum of the known parts (a lower bound), and uncovered_ns()
// is the time without energy. If nothing is known, there is no energy, never zero.
struct Tally {
    Nanoseconds duration_ns = 0;
    std::int64_t spans = 0;
    std::optional<Millijoules> energy_mj; // sum over the spans that have an energy
    std::int64_t energy_spans = 0;
    Nanoseconds energy_duration_ns = 0; // duration of the spans that have an energy
    Provenance provenance = Provenance::Missing; // the worst of the spans that have an energy
    // Standard deviation of the energy; for a sum, the sum of its parts' deviations: parts of one
    // kind share their error (energy/split_model.h), for others it is an upper bound. Unknown if
    // any part with energy has an unknown deviation.
    std::optional<Millijoules> sd_mj{};

    bool operator==(const Tally&) const = default;

    void add(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how,
             std::optional<Millijoules> sd = std::nullopt);
    void add(const Tally& other);
    // Whole minus parts: what the children do not explain. Has no energy if the whole's or any
    // part's is missing; negative if children overlap.
    Tally operator-(const Tally& parts) const;

    bool partial() const
    {
        return energy_mj && (energy_spans < spans || energy_duration_ns < duration_ns);
    }
    Nanoseconds uncovered_ns() const { return duration_ns - energy_duration_ns; }
    // The energy, if no part of it is missing.
    std::optional<Millijoules> complete() const { return partial() ? std::nullopt : energy_mj; }
};

Tally tallyOf(Nanoseconds duration, std::optional<Millijoules> energy, Provenance how,
              std::optional<Millijoules> sd = std::nullopt);
Tally tallyOf(const TimeRange& time, const EnergyValue& energy);
// The energy of a part of a step is a share of its token's, which is attributed at best.
Tally tallyOf(const Span& span, Provenance ofToken = Provenance::Attributed);

// "12.3 mJ"; "≥ 12.3 mJ" if part of the energy is missing.
std::string formatEnergy(const Tally& sum);

} // namespace ep
