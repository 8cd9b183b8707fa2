// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/paired_test.h"

#include <span>
#include <vector>

// The bets of the paired test (energy/paired_test.h).
namespace ep::energy {

// A spread of zero (of a modelled energy, for example) would make a bet infinite.
inline constexpr double kMinSpread = 1e-6;

// What is known before a pair is seen; bets may use nothing else.
struct KnownOfPairs {
    double count = 0.0;
    double centre = 0.0;
    double spread = 0.0;
    double drift = 0.0; // drift of the log ratio if A runs first
};

double signOf(PairOrder order); // 1: A ran first, -1: B did

// Collects what is known, pair by pair.
class PairMemory {
public:
    PairMemory();
    void add(const PairedRatio& pair) { m_pairs.push_back(pair); }
    const KnownOfPairs& known();

private:
    void refresh();
    std::vector<double> withOrder(PairOrder order) const;
    double drift() const;

    std::vector<PairedRatio> m_pairs;
    std::size_t m_at = 0;
    KnownOfPairs m_known{};
};

// The bet that the centre is above (side 1) or below (-1) the tested value.
class PairBet {
public:
    PairBet(double centre, double side, const PairedTestOptions& options);
    void add(const PairedRatio& pair, const KnownOfPairs& known);
    double logValue() const; // logarithm of the wealth that a stake of 1 has become

private:
    double mixture(double scale) const;

    double m_centre;
    double m_side;
    double m_matters;
    double m_goal;
    double m_signs = 0.0;
    double m_count = 0.0;
    double m_sum = 0.0;
    double m_squares = 0.0;
};

} // namespace ep::energy
