// SPDX-License-Identifier: GPL-3.0-or-later
#include "energy/compared_runs.h"

#include "ep/energy/group_test.h"
#include "ep/energy/tree_test.h"

#include <gmock/gmock.h>

#include <cmath>
#include <functional>

namespace ep::energy {

namespace {

using test::normalValues;
using testing::HasSubstr;

constexpr int kKinds = 12;
constexpr int kLayers = 23;
constexpr int kOthers = 12; // parts without layers: 300 nodes altogether
constexpr int kRepeats = 5;
constexpr int kChanged = 4; // the kind that changes

// Parts and their layers as compareNodes() arranges them. The leaves of a run have individual
// errors and a common one.
struct TreeNoise {
    double own = 0.01;
    double shared = 0.0;
};

using Factor = std::function<double(int kind, int layer)>; // applied to side b

double energyOf(int kind, int layer)
{
    return 1.0 + 0.3 * kind + 0.02 * layer;
}

std::vector<NodeValues> makeTree(std::mt19937_64& engine, const TreeNoise& noise,
                                 const Factor& factor)
{
    std::vector<NodeValues> nodes;
    for (int kind = 0; kind < kKinds; ++kind) {
        nodes.push_back({});
        for (int layer = 0; layer < kLayers; ++layer)
            nodes.push_back({.parent = kind * (kLayers + 1)});
    }
    for (int other = 0; other < kOthers; ++other)
        nodes.push_back({});
    for (const bool second : {false, true}) {
        for (int repeat = 0; repeat < kRepeats; ++repeat) {
            const double common = normalValues(engine, 1, 1.0, noise.shared)[0];
            const auto own = normalValues(engine, static_cast<int>(nodes.size()), 1.0, noise.own);
            std::size_t at = 0;
            const auto put = [&](std::size_t node, double value) {
                (second ? nodes[node].b : nodes[node].a).push_back(value);
            };
            for (int kind = 0; kind < kKinds; ++kind) {
                const std::size_t part = at++;
                double sum = 0.0;
                for (int layer = 0; layer < kLayers; ++layer, ++at) {
                    const double value = energyOf(kind, layer) * common * own[at]
                        * (second ? factor(kind, layer) : 1.0);
                    put(at, value);
                    sum += value;
                }
                put(part, sum);
            }
            for (; at < nodes.size(); ++at)
                put(at, 2.0 * common * own[at]);
        }
    }
    return nodes;
}

double unchanged(int, int)
{
    return 1.0;
}

int foundIn(const TreeTests& tests)
{
    return static_cast<int>(std::ranges::count_if(
        tests.nodes, [](const NodeTest& test) { return isFound(test.verdict); }));
}

} // namespace

TEST(TreeTest, AdjustsByTheLeavesAndTheAncestors)
{
    //  0 (p 0.01) > 1 (0.02) > 3 (0.001), 4 (none), 5 (0.2);  0 > 2 (0.004);  6 (0.02)
    const std::vector<TestedNode> nodes{{-1, 0.01}, {0, 0.02}, {0, 0.004}, {1, 0.001},
                                        {1, {}},    {1, 0.2},  {-1, 0.02}};
    const auto adjusted = hierarchicallyAdjusted(nodes);
    const double m = 4.0; // leaves: 2, 3, 5, 6
    EXPECT_DOUBLE_EQ(*adjusted[0], 0.01 * m / 3.0);
    EXPECT_DOUBLE_EQ(*adjusted[1], 0.02 * m / 2.0);
    EXPECT_DOUBLE_EQ(*adjusted[2], 0.004 * m);
    EXPECT_DOUBLE_EQ(*adjusted[3], 0.02 * m / 2.0); // the p-value of its parent
    EXPECT_FALSE(adjusted[4].has_value());
    EXPECT_DOUBLE_EQ(*adjusted[5], 0.2 * m);
    EXPECT_DOUBLE_EQ(*adjusted[6], 0.02 * m);
    EXPECT_DOUBLE_EQ(*hierarchicallyAdjusted(nodes, 3)[0], 0.01 * 3.0 * m / 3.0);
    EXPECT_DOUBLE_EQ(*hierarchicallyAdjusted(nodes, 100)[0], 1.0);
}

TEST(TreeTest, SplitsADifferenceWithoutARest)
{
    struct Case {
        double energyA, timeA, energyB, timeB;
    };
    for (const Case& c :
         {Case{10.0, 2.0, 15.0, 3.0}, Case{10.0, 2.0, 15.0, 2.0}, Case{10.0, 2.0, 10.0, 4.0},
          Case{10.0, 2.0, 10.0 * (1.0 + 1e-12), 2.0}, Case{3e-7, 5.0, 8.0, 1e-3}}) {
        const auto split = splitDifference(c.energyA, c.timeA, c.energyB, c.timeB);
        ASSERT_TRUE(split);
        EXPECT_NEAR(split->from_power + split->from_time, c.energyB - c.energyA, 1e-12);
        // Computed by definition, from the powers.
        const double mean = c.energyB == c.energyA
            ? c.energyA
            : (c.energyB - c.energyA) / std::log(c.energyB / c.energyA);
        const double power = (c.energyB / c.timeB) / (c.energyA / c.timeA);
        EXPECT_NEAR(split->from_power, mean * std::log(power), 1e-3 * c.energyA);
    }
    EXPECT_NEAR(splitDifference(10.0, 2.0, 15.0, 3.0)->from_power, 0.0, 1e-12);
    EXPECT_NEAR(splitDifference(10.0, 2.0, 15.0, 2.0)->from_time, 0.0, 1e-12);
    EXPECT_FALSE(splitDifference(0.0, 2.0, 15.0, 2.0));
    EXPECT_FALSE(splitDifference(1.0, 2.0, -15.0, 2.0));
}

// 1,000 pairs of equal configurations, some of which have an error common to their leaves.
TEST(TreeTest, HoldsTheErrorOfTheFamily)
{
    struct Case {
        TreeNoise noise;
        int pairs;
    };
    for (const auto& [noise, pairs] :
         {Case{{.own = 0.01}, 1000}, Case{{.own = 0.01, .shared = 0.02}, 200}}) {
        std::mt19937_64 engine(26);
        int wrong = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            const auto nodes = makeTree(engine, noise, unchanged);
            ASSERT_EQ(nodes.size(), 300U);
            wrong += foundIn(testTree(nodes, 0.0)) > 0 ? 1 : 0;
        }
        RecordProperty("false_of_" + std::to_string(pairs), wrong);
        EXPECT_LE(wrong, pairs / 20) << noise.shared;
    }
}

