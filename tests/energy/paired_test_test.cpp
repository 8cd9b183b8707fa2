// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/simulated_pairs.h"

#include "ep/core/quantile.h"
#include "ep/energy/paired_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace ep::energy {
namespace {

using test::PairedWorld;
using test::simulatePairs;

constexpr int kSeeds = 300;
constexpr int kMaxPairs = 400;

struct Outcomes {
    int wrong_sign = 0; // also counted for two equal settings
    int none = 0; // decided as "no difference"
    int right = 0;
    int missed = 0; // intervals without the truth
    std::vector<double> pairs;
};

Outcomes outcomesOf(const PairedWorld& world)
{
    Outcomes outcomes;
    for (int seed = 0; seed < kSeeds; ++seed) {
        const auto pairs = simulatePairs(world, kMaxPairs, static_cast<std::uint64_t>(seed));
        const PairedResult result = decidePairs(pairs);
        const PairedVerdict truth = world.effect > 0.0 ? PairedVerdict::BCheaper
            : world.effect < 0.0                       ? PairedVerdict::ACheaper
                                                       : PairedVerdict::NoDifference;
        const bool sign =
            result.verdict == PairedVerdict::ACheaper || result.verdict == PairedVerdict::BCheaper;
        outcomes.wrong_sign += sign && result.verdict != truth ? 1 : 0;
        outcomes.none += result.verdict == PairedVerdict::NoDifference ? 1 : 0;
        outcomes.right += result.verdict == truth ? 1 : 0;
        outcomes.missed += result.estimate.interval->contains(1.0 + world.effect) ? 0 : 1;
        outcomes.pairs.push_back(static_cast<double>(result.pairs_used));
    }
    return outcomes;
}

// Deviation of the log ratios during a measurement.
double deviationIn(const PairedWorld& world)
{
    constexpr int kPairs = 20;
    double squares = 0.0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        for (const PairedRatio& pair :
             simulatePairs(world, kPairs, static_cast<std::uint64_t>(seed)))
            squares += pair.log_ratio * pair.log_ratio;
    }
    return std::sqrt(squares / (kSeeds * kPairs));
}

// Number of pairs for a t-test with the same error to find the smallest difference with this
// power, by the usual approximation (Guenther 1981).
double fixedPairs(double deviation, double power)
{
    constexpr double kErrorPoint = 2.432; // of the normal distribution, for 0.75 % on each side
    double low = 0.0;
    double high = 10.0;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2.0;
        (0.5 * std::erfc(-middle / std::sqrt(2.0)) < power ? low : high) = middle;
    }
    const double root = (kErrorPoint + low) * deviation / std::log1p(0.02);
    return root * root + kErrorPoint * kErrorPoint / 2.0;
}

struct NamedWorld {
    const char* name;
    PairedWorld world;
};
const NamedWorld kWorlds[] = {
    {"steady, 1 %", {.noise = 0.01}},
    {"steady, 2 %", {.noise = 0.02}},
    {"in blocks, 2 %", {.noise = 0.02, .blocks = true}},
    {"warming, 1 %", {.noise = 0.01, .warming = 0.2, .creep = 0.002}},
    {"outliers, 1 %", {.noise = 0.01, .outliers = 0.03}},
    {"warming and outliers, 2 %",
     {.noise = 0.02, .warming = 0.1, .creep = 0.001, .outliers = 0.03}},
};

TEST(PairedTest, KeepsItsErrorsAndStopsEarly)
{
    for (const NamedWorld& named : kWorlds) {
        SCOPED_TRACE(named.name);
        std::vector<double> all;
        double rightOfSmallest = 1.0;
        for (const double effect : {0.0, 0.02, -0.02, 0.05, -0.05, 0.2, -0.2}) {
            SCOPED_TRACE(effect);
            PairedWorld world = named.world;
            world.effect = effect;
            Outcomes outcomes = outcomesOf(world);
            EXPECT_LE(outcomes.wrong_sign, kSeeds / 100);
            if (effect == 0.0)
                EXPECT_GE(outcomes.none, kSeeds * 95 / 100);
            else if (std::abs(effect) > 0.02)
                EXPECT_EQ(outcomes.none, 0);
            else
                EXPECT_LE(outcomes.none, kSeeds * 5 / 100); // 2 % are not less than 2 %
            EXPECT_LE(outcomes.missed, kSeeds * 5 / 100);
            if (std::abs(effect) == 0.02)
                rightOfSmallest =
                    std::min(rightOfSmallest, static_cast<double>(outcomes.right) / kSeeds);
            std::ranges::sort(outcomes.pairs);
            std::printf("%-26s %+5.0f %%: wrong %d none %d right %d missed %d, median %.0f pairs, "
                        "90 %% within %.0f\n",
                        named.name, effect * 100.0, outcomes.wrong_sign, outcomes.none,
                        outcomes.right, outcomes.missed, medianOf(outcomes.pairs),
                        outcomes.pairs[kSeeds * 9 / 10]);
            all.insert(all.end(), outcomes.pairs.begin(), outcomes.pairs.end());
            if (effect == 0.0) // each size has the same weight
                all.insert(all.end(), outcomes.pairs.begin(), outcomes.pairs.end());
        }
        const double fixed = fixedPairs(deviationIn(named.world), rightOfSmallest);
        std::printf("%-26s median %.0f of all, fixed design %.1f\n", named.name, medianOf(all),
                    fixed);
        // The bet against wandering costs a quarter of the speed.
        EXPECT_LE(medianOf(all), 0.75 * fixed);
    }
}

