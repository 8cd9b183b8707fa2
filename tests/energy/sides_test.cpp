// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/energy/comparison.h"
#include "ep/energy/paired_runs.h"
#include "ep/energy/sides.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace ep::energy {

using testing::HasSubstr;
using testing::StartsWith;

namespace {

const std::vector<double> kBefore{0.512, 0.498, 0.505, 0.521, 0.490};
const std::vector<double> kAfter{0.471, 0.455, 0.480, 0.462, 0.466};

// Values of two sides around 1 and 1 + effect, as groups or in pairs of alternating order.
SideValues simulated(std::mt19937_64& random, int values, double effect, double noise, bool paired)
{
    std::normal_distribution<double> normal;
    SideValues sides;
    for (int i = 0; i < values; ++i) {
        sides.a.push_back(std::exp(noise * normal(random)));
        sides.b.push_back((1.0 + effect) * std::exp(noise * normal(random)));
        if (paired)
            sides.pairs.push_back({.log_ratio = std::log(sides.a.back() / sides.b.back()),
                                   .order = i % 2 == 0 ? PairOrder::AFirst : PairOrder::BFirst});
    }
    return sides;
}

std::vector<PairedRatio> ratiosOf(const std::vector<double>& a, const std::vector<double>& b)
{
    std::vector<PairedRatio> ratios;
    for (std::size_t i = 0; i < a.size(); ++i)
        ratios.push_back({.log_ratio = std::log(a[i] / b[i]),
                          .order = i % 2 == 0 ? PairOrder::AFirst : PairOrder::BFirst});
    return ratios;
}

} // namespace

// scipy.stats.ttest_ind(log b, log a, equal_var=False) and ttest_1samp(log b - log a, 0),
// SciPy 1.15.
TEST(Sides, AgreesWithSciPy)
{
    const SideTest groups = testSides({.a = kBefore, .b = kAfter});
    EXPECT_EQ(groups.kind, SideTestKind::Welch);
    EXPECT_NEAR(*groups.relative, -0.07595017388198565, 1e-12);
    EXPECT_NEAR(groups.statistic, -5.664301014040196, 1e-9);
    EXPECT_NEAR(groups.df, 7.786950038288563, 1e-9);
    EXPECT_NEAR(*groups.p, 0.0005219676773525888, 1e-12);
    EXPECT_NEAR(groups.interval->low, -0.10533018451098364, 1e-10);
    EXPECT_NEAR(groups.interval->high, -0.045605354773237815, 1e-10);
    EXPECT_NEAR(*groups.hedges_g, -3.2338611328952664, 1e-9);
    const SideTest strict = testSides({.a = kBefore, .b = kAfter}, {.error = 0.01});
    EXPECT_NEAR(strict.interval->low, -0.11852174140597142, 1e-10);
    EXPECT_NEAR(strict.interval->high, -0.03132258473321248, 1e-10);
    EXPECT_NEAR(strict.confidence, 0.99, 1e-12);

    const SideTest pairs =
        testSides({.a = kBefore, .b = kAfter, .pairs = ratiosOf(kBefore, kAfter)});
    EXPECT_EQ(pairs.kind, SideTestKind::Pairs);
    EXPECT_NEAR(*pairs.relative, -0.07595017388198562, 1e-12);
    EXPECT_NEAR(pairs.statistic, -5.997631416537272, 1e-9);
    EXPECT_NEAR(*pairs.p, 0.0038881596290183625, 1e-12);
    EXPECT_NEAR(pairs.interval->low, -0.10912868365931815, 1e-10);
    EXPECT_NEAR(pairs.interval->high, -0.04153600471047007, 1e-10);
}

TEST(Sides, BetsGiveTheirOwnIntervalAndVerdict)
{
    std::mt19937_64 random(2);
    SideValues values = simulated(random, 40, -0.08, 0.02, true);
    values.until_known = true;
    const SideTest test = testSides(values);
    const PairedResult bets = decidePairs(values.pairs);
    EXPECT_EQ(test.kind, SideTestKind::PairsUntilKnown);
    EXPECT_EQ(test.verdict, PairedVerdict::BCheaper);
    EXPECT_EQ(test.pairs_used, bets.pairs_used);
    EXPECT_NEAR(*test.relative, 1.0 / bets.estimate.ratio - 1.0, 1e-12);
    EXPECT_NEAR(test.interval->low, 1.0 / bets.estimate.interval->high - 1.0, 1e-12);
    EXPECT_NEAR(test.interval->high, 1.0 / bets.estimate.interval->low - 1.0, 1e-12);
    EXPECT_NEAR(test.confidence, 0.9, 1e-12);
    EXPECT_FALSE(test.p);
}

