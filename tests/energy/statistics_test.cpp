// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/published_data.h"

#include "ep/core/format.h"
#include "ep/core/quantile.h"
#include "ep/energy/statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace ep::energy {

namespace {

using namespace test;

// One value, then `pairs` times two others, as in NIST's generated accuracy data sets.
std::vector<double> alternating(double first, double low, double high, int pairs)
{
    std::vector<double> values{first};
    for (int i = 0; i < pairs; ++i) {
        values.push_back(low);
        values.push_back(high);
    }
    return values;
}

struct CertifiedCase {
    const char* name; // data set of https://www.itl.nist.gov/div898/strd/univ/homepage.html
    std::vector<double> values;
    double mean;
    double sd;
    double autocorrelation;
};

} // namespace

TEST(Statistics, AgreeWithTheCertifiedValuesOfNist)
{
    const CertifiedCase cases[] = {
        {"NumAcc1", {10'000'001.0, 10'000'003.0, 10'000'002.0}, 10'000'002.0, 1.0, -0.5},
        {"NumAcc2", alternating(1.2, 1.1, 1.3, 500), 1.2, 0.1, -0.999},
        {"NumAcc3", alternating(1'000'000.2, 1'000'000.1, 1'000'000.3, 500), 1'000'000.2, 0.1,
         -0.999},
        {"NumAcc4", alternating(10'000'000.2, 10'000'000.1, 10'000'000.3, 500), 10'000'000.2, 0.1,
         -0.999},
        {"Mavro", kMavro, 2.001856, 0.000429123454003053, 0.937989183438248},
    };
    for (const CertifiedCase& c : cases) {
        const SampleStatistics all = describe(c.values);
        EXPECT_NEAR(all.mean, c.mean, 1e-9 * c.mean) << c.name;
        EXPECT_NEAR(*all.sd, c.sd, 1e-6 * c.sd) << c.name;
        EXPECT_NEAR(autocorrelation(c.values), c.autocorrelation, 1e-6) << c.name;
    }
}

TEST(Statistics, IntervalsAndQuantilesOfStudentsSleepData)
{
    // R 4: t.test(extra ~ ...), and quantile() of the first drug.
    const auto interval = studentInterval(kSleepFirst);
    ASSERT_TRUE(interval.has_value());
    EXPECT_NEAR(interval->low, -0.5297804, 1e-6);
    EXPECT_NEAR(interval->high, 2.0297804, 1e-6);
    EXPECT_NEAR(*sampleSd(kSleepFirst), 1.789010, 1e-6);
    EXPECT_NEAR(medianOf(kSleepFirst), 0.35, 1e-12);
    std::vector<double> sorted = kSleepFirst;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_NEAR(quantileOf(sorted, 0.25), -0.175, 1e-12);
    EXPECT_NEAR(quantileOf(sorted, 0.75), 1.7, 1e-12);
}

// Mean joules are positive, so their interval does not reach below zero; that of differences
// may.
TEST(Statistics, IntervalsOfPositiveFiguresStayPositive)
{
    const std::vector<double> joules{1.0, 2.0, 4.0};
    ASSERT_LT(studentInterval(joules)->low, 0.0);
    EXPECT_EQ(describe(joules).ci95->low, 0.0);
    EXPECT_EQ(describe(joules).ci95->high, studentInterval(joules)->high);
    const std::vector<double> differences{-1.0, 2.0, 4.0};
    EXPECT_EQ(describe(differences).ci95, studentInterval(differences));
}

TEST(Statistics, SayWhyThereIsNoInterval)
{
    EXPECT_EQ(describe({}).n, 0);
    EXPECT_EQ(describe({}).ci_method, "no values");
    const std::vector<double> two{1.0, 2.0};
    const SampleStatistics pair = describe(two);
    EXPECT_FALSE(pair.ci95.has_value());
    EXPECT_NE(pair.ci_method.find("at least 3"), std::string::npos);
    EXPECT_FALSE(describe(std::vector<double>{1.0}).sd.has_value());
    const std::vector<double> three{11.0, 12.0, 14.0};
    EXPECT_EQ(describe(three).ci95, studentInterval(three));
    EXPECT_FALSE(bootstrapInterval(three).has_value());
    std::vector<double> many;
    for (int i = 0; i < 101; ++i)
        many.push_back(i % 7);
    EXPECT_EQ(describe(many).ci95, studentInterval(many));
    const std::vector<double> equal(6, 0.1);
    EXPECT_EQ(describe(equal).ci95, (Interval{describe(equal).mean, describe(equal).mean}));
    EXPECT_FALSE(seriesInterval(std::vector<double>(19, 1.0)).has_value());
}

