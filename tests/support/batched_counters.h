// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sources/window_assembler.h"

#include <array>
#include <random>
#include <vector>

namespace ep::test {

// A machine that publishes its energy counters in batches, as macOS 27 does.
struct BatchShape {
    std::uint32_t seed = 1;
    double least_batch_s = 0.4;
    double most_batch_s = 2.2;
    double phase_s = 10.0; // shortest phase; the longest one takes twice as long
    int phases = 5;
};

// The machine's power follows the load, which changes from phase to phase and fluctuates within
// one. CPU and DRAM are published together in batches, the rest of each batch some milliseconds
// later; the GPU counter is live. Counters have steps of 1 mJ. The measured load is not exact.
class BatchedMac {
public:
    explicit BatchedMac(const BatchShape& shape);

    Nanoseconds now() const { return m_now; }
    bool wait(); // to the next reading; false once the run is over and everything published
    std::vector<power::CounterReading> read(); // CPU, GPU, DRAM
    float busy() const { return m_busy; } // between the last two readings

    TimeRange run() const { return {m_phases.front().begin_ns, m_phases.back().end_ns}; }
    const std::vector<TimeRange>& phases() const { return m_phases; }
    static bool isIdle(std::size_t phase) { return phase % 3 == 0; }
    double energyOf(Rail rail, const TimeRange& time) const; // true energy, mJ
    double energyOf(const TimeRange& time) const; // all three rails
    double mostPower(Rail rail) const; // highest power ever drawn, mW
    double largestBatch() const { return m_largestBatch; } // mJ, both rails together

private:
    // A period of constant load.
    struct Piece {
        TimeRange time;
        double busy = 0.0;
        double gpu_mw = 0.0;
        std::array<double, kRailCount> before_mj{}; // energy used by each rail before it begins
    };
    struct Batched {
        double published = 0.0; // counter value, mJ
        double rest = 0.0; // rest of the last batch, published with the tail
        double read = 0.0;
    };

    static double power(Rail rail, const Piece& piece); // in mW
    double energy(Rail rail, Nanoseconds until) const; // since the beginning
    double busyOver(const TimeRange& time) const;
    const Piece& pieceAt(Nanoseconds time) const;
    void publish(Nanoseconds until);
    double between(double least, double most);

    BatchShape m_shape;
    std::mt19937 m_random;
    std::vector<Piece> m_pieces;
    std::vector<TimeRange> m_phases;
    Nanoseconds m_now = 0;
    float m_busy = 0.0F;
    Nanoseconds m_timestamp = 0; // time of the last publication
    Nanoseconds m_nextBatch = 0;
    Nanoseconds m_nextTail = 0; // 0: no tail pending
    Batched m_cpu;
    Batched m_dram;
    double m_gpuRead = 0.0;
    double m_largestBatch = 0.0;
};

} // namespace ep::test
