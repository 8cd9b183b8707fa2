// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace {

using namespace ep;
using test::EngineScript;
using test::RunWatcher;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<int> sequencesOf(const ep::Run& run)
{
    std::vector<int> sequences;
    for (const TokenSpan& token : run.trace.tokens)
        sequences.push_back(token.sequences);
    return sequences;
}

std::string textOf(const ep::Run& run)
{
    std::string text;
    for (const TokenSpan& token : run.trace.tokens)
        text += token.text;
    return text;
}

TEST(Batch, SumsUpItsSequences)
{
    RunWatcher watcher(EngineScript{.text = "abcdef", .end_after = 3, .end_step = 2});
    session::RunRequest request = watcher.request();
    request.prompt = "Once";
    request.further_prompts = {"Twice upon", "x"};
    request.max_new_tokens = 6;
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.status, RunStatus::Complete);
    EXPECT_EQ(run.info.prompt, "Once");
    EXPECT_EQ(run.info.response, "ab"); // the third token ends it
    EXPECT_EQ(run.info.input_tokens, 5 + 11 + 2);
    EXPECT_EQ(run.info.output_tokens, 3 + 5 + 6);
    EXPECT_THAT(run.info.batch,
                ElementsAre(BatchSequence{"Once", "ab", 5, 3},
                            BatchSequence{"Twice upon", "abcd", 11, 5},
                            BatchSequence{"x", "abcdef", 2, 6}));
    EXPECT_THAT(sequencesOf(run), ElementsAre(3, 3, 3, 2, 2, 1));
    EXPECT_EQ(textOf(run), run.info.response);
    EXPECT_EQ(run.trace.tokens[2].probability, 0.75F);
    EXPECT_FALSE(run.trace.tokens[3].probability.has_value()); // the first sequence has ended
    ASSERT_THAT(watcher.tokens, SizeIs(6));
    EXPECT_EQ(watcher.tokens[1].token.sequences, 3);
}

TEST(Batch, RepeatsEveryPrompt)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.prompt = "a";
    request.further_prompts = {"b"};
    request.batch_size = 2;
    watcher.finish(request);
    std::vector<std::string> prompts;
    for (const BatchSequence& sequence : watcher.finished->run->info.batch)
        prompts.push_back(sequence.prompt);
    EXPECT_THAT(prompts, ElementsAre("a", "a", "b", "b"));
}

TEST(Batch, OfOneIsNone)
{
    RunWatcher watcher;
    watcher.finish(watcher.request());
    EXPECT_THAT(watcher.finished->run->info.batch, IsEmpty());
    EXPECT_EQ(watcher.finished->run->trace.tokens.front().sequences, 1);
}

TEST(StopTexts, EndAGenerationAndAreNotShown)
{
    RunWatcher watcher(EngineScript{.text = "one. two. "});
    session::RunRequest request = watcher.request();
    request.sampling.stop = {"absent", ". t"};
    request.max_new_tokens = 20;
    const ep::Run& run = watcher.finish(request);
    EXPECT_EQ(run.info.status, RunStatus::Complete);
    EXPECT_EQ(run.info.response, "one");
    EXPECT_EQ(textOf(run), "one");
    EXPECT_EQ(run.info.output_tokens, 6); // counts all generated tokens
    EXPECT_EQ(run.info.sampling.stop, request.sampling.stop);
}

TEST(StopTexts, EndOneSequenceOfABatch)
{
    // The second sequence ends by itself before the stop text is complete.
    RunWatcher watcher(EngineScript{.text = "ab|cd", .end_after = 5, .end_step = -3});
    session::RunRequest request = watcher.request();
    request.further_prompts = {"x"};
    request.sampling.stop = {"|c"};
    const ep::Run& run = watcher.finish(request);
    ASSERT_THAT(run.info.batch, SizeIs(2));
    EXPECT_EQ(run.info.batch[0].response, "ab");
    EXPECT_EQ(run.info.batch[0].output_tokens, 4);
    EXPECT_EQ(run.info.batch[1].response, "a");
    EXPECT_THAT(sequencesOf(run), ElementsAre(2, 2, 1, 1));
}

TEST(Context, EndsAGenerationWithANote)
{
    RunWatcher watcher(EngineScript{.context_length = 7});
    session::RunRequest request = watcher.request();
    request.max_new_tokens = 8;
    const RunInfo& info = watcher.finish(request).info;
    EXPECT_EQ(info.status, RunStatus::Complete);
    EXPECT_EQ(info.output_tokens, 3); // after positions 5, 6 and 7
    EXPECT_THAT(info.status_message, HasSubstr("7 tokens, is full"));
    EXPECT_THAT(info.status_message, HasSubstr("ended after 3 of 8 tokens"));

    request.further_prompts = {"Twice"};
    EXPECT_THAT(watcher.finish(request).info.status_message,
                HasSubstr("sequences 1, 2 ended before 8 tokens"));
}

TEST(Context, IsLessWhereARunAsksForLess)
{
    struct Case {
        int asked;
        int context; // of the run
        int tokens;
    };
    RunWatcher watcher(EngineScript{.context_length = 9});
    for (const Case& c : {Case{0, 9, 5}, {7, 7, 3}, {6, 6, 2}, {9, 9, 5}, {100, 9, 5}}) {
        session::RunRequest request = watcher.request();
        request.max_new_tokens = 8;
        request.context_length = c.asked;
        const RunInfo& info = watcher.finish(request).info;
        EXPECT_EQ(info.model.context_length, c.context);
        EXPECT_EQ(info.output_tokens, c.tokens) << c.asked;
        EXPECT_THAT(info.status_message, HasSubstr(std::to_string(c.context) + " tokens, is full"));
    }
}

TEST(Context, ThatIsTooShortForThePromptIsRefused)
{
    RunWatcher watcher(EngineScript{.context_length = 9});
    session::RunRequest request = watcher.request();
    request.context_length = 2;
    watcher.run(request);
    ASSERT_TRUE(watcher.failure.has_value());
    EXPECT_THAT(watcher.failure->message,
                HasSubstr("the context of this run is limited to 2: shorten the prompt or allow"));
}

} // namespace
