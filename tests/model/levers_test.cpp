// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include "ep/model/perplexity.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// Ways to save work in a generation: the answer must be the same to the last bit, with greedy as
// well as with sampled choices. For q8_0, which rounds, the difference is small.
namespace ep::model {
namespace {

using testing::HasSubstr;
using Ids = std::vector<text::TokenId>;

class LeversTest : public EngineFixture {
protected:
    std::unique_ptr<Engine> demo(const std::string& dtype = "auto",
                                 const std::string& kernels = "auto")
    {
        return load({.folder = EP_DEMO_MODEL, .dtype = dtype, .threads = 2, .kernels = kernels});
    }

    // Words that repeat, so that looking them up finds proposals.
    static Ids prompt(std::size_t length)
    {
        Ids ids;
        for (std::size_t i = 0; i < length; ++i)
            ids.push_back(static_cast<text::TokenId>(i == 0 ? 1 : 17 + (i * i) % 23 * 31));
        return ids;
    }

    static GenerationRequest request(std::size_t length, int tokens = 40)
    {
        return {.prompts = {prompt(length)}, .max_new_tokens = tokens};
    }

    // The chosen tokens, with the bits of their probabilities.
    static std::vector<std::pair<text::TokenId, float>> answer(Engine& engine,
                                                               const GenerationRequest& request)
    {
        std::vector<std::pair<text::TokenId, float>> tokens;
        for (const SequenceStep& step : generate(engine, request))
            tokens.emplace_back(step.token, step.probability);
        return tokens;
    }

    struct Count {
        int drafted = 0;
        int accepted = 0;
        int tokens = 0;
        int steps = 0;
        std::int64_t cached = 0;
        std::int64_t bytes = 0;
    };

    static Count count(Engine& engine, const GenerationRequest& request)
    {
        Count count;
        auto generation = engine.begin(request, nullptr, {});
        if (!generation) {
            ADD_FAILURE() << generation.error().message;
            return count;
        }
        count.cached = (*generation)->cachedTokens();
        for (auto step = (*generation)->prefill(); step; step = (*generation)->decode()) {
            ++count.steps;
            count.drafted += step->drafted;
            for (const SequenceStep& one : step->sequences) {
                ++count.tokens;
                count.accepted += one.drafted ? 1 : 0;
            }
            if (step->finished)
                break;
        }
        count.bytes = (*generation)->peakCacheBytes();
        return count;
    }

