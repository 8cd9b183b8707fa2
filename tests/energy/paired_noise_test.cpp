// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of two equal settings, under the noises of machines: how often a difference is claimed.
#include "ep/core/quantile.h"
#include "ep/energy/paired_test.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <random>
#include <span>
#include <vector>

namespace ep::energy {
namespace {

constexpr int kSeries = 100;
constexpr int kPairsOfSeries = 200;
constexpr double kRunNoise = 0.03;
constexpr double kRatioNoise = 0.042; // of the ratio of two such runs

// Has its own transforms, so that every standard library draws the same.
class Draws {
public:
    explicit Draws(std::uint64_t seed)
        : m_engine(seed * 1'000'003 + 17)
    {
    }
    double uniform() { return (static_cast<double>(m_engine() >> 11U) + 0.5) * 0x1.0p-53; }
    double normal()
    {
        return std::sqrt(-2.0 * std::log(uniform())) * std::cos(2.0 * std::numbers::pi * uniform());
    }
    double cauchy() { return std::tan(std::numbers::pi * (uniform() - 0.5)); }
    double student2()
    {
        const double u = 2.0 * uniform() - 1.0;
        return u * std::sqrt(2.0 / (1.0 - u * u));
    }

private:
    std::mt19937_64 m_engine;
};

// State of a series, from run to run.
struct Course {
    Draws draws;
    double state = 0.0;
    bool burst = false;
};

// Logarithm of the energy of a run: its number, and whether it is A.
using RunOf = double (*)(Course& course, int run, bool a, double size);

struct Noise {
    const char* name;
    RunOf run; // null: an autoregression of the ratio with the correlation `size`
    double size = 0.0;
    bool a_first = false; // in every pair; otherwise random in each two pairs
};

double steady(Course& course, int, bool, double)
{
    return kRunNoise * course.draws.normal();
}

double wandering(Course& course, int run, bool, double correlation)
{
    const double fresh = kRunNoise * course.draws.normal();
    course.state = run == 0
        ? fresh
        : correlation * course.state + std::sqrt(1.0 - correlation * correlation) * fresh;
    return course.state;
}

const Noise kNoises[] = {
    {"steady", steady},
    {"drift",
     [](Course& c, int run, bool, double) { return steady(c, 0, false, 0) + 0.001 * run; }},
    {"random walk",
     [](Course& c, int, bool, double) {
         c.state += 0.01 * c.draws.normal();
         return c.state + steady(c, 0, false, 0);
     }},
    {"machine wanders 0.3", wandering, 0.3},
    {"machine wanders 0.7", wandering, 0.7},
    {"ratio wanders 0.3", nullptr, 0.3},
    {"ratio wanders 0.5", nullptr, 0.5},
    {"ratio wanders 0.7", nullptr, 0.7},
    {"t(2)", [](Course& c, int, bool, double) { return kRunNoise * c.draws.student2(); }},
    {"Cauchy", [](Course& c, int, bool, double) { return kRunNoise * c.draws.cauchy(); }},
    {"outliers",
     [](Course& c, int, bool, double) {
         const double log = steady(c, 0, false, 0);
         return c.draws.uniform() < 0.05 ? log + 0.3 + 0.8 * c.draws.uniform() : log;
     }},
    {"skewed",
     [](Course& c, int, bool, double) { return -kRunNoise * std::log(c.draws.uniform()); }},
    {"first +3 %",
     [](Course& c, int run, bool, double) {
         return steady(c, 0, false, 0) + (run % 2 == 0 ? 0.03 : 0.0);
     }},
    {"warming",
     [](Course& c, int run, bool, double) {
         return steady(c, 0, false, 0) - 0.2 * std::exp(-run / 6.0);
     }},
    {"A first, first runs +20 %",
     [](Course& c, int run, bool, double) {
         return steady(c, 0, false, 0) + 0.2 * std::exp(-run / 3.0);
     },
     0.0, true},
    {"A first, heating",
     [](Course& c, int run, bool, double) { return steady(c, 0, false, 0) + 0.002 * run; }, 0.0,
     true},
    {"A first, first +3 %",
     [](Course& c, int run, bool, double) {
         return steady(c, 0, false, 0) + (run % 2 == 0 ? 0.03 : 0.0);
     },
     0.0, true},
    {"grows",
     [](Course& c, int run, bool, double) {
         return (0.01 + 0.07 * run / 400.0) * c.draws.normal();
     }},
    {"one side is noisier",
     [](Course& c, int, bool a, double) { return (a ? 6.0 : 1.0) * steady(c, 0, false, 0); }},
    {"bursts",
     [](Course& c, int, bool, double) {
         c.burst = c.draws.uniform() < 0.05 ? !c.burst : c.burst;
         const double log = steady(c, 0, false, 0);
         return c.burst ? log + 0.15 * std::abs(c.draws.normal()) : log;
     }},
    {"slow wave",
     [](Course& c, int run, bool a, double) {
         if (run == 0)
             c.state = 2.0 * std::numbers::pi * c.draws.uniform();
         return steady(c, 0, false, 0) + (a ? 0.04 * std::sin(c.state + run * 0.157) : 0.0);
     }},
};

std::vector<PairedRatio> pairsOf(const Noise& noise, std::uint64_t seed, double effect = 0.0)
{
    Course course{.draws = Draws(seed)};
    std::vector<PairedRatio> pairs;
    bool aFirst = true;
    double ratio = kRatioNoise * course.draws.normal();
    for (int i = 0; i < kPairsOfSeries; ++i) {
        aFirst = noise.a_first || (i % 2 == 0 ? course.draws.uniform() < 0.5 : !aFirst);
        PairedRatio& pair = pairs.emplace_back();
        pair.order = aFirst ? PairOrder::AFirst : PairOrder::BFirst;
        if (noise.run == nullptr) {
            pair.log_ratio = effect + ratio;
            ratio = noise.size * ratio
                + kRatioNoise * std::sqrt(1.0 - noise.size * noise.size) * course.draws.normal();
        } else {
            const double first = noise.run(course, 2 * i, aFirst, noise.size);
            const double second = noise.run(course, 2 * i + 1, !aFirst, noise.size);
            pair.log_ratio = effect + (aFirst ? first - second : second - first);
        }
    }
    return pairs;
}

bool isSign(PairedVerdict verdict)
{
    return verdict == PairedVerdict::ACheaper || verdict == PairedVerdict::BCheaper;
}

TEST(PairedNoise, ClaimsNoDifferenceThatIsNotThere)
{
    for (const Noise& noise : kNoises) {
        int wrong = 0;
        int missed = 0;
        int correlated = 0;
        for (std::uint64_t seed = 0; seed < kSeries; ++seed) {
            const PairedResult result = decidePairs(pairsOf(noise, seed));
            wrong += isSign(result.verdict) ? 1 : 0;
            missed += result.estimate.interval->contains(1.0) ? 0 : 1;
            correlated += result.correlation ? 1 : 0;
            EXPECT_EQ(result.one_order, noise.a_first) << noise.name;
        }
        EXPECT_LE(wrong, kSeries * 5 / 100) << noise.name;
        if (!noise.a_first) { // no interval of the ratio can contain the cost of the order
            EXPECT_LE(missed, kSeries * 10 / 100) << noise.name;
        }
        std::printf(
            "%-26s wrong %.1f %%, intervals without the truth %.1f %%, correlation found %.1f %%\n",
            noise.name, 100.0 * wrong / kSeries, 100.0 * missed / kSeries,
            100.0 * correlated / kSeries);
    }
}

// The price of being safe against wandering: a third of the speed at most, where 13 pairs were
// needed without.
TEST(PairedNoise, FindsDifferencesSoon)
{
    struct Case {
        double effect;
        double most; // median number of pairs
    };
    for (const Case& c : {Case{0.05, 19.5}, Case{0.1, 14.0}, Case{0.2, 9.0}}) {
        std::vector<double> pairs;
        int right = 0;
        for (std::uint64_t seed = 0; seed < kSeries; ++seed) {
            const PairedResult result =
                decidePairs(pairsOf(kNoises[0], seed + 1000, std::log1p(c.effect)));
            pairs.push_back(static_cast<double>(result.pairs_used));
            right += result.verdict == PairedVerdict::BCheaper ? 1 : 0;
        }
        EXPECT_EQ(right, kSeries) << c.effect;
        EXPECT_LE(medianOf(pairs), c.most) << c.effect;
    }
}

// An effect that exceeds what running first may cost is found even if A always ran first.
TEST(PairedNoise, FindsLargeDifferencesInOneOrder)
{
    const Noise oneOrder{"A first", steady, 0.0, true};
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        EXPECT_EQ(decidePairs(pairsOf(oneOrder, seed, 0.3)).verdict, PairedVerdict::BCheaper);
        const PairedResult small = decidePairs(pairsOf(oneOrder, seed, 0.05));
        EXPECT_EQ(small.verdict, PairedVerdict::Unknown);
        EXPECT_FALSE(small.pairs_needed) << "more pairs of this order do not help";
    }
}

// Half of the measurements must need more than was said, and most must end in the range.
TEST(PairedNoise, ForecastsWhatIsNeeded)
{
    for (const double effect : {0.03, 0.05}) {
        std::vector<double> ratios;
        int inside = 0;
        for (std::uint64_t seed = 0; seed < kSeries; ++seed) {
            const auto pairs = pairsOf(kNoises[0], seed + 5000, std::log1p(effect));
            constexpr std::size_t kEarly = 8;
            const PairedResult early = decidePairs(std::span(pairs).first(kEarly));
            if (!early.pairs_needed)
                continue;
            const auto needed = decidePairs(pairs).pairs_used - static_cast<std::int64_t>(kEarly);
            ratios.push_back(static_cast<double>(needed)
                             / static_cast<double>(early.pairs_needed->about));
            inside +=
                needed >= early.pairs_needed->low && needed <= early.pairs_needed->high ? 1 : 0;
        }
        EXPECT_GT(medianOf(ratios), 0.75) << effect;
        EXPECT_LT(medianOf(ratios), 1.25) << effect;
        EXPECT_GE(inside, static_cast<int>(ratios.size()) * 7 / 10) << effect;
    }
}

} // namespace
} // namespace ep::energy
