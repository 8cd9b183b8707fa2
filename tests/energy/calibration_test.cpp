// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/simulated_calibration.h"

#include "ep/core/quantile.h"
#include "ep/energy/calibration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace ep::energy {

namespace {

using What = CalibrationBlock::What;

test::Truth calibratedTruth(std::uint32_t seed)
{
    return test::makeTruth({.input_tokens = 512,
                            .output_tokens = 6,
                            .time_mw = 2000.0,
                            .off_model = 0.15,
                            .factors = test::FactorShape::Normal,
                            .idle_s = 0.5,
                            .seed = seed});
}

std::vector<CalibratedKind> kindsOfSizes(const std::vector<double>& seconds)
{
    std::vector<CalibratedKind> kinds;
    for (const double each : seconds)
        kinds.push_back({.kind = std::to_string(kinds.size()), .seconds = each});
    return kinds;
}

std::ptrdiff_t countOf(const std::vector<CalibrationBlock>& plan, What what)
{
    return std::ranges::count(plan, what, &CalibrationBlock::what);
}

} // namespace

TEST(CalibrationPlan, MeasuresEveryKindInEveryRound)
{
    const auto kinds = kindsOfSizes({50.0, 30.0, 19.0, 0.4, 0.3, 0.3});
    const CalibrationSettings settings{.rounds = 5, .check_rounds = 2};
    const auto plan = planCalibration(kinds, settings);
    EXPECT_EQ(countOf(plan, What::Replay), 5 * 6);
    EXPECT_EQ(countOf(plan, What::Multiplied), 2 * 3); // only kinds that have a share of the time
    EXPECT_EQ(countOf(plan, What::Idle), 2);
    EXPECT_EQ(plan.front().what, What::Idle);
    EXPECT_EQ(plan.back().what, What::Idle);
    EXPECT_EQ(plan[1].what, What::Control);
    EXPECT_EQ(plan[plan.size() - 2].what, What::Control);
    std::size_t since = 0;
    for (std::size_t i = 2; i + 1 < plan.size(); ++i) {
        since = plan[i].what == What::Control ? 0 : since + 1;
        EXPECT_LE(since, 4U) << i;
    }
    // Small kinds are mixed, one of them more often than the others.
    EXPECT_EQ(std::ranges::count(plan, std::vector{0, 0, 0, 3, 1, 1}, &CalibrationBlock::passes),
              5);
    EXPECT_EQ(std::ranges::count(plan, std::vector{1, 0, 0, 0, 0, 0}, &CalibrationBlock::passes),
              5 + 2);
    CalibrationSettings other = settings;
    other.seed = 2;
    EXPECT_NE(planCalibration(kinds, other), plan);
    EXPECT_EQ(planCalibration(kinds, settings), plan);
}

