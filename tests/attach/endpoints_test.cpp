// SPDX-License-Identifier: GPL-3.0-or-later
// Every address in the table of dialects (docs/attach.md), through the proxy and with the client.
#include "attach/known_server.h"
#include "attach/proxy_house.h"
#include "attach/raw_client.h"

#include "ep/attach/dialect.h"
#include "ep/core/stated_tokens.h"
#include "ep/core/trace_lookup.h"
#include "ep/session/profiler.h"

#include <gtest/gtest.h>

#include <map>

namespace ep::test {
namespace {

constexpr const char* kEventType = "text/event-stream";

struct Endpoint {
    const char* recorded; // file
    const char* request;
    std::int64_t input;
    std::int64_t output;
};

// One endpoint per id in attach::dialects().
const std::map<std::string, Endpoint>& endpoints()
{
    constexpr const char* kChat =
        R"({"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"x"}]}]})";
    constexpr const char* kText = R"({"model":"m","prompt":"x"})";
    constexpr const char* kInput = R"({"model":"m","input":"x"})";
    static const std::map<std::string, Endpoint> all{
        {"openai-chat", {"vllm_chat.sse", kChat, 16, 2}},
        {"openai", {"mlx_text.sse", kText, 5, 2}},
        {"responses", {"openai_responses.sse", kInput, 5, 4}},
        {"anthropic", {"anthropic_messages.sse", kChat, 10, 7}},
        {"lmstudio-chat", {"lmstudio_chat.sse", kChat, 24, 53}},
        {"lmstudio", {"lmstudio_chat.sse", kText, 24, 53}},
        {"lmstudio-v1", {"lmstudio_v1_chat.sse", kInput, 5, 4}},
        {"ollama-chat", {"ollama_chat.ndjson", kChat, 10, 3}},
        {"ollama", {"ollama_generate.ndjson", kText, 26, 5}},
        {"llamacpp", {"llamacpp_completion.sse", kText, 7, 3}},
        {"infill", {"llamacpp_completion.sse", R"({"model":"m","input_prefix":"x"})", 7, 3}},
    };
    return all;
}

FakeAnswer answerOf(const Endpoint& endpoint)
{
    const std::string text = recordedAnswer(endpoint.recorded);
    EXPECT_FALSE(text.empty()) << endpoint.recorded;
    FakeAnswer answer;
    answer.type =
        std::string_view(endpoint.recorded).ends_with(".sse") ? kEventType : "application/x-ndjson";
    answer.parts = messagesOf(text, 2ms);
    return answer;
}

TEST(Endpoints, EachMakesARunThroughTheProxy)
{
    for (const attach::Dialect& dialect : attach::dialects()) {
        ASSERT_TRUE(endpoints().contains(dialect.id)) << dialect.id << " has no fake here";
        const Endpoint& endpoint = endpoints().at(dialect.id);
        FakeLlmServer server([&](const FakeRequest&) { return answerOf(endpoint); });
        for (const std::string path : {dialect.path, dialect.other_path}) {
            if (path.empty())
                continue;
            ProxyHouse house(server, "a server");
            const RawAnswer answer =
                house.ask(postOf(house.port(), path + "?beta=true", endpoint.request));
            EXPECT_EQ(answer.body, recordedAnswer(endpoint.recorded)) << path;
            ASSERT_TRUE(house.waitForRuns(1)) << path;
            const RunInfo& info = house.made.front().run->info;
            EXPECT_EQ(info.status, RunStatus::Complete) << path << ": " << info.status_message;
            EXPECT_EQ(info.profiling.server->dialect, dialect.id);
            EXPECT_EQ(info.profiling.server->endpoint, path);
            EXPECT_EQ(info.profiling.server->prompt_tokens, endpoint.input) << path;
            EXPECT_EQ(info.profiling.server->output_tokens, endpoint.output) << path;
            EXPECT_EQ(info.prompt, "x") << path;
            EXPECT_FALSE(house.made.front().run->trace.phases.empty()) << path;
            EXPECT_TRUE(house.unmeasured.empty()) << path;
        }
    }
}

