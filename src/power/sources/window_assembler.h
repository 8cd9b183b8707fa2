// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/load_shape.h"
#include "sources/publication_clock.h"

#include "ep/core/power_sample.h"

#include <array>
#include <deque>
#include <optional>
#include <vector>

namespace ep::power {

// Reading of one counter.
struct CounterReading {
    Rail rail = Rail::Cpu; // rail of the counter; a rail is the sum of its counters
    std::optional<double> advance_mj; // gain since the previous reading; absent: it has no value
    std::optional<Nanoseconds> timestamp; // the driver's, on the host's monotonic clock
};

// Other values of a reading, copied into the sample of the window that ends with it.
struct MachineReading {
    std::optional<Milliwatts> system_mw; // mean over the window
    std::optional<float> cores_busy;
    ThermalPressure thermal = ThermalPressure::Unknown;
};

// Builds samples of equal windows, from one reading to the next, from counters that are published
// at their own times (PublicationClock). A window waits until every rail has been published up to
// its end; within a batch, energy is distributed by load (LoadShape). The GPU and the neural
// engine may use nothing, so if they publish nothing for longer than a batch, that counts as zero.
// Any other rail that publishes nothing for 10 s is missing from the windows in the meantime; what
// it publishes later becomes a separate sample that covers them (foldLateReadings() in
// late_readings.h distributes it). Not thread-safe.
class WindowAssembler {
public:
    static constexpr Nanoseconds kPatience = 10'000'000'000;

    // first: the reading that begins the first window. interval: the interval of readings.
    WindowAssembler(const std::vector<CounterReading>& first, Nanoseconds now,
                    Nanoseconds interval);

    // The same counters in the same order. Returns the samples that they complete, in order.
    std::vector<PowerSample> add(const std::vector<CounterReading>& counters,
                                 const MachineReading& machine, Nanoseconds now);
    // Returns the windows that still wait; rails not published up to their ends are missing.
    std::vector<PowerSample> finish(Nanoseconds now);

    // The rails that have a counter published in batches.
    std::vector<Rail> railsInBatches() const;

private:
    struct Counter {
        Rail rail;
        PublicationClock clock;
        LoadShape shape;
        bool in_batches = false;
    };
    struct Window {
        PowerSample sample; // energies of the rails that always had a value
        std::array<double, kRailCount> energy_mj{}; // published so far
        std::array<bool, kRailCount> lost{}; // whether a counter had no value in the window
    };

    void take(Counter& counter, const Publication& publication, Nanoseconds now,
              std::vector<PowerSample>& late);
    Nanoseconds settledUntil(Rail rail) const; // the earliest of all of its counters
    bool ready(const Window& window, Nanoseconds now) const;
    void loseValue(Counter& counter, const CounterReading& reading, Nanoseconds now);
    bool quiet(const Counter& counter, Nanoseconds now) const;
    PowerSample completedSample(const Window& window, Nanoseconds now) const;

    std::vector<Counter> m_counters;
    std::vector<Rail> m_rails; // rails that have counters
    std::deque<Window> m_windows; // windows that still wait
    Nanoseconds m_last; // end of the newest window
    Nanoseconds m_interval;
};

} // namespace ep::power
