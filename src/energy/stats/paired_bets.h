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

// Logarithms of the wealth that two stakes of 1 have become: of the bet against a centre around
// which the pairs scatter independently, and of the one against a centre around which they wander.
struct BetWealth {
    double independent = 0.0;
    double wandering = 0.0;

    BetWealth& operator+=(const BetWealth& other)
    {
        independent += other.independent;
        wandering += other.wandering;
        return *this;
    }
    // Both have to succeed.
    bool reaches(const BetWealth& goal) const
    {
        return independent >= goal.independent && wandering >= goal.wandering;
    }
};

BetWealth signGoal(const PairedTestOptions& options);
BetWealth intervalGoal(const PairedTestOptions& options);

// Information per pair of the bet against wandering, if the centre is this many spreads away.
double wanderingGain(double distance);

// The bet against a centre around which the ratios wander: each depends on the one before
// (an autoregression of first order). It compares the likelihood of independent ratios around any
// other centre with that of the best autoregression around this one (Wasserman, Ramdas &
// Balakrishnan 2020, "Universal inference"), whatever their variance is.
class WanderingBet {
public:
    void add(double deviation); // from the centre, positive on the side that the bet is on
    double logValue() const;

private:
    double m_count = 0.0;
    double m_first = 0.0;
    double m_last = 0.0;
    // Sums over all pairs but the first, of these and of the pairs before them.
    double m_sum = 0.0;
    double m_sum_before = 0.0;
    double m_squares = 0.0;
    double m_squares_before = 0.0;
    double m_products = 0.0;
};

// The bet that the centre is above (side 1) or below (-1) the tested value.
class PairBet {
public:
    PairBet(double centre, double side, const PairedTestOptions& options);
    void add(const PairedRatio& pair, const KnownOfPairs& known);
    BetWealth logValue() const;

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
    WanderingBet m_wandering;
};

} // namespace ep::energy
