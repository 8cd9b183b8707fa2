// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/babble.h"

#include <gmock/gmock.h>

namespace ep::session {
namespace {

using testing::HasSubstr;

// Ten tokens of 1 ms and 2 mJ, in a run of 20 ms and 40 mJ.
ep::Run storyOf(const std::vector<std::string>& texts)
{
    ep::Run run;
    run.metrics.duration_ns = 20'000'000;
    run.metrics.energy.total_mj = Millijoules{40.0};
    run.metrics.energy.provenance = Provenance::Measured;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        TokenSpan token;
        token.index = static_cast<std::int32_t>(i);
        token.id = static_cast<std::int32_t>(i) + 10;
        token.text = texts[i];
        const auto begin = static_cast<Nanoseconds>(i) * 1'000'000;
        token.time = {begin, begin + 1'000'000};
        token.energy.total_mj = Millijoules{2.0};
        token.energy.provenance = Provenance::Attributed;
        run.trace.tokens.push_back(token);
    }
    return run;
}

TEST(Babble, IsCountedFromItsFirstToken)
{
    ep::Run run = storyOf({"{", "\"a\"", ":", " 1", "}", "\n", "And", " so", " on", "."});
    const text::AnswerRule rule{.kind = text::AnswerRule::Kind::Json};
    auto found = findBabble(run, rule);
    ASSERT_TRUE(found);
    ASSERT_TRUE(*found);
    EXPECT_EQ((*found)->onset, 5);
    EXPECT_EQ((*found)->tokens, 5);
    EXPECT_DOUBLE_EQ(*(*found)->energy_share, 0.25);
    EXPECT_DOUBLE_EQ((*found)->time_share, 0.25);
    EXPECT_THAT(babbleText(run, rule, *found),
                HasSubstr("25.0 % of the energy came after the answer (tokens 5 to 9 of 10, "));
    // A token without an energy does not count as zero: then there is no share of the energy.
    run.trace.tokens[7].energy = {};
    found = findBabble(run, rule);
    ASSERT_TRUE(found && *found);
    EXPECT_FALSE((*found)->energy_share);
    EXPECT_THAT(
        babbleText(run, rule, *found),
        HasSubstr("25.0 % of the time came after the answer (tokens 5 to 9 of 10, ≥ 8.00 mJ "
                  "attributed; rule: json)."));
    run.trace.tokens.resize(6);
    found = findBabble(run, rule);
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found) << "only a line break follows";
}

TEST(Babble, OfAServerIsKnownByTextsAlone)
{
    std::vector<std::string> texts;
    for (int i = 0; i < 70; ++i)
        texts.push_back("word " + std::to_string(i));
    ep::Run run = storyOf(texts);
    run.info.profiling.server.emplace();
    for (TokenSpan& token : run.trace.tokens)
        token.id = 0; // servers send no ids
    const text::AnswerRule rule{.kind = text::AnswerRule::Kind::Repetition};
    auto found = findBabble(run, rule);
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
    for (std::size_t i = 5; i < run.trace.tokens.size(); ++i)
        run.trace.tokens[i].text = i % 2 == 0 ? "ha" : "hi";
    found = findBabble(run, rule);
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->onset, 7); // the first occurrence belongs to the answer
}

TEST(Babble, SaysWhyItIsNotKnown)
{
    const text::AnswerRule rule{.kind = text::AnswerRule::Kind::Repetition};
    ep::Run batch = storyOf({"a", "b"});
    batch.info.batch.resize(2);
    EXPECT_THAT(findBabble(batch, rule).error().message, HasSubstr("batch"));
    ep::Run hashed = storyOf({"", ""});
    for (TokenSpan& token : hashed.trace.tokens)
        token.id = 0;
    EXPECT_THAT(findBabble(hashed, rule).error().message, HasSubstr("not stored"));
    EXPECT_FALSE(*findBabble(storyOf({}), rule));
}

} // namespace
} // namespace ep::session
