// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/format.h"
#include "ep/energy/statistics.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The costs of work on a machine, in one number format on one device: the roofline model of energy
// (Choi, Bedard, Fowler, Vuduc 2013). A node that computes W FLOPs, moves Q bytes and takes T uses
//   E = W e_f + Q e_m + pi_0 T,   T >= max(W t_f, Q t_m).
// Units here are joules, watts, seconds, FLOPs and bytes. Pure values; any thread.
namespace ep::energy {

// A figure and its standard deviation.
struct Estimate {
    double value = 0.0;
    double sd = 0.0;

    bool operator==(const Estimate&) const = default;
    Interval ci95() const { return {value - kHalfInterval95 * sd, value + kHalfInterval95 * sd}; }
};

// An amount of work and time, which prices apply to.
struct Amount {
    double flops = 0.0;
    double bytes = 0.0;
    double seconds = 0.0;

    bool operator==(const Amount&) const = default;
    Amount& operator+=(const Amount& other)
    {
        flops += other.flops;
        bytes += other.bytes;
        seconds += other.seconds;
        return *this;
    }
    friend Amount operator+(Amount a, const Amount& b) { return a += b; }
    friend Amount operator*(const Amount& a, double k)
    {
        return {a.flops * k, a.bytes * k, a.seconds * k};
    }
    friend Amount operator-(const Amount& a, const Amount& b) { return a + b * -1.0; }
};

// One value for each of the five constants.
struct Prices {
    double joules_per_flop = 0.0; // e_f
    double joules_per_byte = 0.0; // e_m
    double watts = 0.0; // pi_0, static power
    double seconds_per_flop = 0.0; // t_f; 0: unknown
    double seconds_per_byte = 0.0; // t_m; 0: unknown

    bool operator==(const Prices&) const = default;
    double of(const Amount& amount) const
    {
        return amount.flops * joules_per_flop + amount.bytes * joules_per_byte
            + amount.seconds * watts;
    }
    // The minimum time of the work.
    double least(const Amount& amount) const
    {
        return std::fmax(amount.flops * seconds_per_flop, amount.bytes * seconds_per_byte);
    }
    bool memoryBound(const Amount& amount) const
    {
        return amount.bytes * seconds_per_byte > amount.flops * seconds_per_flop;
    }
    // FLOPs per byte at which both limits are equal.
    double ridge() const { return seconds_per_byte / seconds_per_flop; }
};

// Where a machine's constants come from.
enum class CostOrigin : std::uint8_t {
    Measured, // measured by `energy-profiler calibrate`
    Fitted, // fitted to the run itself
    Unknown,
};
std::string_view name(CostOrigin origin);

// Bits of a weight in a number format, from its name ("bf16", "q4_0"), with half a bit for the
// scales of blocks; 0: unknown.
double bitsOf(const std::string& dtype);

// The constants with their uncertainty. `spread` holds independent directions of one standard
// deviation each, so that correlated errors stay correlated.
struct MachineCosts {
    Prices mean;
    std::vector<Prices> spread;
    CostOrigin energies = CostOrigin::Unknown; // origin of e_f, e_m and pi_0
    CostOrigin ceilings = CostOrigin::Unknown; // origin of t_f and t_m

    bool operator==(const MachineCosts&) const = default;

    // Adds an independent error of one constant.
    void addSpread(double Prices::*constant, double sd);
    Estimate of(double Prices::*constant) const;
    // Prices for explaining time: each second costs 1 and nothing else costs anything.
    MachineCosts forTime() const;

    // The value of a function of the prices, with their errors propagated.
    template <typename Function>
    Estimate propagate(const Function& function) const
    {
        Estimate result{function(mean), 0.0};
        double variance = 0.0;
        for (const Prices& step : spread) {
            double change = 0.0; // the larger of the two directions, since no constant is negative
            for (const double sign : {-1.0, 1.0}) {
                Prices moved = mean;
                for (const auto constant : kConstants)
                    moved.*constant = std::fmax(0.0, moved.*constant + sign * (step.*constant));
                change = std::fmax(change, std::fabs(function(moved) - result.value));
            }
            variance += change * change;
        }
        result.sd = std::sqrt(variance);
        return result;
    }

    static constexpr std::array kConstants{&Prices::joules_per_flop, &Prices::joules_per_byte,
                                           &Prices::watts, &Prices::seconds_per_flop,
                                           &Prices::seconds_per_byte};
};

// One stretch of time with known work and energy.
struct CostWindow {
    Amount amount;
    double joules = 0.0;
};

// Idle power that is known besides the windows.
struct KnownIdle {
    double watts = 0.0;
    double sd = 0.0; // standard deviation of the mean
};

// Fits e_f, e_m and pi_0 by least squares of relative errors, with their covariance from the
// residuals (widened for few windows by Student's t). A constant that the windows contradict
// (negative) is 0 and keeps its deviation. Windows that cannot tell constants apart give large
// deviations rather than an error. Absent with fewer than five windows, or without any work.
struct EnergyFit {
    MachineCosts costs; // without ceilings
    double relative_residual = 0.0; // rms of the relative residuals
    std::size_t windows = 0;
};
std::optional<EnergyFit> fitEnergies(std::span<const CostWindow> windows,
                                     const std::optional<KnownIdle>& idle = {});

} // namespace ep::energy