// Continuing forever must not turn "no difference" into a difference.
TEST(PairedTest, KeepsTheErrorAtAnyTime)
{
    int signs = 0;
    for (int seed = 0; seed < 200; ++seed) {
        // A smallest difference that can never be ruled out, so that only the sign can be decided.
        const auto pairs =
            simulatePairs({.noise = 0.05}, 300, static_cast<std::uint64_t>(seed) + 5000);
        const PairedResult result = decidePairs(pairs, {.smallest_difference = 0.001});
        signs += result.verdict == PairedVerdict::Unknown ? 0 : 1;
    }
    EXPECT_LE(signs, 200 * 2 / 100);
}

TEST(PairedTest, DecidesOnThreePairsOnlyWhatIsPlain)
{
    const auto of = [](std::vector<double> logs) {
        std::vector<PairedRatio> pairs;
        for (const double log : logs)
            pairs.push_back(
                {.log_ratio = log,
                 .order = pairs.size() % 2 == 0 ? PairOrder::AFirst : PairOrder::BFirst});
        return decidePairs(pairs);
    };
    EXPECT_EQ(of({-0.700, -0.690, -0.695}).verdict, PairedVerdict::ACheaper);
    EXPECT_EQ(of({0.700, 0.690, 0.695}).verdict, PairedVerdict::BCheaper);
    EXPECT_EQ(of({-0.05, -0.04, -0.08}).verdict, PairedVerdict::Unknown);
    EXPECT_EQ(of({-0.7, -0.7}).verdict, PairedVerdict::Unknown);
    EXPECT_FALSE(of({-0.7, -0.7}).estimate.interval);
    const PairedResult one = of({-0.7});
    EXPECT_EQ(one.verdict, PairedVerdict::Unknown);
    EXPECT_NEAR(one.estimate.ratio, std::exp(-0.7), 1e-12);
    EXPECT_FALSE(one.pairs_needed);
}

TEST(PairedTest, MirrorsItsVerdict)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        auto pairs = simulatePairs({.effect = 0.03, .noise = 0.01, .outliers = 0.05}, 60, seed);
        const PairedResult one = decidePairs(pairs);
        for (PairedRatio& pair : pairs) {
            pair.log_ratio = -pair.log_ratio;
            pair.order = pair.order == PairOrder::AFirst ? PairOrder::BFirst : PairOrder::AFirst;
        }
        const PairedResult other = decidePairs(pairs);
        EXPECT_EQ(one.pairs_used, other.pairs_used);
        EXPECT_EQ(one.verdict == PairedVerdict::BCheaper, other.verdict == PairedVerdict::ACheaper);
        EXPECT_NEAR(one.estimate.ratio * other.estimate.ratio, 1.0, 1e-9);
        EXPECT_NEAR(one.estimate.interval->low * other.estimate.interval->high, 1.0, 1e-6);
    }
}

TEST(PairedTest, LeavesOutWhatComesAfterTheVerdict)
{
    const auto pairs = simulatePairs({.effect = 0.2, .noise = 0.01}, 50, 3);
    const PairedResult all = decidePairs(pairs);
    ASSERT_LT(all.pairs_used, 50);
    EXPECT_EQ(decidePairs(std::span(pairs).first(static_cast<std::size_t>(all.pairs_used))), all);
}

// A drift within pairs that exceeds the noise is found and removed.
TEST(PairedTest, RemovesDriftThatOrdersShow)
{
    std::vector<double> with;
    std::vector<double> without;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        auto pairs = simulatePairs({.noise = 0.01, .creep = 0.03}, 200, seed);
        with.push_back(static_cast<double>(decidePairs(pairs).pairs_used));
        for (PairedRatio& pair : pairs)
            pair.order = PairOrder::Unknown;
        without.push_back(static_cast<double>(decidePairs(pairs).pairs_used));
    }
    EXPECT_LT(medianOf(with), 0.75 * medianOf(without));
}

TEST(PairedTest, SaysHowManyPairsAreMissing)
{
    const auto pairs = simulatePairs({.effect = 0.03, .noise = 0.04}, 400, 11);
    const PairedResult early = decidePairs(std::span(pairs).first(8));
    ASSERT_EQ(early.verdict, PairedVerdict::Unknown);
    ASSERT_TRUE(early.pairs_needed);
    EXPECT_GE(early.pairs_needed->low, 1);
    // The median of many estimates must be close to what is really needed.
    std::vector<double> said;
    std::vector<double> took;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const auto each = simulatePairs({.noise = 0.03}, 400, seed);
        const PairedResult part = decidePairs(std::span(each).first(20));
        if (part.verdict != PairedVerdict::Unknown)
            continue;
        said.push_back(static_cast<double>(part.pairs_needed->about));
        took.push_back(static_cast<double>(decidePairs(each).pairs_used) - 20.0);
    }
    EXPECT_GT(medianOf(said), medianOf(took) / 2.5);
    EXPECT_LT(medianOf(said), medianOf(took) * 2.5);
}

TEST(PairedTest, HoldsOnPairsWithoutSpread)
{
    std::vector<PairedRatio> pairs(5, {.log_ratio = 0.0, .order = PairOrder::AFirst});
    pairs[1].order = pairs[3].order = PairOrder::BFirst;
    EXPECT_EQ(decidePairs(pairs).verdict, PairedVerdict::NoDifference);
    for (PairedRatio& pair : pairs)
        pair.log_ratio = 800.0; // from the smallest to the largest double
    const PairedResult result = decidePairs(pairs);
    EXPECT_EQ(result.verdict, PairedVerdict::BCheaper);
}

} // namespace
} // namespace ep::energy
