// SPDX-License-Identifier: GPL-3.0-or-later
#include "sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

namespace ep::model {
namespace {

std::map<text::TokenId, int> draws(const SamplingSettings& settings,
                                   const std::vector<float>& logits, int count)
{
    Sampler sampler(settings);
    std::map<text::TokenId, int> counts;
    for (int i = 0; i < count; ++i)
        ++counts[sampler.choose(logits).id];
    return counts;
}

TEST(SamplerTest, GreedyTakesTheFirstOfTheLargest)
{
    Sampler sampler({});
    const std::vector<float> logits{0.0F, 3.0F, 1.0F, 3.0F, -5.0F};
    const SampledToken token = sampler.choose(logits);
    EXPECT_EQ(token.id, 1);
    const double total = 1.0 + 2.0 * std::exp(3.0) + std::exp(1.0) + std::exp(-5.0);
    EXPECT_NEAR(token.probability, std::exp(3.0) / total, 1e-6);
}

TEST(SamplerTest, FrequenciesFollowTheSoftmax)
{
    const std::vector<float> logits{std::log(1.0F), std::log(2.0F), std::log(5.0F)};
    constexpr int kDraws = 20'000;
    auto counts = draws({.temperature = 1.0, .seed = 3}, logits, kDraws);
    EXPECT_NEAR(counts[0], kDraws / 8.0, 300);
    EXPECT_NEAR(counts[1], kDraws / 4.0, 350);
    EXPECT_NEAR(counts[2], kDraws * 5.0 / 8.0, 400);

    counts = draws({.temperature = 0.5, .seed = 3}, logits, kDraws); // weights 1 : 4 : 25
    EXPECT_NEAR(counts[0], kDraws / 30.0, 200);
    EXPECT_NEAR(counts[2], kDraws * 25.0 / 30.0, 350);
}

TEST(SamplerTest, FiltersKeepTheLikeliest)
{
    // Probabilities 0.5, 0.25, 0.15, 0.1 in mixed order.
    const std::vector<float> logits{std::log(0.15F), std::log(0.5F), std::log(0.1F),
                                    std::log(0.25F)};
    struct Case {
        int top_k;
        double top_p;
        std::vector<text::TokenId> possible;
    };
    const std::vector<Case> cases{
        {0, 1.0, {0, 1, 2, 3}}, {1, 1.0, {1}},    {2, 1.0, {1, 3}},     {9, 1.0, {0, 1, 2, 3}},
        {0, 0.4, {1}},          {0, 0.6, {1, 3}}, {0, 0.85, {0, 1, 3}}, {0, 1e-9, {1}},
        {0, 0.0, {1}},          {3, 0.8, {1, 3}}, // among the three, 0.5 + 0.25 amount to 0.83
    };
    for (const Case& c : cases) {
        std::vector<text::TokenId> seen;
        for (const auto& [id, count] : draws(
                 {.temperature = 1.0, .top_k = c.top_k, .top_p = c.top_p, .seed = 1}, logits, 400))
            seen.push_back(id);
        EXPECT_EQ(seen, c.possible) << "top_k " << c.top_k << " top_p " << c.top_p;
    }
}

TEST(SamplerTest, MinPIsAShareOfTheLargest)
{
    // Probabilities 0.5, 0.25, 0.15, 0.1 in mixed order.
    const std::vector<float> logits{std::log(0.15F), std::log(0.5F), std::log(0.1F),
                                    std::log(0.25F)};
    struct Case {
        SamplingSettings settings;
        std::vector<text::TokenId> possible;
    };
    const std::vector<Case> cases{
        {{.temperature = 1.0, .min_p = 0.15}, {0, 1, 2, 3}},
        {{.temperature = 1.0, .min_p = 0.25}, {0, 1, 3}},
        {{.temperature = 1.0, .min_p = 0.45}, {1, 3}},
        {{.temperature = 1.0, .min_p = 1.0}, {1}},
        // Squared by the temperature: 1, 0.25, 0.09 and 0.04 times the largest.
        {{.temperature = 0.5, .min_p = 0.08}, {0, 1, 3}},
        {{.temperature = 1.0, .top_k = 3, .min_p = 0.1}, {0, 1, 3}},
        {{.temperature = 1.0, .top_p = 0.8, .min_p = 0.4}, {1, 3}},
    };
    for (const Case& c : cases) {
        std::vector<text::TokenId> seen;
        for (const auto& [id, count] : draws(c.settings, logits, 400))
            seen.push_back(id);
        EXPECT_EQ(seen, c.possible) << "min_p " << c.settings.min_p;
    }
}

// Like HuggingFace's RepetitionPenaltyLogitsProcessor: divides positive logits and multiplies
// negative ones, once for each token that occurs.
TEST(SamplerTest, RepetitionPenaltyMakesSeenTokensLessLikely)
{
    Sampler sampler({.repetition_penalty = 2.0});
    const std::vector<float> logits{3.0F, 2.0F, 1.0F, -1.0F};
    EXPECT_EQ(sampler.choose(logits).id, 0); // 3, 2, 1, -1
    const SampledToken second = sampler.choose(logits); // 1.5, 2, 1, -1
    EXPECT_EQ(second.id, 1);
    const double total = std::exp(3.0) + std::exp(2.0) + std::exp(1.0) + std::exp(-1.0);
    EXPECT_NEAR(second.probability, std::exp(2.0) / total, 1e-6); // from the raw logits
    EXPECT_EQ(sampler.choose(logits).id, 0); // 1.5, 1, 1, -1

    Sampler prompted({.repetition_penalty = 2.0});
    prompted.observe(std::vector<text::TokenId>{0, 0, 0});
    EXPECT_EQ(prompted.choose(std::vector<float>{3.0F, 1.6F}).id, 1); // 1.5 is applied only once
    EXPECT_EQ(prompted.choose(std::vector<float>{-1.0F, -1.5F}).id, 0); // -2, -3

    Sampler none({});
    none.observe(std::vector<text::TokenId>{0});
    EXPECT_EQ(none.choose(logits).id, 0);
}

TEST(SamplerTest, TheSeedDecides)
{
    const std::vector<float> logits(50, 0.0F);
    const auto sequence = [&](std::uint64_t seed) {
        Sampler sampler({.temperature = 1.0, .seed = seed});
        std::vector<text::TokenId> ids;
        for (int i = 0; i < 8; ++i)
            ids.push_back(sampler.choose(logits).id);
        return ids;
    };
    EXPECT_EQ(sequence(7), sequence(7));
    EXPECT_NE(sequence(7), sequence(8));
}

TEST(SamplerTest, ProbabilityIsOfTheRawLogits)
{
    Sampler sampler({.temperature = 0.01, .top_k = 1});
    const SampledToken token = sampler.choose(std::vector<float>{0.0F, 1.0F});
    EXPECT_EQ(token.id, 1);
    EXPECT_NEAR(token.probability, 1.0 / (1.0 + std::exp(-1.0)), 1e-6);
}

// The first outputs of xoshiro256** seeded by splitmix64 from 42, as in other programs.
TEST(RandomTest, SequenceIsPinned)
{
    Random random(42);
    EXPECT_EQ(random.next(), 0x15780B2E0C2EC716U);
    EXPECT_EQ(random.next(), 0x6104D9866D113A7EU);
    for (int i = 0; i < 1000; ++i) {
        const double value = random.uniform();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
    }
}

// The table of settings says to users what is possible; a top-p of 0 keeps one token.
TEST(SamplingSettingsTest, OutOfRangeIsRefused)
{
    EXPECT_TRUE(checkSampling({}));
    EXPECT_TRUE(checkSampling({.temperature = 1.0, .top_p = 0.0}));
    for (const SamplingSettings& settings :
         {SamplingSettings{.temperature = -1}, SamplingSettings{.temperature = std::nan("")},
          SamplingSettings{.top_k = -1}, SamplingSettings{.top_p = 1.5},
          SamplingSettings{.min_p = -0.1}, SamplingSettings{.repetition_penalty = 0.0}})
        EXPECT_FALSE(checkSampling(settings));
}

} // namespace
} // namespace ep::model
