// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_value.h"
#include "ep/core/power_sample.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ep::energy {

// Energy over any time range of a series of samples, O(log n) a question (prefix sums).
//
// A window's energy (its counter difference, else mean power x true window) is spread evenly over
// the window; a window that straddles the range's border counts in proportion. Windows that overlap
// or leave gaps of up to one median window are joined first: a counter's difference belongs to the
// whole time since the reading before. Sums over adjacent ranges therefore equal the sum over their
// union.
//
// Provenance of an answer: Missing when part of the range has no window; else Modelled when a
// modelled sample contributes; else Measured when at least one whole window lies inside; else
// Attributed.
class EnergyTimeline {
public:
    // Samples sorted by window; empty windows are ignored.
    explicit EnergyTimeline(std::span<const PowerSample> samples);

    EnergyValue over(const TimeRange& range) const;
    // Only the total; cheaper, for millions of spans.
    std::optional<Millijoules> totalOver(const TimeRange& range) const;
    // Mean total power of the window that holds the instant.
    std::optional<Milliwatts> powerAt(Nanoseconds time) const;
    // Time inside the range that some window covers.
    Nanoseconds coveredNs(const TimeRange& range) const;

private:
    struct Window {
        TimeRange time;
        PerRail<Millijoules> rails;
        std::optional<Millijoules> total;
        bool modelled = false;
    };
    // Sums over the windows before index i; entry i of a list of n + 1.
    struct Prefix {
        std::array<double, kRailCount> rail_mj{};
        std::array<std::uint32_t, kRailCount> rail_absent{};
        double total_mj = 0.0;
        std::uint32_t total_absent = 0;
        std::uint32_t modelled = 0;
        Nanoseconds covered_ns = 0;
    };
    struct Overlap; // which windows a range touches, and how much of the outermost ones
    Overlap overlapWith(const TimeRange& range) const;

    std::vector<Window> m_windows;
    std::vector<Prefix> m_prefix;
};

} // namespace ep::energy
