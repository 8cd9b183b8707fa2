// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/recorded.h"
#include "support/milliseconds.h"

#include "ep/attach/answer.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

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

// Servers with an API of their own, and llama.cpp.
void addNative(std::vector<Recorded>& all)
{
    // prompt_eval_count includes the cached tokens.
    Figures ollama = figures(26, 20, 6, 5);
    ollama.load_ns = 13'970'840;
    ollama.prompt_ns = 83'074'791;
    ollama.decode_ns = 70'337'000;
    ollama.finish = "stop";
    ollama.model = "qwen3:0.6b";
    all.push_back({"ollama_generate.ndjson", "ollama", "The sky is blue", 4, ollama});
    // Older versions did not report cached tokens: unknown, not zero.
    Figures older = figures(10, std::nullopt, std::nullopt, 3);
    older.load_ns = 3'915'300;
    older.prompt_ns = 246'847'000;
    older.decode_ns = 40'320'000;
    older.finish = "length";
    older.model = "deepseek-r1:1.5b";
    all.push_back({"ollama_chat.ndjson", "ollama-chat", "Hi there", 3, older});
    // prompt_n excludes the cached tokens; tokens_cached is something else.
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
}

// Servers that answer like OpenAI or Anthropic.
void addCompatible(std::vector<Recorded>& all)
{
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
    mlx.engine = "MLX 0.26.3";
    all.push_back({"mlx_text.sse", "openai", " to be", 2, mlx});
    Figures mlxChat = figures(12, 11, 1, 2);
    mlxChat.finish = "length";
    mlxChat.model = "m";
    mlxChat.engine = "MLX 0.32.2";
    all.push_back({"mlx_chat.sse", "openai-chat", "ab", 1, mlxChat});
    Figures omlx = figures(9, 4, 5, 2);
    omlx.load_ns = 10'000'000;
    omlx.prompt_ns = 15'000'000;
    omlx.decode_ns = 30'000'000;
    omlx.finish = "stop";
    omlx.model = "m";
    all.push_back({"omlx_chat.sse", "openai-chat", "ab", 1, omlx});
    // Every part of a call is generated, but none is text.
    Figures calls = figures(5, std::nullopt, std::nullopt, 12);
    calls.finish = "tool_calls";
    calls.model = "m";
    all.push_back({"openai_tool_calls.sse", "openai-chat", "", 5, calls});
    // input_tokens excludes what was read from or written to the cache.
    Figures anthropic = figures(10, 3, 7, 7);
    anthropic.finish = "tool_use";
    anthropic.model = "m";
    all.push_back({"anthropic_messages.sse", "anthropic", "ab", 4, anthropic});
    Figures responses = figures(5, 1, 4, 4);
    responses.reasoning_tokens = 2;
    responses.finish = "completed";
    responses.model = "m";
    all.push_back({"openai_responses.sse", "responses", "ab", 3, responses});
    Figures studio1 = figures(5, std::nullopt, std::nullopt, 4);
    studio1.reasoning_tokens = 2;
    studio1.load_ns = 1'000'000;
    studio1.prompt_ns = 250'000'000;
    studio1.model = "m";
    all.push_back({"lmstudio_v1_chat.sse", "lmstudio-v1", "ab", 2, studio1});
}

std::vector<Recorded> recorded()
{
    std::vector<Recorded> all;
    addNative(all);
    addCompatible(all);
    return all;
}

TEST(Answer, OfEachServerIsUnderstood)
{
    for (const Recorded& one : recorded()) {
        const std::string text = test::recordedAnswer(one.file);
        ASSERT_FALSE(text.empty()) << one.file;
        const Framing framing =
            std::string_view(one.file).ends_with(".sse") ? Framing::Events : Framing::Lines;
        AnswerReader reader(*dialectFromId(one.dialect), framing, 5 * kMs);
        // Byte by byte, 1 us apart.
        Nanoseconds now = 10 * kMs;
        for (const char byte : text)
            ASSERT_TRUE(reader.feed({&byte, 1}, now += 1000)) << one.file;
        ASSERT_TRUE(reader.finish(now)) << one.file;
        const Answer& answer = reader.answer();
        EXPECT_EQ(answer.text, one.text) << one.file;
        EXPECT_EQ(answer.chunks.size(), one.chunks) << one.file;
        Figures stated = answer.figures;
        stated.id = {}; // of the Responses API and LM Studio
        EXPECT_EQ(stated, one.figures) << one.file;
        EXPECT_EQ(answer.asked_ns, 5 * kMs) << one.file;
        EXPECT_TRUE(answer.stopped_ns) << one.file;
        EXPECT_GT(*answer.stopped_ns, answer.chunks.back().at_ns - 1) << one.file;
    }
}

