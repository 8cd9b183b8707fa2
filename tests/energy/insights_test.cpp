// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/compared_runs.h"

#include "ep/energy/energy_origin.h"
#include "ep/energy/insights.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace ep::energy {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

namespace {

RunSummary runOf(const std::string& model, double joules, double speed, const char* dtype = "f32")
{
    const ep::Run run =
        makeRun({.joules_per_token = joules, .tokens_per_second = speed, .dtype = dtype});
    RunSummary summary{run.info, run.metrics};
    summary.info.model.name = model;
    return summary;
}

} // namespace

TEST(Insights, FitAPowerLaw)
{
    // Exact: y = 3 x^0.5.
    const auto exact = fitPowerLaw({1, 4, 9, 16}, {3, 6, 9, 12});
    ASSERT_TRUE(exact.has_value());
    EXPECT_NEAR(exact->exponent, 0.5, 1e-12);
    EXPECT_NEAR(exact->factor, 3.0, 1e-12);
    EXPECT_NEAR(exact->r2, 1.0, 1e-12);
    EXPECT_NEAR(exact->at(100.0), 30.0, 1e-9);
    // NIST's Norris data (StRD linear regression, lower difficulty) on a logarithmic scale:
    // certified slope 1.00211681802045 with standard deviation 0.429796848199937E-03, intercept
    // -0.262323073774029, residual sd 0.884796396144373, R2 0.999993745883712.
    const std::vector<double> x{0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6,
                                777.0, 558.2, 0.4,   0.6,   775.5, 666.9, 338.0, 447.5, 11.6,
                                556.0, 228.1, 995.8, 887.6, 120.2, 0.3,   0.3,   556.8, 339.1,
                                887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5};
    const std::vector<double> y{0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1,
                                778.9, 559.2, 0.3,   0.1,   778.1, 668.8, 339.3, 448.9, 10.8,
                                557.7, 228.3, 998.0, 888.8, 119.6, 0.3,   0.6,   557.6, 339.3,
                                888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2};
    constexpr double kScale = 0.01; // keeps the powers within the range of a double
    std::vector<double> powX;
    std::vector<double> powY;
    for (std::size_t i = 0; i < x.size(); ++i) {
        powX.push_back(std::exp(kScale * x[i]));
        powY.push_back(std::exp(kScale * y[i]));
    }
    const auto norris = fitPowerLaw(powX, powY);
    ASSERT_TRUE(norris.has_value());
    EXPECT_NEAR(norris->exponent, 1.00211681802045, 1e-6);
    EXPECT_NEAR(std::log(norris->factor) / kScale, -0.262323073774029, 1e-6);
    EXPECT_NEAR(norris->residual_sd / kScale, 0.884796396144373, 1e-6);
    EXPECT_NEAR(norris->r2, 0.999993745883712, 1e-9);
    const double half = norris->exponent_ci95->high - norris->exponent;
    EXPECT_NEAR(half / norris->t_quantile, 0.429796848199937e-3, 1e-6);
    EXPECT_TRUE(norris->bandAt(std::exp(1.0))->contains(norris->at(std::exp(1.0))));
}

// Models 20 % off the law with ten repeats each: each model counts as one observation only.
TEST(Insights, TakeRepeatsOfAModelAsOneWitness)
{
    std::mt19937 engine(5);
    const auto normal = [&engine] {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i)
            sum += static_cast<double>(engine() >> 5) / 134217728.0;
        return sum;
    };
    int held = 0;
    int naive = 0;
    int heldWithin = 0;
    constexpr int kTimes = 1000;
    for (int time = 0; time < kTimes; ++time) {
        std::vector<double> x;
        std::vector<double> y;
        std::vector<double> inside;
        std::vector<double> lengths;
        std::vector<std::string> models;
        for (int model = 0; model < 6; ++model) {
            const double size = std::pow(2.0, model);
            const double off = 0.2 * normal();
            for (int repeat = 0; repeat < 10; ++repeat) {
                x.push_back(size);
                y.push_back(size * std::exp(off + 0.02 * normal()));
                lengths.push_back(std::pow(2.0, repeat % 5 + (model % 3)));
                inside.push_back(lengths.back() * std::exp(off + 0.02 * normal()));
                models.push_back(std::to_string(model));
            }
        }
        held += fitPowerLaw(x, y, models)->exponent_ci95->contains(1.0) ? 1 : 0;
        naive += fitPowerLaw(x, y)->exponent_ci95->contains(1.0) ? 1 : 0;
        heldWithin += fitPowerLaw(lengths, inside, models)->exponent_ci95->contains(1.0) ? 1 : 0;
    }
    EXPECT_GE(held, kTimes * 93 / 100);
    EXPECT_LE(held, kTimes * 97 / 100);
    EXPECT_LT(naive, kTimes * 7 / 10);
    EXPECT_GE(heldWithin, kTimes * 85 / 100);
}

TEST(Insights, RefuseALawOfTooFewPoints)
{
    EXPECT_FALSE(fitPowerLaw({1, 2}, {1, 2}).has_value());
    EXPECT_FALSE(fitPowerLaw({1, 2, 2, 1}, {1, 2, 2, 1}).has_value());
    EXPECT_FALSE(fitPowerLaw({0, -1, 2, 3}, {1, 2, 3, 4}).has_value());
    EXPECT_FALSE(fitPowerLaw({}, {}).has_value());
}