TEST(Sides, SaysTheVerdictInTheNamesOfTheTwo)
{
    struct Case {
        SideValues values;
        PairedVerdict verdict;
        const char* sentence;
    };
    const std::vector<double> same{1.0, 1.001, 0.999, 1.0, 1.0005};
    const Case cases[] = {
        {{.a = kBefore, .b = kAfter},
         PairedVerdict::BCheaper,
         "q4_1 needs 7.6 % less energy per token than q8_0 (4.6 to 11 %)."},
        {{.a = kAfter, .b = kBefore},
         PairedVerdict::ACheaper,
         "q8_0 needs 7.6 % less energy per token than q4_1 (4.6 to 11 %)."},
        {{.a = same, .b = same},
         PairedVerdict::NoDifference,
         "q8_0 and q4_1 differ by no more than 2.0 % in energy per token."},
        {{.a = {1.0, 1.2, 0.8}, .b = {1.1, 0.9, 1.3}},
         PairedVerdict::Unknown,
         "It is not known which needs less energy per token: q4_1 needs from "},
        {{.a = {1.0}, .b = {1.1}},
         PairedVerdict::Unknown,
         "In these runs, q4_1 needs 10 % more energy per token than q8_0; a verdict needs at least "
         "3 repeats on each side."},
        {{.a = {2.0, 2.0, 2.0}, .b = {3.0, 3.0, 3.0}},
         PairedVerdict::ACheaper,
         "q8_0 needs 33 % less energy per token than q4_1 (33 to 33 %)."},
        {{.a = {1.0}, .b = {1.1}, .pairs = ratiosOf({1.0}, {1.1})},
         PairedVerdict::Unknown,
         "Not known yet: a verdict needs at least 3 pairs, and there is 1."},
    };
    for (const Case& c : cases) {
        const SideTest test = testSides(c.values);
        EXPECT_EQ(test.verdict, c.verdict) << c.sentence;
        EXPECT_THAT(verdictSentence(test, "q8_0", "q4_1").english(), StartsWith(c.sentence));
    }
    EXPECT_THAT(verdictSentence(testSides(cases[3].values), "x", "y").english(),
                HasSubstr("more repeats on each side would tell."));
    for (const auto& [minutes, sentence] :
         {std::pair(0.4, " would tell. At this pace, that takes less than a minute."),
          std::pair(1.2, "At this pace, that takes 1 minute."),
          std::pair(7.6, "At this pace, that takes 8 minutes.")})
        EXPECT_THAT(verdictSentence(testSides(cases[3].values), "x", "y", minutes).english(),
                    HasSubstr(sentence));
}

TEST(Sides, RefusesWithTheReason)
{
    const SideTest few = testSides({.a = {1.0, 1.1}, .b = {2.0, 2.1, 2.2}});
    EXPECT_FALSE(few.p || few.interval || few.hedges_g || few.more_needed);
    EXPECT_THAT(few.reason.english(), HasSubstr("at least 3 repeats"));
    const SideTest constant = testSides({.a = {2.0, 2.0, 2.0}, .b = {3.0, 3.0, 3.0}});
    EXPECT_FALSE(constant.p);
    EXPECT_THAT(constant.reason.english(), HasSubstr("do not vary"));
    EXPECT_NEAR(*constant.relative, 0.5, 1e-12);
    const SideTest negative = testSides({.a = {1.0, -1.0, 2.0}, .b = {1.0, 2.0, 3.0}});
    EXPECT_FALSE(negative.p || negative.interval);
    EXPECT_THAT(negative.reason.english(), HasSubstr("not above zero"));
    EXPECT_FALSE(testSides({.a = {0.0, 0.0, 0.0}, .b = {1.0, 2.0, 3.0}}).relative);
}

// If A always ran first, the cost of running first cannot be told from a difference.
TEST(Sides, OneOrderNeedsALargeDifference)
{
    for (const double effect : {0.08, 0.3}) {
        std::mt19937_64 random(3);
        SideValues values = simulated(random, 20, effect, 0.01, true);
        for (PairedRatio& pair : values.pairs)
            pair.order = PairOrder::AFirst;
        const SideTest test = testSides(values);
        EXPECT_EQ(test.verdict == PairedVerdict::ACheaper, effect > 0.1);
        EXPECT_THAT(verdictSentence(test, "x", "y").english(), HasSubstr("x ran first in every"));
    }
}