TEST(Endpoints, AnotherOneIsPassedOnAndSaid)
{
    FakeLlmServer server([](const FakeRequest&) {
        return FakeAnswer{.parts = {{.bytes = R"({"data":[]})"}}, .sized = true};
    });
    ProxyHouse house(server);
    house.during([&] {
        RawClient client(house.port());
        client.send(postOf(house.port(), "/v1/embeddings", R"({"input":"x"})"));
        EXPECT_EQ(client.receive().body, R"({"data":[]})");
        client.send("GET /v1/models HTTP/1.1\r\nHost: localhost:" + std::to_string(house.port())
                    + "\r\n\r\n");
        EXPECT_EQ(client.receive().body, R"({"data":[]})");
    });
    EXPECT_EQ(house.unmeasured, std::vector<std::string>{"/v1/embeddings"});
    EXPECT_TRUE(house.made.empty());
}

// The run that the client makes of one request to `handler`.
RunPtr asked(FakeLlmServer::Handler handler, const session::ServerTarget& target,
             std::string* failure = nullptr)
{
    FakeLlmServer server(std::move(handler));
    session::Profiler profiler(scriptedBackend());
    session::RunRequest request;
    request.server = target;
    request.server->address = server.origin();
    request.prompt = "hi";
    request.max_new_tokens = 64;
    request.power.kind = "scripted";
    RunPtr run;
    QEventLoop loop;
    QObject::connect(&profiler, &session::Profiler::finished, &loop, [&](const auto& finished) {
        run = finished.run;
        loop.quit();
    });
    QObject::connect(&profiler, &session::Profiler::failed, &loop, [&](const Error& error) {
        if (failure != nullptr)
            *failure = error.message;
        loop.quit();
    });
    profiler.start(request);
    loop.exec();
    return run;
}

TEST(Endpoints, EachIsAskedByTheClient)
{
    for (const attach::Dialect& dialect : attach::dialects()) {
        const Endpoint& endpoint = endpoints().at(dialect.id);
        const RunPtr run = asked(
            [&](const FakeRequest& request) {
                if (request.method == "POST")
                    return request.path == dialect.path ? answerOf(endpoint)
                                                        : FakeAnswer{.status = 404};
                FakeAnswer models{.parts = {{.bytes = R"({"data":[{"id":"m"}]})"}}, .sized = true};
                models.status = request.path == "/v1/models" ? 200 : 404;
                return models;
            },
            {.address = {}, .model = {}, .dialect = dialect.id, .token = {}});
        ASSERT_TRUE(run) << dialect.id;
        EXPECT_EQ(run->info.status, RunStatus::Complete) << run->info.status_message;
        EXPECT_EQ(run->info.profiling.server->output_tokens, endpoint.output) << dialect.id;
    }
}

// A llama.cpp router: several models, and every request has to name one.
TEST(Endpoints, ARouterOfLlamaCppIsToldTheModel)
{
    const auto router = [](const FakeRequest& request) {
        FakeAnswer answer{.parts = {{.bytes = "{}"}}, .sized = true};
        if (request.path == "/v1/models") {
            answer.parts = {{.bytes = R"({"object":"list","data":[)"
                                      R"({"id":"one","owned_by":"llamacpp"},)"
                                      R"({"id":"two","owned_by":"llamacpp"}]})"}};
        } else if (request.path == "/props") {
            answer.parts = {{.bytes = R"({"role":"router","build_info":"b0"})"}};
        } else if (request.method != "POST") {
            answer.status = 404;
        } else if (request.body.find(R"("model":"two")") == std::string::npos) {
            answer.status = 400;
            answer.parts = {{.bytes = R"({"error":{"message":"no model in the request"}})"}};
        } else {
            answer = {.type = kEventType,
                      .parts = {{.bytes = "data: {\"content\":\"a\",\"stop\":false}\n\n"},
                                {.bytes = "data: {\"content\":\"b\",\"stop\":false}\n\n"},
                                {.bytes = "data: {\"content\":\"\",\"stop\":true,\"timings\":{"
                                          "\"prompt_n\":2,\"prompt_ms\":1,\"predicted_n\":2,"
                                          "\"predicted_ms\":1}}\n\n"}}};
        }
        return answer;
    };
    const RunPtr run = asked(router, {.address = {}, .model = "two", .dialect = {}, .token = {}});
    ASSERT_TRUE(run);
    EXPECT_EQ(run->info.status, RunStatus::Complete) << run->info.status_message;
    EXPECT_EQ(run->info.model.name, "two");
    EXPECT_EQ(run->info.profiling.server->engine, "llama.cpp b0");
    std::string failure;
    EXPECT_FALSE(asked(router, {.address = {}, .model = {}, .dialect = {}, .token = {}}, &failure));
    EXPECT_EQ(failure, "llama.cpp b0 has several models; choose one of one, two.");
}