TEST(Insights, FindTheFrontAndItsKnee)
{
    // x: throughput, higher is better; y: energy, lower is better.
    const std::vector<double> x{1, 2, 3, 4, 2, 4};
    const std::vector<double> y{1, 1.2, 1.6, 5, 3, 6};
    const auto front = paretoFront(x, y);
    EXPECT_THAT(front, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(kneeOf(front, x, y), 2U);
    EXPECT_THAT(paretoFront({}, {}), IsEmpty());
    EXPECT_THAT(paretoFront({1, 1}, {2, 2}), ElementsAre(0)); // identical points count once
    EXPECT_FALSE(kneeOf({0, 1}, x, y).has_value());
    EXPECT_FALSE(kneeOf({0, 1, 2}, {1, 2, 3}, {1, 2, 3}).has_value()); // a straight line has none
}

TEST(Insights, RankGroupsAndSayWhatTheyRestOn)
{
    const std::vector<RunSummary> runs{runOf("small", 0.1, 50), runOf("large", 0.9, 10),
                                       runOf("large", 0.7, 12), runOf("large", 0.8, 11, "bf16")};
    std::vector<const RunSummary*> all;
    for (const RunSummary& run : runs)
        all.push_back(&run);
    const auto byModel = groupBy(RunGrouping::Model, RunFigure::JoulesPerToken, all);
    ASSERT_EQ(byModel.size(), 2U);
    EXPECT_EQ(byModel[0].name, "small");
    EXPECT_EQ(byModel[1].statistics.n, 3);
    EXPECT_NEAR(byModel[1].statistics.mean, 0.8, 1e-12);
    EXPECT_EQ(groupBy(RunGrouping::Model, RunFigure::TokensPerSecond, all)[0].name, "small");
    EXPECT_EQ(groupBy(RunGrouping::NumberFormat, RunFigure::JoulesPerToken, all).size(), 2U);
    EXPECT_THAT(groupBy(RunGrouping::Attention, RunFigure::JoulesPerToken, all), IsEmpty());
    EXPECT_FALSE(tokenCosts(all).has_value());

    std::vector<RunSummary> others(3, runOf("small", 0.5, 20));
    others[1].info.profiling.command.emplace().engine = "recorded: transformers 5.24.0";
    others[2].info.profiling.server.emplace().engine = "llama.cpp b4689";
    std::vector<std::string> names;
    for (const InsightGroup& group : groupBy(RunGrouping::Model, RunFigure::JoulesPerToken,
                                             {&others[0], &others[1], &others[2]}))
        names.push_back(group.name);
    EXPECT_THAT(
        names,
        UnorderedElementsAre("small", "small, transformers 5.24.0", "small, llama.cpp b4689"));

    RunInfo info;
    info.model.attention_heads = 8;
    for (const auto& [heads, word] :
         {std::pair(8, "MHA"), std::pair(2, "GQA"), std::pair(1, "MQA"), std::pair(0, "")}) {
        info.model.kv_heads = heads;
        EXPECT_EQ(groupOf(RunGrouping::Attention, info), word);
    }
    for (std::size_t i = 0; i < kRunFeatureCount; ++i) {
        const auto feature = static_cast<RunFeature>(i);
        EXPECT_FALSE(title(feature).empty());
        EXPECT_EQ(valueOf(feature, RunInfo()).has_value(), feature == RunFeature::BatchSize);
    }
    info.model.weight_bytes = 5'625;
    EXPECT_FALSE(valueOf(RunFeature::BitsPerWeight, info));
    info.model.parameters = 10'000;
    EXPECT_EQ(valueOf(RunFeature::BitsPerWeight, info), 4.5);
}

TEST(Insights, CompareTheCostOfTokens)
{
    std::vector<RunSummary> runs{runOf("a", 0.1, 50), runOf("a", 0.2, 50), runOf("a", 0.3, 50)};
    for (std::size_t i = 0; i < 2; ++i) {
        runs[i].metrics.joules_per_input_token = 0.01;
        runs[i].metrics.joules_per_output_token = 0.1 * static_cast<double>(i + 1);
    }
    const auto costs = tokenCosts({&runs[0], &runs[1], &runs[2]});
    ASSERT_TRUE(costs.has_value());
    EXPECT_EQ(costs->input.n, 2);
    EXPECT_NEAR(costs->ratio(), 15.0, 1e-9);
    EXPECT_NEAR(costs->input.mean, 0.01, 1e-12);
}

TEST(EnergyOrigin, IsThatOfTheSourceUnlessItMeasuresThisMachine)
{
    struct Case {
        const char* source;
        Provenance provenance;
        std::string_view label;
    };
    for (const Case& c : {Case{"rapl", Provenance::Attributed, "attributed"},
                          Case{"modelled", Provenance::Modelled, "modelled"},
                          Case{"simulated", Provenance::Modelled, "simulated"},
                          Case{"replay", Provenance::Measured, "replayed"},
                          Case{"replay", Provenance::Missing, "missing"}})
        EXPECT_EQ(originOf(c.source, c.provenance).label, c.label) << c.source;
    // The bundled demo run.
    EXPECT_STREQ(originOf("simulated", Provenance::Modelled).statement, "Simulated, not measured");
}

} // namespace ep::energy
