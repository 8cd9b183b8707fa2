// SPDX-License-Identifier: GPL-3.0-or-later
// What a run is compared with: its own work, or another run.
#include "support/diagnosed_run.h"

#include "ep/core/token_ledger.h"
#include "ep/energy/diagnosis.h"
#include "ep/energy/unusual_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ep::energy {
namespace {

// If neither side can be divided, no parts can be named.
TEST(CauseDifferenceTest, OfWhatIsNotDividedNamesNoParts)
{
    Diagnosis before;
    before.of_time = true;
    before.whole.whole = before.whole.rest = roundedPicojoules(1e12);
    Diagnosis after = before;
    after.whole.whole = after.whole.rest = roundedPicojoules(1.173e12);
    EXPECT_EQ(differenceOf(before, after, 100, 100).sentence, "The second run needs 173 ms more.");
}

// A run of one law: 2 mJ for each input and 20 mJ for each output token, times `factor`.
RunSummary runOfLaw(int number, int input, int output, double factor, bool phases = true)
{
    RunSummary run;
    run.info.id = std::to_string(number);
    run.info.status = RunStatus::Complete;
    run.info.model.name = "m";
    run.info.input_tokens = input;
    run.info.output_tokens = output;
    run.metrics.joules_per_token = factor * (0.002 * input + 0.02 * output) / output;
    if (phases)
        run.metrics.joules_per_input_token = factor * 0.002;
    run.metrics.energy.provenance = Provenance::Measured;
    return run;
}

TEST(UnusualCostTest, ComparesRunsOfSimilarLengthsAndEqualSettings)
{
    std::vector<RunSummary> others;
    constexpr std::pair<int, int> kLengths[] = {{20, 200}, {30, 180}, {25, 220}, {40, 150},
                                                {22, 190}, {35, 210}, {28, 170}};
    for (const auto& [input, output] : kLengths)
        others.push_back(runOfLaw(static_cast<int>(others.size()), input, output,
                                  1.0 + 0.005 * static_cast<double>(others.size() % 3)));
    struct Case {
        const char* name;
        RunSummary run;
        bool unusual;
    };
    auto with = [](auto&& change) {
        RunSummary run = runOfLaw(100, 30, 200, 1.5);
        change(run.info);
        return run;
    };
    const Case cases[] = {
        {"usual", runOfLaw(100, 30, 200, 1.0), false},
        {"dear", runOfLaw(100, 30, 200, 1.5), true},
        {"cheap", runOfLaw(100, 30, 200, 0.6), true},
        {"long prompt, short answer", runOfLaw(100, 600, 12, 1.0), false},
        {"long prompt", runOfLaw(100, 600, 200, 1.0), false},
        {"longer prompt, usual", runOfLaw(100, 39, 160, 1.0), false},
        {"unknown phases, other lengths", runOfLaw(100, 300, 200, 1.0, false), false},
        {"threads", with([](RunInfo& info) { info.environment.threads = 8; }), false},
        {"kernels", with([](RunInfo& info) { info.profiling.kernels = "panels"; }), false},
        {"attention", with([](RunInfo& info) { info.execution.attention = "plain"; }), false},
        {"cache", with([](RunInfo& info) { info.execution.cache = "static, q8_0"; }), false},
        {"server", with([](RunInfo& info) { info.profiling.server.emplace().engine = "s"; }),
         false},
        {"draft", with([](RunInfo& info) {
             info.profiling.token_counts =
                 TokenCounts{.cached = {}, .draft = "ngram", .drafted = 8, .accepted = 2};
         }),
         false},
        {"prompt cache",
         with([](RunInfo& info) { info.profiling.token_counts = TokenCounts{.cached = 16}; }),
         false},
    };
    for (const Case& c : cases)
        EXPECT_EQ(unusualCostOf(c.run, others).has_value(), c.unusual) << c.name;
    const auto cost = unusualCostOf(runOfLaw(100, 30, 200, 1.5), others);
    ASSERT_TRUE(cost);
    EXPECT_NEAR(cost->ratio(), 1.5, 0.02) << "at the lengths of the run";
    EXPECT_EQ(cost->others, 7);
}

// Of ordinary runs, at most 2 % are unusual, however few there are to compare with.
TEST(UnusualCostTest, IsRareAmongOrdinaryRuns)
{
    std::mt19937_64 draws(7);
    const auto uniform = [&] { return (static_cast<double>(draws() >> 11U) + 0.5) * 0x1p-53; };
    const auto normal = [&] {
        return std::sqrt(-2.0 * std::log(uniform())) * std::cos(6.283185307179586 * uniform());
    };
    constexpr int kTrials = 3000;
    for (const std::size_t others : {5U, 6U, 7U, 9U, 12U, 20U, 50U}) {
        for (const double spread : {0.03, 0.08, 0.15, 0.3}) {
            int unusual = 0;
            std::vector<RunSummary> runs(others, runOfLaw(0, 30, 200, 1.0));
            for (int trial = 0; trial < kTrials; ++trial) {
                for (RunSummary& run : runs) {
                    run.info.id = "other";
                    run.metrics.joules_per_token = 0.02 * std::exp(spread * normal());
                    run.metrics.joules_per_input_token.reset();
                }
                RunSummary own = runs.front();
                own.info.id = "own";
                own.metrics.joules_per_token = 0.02 * std::exp(spread * normal());
                unusual += unusualCostOf(own, runs) ? 1 : 0;
            }
            EXPECT_LE(unusual, kTrials * 2 / 100) << others << " others, " << spread;
        }
    }
}

TEST(UnusualPartTest, IsAPartAboveTheShareOfItsWork)
{
    ep::test::RunSetup slow;
    slow.fallback = 40; // attention's output projection
    const auto part = unusualPartOf(diagnose(ep::test::diagnosedRun(slow).request()));
    ASSERT_TRUE(part);
    EXPECT_STREQ(part->phrase, "attention");
    EXPECT_FALSE(part->of_time);
    EXPECT_GT(part->share, 1.5 * part->expected);
    EXPECT_NEAR(part->expected, 0.3, 0.15);
    const std::string line = lineOf(*part).english();
    EXPECT_EQ(line.rfind("Unusual: ", 0), 0U);
    EXPECT_NE(line.find(" % of the energy went into attention, "), std::string::npos) << line;
    EXPECT_NE(line.find(" times the share that FLOPs and bytes predict."), std::string::npos)
        << line;
}

TEST(UnusualPartTest, IsNoneInRunsWhoseWorkExplainsThem)
{
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        ep::test::RunSetup setup;
        setup.seed = seed;
        EXPECT_FALSE(unusualPartOf(diagnose(ep::test::diagnosedRun(setup).request()))) << seed;
        ep::test::inject(setup, Cause::Head, 3); // expensive, but because of its bytes
        EXPECT_FALSE(unusualPartOf(diagnose(ep::test::diagnosedRun(setup).request()))) << seed;
    }
    EXPECT_FALSE(unusualPartOf({})) << "nothing is known";
}

} // namespace
} // namespace ep::energy
