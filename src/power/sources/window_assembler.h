// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/power_sample.h"
#include "ep/core/time_range.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace ep::power {

// Energy gained by a counter, and the time in which it was gained.
struct Publication {
    TimeRange time;
    double energy_mj = 0.0;
};

// Determines when a counter's driver published the value read.
//
// Up to macOS 26 the energy counters advance continuously, and a difference belongs to the time
// between two readings. macOS 27 publishes most of them in batches, 0.4 to 2.2 s apart and on some
// machines much more: read ten times a second, they stand still and then jump. The driver
// timestamps what it publishes, so the difference belongs to the time between two timestamps. Some
// drivers publish the rest of a batch some milliseconds later: a batch is held until no such tail
// can follow, and the two are merged.
//
// Timestamps are not always reliable. A counter whose timestamp stands still while its value
// changes is timed by the readings at which it changed; one without timestamps, or with timestamps
// in the future, by every reading. Both decisions are permanent.
class PublicationClock {
public:
    // Maximum distance between batches, except on some machines where it is half an hour.
    static constexpr Nanoseconds kLongestBatch = 2'500'000'000;

    // fold: a publication that follows the previous one sooner than this is the previous one's
    // tail; at most half the interval of the readings.
    PublicationClock(std::optional<Nanoseconds> timestamp, Nanoseconds now, Nanoseconds fold);

    // Gain since the last call, timestamp of the driver, and time of the reading. Returns nothing
    // if nothing was published, or if a tail may follow.
    std::optional<Publication> observe(double advance_mj, std::optional<Nanoseconds> timestamp,
                                       Nanoseconds now);
    // Returns the publication that is held, if no further reading follows.
    std::optional<Publication> flush();
    // The counter has no value now, or has decreased: the energy gained since is lost.
    void lose(std::optional<Nanoseconds> timestamp, Nanoseconds now);

    // Assumes that nothing was gained up to this time: the next publication belongs to later time.
    void passOver(Nanoseconds time) { m_until = std::max(m_until, time); }

    Nanoseconds until() const { return m_until; } // energy is known up to here
    Nanoseconds published() const { return m_published; } // end of the previous publication

private:
    enum class By { Timestamp, Change, Reading };

    // End of the current publication; absent if nothing was published.
    std::optional<Nanoseconds> endOf(double advance_mj, std::optional<Nanoseconds> timestamp,
                                     Nanoseconds now);

    By m_by = By::Timestamp;
    Nanoseconds m_fold;
    Nanoseconds m_until;
    Nanoseconds m_published;
    std::optional<Nanoseconds> m_timestamp; // previous timestamp
    int m_liveInARow; // successive publications as new as their readings, at most kLiveInARow
    std::optional<Nanoseconds> m_held; // end of the held publication
    double m_pending = 0.0; // mJ since m_until
};

// Load of the machine at a point in time, known independently of its counters.
struct LoadFeatures {
    double cores_busy = 0.0; // 0..1
    double gpu_mw = 0.0; // 0 unless the GPU's counter is live

    static constexpr std::size_t kCount = 3; // including the constant
    std::array<double, kCount> values() const { return {1.0, cores_busy, gpu_mw}; }
};

// Learns from complete batches of a counter how its power depends on the load, to estimate when
// within a batch energy was used: power = a + b x cores busy + c x GPU power, with non-negative
// coefficients, by least squares. Useless terms are left out; without data, power is constant.
class LoadShape {
public:
    // A batch: the mean load and the mean power over the given number of seconds.
    void learn(const LoadFeatures& load, double power_mw, double seconds);
    // Estimated power under this load, mW; above 0. Before anything was learnt, 1 for every load.
    double weight(const LoadFeatures& load) const;

private:
    using Vector = std::array<double, LoadFeatures::kCount>;

    void fit();

    std::array<Vector, LoadFeatures::kCount> m_squares{}; // sum of f f^T, weighted by time
    Vector m_matmul{}; // sum of f x power
    double m_power = 0.0; // sum of power^2
    double m_mean = 0.0; // mean power of the fit over the learnt data
    Vector m_factors{};
};

// Reading of one counter.
struct CounterReading {
    Rail rail = Rail::Cpu; // rail of the counter; a rail is the sum of its counters
    std::optional<double> advance_mj; // gain since the previous reading; absent: no value
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
// it publishes later becomes a separate sample that covers them (foldLateReadings()
// distributes it). Not thread-safe.
class WindowAssembler {
public:
    static constexpr Nanoseconds kPatience = 10'000'000'000;

    // first: the reading that begins the first window. interval: the interval of readings.
    WindowAssembler(const std::vector<CounterReading>& first, Nanoseconds now,
                    Nanoseconds interval);

    // Adds a reading of the same counters, in the same order. Returns the completed samples in
    // order.
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