TEST(Answer, WithoutAFinalMessageIsAnError)
{
    for (const Recorded& one : recorded()) {
        const std::string text = test::recordedAnswer(one.file);
        const Framing framing =
            std::string_view(one.file).ends_with(".sse") ? Framing::Events : Framing::Lines;
        AnswerReader reader(*dialectFromId(one.dialect), framing, 0);
        ASSERT_TRUE(reader.feed(text.substr(0, text.find('\n') + 1), kMs));
        const Status end = reader.finish(2 * kMs);
        ASSERT_FALSE(end) << one.file;
        EXPECT_NE(end.error().message.english().find("without a final message"), std::string::npos)
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

// Other forms of the same answer.
TEST(Answer, OfEveryShapeIsUnderstood)
{
    struct Case {
        const char* name;
        const char* dialect;
        Framing framing;
        std::string bytes;
        const char* text;
        std::size_t chunks;
    };
    const std::string stop = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    const auto delta = [](const std::string& json) {
        return "data: {\"choices\":[{\"delta\":" + json + "}]}\n\n";
    };
    for (const Case& c : std::vector<Case>{
             {"a list of parts", "openai-chat", Framing::Events,
              delta(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})")
                  + stop,
              "ab", 1},
             {"thinking as a part", "openai-chat", Framing::Events,
              delta(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]})")
                  + delta(R"({"content":"b"})") + stop,
              "b", 2},
             {"a refusal", "openai-chat", Framing::Events,
              delta(R"({"refusal":"I"})") + delta(R"({"refusal":" can't"})") + stop, "I can't", 2},
             {"an old call of a function", "openai-chat", Framing::Events,
              delta(R"({"function_call":{"name":"f","arguments":"{}"}})") + stop, "", 1},
             {"calls of Ollama", "ollama-chat", Framing::Lines,
              "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"f\","
              "\"arguments\":{\"a\":1}}}]}}\n{\"done\":true}\n",
              "", 1},
             {"events with nothing", "openai-chat", Framing::Events,
              "data:\n\ndata: \n\nevent: ping\n\n: comment\n\ndata: {}\n\n"
                  + delta(R"({"content":"a"})") + "data: {\"choices\":[]}\n\ndata:\n\n" + stop
                  + "data: [DONE]\n\n",
              "a", 1},
             {"lines with nothing", "ollama", Framing::Lines,
              "\n  \n{\"response\":\"a\"}\n\n{\"done\":true}\n", "a", 1},
             {"half a character in bytes", "openai-chat", Framing::Events,
              delta("{\"content\":\"x\xe2\x82\"}") + delta("{\"content\":\"\xac!\"}") + stop,
              "x\xe2\x82\xac!", 2},
             {"a character in four parts", "openai-chat", Framing::Events,
              delta("{\"content\":\"\xf0\"}") + delta("{\"content\":\"\x9f\"}")
                  + delta("{\"content\":\"\x98\"}") + delta("{\"content\":\"\x80\"}") + stop,
              "\xf0\x9f\x98\x80", 4},
             {"half a character as a surrogate", "openai-chat", Framing::Events,
              delta("{\"content\":\"x\\ud83d\"}") + delta("{\"content\":\"\\ude00!\"}") + stop,
              "x\xf0\x9f\x98\x80!", 2},
             {"a half without the other", "openai-chat", Framing::Events,
              delta("{\"content\":\"a\\ud83d\"}") + delta("{\"content\":\"b\xe2\"}") + stop,
              "a\xef\xbf\xbd"
              "b\xef\xbf\xbd",
              2},
             {"a backslash before a u", "openai-chat", Framing::Events,
              delta("{\"content\":\"\\\\ud83d\"}") + stop, "\\ud83d", 1},
             {"Anthropic's in one piece", "anthropic", Framing::Whole,
              R"({"type":"message","content":[{"type":"text","text":"a"},{"type":"tool_use",)"
              R"("name":"f","input":{}}],"stop_reason":"end_turn"})",
              "a", 1},
             {"responses in one piece", "responses", Framing::Whole,
              R"({"object":"response","status":"completed","error":null,"output":[{"type":)"
              R"("reasoning","content":[{"type":"reasoning_text","text":"h"}]},{"type":"message",)"
              R"("content":[{"type":"output_text","text":"a"}]}]})",
              "a", 1},
             {"LM Studio's in one piece", "lmstudio-v1", Framing::Whole,
              R"({"model_instance_id":"m","output":[{"type":"message","content":"a"}]})", "a", 1},
         }) {
        AnswerReader reader(*dialectFromId(c.dialect), c.framing, 0);
        ASSERT_TRUE(reader.feed(c.bytes, kMs)) << c.name;
        const Status end = reader.finish(2 * kMs);
        ASSERT_TRUE(end) << c.name << ": " << end.error().message;
        EXPECT_EQ(reader.answer().text, c.text) << c.name;
        EXPECT_EQ(reader.answer().chunks.size(), c.chunks) << c.name;
    }
}

TEST(Answer, OfEachFormTellsItsFailures)
{
    struct Case {
        const char* dialect;
        const char* data;
        const char* message;
    };
    for (const Case& c : {
             Case{"anthropic",
                  R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
                  "The server says: Overloaded"},
             Case{"responses", R"({"type":"error","message":"no model"})",
                  "The server says: no model"},
             Case{"responses",
                  R"({"type":"response.failed","response":{"error":{"message":"broken"}}})",
                  "The server says: broken"},
             Case{"lmstudio-v1", R"({"type":"error","error":{"message":"bad"}})",
                  "The server says: bad"},
         }) {
        AnswerReader reader(*dialectFromId(c.dialect), Framing::Events, 0);
        static_cast<void>(reader.feed(std::string("data: ") + c.data + "\n\n", kMs));
        const Status end = reader.finish(kMs);
        ASSERT_FALSE(end) << c.data;
        EXPECT_EQ(end.error().message, c.message);
    }
}

// Which parts are reasoning, in each dialect that sends it separately.
TEST(Answer, TellsReasoningFromText)
{
    const auto delta = [](const std::string& json) {
        return "data: {\"choices\":[{\"delta\":" + json + "}]}\n\n";
    };
    const struct {
        const char* dialect;
        Framing framing;
        std::string bytes;
        std::vector<bool> thought;
    } cases[] = {
        {"openai-chat",
         Framing::Events,
         delta(R"({"reasoning_content":"h"})") + delta(R"({"reasoning":"m"})")
             + delta(R"({"content":"a"})") + delta(R"({"tool_calls":[{"function":{"name":"f"}}]})"),
         {true, true, false, false}},
        {"openai-chat",
         Framing::Events,
         delta(R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]})")
             + delta(R"({"content":"b"})"),
         {true, false}},
        {"ollama-chat",
         Framing::Lines,
         "{\"message\":{\"content\":\"\",\"thinking\":\"h\"}}\n"
         "{\"message\":{\"content\":\"a\"}}\n",
         {true, false}},
        {"anthropic",
         Framing::Events,
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\","
         "\"thinking\":\"h\"}}\n\n"
         "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\","
         "\"text\":\"a\"}}\n\n",
         {true, false}},
        {"responses",
         Framing::Events,
         "data: {\"type\":\"response.reasoning_text.delta\",\"delta\":\"h\"}\n\n"
         "data: {\"type\":\"response.output_text.delta\",\"delta\":\"a\"}\n\n"
         "data: {\"type\":\"response.function_call_arguments.delta\",\"delta\":\"{\"}\n\n",
         {true, false, false}},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.dialect);
        const Dialect* dialect = dialectFromId(c.dialect);
        ASSERT_NE(dialect, nullptr);
        AnswerReader reader(*dialect, c.framing, 0);
        ASSERT_TRUE(reader.feed(c.bytes, kMs));
        std::vector<bool> thought;
        for (const Chunk& chunk : reader.answer().chunks)
            thought.push_back(chunk.thought);
        EXPECT_EQ(thought, c.thought);
    }
}

