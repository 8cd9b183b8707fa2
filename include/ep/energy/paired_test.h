// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/energy/statistics.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Which of two settings is cheaper, decided on interleaved pairs as they arrive. Pure functions.
//
// The test concerns the centre of the log ratios log(a / b) of the pairs. For every possible centre
// there is an e-process: a bet against it whose stake is a martingale, or shrinks, if that centre
// is true, so that it ever exceeds 1 / alpha with a chance of at most alpha (Ville 1939). The
// interval contains the centres against which no bet has succeeded. It is valid at any time, so a
// measurement may be checked after every pair and stopped as soon as it has an answer: a confidence
// sequence (Ramdas, Grünwald, Vovk & Shafer 2023, "Game-theoretic statistics and safe anytime-valid
// inference").
//
// The bet is the average of two. Each pair's deviation from a true centre is as likely to be
// positive as negative, given its size, whatever the spread, drift and outliers are, because the
// order within a pair is random and disturbances hit both settings alike. So the first bets on the
// sign, given the size, as if the noise had Student's t distribution; this shape decides only how
// soon it wins, and stops single outliers from ruining it (e-processes under symmetry: de la Peña
// 1999; Vovk & Wang 2024; predictable stakes: Waudby-Smith & Ramdas 2024). Signs can say no more
// than 1 bit per pair. The second is the scale-invariant mixture t-test for normal noise of unknown
// variance (Lai 1976; Wang & Ramdas 2024, "Anytime-valid t-tests and confidence sequences for
// Gaussian means with unknown variance"), which decides large differences after few pairs.
//
// Both take the pairs as independent. Something slow that hits the settings differently makes their
// ratio wander, and a few successive pairs then agree by chance. So a second bet has to succeed as
// well, against a centre around which the ratios are an autoregression (stats/paired_test.cpp).
namespace ep::energy {

// Which setting ran first. Unknown: no drift within pairs is removed.
enum class PairOrder : std::uint8_t { Unknown, AFirst, BFirst };

struct PairedRatio {
    double log_ratio = 0.0; // log(a / b), finite
    PairOrder order = PairOrder::Unknown;

    bool operator==(const PairedRatio&) const = default;
};

inline constexpr std::int64_t kMinPairs = 3; // there is no verdict with fewer pairs

struct PairedTestOptions {
    double smallest_difference =
        kSmallestDifference; // differences up to this do not matter; between 0 and 1
    // Error probabilities that hold for any number of pairs and however often the result is
    // checked; simulations stay far below them (docs/pays.md).
    double sign_error = 0.015; // probability that one of two equal settings is ever called cheaper
    double interval_error = 0.1; // probability that the interval ever misses the true ratio

    bool operator==(const PairedTestOptions&) const = default;
};

enum class PairedVerdict : std::uint8_t { Unknown, ACheaper, BCheaper, NoDifference };
std::string_view name(PairedVerdict verdict); // "a_cheaper"

struct PairedEstimate {
    double ratio = 1.0; // a / b
    std::optional<Interval> interval{}; // interval of the ratio; absent below kMinPairs

    bool operator==(const PairedEstimate&) const = default;
};

// Pairs still needed: the median over the centres that the pairs so far suggest, and the range that
// holds 80 % of them.
struct PairsNeeded {
    std::int64_t about = 0;
    std::int64_t low = 0;
    std::int64_t high = 0;

    bool operator==(const PairsNeeded&) const = default;
};

struct PairedResult {
    PairedVerdict verdict = PairedVerdict::Unknown;
    std::int64_t pairs_used = 0; // number of pairs when the verdict was reached; all if Unknown
    PairedEstimate estimate{}; // after these pairs
    // Unknown only; absent below kMinPairs and with one_order, where more pairs of the same order
    // do not help.
    std::optional<PairsNeeded> pairs_needed{};
    // Nine of ten pairs or more had the same order, so the cost of running first looks like a
    // difference: only a difference above 10 % counts.
    bool one_order = false;
    // Correlation between successive ratios, if it is clearly above zero (2 standard errors, from
    // 10 pairs on).
    std::optional<double> correlation{};

    bool operator==(const PairedResult&) const = default;
};

// The verdict on at least one pair, in the order in which they were measured.
PairedResult decidePairs(std::span<const PairedRatio> pairs, const PairedTestOptions& options = {});

// Nine of ten pairs or more had the same order.
bool nearlyOneOrder(std::int64_t aFirst, std::int64_t bFirst, std::int64_t pairs);
// The assumed maximum effect of running first. If nearly all pairs ran in one order, this effect
// cannot be told from a difference.
inline constexpr double kMostOfOrder = 0.1;

// Ratio and interval over all given pairs, for figures that do not affect the verdict.
PairedEstimate estimatePairs(std::span<const PairedRatio> pairs,
                             const PairedTestOptions& options = {});

// Pools independent measurements of one ratio, however each was stopped; empty ones do not count.
// pairs_used: all; pairs_needed is absent.
PairedResult poolPairs(std::span<const std::vector<PairedRatio>> measurements,
                       const PairedTestOptions& options = {});

} // namespace ep::energy