    static std::string refusal(Engine& engine, const GenerationRequest& request)
    {
        const auto generation = engine.begin(request, nullptr, {});
        return generation ? std::string() : generation.error().message.english();
    }
};

// Tested with every way of computing the products of one row.
TEST_F(LeversTest, DraftsLeaveEveryBitOfTheAnswer)
{
    for (const std::string dtype : {"auto", "f32", "f16", "int8", "q8_0", "q4_k", "mlx4"}) {
        for (const std::string kernels : {"auto", "spread", "spread-ahead", "pairs", "blas"}) {
            if (kernels != "auto" && dtype != "auto")
                continue;
            SCOPED_TRACE(dtype + ", " + kernels);
            auto loaded = tryLoad(
                {.folder = EP_DEMO_MODEL, .dtype = dtype, .threads = 2, .kernels = kernels});
            if (!loaded && kernels != "auto")
                continue; // not supported by this processor
            ASSERT_TRUE(loaded) << loaded.error().message;
            Engine& engine = **loaded;
            for (const double temperature : {0.0, 0.9}) {
                GenerationRequest plain = request(37, 24);
                plain.sampling.temperature = temperature;
                plain.sampling.repetition_penalty = temperature > 0.0 ? 1.1 : 1.0;
                const auto expected = answer(engine, plain);
                ASSERT_EQ(expected.size(), 24U);
                for (const int tokens : {3, 15}) {
                    GenerationRequest drafted = plain;
                    drafted.draft_tokens = tokens;
                    EXPECT_EQ(answer(engine, drafted), expected) << "ngram, " << tokens;
                    drafted.draft_model = &engine;
                    EXPECT_EQ(answer(engine, drafted), expected) << "model, " << tokens;
                }
            }
        }
    }
}

TEST_F(LeversTest, DraftsLeaveEveryBitOfSingleOperations)
{
    const auto engine = demo();
    ASSERT_TRUE(engine);
    GenerationRequest plain = request(37, 12);
    plain.decomposed = true;
    GenerationRequest drafted = plain;
    drafted.draft_tokens = 3;
    drafted.draft_model = engine.get();
    EXPECT_EQ(answer(*engine, drafted), answer(*engine, plain));
}

TEST_F(LeversTest, AModelThatProposesWhatItWouldChooseIsAccepted)
{
    const auto engine = demo("f32");
    ASSERT_TRUE(engine);
    GenerationRequest drafted = request(20, 41);
    drafted.draft_tokens = 4;
    drafted.draft_model = engine.get();
    const Count count = LeversTest::count(*engine, drafted);
    EXPECT_EQ(count.tokens, 41);
    EXPECT_EQ(count.accepted, count.drafted);
    EXPECT_EQ(count.drafted, 32);
    EXPECT_EQ(count.steps, 9); // the prompt, and eight steps of five tokens
}

TEST_F(LeversTest, AnotherModelIsMostlyRejectedAndEveryTokenIsCounted)
{
    write({.vocabulary = 4096});
    const auto engine = demo();
    const auto other = load();
    ASSERT_TRUE(engine && other);
    GenerationRequest drafted = request(20, 40);
    const auto expected = answer(*engine, drafted);
    drafted.draft_tokens = 4;
    drafted.draft_model = other.get();
    EXPECT_EQ(answer(*engine, drafted), expected);
    const Count count = LeversTest::count(*engine, drafted);
    EXPECT_EQ(count.tokens, 40);
    EXPECT_GT(count.drafted, 100);
    EXPECT_LT(count.accepted, 20);
    EXPECT_EQ(count.tokens, count.accepted + count.steps);
}

TEST_F(LeversTest, WordsThatStoodBeforeAreFound)
{
    const auto engine = demo();
    ASSERT_TRUE(engine);
    GenerationRequest drafted = request(20, 200); // greedy answers of a small model repeat
    drafted.draft_tokens = 4;
    const Count count = LeversTest::count(*engine, drafted);
    EXPECT_EQ(count.tokens, 200);
    EXPECT_GT(count.accepted, 40);
    EXPECT_LT(count.steps, 160);
}

// Drafts at the end of an answer, of the requested tokens and of the context.
TEST_F(LeversTest, DraftsEndWhereTheAnswerEnds)
{
    write({.max_positions = 64});
    const auto engine = load();
    ASSERT_TRUE(engine);
    const Ids ids(40, 7);
    GenerationRequest plain{.prompts = {ids}, .max_new_tokens = 200};
    const auto whole = generate(*engine, plain);
    ASSERT_EQ(whole.back().finish, FinishReason::Context);
    for (const bool ends : {false, true}) {
        if (ends)
            plain.eos = {whole[whole.size() / 2].token};
        const auto expected = generate(*engine, plain);
        GenerationRequest drafted = plain;
        drafted.draft_tokens = 7;
        for (Engine* const proposer : {static_cast<Engine*>(nullptr), engine.get()}) {
            drafted.draft_model = proposer;
            const auto found = generate(*engine, drafted);
            EXPECT_EQ(tokens(found), tokens(expected));
            EXPECT_EQ(found.back().finish, expected.back().finish);
        }
    }
}

TEST_F(LeversTest, AKeptPromptLeavesEveryBitOfTheAnswer)
{
    for (const std::string dtype : {"auto", "f32", "q8_0"}) {
        for (const CacheKind kind : {CacheKind::Growing, CacheKind::Static, CacheKind::Q8}) {
            SCOPED_TRACE(dtype + ", " + name(kind));
            for (const std::size_t length : {40U, 97U, 300U}) {
                const auto engine = demo(dtype);
                ASSERT_TRUE(engine);
                GenerationRequest plain = request(length, 12);
                plain.cache = kind;
                const auto expected = answer(*engine, plain);
                GenerationRequest kept = plain;
                kept.prompt_cache = PromptCacheUse::ReadAndKeep;
                EXPECT_EQ(count(*engine, kept).cached, 0);
                EXPECT_EQ(count(*engine, kept).cached,
                          static_cast<std::int64_t>((length - 1) / 32 * 32));
                EXPECT_EQ(answer(*engine, kept), expected);
                kept.prompts.front().back() = 99; // a different question
                plain.prompts = kept.prompts;
                EXPECT_EQ(answer(*engine, kept), answer(*engine, plain));
                kept.prompts.front().resize(length - 5); // a shorter question
                plain.prompts = kept.prompts;
                EXPECT_EQ(answer(*engine, kept), answer(*engine, plain));
            }
        }
    }
}

// The pieces of a long prompt start at the same positions as without the cache.
TEST_F(LeversTest, APromptOfSeveralPiecesIsKept)
{
    write({.max_positions = 4096});
    const auto engine = load();
    ASSERT_TRUE(engine);
    Ids ids;
    for (int i = 0; i < 2600; ++i)
        ids.push_back((i * i) % 251);
    for (const std::size_t common : {1500U, 2048U, 2592U}) {
        GenerationRequest kept{
            .prompts = {Ids(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(common))},
            .max_new_tokens = 8,
            .prompt_cache = PromptCacheUse::ReadAndKeep};
        count(*engine, kept);
        kept.prompts = {ids};
        kept.prompt_cache = PromptCacheUse::Read;
        EXPECT_EQ(count(*engine, kept).cached, static_cast<std::int64_t>(common / 32 * 32));
        EXPECT_EQ(answer(*engine, kept), answer(*engine, {.prompts = {ids}, .max_new_tokens = 8}));
    }
}

TEST_F(LeversTest, OnlyReadingKeepsNothing)
{
    const auto engine = demo();
    ASSERT_TRUE(engine);
    GenerationRequest read = request(100, 4);
    read.prompt_cache = PromptCacheUse::Read;
    EXPECT_EQ(count(*engine, read).cached, 0);
    EXPECT_EQ(count(*engine, read).cached, 0);
}

TEST_F(LeversTest, AllTogetherGiveTheAnswerOfTheCacheAlone)
{
    const auto engine = demo();
    ASSERT_TRUE(engine);
    GenerationRequest plain = request(90, 30);
    plain.cache = CacheKind::Q8;
    const auto expected = answer(*engine, plain);
    GenerationRequest all = plain;
    all.draft_tokens = 5;
    all.draft_model = engine.get();
    all.prompt_cache = PromptCacheUse::ReadAndKeep;
    EXPECT_EQ(answer(*engine, all), expected);
    EXPECT_EQ(answer(*engine, all), expected);
}

// The demo model keeps 6 x 2 x 2 x 32 numbers per position; with q8_0, those of one layer are also
// kept as plain numbers.
TEST_F(LeversTest, BlocksTakeTheMemoryThatTheyTake)
{
    const auto engine = demo();
    ASSERT_TRUE(engine);
    GenerationRequest wish = request(100, 20);
    wish.cache = CacheKind::Static;
    EXPECT_EQ(count(*engine, wish).bytes, 120 * 6 * 128 * 4);
    wish.cache = CacheKind::Q8;
    EXPECT_EQ(count(*engine, wish).bytes, 120 * (6 * 128 / 32 * 34 + 128 * 4));
}

TEST_F(LeversTest, BlocksAreAlmostAsGoodAsNumbers)
{
    const auto engine = demo("f32");
    ASSERT_TRUE(engine);
    const Ids ids = prompt(400);
    const auto exact = measurePerplexity(*engine, engine.get(), {.ids = ids}, {}, {});
    const auto blocks =
        measurePerplexity(*engine, engine.get(), {.ids = ids, .cache = CacheKind::Q8}, {}, {});
    ASSERT_TRUE(exact && blocks);
    EXPECT_EQ(*exact->kl, 0.0);
    EXPECT_GT(*blocks->kl, 0.0);
    EXPECT_LT(*blocks->kl, 1e-3);
    EXPECT_NEAR(blocks->nll, exact->nll, 0.01);
}

// One pass and many passes use the same blocks.
TEST_F(LeversTest, BlocksAreThoseOfEarlierSteps)
{
    const auto engine = demo("f32");
    ASSERT_TRUE(engine);
    GenerationRequest wish = request(9, 300);
    wish.cache = CacheKind::Q8;
    Ids ids = wish.prompts.front();
    const auto steps = generate(*engine, wish);
    for (const SequenceStep& step : steps)
        ids.push_back(step.token);
    const auto whole = engine->forwardWith(CacheKind::Q8, ids);
    ASSERT_TRUE(whole) << whole.error().message;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto row = whole->logits.begin()
            + static_cast<std::ptrdiff_t>((8 + i) * static_cast<std::size_t>(whole->vocabulary));
        double total = 0.0;
        for (auto logit = row; logit != row + whole->vocabulary; ++logit)
            total += std::exp(static_cast<double>(*logit - row[steps[i].token]));
        // A sum that is rounded differently may round to a neighbouring integer in a block.
        ASSERT_NEAR(steps[i].probability, 1.0 / total, 2e-2) << "token " << i;
    }
}

TEST_F(LeversTest, WhatCannotBeIsRefusedInASentence)
{
    write(); // heads of 8 numbers
    const auto tiny = load();
    ASSERT_TRUE(tiny);
    GenerationRequest wish{.prompts = {{1, 2, 3}}};
    wish.cache = CacheKind::Q8;
    EXPECT_THAT(refusal(*tiny, wish), HasSubstr("has 8 numbers, which q8_0 cannot divide"));
    GenerationRequest batch{.prompts = {{1, 2, 3}, {4}}, .draft_tokens = 2};
    EXPECT_THAT(refusal(*tiny, batch), HasSubstr("work for one sequence at a time"));
    batch.draft_tokens = 0;
    batch.prompt_cache = PromptCacheUse::ReadAndKeep;
    EXPECT_THAT(refusal(*tiny, batch), HasSubstr("work for one sequence at a time"));
}

} // namespace
} // namespace ep::model