std::vector<std::string> messagesIn(Framing framing, std::string_view text,
                                    const std::vector<std::size_t>& cuts = {})
{
    MessageSplitter splitter(framing);
    std::vector<std::string> all;
    const auto add = [&](std::vector<std::string> some) {
        all.insert(all.end(), std::make_move_iterator(some.begin()),
                   std::make_move_iterator(some.end()));
    };
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
        const auto part = splitter.feed(text.substr(begin, cut - begin));
        EXPECT_TRUE(part);
        add(*part);
        begin = cut;
    }
    const auto rest = splitter.feed(text.substr(begin));
    EXPECT_TRUE(rest);
    add(*rest);
    add(splitter.finish());
    return all;
}

TEST(Stream, KnowsTheFramingByTheContentType)
{
    EXPECT_EQ(framingOf("text/event-stream; charset=utf-8"), Framing::Events);
    EXPECT_EQ(framingOf("application/x-ndjson"), Framing::Lines);
    EXPECT_EQ(framingOf("application/json; charset=utf-8"), Framing::Whole);
    EXPECT_EQ(framingOf(""), Framing::Whole);
}

TEST(Stream, FindsTheMessages)
{
    using Texts = std::vector<std::string>;
    struct Case {
        const char* name;
        Framing framing;
        std::string_view text;
        Texts messages;
    };
    for (const Case& c : {
             Case{"events", Framing::Events, "data: a\n\ndata: b\n\n", {"a", "b"}},
             Case{"CR LF", Framing::Events, "data: a\r\n\r\ndata: b\r\n\r\n", {"a", "b"}},
             Case{"CR alone", Framing::Events, "data: a\r\rdata: b\r\r", {"a", "b"}},
             Case{"only one blank belongs to the field",
                  Framing::Events,
                  "data:  a\n\ndata:b\n\n",
                  {" a", "b"}},
             Case{"several lines", Framing::Events, "data: a\ndata: b\n\n", {"a\nb"}},
             Case{"comments and other fields",
                  Framing::Events,
                  ": ping\nevent: x\nid: 7\ndata: a\n\nretry: 5\n\n",
                  {"a"}},
             Case{"an error of llama.cpp", Framing::Events, "error: {}\n\n", {"{}"}},
             Case{"no blank line at the end", Framing::Events, "data: a\n\ndata: b", {"a", "b"}},
             Case{"an empty event", Framing::Events, "data\n\n", {""}},
             Case{"lines", Framing::Lines, "{1}\n{2}\r\n\n{3}", {"{1}", "{2}", "{3}"}},
             Case{"whole", Framing::Whole, "{\n \"a\": 1\n}\n", {"{\n \"a\": 1\n}\n"}},
             Case{"nothing", Framing::Whole, "", {}},
         })
        EXPECT_EQ(messagesIn(c.framing, c.text), c.messages) << c.name;
}

TEST(Stream, IsTheSameHoweverItIsCut)
{
    const std::string text = ": hello\r\ndata: {\"a\":\"1\"}\r\n\r\nevent: x\ndata: b\ndata: c\n\n"
                             "data:d\r\rdata: [DONE]\n\n";
    const auto whole = messagesIn(Framing::Events, text);
    ASSERT_EQ(whole.size(), 4U);
    std::mt19937 random(7);
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::size_t> cuts;
        std::size_t at = 0;
        while (at < text.size()) {
            at += random() % 7;
            cuts.push_back(std::min(at, text.size()));
        }
        ASSERT_EQ(messagesIn(Framing::Events, text, cuts), whole) << i;
    }
}

TEST(Stream, RefusesAnEndlessMessage)
{
    MessageSplitter splitter(Framing::Lines);
    const std::string megabyte(1024 * 1024, 'x');
    for (int i = 0; i < 2; ++i)
        ASSERT_TRUE(splitter.feed(megabyte)) << i;
    const auto more = splitter.feed(megabyte);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message, "The server sent a message of more than 2 MB.");
}

} // namespace
} // namespace ep::attach