TEST(CalibrationPlan, ChecksSmallKindsWithMorePassesWhileTheirWeightsAreCold)
{
    const std::vector<CalibratedKind> kinds{
        {.kind = "q_proj", .calls = 16, .footprint_bytes = 600, .seconds = 6.0},
        {.kind = "down_proj", .calls = 16, .footprint_bytes = 9000, .seconds = 88.0},
        {.kind = "lm_head", .calls = 1, .footprint_bytes = 400, .seconds = 6.0}};
    struct Case {
        std::int64_t cache;
        std::vector<int> extra; // by kind; 0: not checked
    };
    const Case cases[] = {
        {0, {8, 1, 8}}, {100, {8, 1, 8}}, {250, {8, 1, 0}}, {1000, {1, 1, 0}}, {20'000, {8, 1, 8}}};
    for (const Case& one : cases) {
        std::vector<int> extra(kinds.size(), 0);
        for (const auto& block : planCalibration(kinds, {.cache_bytes = one.cache})) {
            if (block.what == What::Multiplied)
                extra[multipliedKind(block)] = block.passes[multipliedKind(block)];
        }
        EXPECT_EQ(extra, one.extra) << one.cache;
    }
}

TEST(CalibrationPlan, TakesThreeMinutesForTwelveKinds)
{
    const auto kinds = kindsOfSizes({20, 15, 15, 10, 10, 10, 5, 5, 3, 3, 2, 2});
    const CalibrationSettings settings;
    EXPECT_LT(secondsOf(planCalibration(kinds, settings), settings), 220.0);
}

TEST(Calibration, FindsTheSharesOfKinds)
{
    std::vector<double> errors;
    int held = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        const auto simulated = test::simulateCalibration(calibratedTruth(seed), {.seed = seed});
        ASSERT_EQ(simulated.result.refusal, "") << seed;
        const CalibrationRecord& record = simulated.result.record;
        EXPECT_NEAR(record.kappa, 1.0, 0.01) << seed;
        for (std::size_t i = 0; i < record.kinds.size(); ++i) {
            const double truth = simulated.trueShare(i);
            if (truth < 0.01)
                continue;
            EXPECT_EQ(record.kinds[i].problem, "") << seed << ' ' << record.kinds[i].kind;
            errors.push_back(std::abs(record.kinds[i].share / truth - 1.0));
            held += std::abs(record.kinds[i].share - truth) <= 1.96 * record.kinds[i].tau * truth;
        }
    }
    std::ranges::sort(errors);
    EXPECT_LT(quantileOf(errors, 0.5), 0.01);
    EXPECT_LT(quantileOf(errors, 0.95), 0.03);
    EXPECT_GE(held, static_cast<int>(0.93 * static_cast<double>(errors.size())));
}

TEST(Calibration, SmallKindsFollowFromMixtures)
{
    const auto simulated = test::simulateCalibration(calibratedTruth(3), {.seed = 3});
    int small = 0;
    for (std::size_t i = 0; i < simulated.kinds.size(); ++i) {
        const double truth = simulated.trueShare(i);
        const CalibratedKind& kind = simulated.result.record.kinds[i];
        if (truth > 0.01 || kind.share <= 0.0)
            continue;
        ++small;
        EXPECT_NEAR(kind.share, truth, 4.0 * kind.share_sd + 1e-5) << kind.kind;
    }
    EXPECT_GE(small, 2);
}

// A kind that stays in the cache uses less energy when replayed alone than in a token.
TEST(Calibration, AlwaysCatchesAHotCacheForKindsAboveOneTwentieth)
{
    int cases = 0;
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const test::Truth truth = calibratedTruth(seed);
        const auto healthy = test::simulateCalibration(truth, {.seed = seed});
        for (std::size_t i = 0; i < healthy.kinds.size(); ++i) {
            if (healthy.trueShare(i) < 0.05)
                continue;
            ++cases;
            const std::string kind = healthy.kinds[i].kind.kind;
            const auto hot =
                test::simulateCalibration(truth, {.hot = kind, .hot_share = 0.08, .seed = seed});
            EXPECT_TRUE(!hot.result.refusal.empty() || !hot.result.record.kinds[i].problem.empty())
                << seed << ' ' << kind << ' ' << healthy.trueShare(i);
        }
    }
    EXPECT_GE(cases, 40);
}

// Variation that the windows themselves show is not drift: 2 % of noise in each, or a burst from
// another program in a tenth of the seconds.
TEST(Calibration, ANoisySensorOrBurstsAreNoReasonToRefuse)
{
    for (const test::CalibrationShape& shape :
         {test::CalibrationShape{.noise = 0.02}, test::CalibrationShape{.bursts_per_s = 0.1}}) {
        for (std::uint32_t seed = 1; seed <= 30; ++seed) {
            test::CalibrationShape own = shape;
            own.seed = seed;
            const auto simulated = test::simulateCalibration(calibratedTruth(seed), own);
            EXPECT_EQ(simulated.result.refusal, "") << shape.noise << ' ' << seed;
        }
    }
}

TEST(Calibration, IsRefusedWithOneSentence)
{
    struct Case {
        const char* words;
        test::CalibrationShape shape;
    };
    test::CalibrationShape brief;
    brief.settings.block_seconds = 0.6;
    const Case cases[] = {{"add up to", {.overhead = 0.1}},
                          {"whole windows", brief},
                          {"changed by", {.drift = 0.06}}};
    const test::Truth truth = calibratedTruth(1);
    for (const Case& one : cases)
        EXPECT_NE(
            test::simulateCalibration(truth, one.shape).result.refusal.english().find(one.words),
            std::string::npos)
            << one.words;
    struct Condition {
        const char* words;
        CalibrationConditions conditions;
    };
    const Condition conditions[] = {
        {"on battery", {.on_battery = true}},
        {"low-power mode", {.low_power = true}},
        {"too hot", {.thermal = ThermalPressure::Heavy}},
        {"Other programs used 20", {.other_cpu_share = 0.2}},
        {"Other programs used 4", {.other_cpu_share = 0.04, .processors = 16}},
    };
    for (const Condition& one : conditions)
        EXPECT_NE(
            estimateCalibration({}, {}, {}, one.conditions, {}).refusal.english().find(one.words),
            std::string::npos)
            << one.words;
    PowerSample modelled;
    modelled.modelled = true;
    EXPECT_NE(
        estimateCalibration({}, {}, {&modelled, 1}, {}, {}).refusal.english().find("modelled"),
        std::string::npos);
}

} // namespace ep::energy