// 12 tokens of a call in five parts over half a second: the first part counts as the first token.
TEST(Endpoints, AnAnswerOfToolCallsAloneHasItsPhases)
{
    struct Case {
        const char* dialect;
        FakeAnswer answer;
    };
    const FakeAnswer calls{.type = kEventType,
                           .parts = messagesOf(recordedAnswer("openai_tool_calls.sse"), 100ms)};
    FakeAnswer refusal{.type = kEventType};
    for (const char* data : {R"({"choices":[{"delta":{"role":"assistant","content":null}}]})",
                             R"({"choices":[{"delta":{"refusal":"I"}}]})",
                             R"({"choices":[{"delta":{"refusal":"a"}}]})",
                             R"({"choices":[{"delta":{"refusal":"b"}}]})",
                             R"({"choices":[{"delta":{"refusal":"c"}}]})",
                             R"({"choices":[{"delta":{"refusal":"d"}}]})",
                             R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"})
        refusal.parts.push_back({100ms, std::string("data: ") + data + "\n\n"});
    FakeAnswer ollama{.type = "application/x-ndjson"};
    ollama.parts = {{200ms,
                     R"({"message":{"content":"","tool_calls":[{"function":{"name":"f"}}]}})"
                     "\n"},
                    {500ms, "{\"done\":true,\"eval_count\":12}\n"}};
    for (const Case& c :
         {Case{"openai-chat", calls}, Case{"openai-chat", refusal}, Case{"ollama-chat", ollama}}) {
        const RunPtr run = asked(
            [&](const FakeRequest& request) {
                FakeAnswer models{.parts = {{.bytes = R"({"data":[{"id":"m"}]})"}}, .sized = true};
                models.status = request.path == "/v1/models" ? 200 : 404;
                return request.method == "POST" ? c.answer : models;
            },
            {.address = {}, .model = {}, .dialect = c.dialect, .token = {}});
        ASSERT_TRUE(run) << c.dialect;
        const PhaseSpan* prefill = findPhase(run->trace, Phase::Prefill);
        const PhaseSpan* decode = findPhase(run->trace, Phase::Decode);
        ASSERT_TRUE(prefill != nullptr && decode != nullptr) << c.dialect;
        // About 0.2 and 0.5 s, more on a busy machine.
        EXPECT_GE(toSeconds(prefill->time.duration_ns()), 0.12) << c.dialect;
        EXPECT_GT(decode->time.duration_ns(), prefill->time.duration_ns()) << c.dialect;
    }
}

// A stream without usage figures, as clients of the proxy often request it.
TEST(Endpoints, TokensThatAreNotStatedAreMissing)
{
    FakeAnswer answer{.type = kEventType};
    answer.parts = {{.bytes = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"},
                    {.bytes = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                              "data: [DONE]\n\n"}};
    FakeLlmServer server([&](const FakeRequest&) { return answer; });
    ProxyHouse house(server, "MLX");
    EXPECT_TRUE(
        house.ask(postOf(house.port(), "/v1/chat/completions", R"({"stream":true})")).whole);
    ASSERT_TRUE(house.waitForRuns(1));
    const RunInfo& info = house.made.front().run->info;
    EXPECT_EQ(info.status, RunStatus::Complete);
    EXPECT_FALSE(inputTokens(info));
    EXPECT_FALSE(outputTokens(info));
    ASSERT_FALSE(info.profiling.server->notes.empty());
    EXPECT_NE(info.profiling.server->notes.front().english().find("does not state its tokens"),
              std::string::npos);
}

} // namespace
} // namespace ep::test
