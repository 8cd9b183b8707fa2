// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/energy_record.h"
#include "ep/core/energy_value.h"
#include "ep/core/power_sample.h"
#include "ep/energy/work_curve.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ep::energy {

// Energies are added up in whole picojoules, so that sums are exact. 64 bits would overflow at 9.2
// MJ, which a node of 5.6 kW uses in half an hour.
__extension__ typedef __int128 Picojoules;

// Rounded; at most 1e24 J, far beyond any reading and far below the largest sum.
Picojoules toPicojoules(Millijoules energy);
Millijoules fromPicojoules(Picojoules energy);

// Most values fit into 64 bits, where conversion is a single instruction.
inline double toDouble(Picojoules energy)
{
    const auto low = static_cast<std::int64_t>(energy);
    return low == energy ? static_cast<double>(low) : static_cast<double>(energy);
}

// Rounds to the nearest integer.
Picojoules roundedPicojoules(double energy);

// How the energy of a window is distributed over its time. Without a fit: evenly. With a fit: the
// static part (at most the window's energy) evenly, the rest in proportion to the cost of the
// work; with a known static part, time has a cost only inside the run.
struct SpreadRule {
    const WorkCurve* work = nullptr; // must outlive the timeline
    std::optional<CostFit> fit;
    PerRail<Milliwatts> static_mw;
    // The run, if windows may reach beyond it. If the static part is known, the time of such a
    // window outside the run gets the middle of two powers: the static part, and the window's mean
    // or, if lower, the mean of the next window outside.
    TimeRange run{};
    // Rails of the total that these samples lack, but other samples of the run have.
    std::vector<Rail> rails{};
};

// The rails among cpu, gpu, ane and dram that occur in any of the samples.
std::vector<Rail> railsOf(std::span<const PowerSample> samples);

// The part of a range with known energy.
struct KnownEnergy {
    std::optional<Millijoules> total_mj; // absent if nothing is known
    Nanoseconds covered_ns = 0;
};

// Energy over any time range of a series of samples; O(log n) per query.
//
// A cumulative energy in whole picojoules is defined for every instant and rail; the energy of a
// range is the difference of two of its values. So the energies of adjacent ranges add up exactly
// to that of their union, whatever the method of attribution, and the total is exactly the sum of
// its rails. A window's energy is its counter difference, otherwise mean power x true window.
//
// A window contains only what was measured in it. Time not covered by any window is missing; a
// counter that was read late covers its own gap, because its window begins at the previous reading.
// Gaps and overlaps within timestampTolerance() are errors of the timestamps and are joined. Larger
// overlaps with an earlier window are not counted twice.
//
// The total consists of the same rails everywhere: those of cpu, gpu, ane and dram that any window
// has, otherwise `system`, otherwise the samples' own totals. A window that lacks one of them has
// no total.
//
// Provenance of a result: Missing if part of the range has no total; otherwise Modelled if a
// modelled sample contributes; otherwise Measured if at least one whole window lies inside;
// otherwise Attributed. Rails that are known throughout are also returned if the total is missing.
class EnergyTimeline {
public:
    struct Window {
        TimeRange time;
        PerRail<Picojoules> rails_pj;
        std::optional<Picojoules> total_pj;
        Nanoseconds bridged_ns = 0; // joined gap (negative: overlap) before the window
        bool modelled = false;
    };

    // Samples sorted by window; empty windows are ignored. offsetNs is subtracted from every
    // window.
    explicit EnergyTimeline(std::span<const PowerSample> samples, SpreadRule rule = {},
                            Nanoseconds offsetNs = 0);

    // The time of a window before or after the run, whose power is not known exactly.
    struct Outside {
        std::size_t window = 0;
        TimeRange time;
        std::array<double, kRailCount> beyond_pj{}; // beyond the static part
        double sd_mj = 0.0; // of the total: an even distribution between the two bounds
    };
    const std::vector<Outside>& outside() const { return m_outside; }
    const TimeRange& run() const { return m_rule.run; }

    EnergyValue over(const TimeRange& range) const;
    // Returns only the total, which is faster for millions of spans.
    std::optional<Millijoules> totalOver(const TimeRange& range) const;
    std::optional<Picojoules> totalPicojoules(const TimeRange& range) const;
    // Energy of the covered part of the range.
    KnownEnergy known(const TimeRange& range) const;
    // Mean total power of the window that contains the instant.
    std::optional<Milliwatts> powerAt(Nanoseconds time) const;
    // Time inside the range that is covered by windows.
    Nanoseconds coveredNs(const TimeRange& range) const;

    // The windows after joining, in order.
    const std::vector<Window>& windows() const { return m_windows; }
    // Indices [first, last) of the windows that overlap the range.
    std::pair<std::size_t, std::size_t> touching(const TimeRange& range) const;
    // The rails that add up to the total; empty if only `system` or a total is known.
    const std::vector<Rail>& rails() const { return m_rails; }

private:
    static constexpr std::size_t kTotal = kRailCount; // index of the total, after the rails
    // Sums over the windows before index i; the list has n + 1 entries.
    struct Prefix {
        std::array<Picojoules, kRailCount + 1> pj{};
        std::array<std::uint32_t, kRailCount + 1> absent{};
        std::uint32_t modelled = 0;
        Nanoseconds covered_ns = 0;
        Nanoseconds known_ns = 0; // duration of windows with a total
    };
    // An instant, with values that are looked up only once for all rails.
    struct Place {
        std::size_t window = 0; // the first window that ends after the instant
        Nanoseconds time = 0;
        double share = 0.0; // fraction of that window before the instant
        WorkCurve::Work since{}; // work in that window before the instant
    };

    void join(std::span<const PowerSample> samples, Nanoseconds offsetNs);
    void addUp();
    void findOutside();
    void addOutside(std::size_t window, const TimeRange& time, std::optional<std::size_t> beside);
    double outsideUntil(const Place& place, std::size_t fitted) const;
    std::optional<Picojoules> totalOf(const Window& window) const;
    Place placeOf(Nanoseconds time) const;
    Picojoules part(const Place& place, std::size_t rail) const;
    Picojoules until(const Place& place, std::size_t rail) const;
    Picojoules totalUntil(const Place& place) const;
    template <typename InsideOf>
    Nanoseconds timeOf(const TimeRange& range, Nanoseconds Prefix::*sum, InsideOf insideOf) const;
    bool covers(const TimeRange& range, std::size_t first, std::size_t last) const;

    SpreadRule m_rule;
    std::vector<Rail> m_rails;
    std::vector<Window> m_windows;
    std::vector<Outside> m_outside;
    std::vector<Nanoseconds> m_ends; // ends of the windows, for the binary search
    std::vector<WorkCurve::Work> m_windowWork; // work in each window; empty without a fit
    std::vector<Prefix> m_prefix;
};

} // namespace ep::energy
