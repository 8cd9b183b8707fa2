// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/other_load.h"

#include "ep/core/trace.h"

#include <cstdint>
#include <string>
#include <vector>

// A run whose true energy is known down to components, and what a sensor would have shown of it.
namespace ep::test {

// Distribution of the factors of kinds; all with the standard deviation off_model / sqrt(3).
enum class FactorShape { Uniform, Normal, HeavyTails };

struct TruthShape {
    std::string name = "decode";
    int input_tokens = 8; // 0: decoding only, a one-token prefill
    int output_tokens = 64;
    int layers = 16;
    double time_mw = 0.0; // power while busy, independent of the work
    // Up to this share, the power of a component is higher or lower regardless of bytes and FLOPs.
    double off_model = 0.0;
    FactorShape factors = FactorShape::Uniform;
    double ramp = 0.0; // busy power starts higher by this share, fading within a second
    double drift = 0.0; // busy power varies by this share up and down during the run
    double bursts_per_s = 0.0; // bursts by other processes
    double burst_mw = 5000.0;
    double burst_ms = 30.0;
    Wave others = Wave::None; // power of another program, up to others_mw
    double others_mw = 10'000.0;
    bool rails = false; // FLOPs on gpu, bytes on dram, the rest on cpu; otherwise all on cpu
    double idle_s = 3.0; // idle time before and after the run
    std::uint32_t seed = 1;
};

struct Truth {
    RunTrace trace; // spans with work, but no energies or samples
    TimeRange idle; // idle time before the run
    // True energy in mJ, in the order of the trace.
    std::vector<double> component_mj;
    std::vector<double> section_mj;
    std::vector<double> phase_mj;

    // True energy of all rails, or of one, from the beginning of the idle time to an instant.
    double energyUntil(Nanoseconds time) const;
    double energyUntil(Nanoseconds time, Rail rail) const;
    double over(const TimeRange& range) const
    {
        return energyUntil(range.end_ns) - energyUntil(range.begin_ns);
    }

    std::vector<Nanoseconds> edges; // times at which power changes
    std::vector<double> energy_at_edge_mj;
    std::vector<double> gpu_at_edge_mj; // empty unless `rails` is set
    std::vector<double> dram_at_edge_mj;
    double idle_mw = 0.0;
    OtherLoad others;

private:
    double valueAt(const std::vector<double>& sums, Nanoseconds time, double after_mw) const;
};
Truth makeTruth(const TruthShape& shape);

// How a sensor sees it: contiguous windows of about interval_ms + excess on a clock that drifts;
// energies in whole steps of a running counter, with relative noise; readings arrive late.
struct SensorShape {
    double interval_ms = 100.0;
    double excess_ms = 8.0; // 3 to 29 ms on real machines
    double jitter_ms = 1.5; // variation of a window's length, either way
    double delay_ms = 6.0; // mean delay between a window's end and the arrival
    double drift_ppm = 20.0; // drift of the sensor's clock
    double step_mj = 1.0;
    double noise = 0.005;
    double timestamp_ms = 0.0; // the ends of windows are off by up to this much either way
    double lost = 0.0; // share of readings that never arrive: the next window is longer
    std::uint32_t seed = 7;
};
struct Reading {
    TimeRange true_window; // on the run's clock
    TimeRange stamped; // according to its timestamps
    Nanoseconds elapsed_ns = 0; // on the sensor's clock
    Nanoseconds arrival_ns = 0;
    double energy_mj = 0.0; // all rails together
    PerRail<double> rails_mj; // only cpu, or cpu, gpu and dram
};
std::vector<Reading> readSensor(const Truth& truth, const SensorShape& shape);

} // namespace ep::test
