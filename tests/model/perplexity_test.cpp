// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/perplexity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace ep::model {
namespace {

TEST(Perplexity, WindowsScoreEveryTokenOnce)
{
    struct Case {
        std::int64_t tokens, context, stride;
        std::vector<TextWindow> windows;
    };
    const Case cases[] = {
        {24, 24, 24, {{0, 24, 1}}},
        {24, 100, 50, {{0, 24, 1}}},
        {24, 10, 4, {{0, 10, 1}, {4, 14, 10}, {8, 18, 14}, {12, 22, 18}, {16, 24, 22}}},
        {20, 8, 8, {{0, 8, 1}, {8, 16, 9}, {16, 20, 17}}},
        {9, 8, 8, {{0, 8, 1}, {8, 9, 9}}},
        {2, 2, 1, {{0, 2, 1}}},
        {0, 8, 4, {}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(textWindows(c.tokens, c.context, c.stride), c.windows) << c.tokens;
}

TEST(Perplexity, IsOfTheSoftmaxInDouble)
{
    const std::vector<float> even(8, 3.0F);
    EXPECT_DOUBLE_EQ(negativeLogLikelihood(even, 5), std::log(8.0));
    const std::vector<float> far{0.0F, 90.0F, -90.0F}; // beyond the range of a float exponential
    EXPECT_NEAR(negativeLogLikelihood(far, 2), 180.0, 1e-12);
    EXPECT_NEAR(negativeLogLikelihood(far, 1), 0.0, 1e-12);
    EXPECT_EQ(divergence(far, far), 0.0);
    const std::vector<float> half{0.0F, 0.0F};
    const std::vector<float> skewed{0.0F, static_cast<float>(std::log(3.0))};
    EXPECT_NEAR(divergence(half, skewed), 0.5 * std::log(0.5 / 0.25) + 0.5 * std::log(0.5 / 0.75),
                1e-7);
    const std::vector<float> never{0.0F, -std::numeric_limits<float>::infinity()};
    EXPECT_NEAR(divergence(never, half), std::log(2.0), 1e-12);
}

// A scripted model: every forward pass prefers the next id.
class CountingEngine final : public Engine {
public:
    const ModelFacts& facts() const override { return m_facts; }
    const std::vector<text::TokenId>& eosTokenIds() const override { return m_eos; }
    std::string device() const override { return "cpu"; }
    std::string dtype() const override { return "f32"; }
    std::string attentionImplementation(bool) const override { return {}; }
    Result<std::unique_ptr<Generation>> begin(const GenerationRequest&, Observer*,
                                              CancelToken) override
    {
        return Error{ErrorCode::Unsupported, "not used"};
    }
    Result<ForwardResult> forward(std::span<const text::TokenId> ids,
                                  const CancelToken& /*cancel*/) override
    {
        ++passes;
        ForwardResult result;
        result.vocabulary = 4;
        for (const text::TokenId id : ids) {
            for (int i = 0; i < 4; ++i)
                result.logits.push_back(i == (id + 1) % 4 ? favour : 0.0F);
        }
        return result;
    }

    float favour = 2.0F;
    int passes = 0;
    ModelFacts m_facts;
    std::vector<text::TokenId> m_eos;
};

TEST(Perplexity, AddsUpOverTheWindows)
{
    CountingEngine engine;
    CountingEngine other;
    other.favour = -1.0F;
    engine.m_facts.context_length = 64;
    std::vector<text::TokenId> ids;
    for (int i = 0; i < 40; ++i)
        ids.push_back(i % 4);
    const auto found =
        measurePerplexity(engine, &other, {.ids = ids, .context = 16, .stride = 4}, {}, {});
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->scored, 39);
    EXPECT_EQ(found->nll_blocks.size(), 2U);
    EXPECT_EQ(engine.passes, 7);
    EXPECT_NEAR(found->perplexity(), (std::exp(2.0) + 3.0) / std::exp(2.0), 1e-12);
    EXPECT_EQ(*found->top1, 0.0);
    EXPECT_GT(*found->kl, 0.1);
    const auto usual = measurePerplexity(engine, nullptr, {.ids = ids}, {}, {});
    ASSERT_TRUE(usual);
    EXPECT_EQ(usual->context, 64);
    EXPECT_EQ(usual->stride, 32);
}

TEST(Perplexity, HasTheMeansOfConsecutiveParts)
{
    EXPECT_TRUE(blockMeans(std::vector(31, 1.0)).empty());
    std::vector<double> values(32, 1.0);
    values[16] = 17.0;
    EXPECT_EQ(blockMeans(values), (std::vector{1.0, 2.0}));
    std::vector<double> many(10'001);
    for (std::size_t i = 0; i < many.size(); ++i)
        many[i] = static_cast<double>(i);
    const auto means = blockMeans(many);
    ASSERT_EQ(means.size(), 64U);
    EXPECT_NEAR(std::accumulate(means.begin(), means.end(), 0.0) / 64.0, 5'000.0, 1.0);
    EXPECT_TRUE(std::ranges::is_sorted(means));
}

TEST(Perplexity, RefusesWithTheReason)
{
    CountingEngine engine;
    engine.m_facts.context_length = 64;
    const std::vector<text::TokenId> ids{0, 1, 2, 3};
    const std::vector<text::TokenId> wrong{0, 9, 2};
    struct Case {
        PerplexityRequest request;
        const char* reason;
    };
    const Case cases[] = {
        {{.ids = std::span(ids).first(1)}, "fewer than 2 tokens"},
        {{.ids = ids, .context = 65}, "exceeds"},
        {{.ids = ids, .context = 8, .stride = 9}, "stride"},
        {{.ids = wrong}, "vocabulary"},
    };
    for (const Case& c : cases) {
        const auto found = measurePerplexity(engine, nullptr, c.request, {}, {});
        ASSERT_FALSE(found) << c.reason;
        EXPECT_NE(found.error().message.english().find(c.reason), std::string::npos)
            << found.error().message;
    }
    engine.favour = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(measurePerplexity(engine, nullptr, {.ids = ids}, {}, {}));
    const CancelToken cancel;
    cancel.cancel();
    const auto stopped = measurePerplexity(engine, nullptr, {.ids = ids}, {}, cancel);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::Cancelled);
}

} // namespace
} // namespace ep::model
