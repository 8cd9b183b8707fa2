// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_fixture.h"

#include "ep/model/replay.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace ep::model {
namespace {

class ReplayTest : public EngineFixture {
protected:
    static std::unique_ptr<Replay> recorded(Engine& engine)
    {
        auto replay = engine.record({.prompt = {84, 104, 101}, .tokens = 3}, {});
        EXPECT_TRUE(replay) << replay.error().message;
        return replay ? std::move(*replay) : nullptr;
    }
};

std::vector<std::string> namesOf(const Replay& replay)
{
    std::vector<std::string> names;
    for (const ReplayPart& part : replay.parts())
        names.push_back(part.name);
    return names;
}

} // namespace

TEST_F(ReplayTest, HasEveryKindOfATokenWithWhatItReads)
{
    write();
    const auto engine = load();
    const auto replay = recorded(*engine);
    EXPECT_THAT(namesOf(*replay),
                testing::IsSupersetOf({"embedding", "input_layernorm", "q_proj", "k_proj", "v_proj",
                                       "kv_cache", "attention", "o_proj", "residual", "gate_proj",
                                       "down_proj", "final_norm", "lm_head", "sampling"}));
    const ModelFacts& facts = engine->facts();
    for (const ReplayPart& part : replay->parts()) {
        EXPECT_GT(part.calls, 0) << part.name;
        if (part.name == "q_proj") {
            EXPECT_EQ(part.calls, facts.layers);
            EXPECT_EQ(part.bytes,
                      std::int64_t{4} * facts.layers * facts.hidden_size * facts.attention_heads
                          * facts.head_dim);
        }
        if (part.name == "attention") { // three prompt tokens and one more
            EXPECT_EQ(part.bytes,
                      std::int64_t{4} * 2 * 4 * facts.layers * facts.kv_heads * facts.head_dim);
        }
    }
}

TEST_F(ReplayTest, RepeatsPartsAndWholeTokens)
{
    write();
    const auto engine = load();
    const auto replay = recorded(*engine);
    constexpr Nanoseconds kShort = 2'000'000;
    std::vector<int> passes(replay->parts().size(), 0);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        passes.assign(passes.size(), 0);
        passes[i] = 3;
        const auto times = replay->repeatParts(passes, kShort, {});
        ASSERT_TRUE(times) << times.error().message;
        EXPECT_GT(times->repetitions, 0) << replay->parts()[i].name;
        EXPECT_GE(times->time.duration_ns(), kShort);
        for (const int more : {1, 3}) {
            const auto often = replay->repeatTokens(ExtraPasses{i, more}, kShort, {});
            ASSERT_TRUE(often) << often.error().message;
            EXPECT_GT(often->repetitions, 0);
        }
    }
    EXPECT_TRUE(replay->repeatTokens(std::nullopt, kShort, {}));
    CancelToken cancel;
    cancel.cancel();
    EXPECT_FALSE(replay->repeatParts(passes, kShort, cancel));
}

// Repetition has no effect on later generations.
TEST_F(ReplayTest, LeavesTheEngineAsItWas)
{
    write();
    const auto engine = load();
    const GenerationRequest request{.prompts = {{84, 104, 101}}, .max_new_tokens = 5};
    const auto before = generate(*engine, request);
    const auto replay = recorded(*engine);
    ASSERT_TRUE(replay->repeatParts(std::vector<int>(replay->parts().size(), 1), 2'000'000, {}));
    const auto after = generate(*engine, request);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(before[i].token, after[i].token);
}

TEST_F(ReplayTest, RefusesWhatDoesNotFitTheContext)
{
    write();
    const auto engine = load();
    const std::vector<text::TokenId> prompt(
        static_cast<std::size_t>(engine->facts().context_length), 84);
    const auto replay = engine->record({.prompt = prompt, .tokens = 3}, {});
    ASSERT_FALSE(replay);
    EXPECT_THAT(replay.error().message, testing::HasSubstr("no room for 3 tokens"));
}

} // namespace ep::model