// One kind of component costs 5 % more in every layer.
TEST(TreeTest, FindsAChangedKindOfComponent)
{
    for (const TreeNoise& noise :
         {TreeNoise{.own = 0.01}, TreeNoise{.own = 0.01, .shared = 0.01}}) {
        std::mt19937_64 engine(27);
        int kinds = 0;
        int layers = 0;
        int wrong = 0;
        constexpr int kPairs = 200;
        for (int pair = 0; pair < kPairs; ++pair) {
            const auto found =
                testTree(makeTree(engine, noise,
                                  [](int kind, int) { return kind == kChanged ? 1.05 : 1.0; }),
                         0.0);
            constexpr std::size_t kPart = kChanged * (kLayers + 1);
            kinds += found.nodes[kPart].verdict == NodeVerdict::Higher ? 1 : 0;
            int here = 0;
            for (std::size_t layer = 1; layer <= kLayers; ++layer)
                here += isFound(found.nodes[kPart + layer].verdict) ? 1 : 0;
            layers += here;
            wrong += foundIn(found) > here + (isFound(found.nodes[kPart].verdict) ? 1 : 0) ? 1 : 0;
        }
        const std::string suffix = noise.shared > 0.0 ? "_shared" : "_own";
        RecordProperty("kinds_of_200" + suffix, kinds);
        RecordProperty("layers_of_4600" + suffix, layers);
        RecordProperty("false_of_200" + suffix, wrong);
        EXPECT_GE(kinds, kPairs * 8 / 10) << noise.shared;
        EXPECT_LE(wrong, kPairs / 20) << noise.shared;
    }
}

