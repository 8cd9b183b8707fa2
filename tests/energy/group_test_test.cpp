// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/published_data.h"

#include "ep/energy/group_test.h"

#include <gtest/gtest.h>

#include <vector>

// Worked examples with their sources. Where a source prints fewer digits than are compared here,
// its data were run through SciPy 1.10, which agrees with every printed digit.
namespace ep::energy {

using namespace test;

namespace {

using Values = std::vector<double>;

const Values kRuxtonA1{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                       21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
const Values kRuxtonA2{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                       24.8, 20.2, 21.9, 22.1, 22.9, 20.5, 24.4};
const Values kRuxtonB1{17.2, 20.9, 22.6, 18.1, 21.7, 21.4, 23.5, 24.2, 14.7, 21.8};
const Values kRuxtonB2{21.5, 22.8, 21.0, 23.0, 21.6, 23.6, 22.5, 20.7, 23.4, 21.8,
                       20.7, 21.7, 21.5, 22.5, 23.6, 21.5, 22.5, 23.5, 21.5, 21.8};
const Values kRuxtonC1{19.8, 20.4, 19.6, 17.8, 18.5, 18.9, 18.3, 18.9, 19.5, 22.0};
const Values kRuxtonC2{28.2, 26.6, 20.1, 23.3, 25.2, 22.1, 17.7, 27.6, 20.6, 13.7,
                       23.2, 17.5, 20.6, 18.0, 23.9, 21.6, 24.3, 20.4, 24.0, 13.2};

// Half of the values above the mean and half below it, so that mean and sd are as given.
Values withMoments(double mean, double sd, int n)
{
    const double distance = sd * std::sqrt((n - 1.0) / n);
    Values values;
    for (int i = 0; i < n; ++i)
        values.push_back(i % 2 == 0 ? mean - distance : mean + distance);
    return values;
}

} // namespace

TEST(GroupTest, WelchAgreesWithWorkedExamples)
{
    struct Case {
        const char* source;
        Values a;
        Values b;
        double t;
        double df;
        double p;
        Interval ci;
    };
    const Case cases[] = {
        {"R: t.test(extra ~ group, sleep): t = 1.8608, df = 17.776, p = 0.07939",
         kSleepFirst,
         kSleepSecond,
         1.8608134675,
         17.7764735162,
         0.0793941402,
         {-0.2054832307, 3.3654832307}},
        {"Wikipedia, Welch's t-test, example 1: t = 2.46, df = 25.0, p = 0.021",
         kRuxtonA1,
         kRuxtonA2,
         2.4553563983,
         24.9885292902,
         0.0213780015,
         {0.3492370662, 3.9840962671}},
        {"the same, example 2: t = 1.57, df = 9.9, p = 0.149",
         kRuxtonB1,
         kRuxtonB2,
         1.5654335235,
         9.9047412486,
         0.1488416966,
         {-0.6484213254, 3.6984213254}},
        {"the same, example 3: t = 2.22, df = 24.5, p = 0.036",
         kRuxtonC1,
         kRuxtonC2,
         2.2192409158,
         24.4962231242,
         0.0359722710,
         {0.1576064645, 4.2823935355}},
    };
    for (const Case& c : cases) {
        const auto result = welchTest(c.a, c.b);
        ASSERT_TRUE(result.has_value()) << c.source;
        EXPECT_NEAR(result->t, c.t, 1e-6) << c.source;
        EXPECT_NEAR(result->df, c.df, 1e-6) << c.source;
        EXPECT_NEAR(result->p, c.p, 1e-6) << c.source;
        EXPECT_NEAR(result->interval.low, c.ci.low, 1e-6) << c.source;
        EXPECT_NEAR(result->interval.high, c.ci.high, 1e-6) << c.source;
    }
}

TEST(GroupTest, EffectSizesAgreeWithWorkedExamples)
{
    // Borenstein et al. (2009), Introduction to Meta-Analysis, ch. 4: means 103 and 100, sd 5.5 and
    // 4.5, 50 each: d = 0.5970, g = 0.5924 (J by an approximation; the exact one agrees).
    EXPECT_NEAR(*hedgesG(withMoments(100.0, 4.5, 50), withMoments(103.0, 5.5, 50)), 0.5924396230,
                1e-6);
    EXPECT_NEAR(*hedgesG(kSleepFirst, kSleepSecond), 0.7969352392, 1e-6);
    EXPECT_NEAR(*hedgesG(kRuxtonA1, kRuxtonA2), 0.8723011536, 1e-6);
    EXPECT_FALSE(hedgesG(Values{1.0}, Values{2.0, 3.0}).has_value());
    EXPECT_FALSE(hedgesG(Values{1.0, 1.0}, Values{1.0, 1.0}).has_value());
}

TEST(GroupTest, HolmAgreesWithWorkedExamples)
{
    struct Case {
        const char* source;
        Values p;
        Values adjusted;
    };
    const Case cases[] = {
        {"Wikipedia, Holm-Bonferroni method", {0.01, 0.04, 0.03, 0.005}, {0.03, 0.06, 0.06, 0.02}},
        {"R: p.adjust(1:5 / 100, 'holm')",
         {0.01, 0.02, 0.03, 0.04, 0.05},
         {0.05, 0.08, 0.09, 0.09, 0.09}},
        {"capped at 1", {0.9, 0.8}, {1.0, 1.0}},
        {"one test stays", {0.04}, {0.04}},
        {"none", {}, {}},
    };
    for (const Case& c : cases) {
        const auto adjusted = holmAdjusted(c.p);
        ASSERT_EQ(adjusted.size(), c.adjusted.size()) << c.source;
        for (std::size_t i = 0; i < adjusted.size(); ++i)
            EXPECT_NEAR(adjusted[i], c.adjusted[i], 1e-6) << c.source;
    }
}

TEST(GroupTest, RepeatsAgreeWithWorkedExamples)
{
    // Cohen (1988), table 2.4.1 and G*Power: 26, 64 and 394 for large, medium and small effects.
    EXPECT_EQ(aboutRepeatsNeeded(0.8), 26);
    EXPECT_EQ(aboutRepeatsNeeded(0.5), 64);
    EXPECT_EQ(aboutRepeatsNeeded(-0.2), 394);
    // R's ?power.t.test: power = 0.9, delta = 1 needs n = 22.02.
    EXPECT_NEAR(static_cast<double>(aboutRepeatsNeeded(1.0, 0.05, 0.9).value_or(0)), 22.02, 1.0);
    EXPECT_EQ(aboutRepeatsNeeded(50.0), 2);
    EXPECT_EQ(aboutRepeatsNeeded(1e6), 2);
    EXPECT_FALSE(aboutRepeatsNeeded(0.0).has_value());
    EXPECT_FALSE(aboutRepeatsNeeded(1e-5).has_value());
    EXPECT_TRUE(aboutRepeatsNeeded(0.004).has_value());
}

TEST(GroupTest, NeedsTwoValues)
{
    EXPECT_FALSE(welchTest(Values{1}, Values{1, 2}).has_value());
}

} // namespace ep::energy