// R: power.t.test(delta = log(1.05), sd = 0.06, power = 0.8) needs 24.7 on each side.
TEST(Sides, ForecastsHowManyMoreWouldTell)
{
    SideValues values;
    for (int i = 0; i < 8; ++i) {
        const double deviation = (i % 2 == 0 ? 0.06 : -0.06) * std::sqrt(7.0 / 8.0);
        values.a.push_back(std::exp(deviation));
        values.b.push_back(1.05 * std::exp(deviation));
    }
    const SideTest test = testSides(values);
    EXPECT_EQ(test.verdict, PairedVerdict::Unknown);
    ASSERT_TRUE(test.more_needed);
    EXPECT_NEAR(static_cast<double>(test.more_needed->about), 25.0 - 8.0, 1.0);
}

// The gate of docs/statistics.md: a difference fails only if the whole interval is beyond the
// limit.
TEST(DifferenceLimit, FailsSeldomWithoutReasonAndAlmostAlwaysWithOne)
{
    struct Case {
        const char* limit;
        double effect;
        int values;
        bool paired;
        double least; // share of comparisons that exceed the limit
        double most;
    };
    constexpr double kNoise = 0.03;
    constexpr int kTrials = 2000;
    std::vector<Case> cases;
    for (const bool paired : {false, true}) {
        for (const int values : {5, 10, 20, 40}) {
            cases.push_back({"joules_per_token > 0%", 0.0, values, paired, 0.0, 0.05});
            cases.push_back({"joules_per_token > +3%", 0.0, values, paired, 0.0, 0.01});
            // At the limit itself.
            cases.push_back({"joules_per_token > +5%", 0.05, values, paired, 0.0, 0.05});
        }
        cases.push_back({"joules_per_token > 0%", 0.05, 20, paired, 0.99, 1.0});
        cases.push_back({"joules_per_token > +1%", 0.05, 20, paired, 0.95, 1.0});
        cases.push_back({"joules_per_token > +5%", 0.1, 20, paired, 0.99, 1.0});
    }
    for (const Case& c : cases) {
        std::mt19937_64 random(7);
        const DifferenceLimit limit = *parseLimit(c.limit);
        int exceeded = 0;
        for (int i = 0; i < kTrials; ++i) {
            const SideTest test =
                testSides(simulated(random, c.values, c.effect, kNoise, c.paired));
            exceeded += checkLimit(limit, test, 1.0) == LimitCheck::Exceeded ? 1 : 0;
        }
        const double share = exceeded / static_cast<double>(kTrials);
        RecordProperty(std::string(c.limit) + " effect " + std::to_string(c.effect) + " n "
                           + std::to_string(c.values) + (c.paired ? " pairs" : " groups"),
                       std::to_string(share));
        EXPECT_GE(share, c.least) << c.limit << ' ' << c.effect << ' ' << c.values << c.paired;
        EXPECT_LE(share, c.most) << c.limit << ' ' << c.effect << ' ' << c.values << c.paired;
    }
}

TEST(DifferenceLimit, KnowsWhatItDoesNotKnow)
{
    struct Case {
        const char* limit;
        std::optional<Interval> interval;
        LimitCheck expected;
    };
    const Case cases[] = {
        {"joules_per_token > +5%", Interval{0.06, 0.1}, LimitCheck::Exceeded},
        {"joules_per_token > +5%", Interval{0.04, 0.1}, LimitCheck::NotKnown},
        {"joules_per_token > +5%", Interval{-0.1, 0.04}, LimitCheck::Within},
        {"joules_per_token > +5%", std::nullopt, LimitCheck::NotKnown},
        {"joules_per_token < -5%", Interval{-0.1, -0.06}, LimitCheck::Exceeded},
        {"joules_per_token < -5%", Interval{-0.1, 0.0}, LimitCheck::NotKnown},
        {"joules_per_token < -5%", Interval{-0.04, 0.2}, LimitCheck::Within},
        {"joules_per_token > 1", Interval{0.6, 0.8},
         LimitCheck::Exceeded}, // J; the baseline is 2 J
    };
    for (const Case& c : cases) {
        SideTest test;
        test.interval = c.interval;
        EXPECT_EQ(checkLimit(*parseLimit(c.limit), test, 2.0), c.expected) << c.limit;
    }
    EXPECT_EQ(checkLimit(*parseLimit("energy > 1%"), std::nullopt, 1.0), LimitCheck::NotKnown);
}