TEST(TreeTest, GivesEveryNodeItsVerdict)
{
    const std::vector<double> low{1.0, 1.01, 0.99, 1.0, 1.005};
    const std::vector<double> high{2.0, 2.02, 1.98, 2.0, 2.01};
    const std::vector<double> wide{0.7, 1.5, 0.9, 1.2, 0.8};
    struct Case {
        const char* what;
        NodeValues node;
        NodeVerdict verdict;
        bool repeats;
    };
    const Case cases[] = {
        {"doubled", {.a = low, .b = high}, NodeVerdict::Higher, false},
        {"halved", {.a = high, .b = low}, NodeVerdict::Lower, false},
        {"noise", {.a = low, .b = wide}, NodeVerdict::Unclear, true},
        {"one repeat", {.a = {1.0}, .b = {2.0}}, NodeVerdict::Described, false},
        {"one with an error",
         {.a = {1.0}, .b = {2.0}, .sd_a = 0.01, .sd_b = 0.02},
         NodeVerdict::Described,
         true},
        {"two repeats", {.a = {1.0, 1.1}, .b = {2.0, 2.3}}, NodeVerdict::Described, true},
        {"remainder", {.tested = false, .a = low, .b = high}, NodeVerdict::NotTested, false},
        {"below zero", {.a = {-1.0, 1.0, 2.0}, .b = low}, NodeVerdict::NotTested, false},
        {"no values", {.a = low}, NodeVerdict::Missing, false},
        {"gone", {.in_b = false, .a = low}, NodeVerdict::OnlyInBaseline, false},
        {"new", {.in_a = false, .b = low}, NodeVerdict::OnlyHere, false},
    };
    for (const Case& c : cases) {
        const NodeTest found = testTree(std::vector{c.node}, 0.01).nodes.front();
        EXPECT_EQ(found.verdict, c.verdict) << c.what << ": " << name(found.verdict);
        EXPECT_EQ(found.repeats_needed.has_value(), c.repeats) << c.what;
    }
    // Small, certain and neutral; nothing is searched below a node that may be chance.
    const std::vector<double> near{1.004, 1.0041, 1.0042, 1.0039, 1.004};
    const std::vector<double> same{1.0, 1.0001, 0.9999, 1.0, 1.00005};
    EXPECT_EQ(testTree(std::vector<NodeValues>{{.a = same, .b = near}}, 0.01).nodes[0].verdict,
              NodeVerdict::Neutral);
    const auto nested = testTree(
        std::vector<NodeValues>{{.a = low, .b = wide}, {.parent = 0, .a = low, .b = high}}, 0.01);
    EXPECT_EQ(nested.nodes[1].verdict, NodeVerdict::NotSearched);
    EXPECT_LT(*nested.nodes[1].p, 0.001);
    EXPECT_EQ(nested.nodes[1].p_adjusted, nested.nodes[0].p_adjusted);
    EXPECT_EQ(nested.leaves, 1);
}

namespace {

RunGroup withLayers(int layers, double factor, int runs)
{
    RunGroup group;
    for (int i = 0; i < runs; ++i) {
        ep::Run run = test::makeRun({.id = std::to_string(layers) + "-" + std::to_string(i)});
        run.info.model.layers = layers;
        std::vector<ComponentTotal> totals;
        for (int layer = 0; layer < layers; ++layer) {
            ComponentTotal total;
            total.layer = layer;
            total.component = Component::QProj;
            total.sum =
                tallyOf(1'000'000, Millijoules{factor * (1.0 + 0.001 * i)}, Provenance::Attributed);
            totals.push_back(total);
        }
        group.runs.push_back({std::make_shared<const ep::Run>(std::move(run)),
                              std::make_shared<const std::vector<ComponentTotal>>(totals)});
    }
    return group;
}

} // namespace

TEST(TreeTest, MatchesLayersByTheirRelativePosition)
{
    const Comparison comparison = compare({withLayers(2, 1.0, 5), withLayers(5, 1.0, 5)},
                                          {.normalisation = Normalisation::PerRun});
    ASSERT_EQ(comparison.layers.layers, 2);
    EXPECT_EQ(comparison.layers.labels, (std::vector<std::string>{"0/0-2", "1/3-4"}));
    std::vector<std::string> words;
    for (const DifferenceNode& node : comparison.tree)
        words.push_back(std::string(static_cast<std::size_t>(node.depth), ' ') + node.word);
    EXPECT_EQ(words,
              (std::vector<std::string>{"run", " q_proj", "  layers 0/0-2", "  layers 1/3-4",
                                        " rest of the layers", " rest of the run"}));
    EXPECT_NEAR(*comparison.tree[2].energy_mj[1].mean, 3.0 * 1.002, 1e-9);
    EXPECT_EQ(comparison.tree[2].tests[1].verdict, NodeVerdict::Higher);
    EXPECT_EQ(comparison.leaves, 2);
    EXPECT_THAT(comparison.warnings.back().text, HasSubstr("relative position"));
}

// In one comparison a figure has one p-value.
TEST(TreeTest, TheRunIsTheFigureOfTheTable)
{
    std::mt19937_64 engine(3);
    const Comparison comparison =
        compare({test::repeats(engine, 5, {}, 0.01),
                 test::repeats(engine, 5, {.joules_per_token = 0.45, .dtype = "bf16"}, 0.01),
                 test::repeats(engine, 5, {.joules_per_token = 0.5, .dtype = "f16"}, 0.01)});
    const MetricRow& row = *comparison.row(RunFigure::JoulesPerToken);
    for (const std::size_t g : {1U, 2U})
        EXPECT_EQ(comparison.tree.front().tests[g].p_adjusted, row.groups[g].test->p_corrected);
    EXPECT_EQ(comparison.tree.front().tests[0].verdict, NodeVerdict::Baseline);
    const NodeTest& bf16 = comparison.tree.front().tests[1];
    EXPECT_EQ(bf16.verdict == NodeVerdict::Lower, *bf16.p_adjusted < 0.05);
    EXPECT_THAT(sentenceOf(comparison, comparison.tree.front(), 1), HasSubstr(" lower ("));
    EXPECT_THAT(explainTree(comparison), HasSubstr("of 2 trees"));
}

} // namespace ep::energy
