// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <utility>

namespace ep::model {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class BatchTest : public EngineFixture {
protected:
    // Prompts with different lengths and contents.
    static std::vector<std::vector<text::TokenId>> prompts()
    {
        std::vector<std::vector<text::TokenId>> prompts;
        for (const int length : {3, 17, 1, 9}) {
            std::vector<text::TokenId> ids{test::kTinyBosId};
            for (int i = 1; i < length; ++i)
                ids.push_back((i * 37 + length) % 256);
            prompts.push_back(ids);
        }
        return prompts;
    }

    static std::vector<std::vector<text::TokenId>> alone(Engine& engine, GenerationRequest request)
    {
        std::vector<std::vector<text::TokenId>> texts;
        for (const std::vector<text::TokenId>& prompt : prompts()) {
            request.prompts = {prompt};
            texts.push_back(tokens(generate(engine, request)));
            ++request.sampling.seed;
        }
        return texts;
    }

    static std::vector<std::vector<text::TokenId>> together(Engine& engine,
                                                            GenerationRequest request)
    {
        request.prompts = prompts();
        return generateTokens(engine, request);
    }
};

TEST_F(BatchTest, EverySequenceContinuesAsIfItWereAlone)
{
    struct Case {
        const char* what;
        test::TinyModel model;
        LoadRequest load;
    };
    const std::vector<Case> cases{
        {"grouped heads", {}, {}},
        {"one key head", {.kv_heads = 1, .seed = 3}, {}},
        {"stored in half precision", {.dtype = "BF16"}, {}},
        {"one thread", {.layers = 3, .tied = false}, {.threads = 1}},
        {"three threads", {.layers = 3, .tied = false}, {.threads = 3}},
    };
    for (const Case& c : cases) {
        write(c.model);
        const auto engine = load(c.load);
        ASSERT_TRUE(engine);
        const GenerationRequest request{.max_new_tokens = 24};
        EXPECT_EQ(together(*engine, request), alone(*engine, request)) << c.what;
    }
}

TEST_F(BatchTest, SequenceDrawsWithItsOwnSeed)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const GenerationRequest request{.max_new_tokens = 16,
                                    .sampling = {.temperature = 1.5, .seed = 11}};
    EXPECT_EQ(together(*engine, request), alone(*engine, request));

    GenerationRequest same = request;
    same.prompts = {prompts()[0], prompts()[0]};
    const auto texts = generateBatch(*engine, same);
    EXPECT_NE(tokens(texts[0]), tokens(texts[1]));
}

TEST_F(BatchTest, FinishedSequencesLeave)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    GenerationRequest request{.max_new_tokens = 12};
    const auto free = alone(*engine, request);
    request.eos = {free[1][2], free[3][5]};
    const auto ended = alone(*engine, request);
    ASSERT_EQ(ended[1].size(), 3U); // otherwise the case proves nothing
    EXPECT_EQ(together(*engine, request), ended);
}

// Number of rows that a component computed, per step.
class RowCounter final : public Observer {
public:
    bool wants(const Tap& tap) override
    {
        return tap == Tap::ofComponent(0, Component::InputLayernorm);
    }
    void began(const Tap&) override { }
    void ended(const Tap&, const TensorProbe* output) override
    {
        rows.push_back(output->count() / 32);
    }
    std::vector<std::int64_t> rows;
};

TEST_F(BatchTest, RowsOfStoppedSequencesAreNotComputed)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    RowCounter counter;
    const auto generation =
        engine->begin({.prompts = prompts(), .max_new_tokens = 5}, &counter, {});
    ASSERT_TRUE(generation) << generation.error().message;
    const auto sequences = [](const Result<StepResult>& step) {
        std::vector<int> indices;
        for (const SequenceStep& one : step->sequences)
            indices.push_back(one.sequence);
        return indices;
    };
    auto step = (*generation)->prefill();
    ASSERT_TRUE(step);
    EXPECT_THAT(sequences(step), ElementsAre(0, 1, 2, 3));
    (*generation)->stop(1);
    step = (*generation)->decode();
    ASSERT_TRUE(step);
    EXPECT_THAT(sequences(step), ElementsAre(0, 2, 3));
    EXPECT_FALSE(step->finished);
    for (const int sequence : {0, 2, 3})
        (*generation)->stop(sequence);
    EXPECT_FALSE((*generation)->decode()); // no sequence is left
    EXPECT_TRUE((*generation)->finish());
    EXPECT_THAT(counter.rows, ElementsAre(3 + 17 + 1 + 9, 3));
}

TEST_F(BatchTest, StaticCacheHasItsFinalSizeAtTheStart)
{
    write({.max_positions = 2048});
    const auto engine = load();
    ASSERT_TRUE(engine);
    // 2 layers x keys and values x 2 heads x 8 dimensions x 4 bytes
    constexpr std::int64_t kPosition = 2 * 2 * 2 * 8 * 4;
    const auto bytesOf = [&](GenerationRequest request) {
        const auto generation = engine->begin(request, nullptr, {});
        EXPECT_TRUE(generation);
        const std::int64_t begin = (*generation)->peakCacheBytes();
        auto step = (*generation)->prefill();
        while (step && !step->finished)
            step = (*generation)->decode();
        return std::pair(begin, (*generation)->peakCacheBytes());
    };
    GenerationRequest request{.prompts = prompts(), .max_new_tokens = 600};
    request.cache = CacheKind::Static;
    const std::int64_t whole = (3 + 17 + 1 + 9 + 4 * 600) * kPosition;
    EXPECT_EQ(bytesOf(request), std::pair(whole, whole));
    request.cache = CacheKind::Growing;
    const auto [begin, end] = bytesOf(request);
    EXPECT_EQ(begin, (3 + 17 + 1 + 9 + 4 * 256) * kPosition);
    EXPECT_EQ(end, 4 * (3 + 17 + 1 + 9 + 4 * 256) * kPosition); // doubled twice

    const auto text = together(*engine, {.max_new_tokens = 20});
    EXPECT_EQ(together(*engine, {.max_new_tokens = 20, .cache = CacheKind::Static}), text);
}

TEST_F(BatchTest, WrongPromptIsNamed)
{
    write();
    const auto engine = load();
    ASSERT_TRUE(engine);
    const auto generation = engine->begin({.prompts = {{1}, {}, {2}}}, nullptr, {});
    ASSERT_FALSE(generation);
    EXPECT_THAT(generation.error().message, HasSubstr("Prompt 2 of the batch has no token"));
}

} // namespace
} // namespace ep::model
