// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/recorded.h"
#include "support/milliseconds.h"

#include "ep/attach/answer.h"

#include <gtest/gtest.h>

#include <string>

namespace ep::attach {
namespace {

using test::kMs;

struct Recorded {
    const char* file;
    const char* dialect;
    const char* text;
    std::size_t chunks;
    Figures figures;
};

Figures figures(std::optional<std::int64_t> prompt, std::optional<std::int64_t> cached,
                std::optional<std::int64_t> uncached, std::int64_t output)
{
    Figures stated;
    stated.prompt_tokens = prompt;
    stated.cached_tokens = cached;
    stated.uncached_tokens = uncached;
    stated.output_tokens = output;
    return stated;
}

std::vector<Recorded> recorded()
{
    std::vector<Recorded> all;
    // prompt_eval_count contains the cached tokens.
    Figures ollama = figures(26, 20, 6, 5);
    ollama.load_ns = 13'970'840;
    ollama.prompt_ns = 83'074'791;
    ollama.decode_ns = 70'337'000;
    ollama.finish = "stop";
    ollama.model = "qwen3:0.6b";
    all.push_back({"ollama_generate.ndjson", "ollama", "The sky is blue", 4, ollama});
    // Before it stated its cached tokens: unknown, not zero.
    Figures older = figures(10, std::nullopt, std::nullopt, 3);
    older.load_ns = 3'915'300;
    older.prompt_ns = 246'847'000;
    older.decode_ns = 40'320'000;
    older.finish = "length";
    older.model = "deepseek-r1:1.5b";
    all.push_back({"ollama_chat.ndjson", "ollama-chat", "Hi there", 3, older});
    // prompt_n leaves the cached tokens out; tokens_cached is something else.
    Figures llama = figures(7, 2, 5, 3);
    llama.prompt_ns = 12'345'000;
    llama.decode_ns = 20'500'000;
    llama.finish = "limit";
    llama.model = "gpt-3.5-turbo";
    all.push_back({"llamacpp_completion.sse", "llamacpp", "Once upon a", 3, llama});
    Figures drafted = figures(70, 66, 4, 3);
    drafted.prompt_ns = 128'301'000;
    drafted.decode_ns = 62'040'000;
    drafted.draft_tokens = 20;
    drafted.draft_accepted_tokens = 15;
    drafted.finish = "stop";
    drafted.model = "gpt-oss-20b";
    all.push_back({"llamacpp_chat.sse", "openai-chat", "4", 2, drafted});
    Figures vllm = figures(16, 0, 16, 2);
    vllm.reasoning_tokens = 1;
    vllm.finish = "length";
    vllm.model = "meta-llama/Llama-3.1-8B-Instruct";
    all.push_back({"vllm_chat.sse", "openai-chat", "Good day", 2, vllm});
    Figures studio = figures(24, std::nullopt, std::nullopt, 53);
    studio.prompt_ns = 111'000'000;
    studio.decode_ns = 954'000'000;
    studio.finish = "stop";
    studio.model = "granite-3.0-2b-instruct";
    all.push_back({"lmstudio_chat.sse", "lmstudio-chat", "Greetings", 2, studio});
    Figures mlx = figures(5, std::nullopt, std::nullopt, 2);
    mlx.finish = "length";
    mlx.model = "mlx-community/Llama-3.2-3B-Instruct-4bit";
    all.push_back({"mlx_text.sse", "openai", " to be", 2, mlx});
    return all;
}

TEST(Answer, OfEachServerIsUnderstood)
{
    for (const Recorded& one : recorded()) {
        const std::string text = test::recordedAnswer(EP_TEST_DATA_DIR, one.file);
        ASSERT_FALSE(text.empty()) << one.file;
        const Framing framing =
            std::string_view(one.file).ends_with(".sse") ? Framing::Events : Framing::Lines;
        AnswerReader reader(*dialectFromId(one.dialect), framing, 5 * kMs);
        // Byte by byte: 1 us each.
        Nanoseconds now = 10 * kMs;
        for (const char byte : text)
            ASSERT_TRUE(reader.feed({&byte, 1}, now += 1000)) << one.file;
        ASSERT_TRUE(reader.finish(now)) << one.file;
        const Answer& answer = reader.answer();
        EXPECT_EQ(answer.text, one.text) << one.file;
        EXPECT_EQ(answer.chunks.size(), one.chunks) << one.file;
        EXPECT_EQ(answer.figures, one.figures) << one.file;
        EXPECT_EQ(answer.asked_ns, 5 * kMs);
        EXPECT_TRUE(answer.stopped_ns) << one.file;
        EXPECT_GT(*answer.stopped_ns, answer.chunks.back().at_ns - 1) << one.file;
    }
}

TEST(Answer, WithoutAFinalMessageIsAnError)
{
    for (const Recorded& one : recorded()) {
        const std::string text = test::recordedAnswer(EP_TEST_DATA_DIR, one.file);
        const Framing framing =
            std::string_view(one.file).ends_with(".sse") ? Framing::Events : Framing::Lines;
        AnswerReader reader(*dialectFromId(one.dialect), framing, 0);
        ASSERT_TRUE(reader.feed(text.substr(0, text.find('\n') + 1), kMs));
        const Status end = reader.finish(2 * kMs);
        ASSERT_FALSE(end) << one.file;
        EXPECT_NE(end.error().message.find("without a final message"), std::string::npos)
            << end.error().message;
    }
}

TEST(Answer, TellsWhatTheServerComplainsAbout)
{
    struct Case {
        const char* dialect;
        Framing framing;
        std::string_view text;
        const char* message;
    };
    for (const Case& c : {
             Case{"ollama", Framing::Lines, "{\"error\":\"model 'x' not found\"}\n",
                  "The server says: model 'x' not found"},
             Case{"openai-chat", Framing::Events,
                  "data: {\"error\":{\"message\":\"out of\\nmemory\",\"code\":500}}\n\n",
                  "The server says: out of memory"},
             Case{
                 "llamacpp", Framing::Events,
                 "error: {\"code\":400,\"message\":\"too long\",\"type\":\"invalid_request_error\"}"
                 "\n\n",
                 "The server says: too long"},
             Case{"ollama", Framing::Lines, "<html>\n",
                  "The server's answer is not valid JSON at line 1, column 1."},
             Case{"openai", Framing::Whole, "[1]", "The server's answer is not a JSON object."},
         }) {
        AnswerReader reader(*dialectFromId(c.dialect), c.framing, 0);
        static_cast<void>(reader.feed(c.text, kMs));
        const Status end = reader.finish(kMs);
        ASSERT_FALSE(end);
        EXPECT_EQ(end.error().message, c.message);
    }
}

TEST(Answer, IgnoresFiguresOfAnotherKind)
{
    AnswerReader reader(*dialectFromId("ollama"), Framing::Lines, 0);
    ASSERT_TRUE(reader.feed("{\"response\":7,\"done\":true,\"eval_count\":-3,\"eval_duration\":"
                            "\"long\",\"prompt_eval_count\":1e300,\"load_duration\":null}\n",
                            kMs));
    ASSERT_TRUE(reader.finish(kMs));
    EXPECT_EQ(reader.answer().figures, Figures());
    EXPECT_TRUE(reader.answer().chunks.empty());
}

} // namespace
} // namespace ep::attach