TEST(Statistics, BootstrapIsTheSameForTheSameSeed)
{
    const std::vector<double> values{3.1, 2.9, 3.3, 3.0, 2.8, 3.4};
    EXPECT_EQ(bootstrapInterval(values, 7), bootstrapInterval(values, 7));
    EXPECT_NE(bootstrapInterval(values, 7), bootstrapInterval(values, 8));
    EXPECT_TRUE(bootstrapInterval(values)->contains(3.0833));
}

// 93 to 97 % of the 95 % intervals must contain the truth, for few repeats and for many.
TEST(Statistics, IntervalsHoldTheTruthAsOftenAsTheySay)
{
    for (const int n : {3, 5, 8, 12}) {
        std::mt19937_64 engine(static_cast<std::uint64_t>(n));
        int held = 0;
        constexpr int kTrials = 3000;
        for (int i = 0; i < kTrials; ++i) {
            const std::vector<double> values = normalValues(engine, n, 20.0, 0.6);
            held += describe(values, engine()).ci95->contains(20.0) ? 1 : 0;
        }
        const double share = static_cast<double>(held) / kTrials;
        EXPECT_GE(share, 0.93) << n;
        EXPECT_LE(share, 0.97) << n;
    }
}

TEST(Statistics, BlocksCoverASeriesWhoseNeighboursDependOnEachOther)
{
    int held = 0;
    int heldByNaive = 0;
    constexpr int kTrials = 400;
    std::mt19937_64 engine(5);
    for (int trial = 0; trial < kTrials; ++trial) {
        std::vector<double> series;
        double state = 0.0;
        for (const double shock : normalValues(engine, 400, 0.0, 1.0)) {
            state = 0.6 * state + shock;
            series.push_back(10.0 + state);
        }
        const auto interval = seriesInterval(series, engine());
        ASSERT_TRUE(interval.has_value());
        EXPECT_GT(interval->block, 1);
        held += interval->ci95.contains(10.0) ? 1 : 0;
        heldByNaive += studentInterval(series)->contains(10.0) ? 1 : 0;
    }
    EXPECT_GT(held, kTrials * 88 / 100);
    EXPECT_LT(heldByNaive, kTrials * 80 / 100);
    EXPECT_EQ(seriesInterval(kMavro)->n, 50);
    EXPECT_EQ(seriesInterval(kMavro)->block, 12);
}

TEST(FigureText, ShowsTheMeanWithItsIntervalOrItsSpread)
{
    const SampleStatistics several{
        .n = 5, .mean = 0.00123, .sd = 0.0000123, .ci95 = Interval{.low = 0.0012, .high = 0.00126}};
    const SampleStatistics one{.n = 1, .mean = 2.5};
    const struct {
        RunFigure figure;
        SampleStatistics sample;
        const char* figureText;
        const char* cellText;
        const char* spreadText;
        const char* relativeSd;
    } cases[] = {
        {RunFigure::JoulesPerToken, several, "1.23 mJ/token (1.20 mJ to 1.26 mJ)",
         "1.23 mJ (1.20 mJ to 1.26 mJ)", "1.23 mJ/token (sd 1.0 %, n 5)", "1.0 %"},
        {RunFigure::TokensPerSecond, one, "2.50 tokens/s", "2.50", "2.50 tokens/s", kMissingText},
        {RunFigure::Duration, one, "2.50 s", "2.50 s", "2.50 s", kMissingText},
        {RunFigure::Energy, {}, kMissingText, kMissingText, kMissingText, kMissingText},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(figureText(c.figure, c.sample), c.figureText);
        EXPECT_EQ(cellText(c.figure, c.sample), c.cellText);
        EXPECT_EQ(spreadText(c.figure, c.sample), c.spreadText);
        EXPECT_EQ(relativeSd(c.sample), c.relativeSd);
    }
}

} // namespace ep::energy
