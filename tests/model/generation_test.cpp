// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace ep::model {
namespace {

using testing::HasSubstr;

class GenerationTest : public EngineFixture {
protected:
    static std::vector<text::TokenId> prompt(int length)
    {
        std::vector<text::TokenId> ids(static_cast<std::size_t>(length));
        for (int i = 0; i < length; ++i)
            ids[static_cast<std::size_t>(i)] = i == 0 ? test::kTinyBosId : (i * 37) % 256;
        return ids;
    }

    static text::TokenId largest(const ForwardResult& result, std::size_t position)
    {
        const auto row =
            result.logits.begin() + static_cast<std::ptrdiff_t>(position) * result.vocabulary;
        return static_cast<text::TokenId>(std::max_element(row, row + result.vocabulary) - row);
    }
};

// The cache is correct if decoding gives the same result as one pass over the whole text. 300
// tokens exceed the initial capacity of the cache.
TEST_F(GenerationTest, CachedDecodingAgreesWithOnePassOverEverything)
{
    write({.max_positions = 512});
    const auto engine = load();
    ASSERT_TRUE(engine);
    std::vector<text::TokenId> ids = prompt(9);
    const auto steps = generate(*engine, {.prompts = {ids}, .max_new_tokens = 300});
    ASSERT_EQ(steps.size(), 300U);
    for (const SequenceStep& step : steps)
        ids.push_back(step.token);
    const auto whole = engine->forward(ids);
    ASSERT_TRUE(whole) << whole.error().message;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        ASSERT_EQ(steps[i].token, largest(*whole, 8 + i)) << "token " << i;
        const auto row =
            whole->logits.begin() + static_cast<std::ptrdiff_t>(8 + i) * whole->vocabulary;
        double total = 0.0;
        for (auto logit = row; logit != row + whole->vocabulary; ++logit)
            total += std::exp(static_cast<double>(*logit - row[steps[i].token]));
        ASSERT_NEAR(steps[i].probability, 1.0 / total, 1e-4) << "token " << i;
    }
}

TEST_F(GenerationTest, AForwardPassCanBeCancelled)
{
    write({});
    const CancelToken cancel;
    cancel.cancel();
    const auto result = load()->forward(prompt(12), cancel);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST_F(GenerationTest, StoredTypesOnlyDifferByRounding)
{
    write({.dtype = "F32"});
    const auto reference = load()->forward(prompt(12));
    ASSERT_TRUE(reference);
    for (const char* const stored : {"F16", "BF16"}) {
        write({.dtype = stored});
        const auto narrow = load();
        const auto wide = load({.dtype = "f32"});
        ASSERT_TRUE(narrow && wide);
        const auto a = narrow->forward(prompt(12));
        const auto b = wide->forward(prompt(12));
        ASSERT_TRUE(a && b);
        const float tolerance = stored[0] == 'B' ? 0.2F : 0.03F;
        for (std::size_t i = 0; i < a->logits.size(); ++i) {
            // Both engines use the same values, dequantized one by one or all at once.
            ASSERT_NEAR(a->logits[i], b->logits[i], 1e-4);
            ASSERT_NEAR(a->logits[i], reference->logits[i], tolerance);
        }
        const GenerationRequest request{.prompts = {prompt(12)}, .max_new_tokens = 20};
        EXPECT_EQ(tokens(generate(*narrow, request)), tokens(generate(*wide, request)));
    }
}

TEST_F(GenerationTest, ThreadsDoNotChangeTheText)
{
    write();
    std::vector<std::vector<text::TokenId>> texts;
    for (const int threads : {1, 2, 3}) {
        const auto engine = load({.threads = threads});
        ASSERT_TRUE(engine);
        texts.push_back(tokens(generate(*engine, {.prompts = {prompt(40)}, .max_new_tokens = 30})));
    }
    EXPECT_EQ(texts[1], texts[0]);
    EXPECT_EQ(texts[2], texts[0]);
}

TEST_F(GenerationTest, SeedDecidesWhatIsDrawn)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto draw = [&](std::uint64_t seed) {
        return tokens(generate(*engine,
                               {.prompts = {prompt(5)},
                                .max_new_tokens = 12,
                                .sampling = {.temperature = 1.5, .top_k = 50, .seed = seed}}));
    };
    EXPECT_EQ(draw(1), draw(1));
    EXPECT_NE(draw(1), draw(2));
}

TEST_F(GenerationTest, EndsAtAnEndToken)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto free = tokens(generate(*engine, {.prompts = {prompt(5)}, .max_new_tokens = 10}));
    const auto first = std::find(free.begin(), free.end(), free[4]) - free.begin();
    const auto steps =
        generate(*engine, {.prompts = {prompt(5)}, .max_new_tokens = 10, .eos = {999, free[4]}});
    ASSERT_EQ(steps.size(), static_cast<std::size_t>(first) + 1);
    EXPECT_TRUE(steps.back().finished());
    EXPECT_EQ(steps.back().token, free[4]);
}

