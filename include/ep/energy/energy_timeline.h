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

// Energies are added up in whole picojoules, so that sums are exact: 2^63 pJ are 9.2 MJ.
std::int64_t toPicojoules(Millijoules energy);
Millijoules fromPicojoules(std::int64_t energy);

// How the energy of a window is spread over its time. Without a fit: evenly. With one: the static
// part (at most the window's energy) evenly, the rest in proportion to the cost of what is done;
// where a static part is known, time costs only inside the run.
struct SpreadRule {
    const WorkCurve* work = nullptr; // must outlive the timeline
    std::optional<CostFit> fit;
    PerRail<Milliwatts> static_mw;
};

// Energy over any time range of a series of samples, O(log n) a question.
//
// A cumulative energy in whole picojoules is defined for every instant and rail; the energy of a
// range is the difference of two of its values. So the energies of adjacent ranges add up to that
// of their union exactly, whatever the rule of spreading, and the total is exactly the sum of its
// rails. A window's energy is its counter difference, else mean power x true window. Windows that
// overlap or leave gaps of up to one median window are joined first: a counter's difference belongs
// to the whole time since the reading before.
//
// Provenance of an answer: Missing when part of the range has no window; else Modelled when a
// modelled sample contributes; else Measured when at least one whole window lies inside; else
// Attributed.
class EnergyTimeline {
public:
    struct Window {
        TimeRange time;
        PerRail<std::int64_t> rails_pj;
        std::optional<std::int64_t> total_pj;
        bool modelled = false;
    };

    // Samples sorted by window; empty windows are ignored. offsetNs is taken off every window.
    explicit EnergyTimeline(std::span<const PowerSample> samples, SpreadRule rule = {},
                            Nanoseconds offsetNs = 0);

    EnergyValue over(const TimeRange& range) const;
    // Only the total; cheaper, for millions of spans.
    std::optional<Millijoules> totalOver(const TimeRange& range) const;
    std::optional<std::int64_t> totalPicojoules(const TimeRange& range) const;
    // Mean total power of the window that holds the instant.
    std::optional<Milliwatts> powerAt(Nanoseconds time) const;
    // Time inside the range that some window covers.
    Nanoseconds coveredNs(const TimeRange& range) const;

    // The joined windows, in order.
    const std::vector<Window>& windows() const { return m_windows; }
    // Indices [first, last) of those that touch the range.
    std::pair<std::size_t, std::size_t> touching(const TimeRange& range) const;

private:
    static constexpr std::size_t kTotal = kRailCount; // index of the total beside the rails
    // Sums over the windows before index i; entry i of a list of n + 1.
    struct Prefix {
        std::array<std::int64_t, kRailCount + 1> pj{};
        std::array<std::uint32_t, kRailCount + 1> absent{};
        std::uint32_t modelled = 0;
        Nanoseconds covered_ns = 0;
    };
    // An instant, with what is looked up once for all rails.
    struct Place {
        std::size_t window = 0; // the first that ends after it
        Nanoseconds time = 0;
        double share = 0.0; // of that window's time, before the instant
        WorkCurve::Work since{}; // of that window, before the instant
    };

    void join(std::span<const PowerSample> samples, Nanoseconds offsetNs);
    void addUp();
    Place placeOf(Nanoseconds time) const;
    std::int64_t until(const Place& place, std::size_t rail) const;
    std::int64_t totalUntil(const Place& place) const;
    bool covers(const TimeRange& range, std::size_t first, std::size_t last) const;

    SpreadRule m_rule;
    std::vector<Window> m_windows;
    std::vector<WorkCurve::Work> m_windowWork; // of each window; empty without a fit
    std::vector<Prefix> m_prefix;
    bool m_railsMakeTotal = true; // in every window the total is the sum of cpu, gpu, ane, dram
};

} // namespace ep::energy