namespace {

RunInfo taggedRun(std::vector<std::string> tags, std::int64_t created, std::string experiment = "e")
{
    RunInfo info;
    info.status = RunStatus::Complete;
    info.tags = std::move(tags);
    info.created_at_ms = created;
    info.experiment = std::move(experiment);
    return info;
}

RunPairs pairsOfRuns(const std::vector<RunInfo>& a, const std::vector<RunInfo>& b)
{
    std::vector<const RunInfo*> first;
    std::vector<const RunInfo*> second;
    for (const RunInfo& run : a)
        first.push_back(&run);
    for (const RunInfo& run : b)
        second.push_back(&run);
    return energy::pairsOf(first, second);
}

} // namespace

TEST(PairedRuns, FindsTheRunsOfEachPair)
{
    std::vector<RunInfo> a;
    std::vector<RunInfo> b;
    for (int pair = 4; pair >= 1; --pair) { // newest first, as stored runs are listed
        const bool aFirst = pair % 2 == 0;
        a.push_back(taggedRun({"x", pairTag(true, pair)}, 10 * pair + (aFirst ? 0 : 5)));
        b.push_back(taggedRun({pairTag(false, pair)}, 10 * pair + (aFirst ? 5 : 0)));
    }
    b.erase(b.begin()); // the fourth pair is not complete
    RunPairs pairs = pairsOfRuns(a, b);
    ASSERT_EQ(pairs.pairs.size(), 3U);
    EXPECT_TRUE(pairs.until_known);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(pairs.pairs[i].number, static_cast<int>(i) + 1);
        EXPECT_EQ(a[pairs.pairs[i].a].created_at_ms / 10, b[pairs.pairs[i].b].created_at_ms / 10);
        EXPECT_EQ(pairs.pairs[i].order == PairOrder::AFirst, i % 2 == 1);
    }
    // The other way round, the same pairs in the other order.
    const RunPairs turned = pairsOfRuns(b, a);
    ASSERT_EQ(turned.pairs.size(), 3U);
    EXPECT_EQ(turned.pairs[0].order, PairOrder::AFirst);

    for (RunInfo* run : {&a[1], &a[2], &a[3], &b[0], &b[1], &b[2]})
        run->tags.push_back(fixedPairsTag(3));
    a.erase(a.begin());
    EXPECT_FALSE(pairsOfRuns(a, b).until_known);
    b.back().tags.back() = fixedPairsTag(2);
    EXPECT_TRUE(pairsOfRuns(a, b).until_known) << "the number was changed on the way";
    for (RunInfo& run : b)
        run.experiment = "other";
    EXPECT_TRUE(pairsOfRuns(a, b).pairs.empty());
}

TEST(PairedRuns, RoundsOfAStudyArePairsIfTheyFollowEachOther)
{
    const auto rounds = [](int repeats, bool mixed) {
        std::vector<RunInfo> a;
        std::vector<RunInfo> b;
        for (int i = 1; i <= repeats; ++i) {
            a.push_back(taggedRun({cellTag("aaaaaaaaaaaa", i)}, mixed ? i : 10 * i));
            b.push_back(taggedRun({cellTag("bbbbbbbbbbbb", i)}, mixed ? 100 + i : 10 * i + 5));
        }
        return pairsOfRuns(a, b);
    };
    EXPECT_EQ(rounds(8, false).pairs.size(), 8U);
    EXPECT_FALSE(rounds(8, false).until_known);
    EXPECT_TRUE(rounds(8, true).pairs.empty()) << "all of a cell, then all of the other";
    EXPECT_TRUE(rounds(5, false).pairs.empty()) << "so few say more as groups";
}

TEST(PairedRuns, KnowsTheTagsThatTheProgramMade)
{
    for (const std::string& tag : {pairTag(true, 1), fixedPairsTag(20), cellTag("0123456789ab", 3)})
        EXPECT_TRUE(isMachineTag(tag)) << tag;
    for (const char* tag : {"pays", "cell", "nightly", "host:a"})
        EXPECT_FALSE(isMachineTag(tag)) << tag;
}

} // namespace ep::energy