TEST_F(GenerationTest, StopsWhereTheContextEnds)
{
    write({.max_positions = 16});
    const auto engine = load();
    ASSERT_TRUE(engine);
    struct Case {
        int prompt;
        std::size_t tokens;
    };
    // The last token is the one predicted at the last position.
    for (const Case& c : {Case{10, 7}, Case{15, 2}, Case{16, 1}}) {
        const auto steps = generate(*engine, {.prompts = {prompt(c.prompt)}, .max_new_tokens = 99});
        ASSERT_EQ(steps.size(), c.tokens) << c.prompt;
        EXPECT_TRUE(steps.back().finished());
    }
    for (const Case& c : {Case{10, 3}, Case{12, 1}}) { // of a context of 12 that is asked for
        const auto steps = generate(
            *engine, {.prompts = {prompt(c.prompt)}, .max_new_tokens = 99, .context_length = 12});
        ASSERT_EQ(steps.size(), c.tokens) << c.prompt;
        EXPECT_EQ(steps.back().finish, FinishReason::Context);
    }
    const auto tooLong = engine->begin({.prompts = {prompt(17)}}, nullptr, {});
    ASSERT_FALSE(tooLong);
    EXPECT_THAT(tooLong.error().message, HasSubstr("has 17 tokens, but the model"));
    EXPECT_THAT(tooLong.error().message, HasSubstr("context of 16"));
}

TEST_F(GenerationTest, RequestsThatMakeNoSenseAreRefused)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto problem = [&](const GenerationRequest& request) {
        const auto generation = engine->begin(request, nullptr, {});
        return generation ? std::string("none") : generation.error().message.english();
    };
    EXPECT_THAT(problem({}), HasSubstr("no prompt"));
    EXPECT_THAT(problem({.prompts = {{}}}), HasSubstr("The prompt has no token"));
    EXPECT_THAT(problem({.prompts = {{1, 258}}}), HasSubstr("the id 258"));
    EXPECT_THAT(problem({.prompts = {{-1}}}), HasSubstr("the id -1"));
    EXPECT_THAT(problem({.prompts = {{1}}, .max_new_tokens = 0}), HasSubstr("at least 1"));
    EXPECT_THAT(problem({.prompts = {{1}}, .sampling = {.temperature = -2}}),
                HasSubstr("sampling settings are out of range"));
    EXPECT_FALSE(engine->forward(std::vector<text::TokenId>{}));
}

TEST_F(GenerationTest, StepsOutOfOrderAreRefused)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto generation = engine->begin({.prompts = {{1, 2}}, .max_new_tokens = 2}, nullptr, {});
    ASSERT_TRUE(generation);
    EXPECT_FALSE((*generation)->decode());
    EXPECT_TRUE((*generation)->prefill());
    EXPECT_FALSE((*generation)->prefill());
    EXPECT_TRUE((*generation)->decode()->finished);
    EXPECT_FALSE((*generation)->decode());
    EXPECT_TRUE((*generation)->finish());
}

TEST_F(GenerationTest, OverflowInTheModelIsReported)
{
    write({.tied = false});
    patch("lm_head.weight", 5, 3e38F);
    patch("model.norm.weight", 5, 3e38F);
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto generation = engine->begin({.prompts = {{1, 2}}}, nullptr, {});
    ASSERT_TRUE(generation);
    const auto step = (*generation)->prefill();
    ASSERT_FALSE(step);
    EXPECT_THAT(step.error().message, HasSubstr("values that are not numbers at token 0"));
    EXPECT_TRUE((*generation)->finish());
}

// Cancels once the given number of layers has ended.
class Canceller final : public Observer {
public:
    Canceller(CancelToken cancel, int layers)
        : m_cancel(std::move(cancel))
        , m_left(layers)
    {
    }
    bool wants(const Tap& tap) override { return tap.level == SpanLevel::Layer; }
    void began(const Tap&) override { ++begun; }
    void ended(const Tap&, const TensorProbe*) override
    {
        if (--m_left == 0)
            m_cancel.cancel();
    }
    int begun = 0;

private:
    CancelToken m_cancel;
    int m_left;
};

TEST_F(GenerationTest, CancelIsHeardBetweenLayersAndTokens)
{
    write({.layers = 4});
    const auto engine = load();
    ASSERT_TRUE(engine);

    const CancelToken early;
    early.cancel();
    auto generation = engine->begin({.prompts = {prompt(5)}}, nullptr, early);
    ASSERT_TRUE(generation);
    EXPECT_EQ((*generation)->prefill().error().code, ErrorCode::Cancelled);

    const CancelToken inPrefill;
    Canceller second(inPrefill, 2);
    generation = engine->begin({.prompts = {prompt(5)}}, &second, inPrefill);
    EXPECT_EQ((*generation)->prefill().error().code, ErrorCode::Cancelled);
    EXPECT_EQ(second.begun, 2);
    EXPECT_TRUE((*generation)->finish());

    const CancelToken inDecode;
    Canceller fifth(inDecode, 5);
    generation = engine->begin({.prompts = {prompt(5)}, .max_new_tokens = 9}, &fifth, inDecode);
    EXPECT_TRUE((*generation)->prefill());
    EXPECT_EQ((*generation)->decode().error().code, ErrorCode::Cancelled);
    EXPECT_EQ(fifth.begun, 5);
    EXPECT_TRUE((*generation)->finish());
}

} // namespace
} // namespace ep::model
