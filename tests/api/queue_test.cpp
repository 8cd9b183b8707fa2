// SPDX-License-Identifier: GPL-3.0-or-later
// One run at a time; the others wait in line.
#include "api/api_fixture.h"

#include <gmock/gmock.h>

#include <fstream>

namespace ep::test {
namespace {

using nlohmann::json;
using testing::SizeIs;

constexpr const char* kGenerate = "/api/profiling/generate";
constexpr const char* kQueue = "/api/profiling/queue";

json body(int tokens, bool wait)
{
    return {{"model_name", "tiny"}, {"prompt", "Once"}, {"max_new_tokens", tokens}, {"wait", wait}};
}

EngineScript slowEngine()
{
    using namespace std::chrono_literals;
    return {.context_length = 1'000'000, .layer_time = 1ms};
}

TEST_F(ApiTest, AModelWithoutAChatTemplateIsNamedNotPlaced)
{
    serve();
    const nlohmann::json body{{"model_name", "tiny"}, {"prompt", "x"}, {"chat", true}};
    const Answer answer = ask("POST", "/api/profiling/generate", body.dump());
    EXPECT_EQ(answer.status, 422) << answer.body;
    EXPECT_EQ(answer.body.find(folder().string()), std::string::npos) << answer.body;
}

TEST_F(ApiTest, TakesAConversation)
{
    serve();
    std::ofstream(folder() / "models" / "tiny" / "chat_template.jinja")
        << "{{ tools | tojson }}{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
           "{{ thinking }}";
    json body{{"model_name", "tiny"}, {"max_new_tokens", 2}};
    body["messages"] =
        json::parse(R"([{"role": "system", "content": "S"}, {"role": "user", "content": "Hi"}])");
    body["tools"] = json::parse(R"([{"type": "function", "function": {"name": "f"}}])");
    body["template_variables"] = {{"thinking", false}};
    const Answer answer = ask("POST", kGenerate, body.dump());
    ASSERT_EQ(answer.status, 200) << answer.body;
    const std::string id = answer.json().at("run_id").get<std::string>();
    const json info = ask("GET", "/api/profiling/run/" + id).json().at("run").at("info");
    EXPECT_EQ(info.at("prompt"), "Hi");
    EXPECT_EQ(info.at("chat_template"), true);
    EXPECT_EQ(info.at("conversation").at("messages"), body["messages"]);
    EXPECT_EQ(info.at("conversation").at("tools"), body["tools"]);
    EXPECT_EQ(info.at("conversation").at("template_variables"), body["template_variables"]);

    body["messages"][1]["content"] = json::parse(R"([{"type": "image_url"}])");
    const Answer image = ask("POST", kGenerate, body.dump());
    EXPECT_EQ(image.status, 400);
    EXPECT_NE(image.body.find("message 2 (user) has an image"), std::string::npos) << image.body;
    for (
        const char* const wrong :
        {R"({"model_name": "tiny", "prompt": "a", "messages": [{"role": "user", "content": "b"}]})",
         R"({"model_name": "tiny", "system": "a", "messages": [{"role": "user", "content": "b"}]})",
         R"({"model_name": "tiny", "prompt": "a", "tools": []})",
         R"({"model_name": "tiny", "prompt": "a", "template_variables": {}})",
         R"({"model_name": "tiny", "messages": []})"})
        EXPECT_EQ(ask("POST", kGenerate, wrong).status, 400) << wrong;
}

TEST_F(ApiTest, AContextBoundsPromptAndAnswer)
{
    serve();
    json body{{"model_name", "tiny"}, {"prompt", "Once"}, {"max_new_tokens", 4}};
    const auto contextOf = [&](const json& asked) -> json {
        body["context"] = asked;
        const Answer answer = ask("POST", kGenerate, body.dump());
        EXPECT_EQ(answer.status, 200) << answer.body;
        const std::string id = answer.json().value("run_id", "");
        const json run = ask("GET", "/api/profiling/run/" + id).json();
        return run.at("run").at("info").at("model").at("context_length");
    };
    const json ofModel = contextOf(0);
    EXPECT_GT(ofModel, 100);
    EXPECT_EQ(contextOf(nullptr), ofModel);
    EXPECT_EQ(contextOf(100), 100);

    body["context"] = 1;
    body["prompt"] = "Once upon a time";
    const Answer full = ask("POST", kGenerate, body.dump());
    EXPECT_EQ(full.status, 422);
    EXPECT_NE(full.body.find("the context of this run is limited to 1"), std::string::npos)
        << full.body;
    body["context"] = -1;
    EXPECT_EQ(ask("POST", kGenerate, body.dump()).status, 400);
}

TEST_F(ApiTest, RunsOneAtATimeInOrder)
{
    serve(slowEngine());
    const json first = ask("POST", kGenerate, body(100'000, false).dump()).json();
    EXPECT_EQ(first.at("position"), 0);
    EXPECT_EQ(first.at("status"), "running");
    QTcpSocket* waiting = begin(request("POST", kGenerate, body(2, true).dump()));
    const json third = [&] {
        EXPECT_TRUE(spinUntil([&] { return ask("GET", kQueue).json().at("waiting").size() == 1; }));
        return ask("POST", kGenerate, body(2, false).dump()).json();
    }();
    EXPECT_EQ(third.at("position"), 2);
    const json queue = ask("GET", kQueue).json();
    EXPECT_EQ(queue.at("running"), first.at("run_id"));
    ASSERT_THAT(queue.at("waiting"), SizeIs(2));
    EXPECT_EQ(queue.at("waiting")[0].at("position"), 1);
    EXPECT_EQ(queue.at("waiting")[1].at("run_id"), third.at("run_id"));

    const std::string id = first.at("run_id").get<std::string>();
    EXPECT_EQ(ask("DELETE", "/api/profiling/run/" + id).status, 409) << "it goes on";
    EXPECT_EQ(ask("DELETE", std::string(kQueue) + '/' + id).status, 200);
    const Answer second = waitFor(waiting);
    EXPECT_EQ(second.status, 200);
    EXPECT_EQ(second.json().at("output_tokens"), 2);
    EXPECT_TRUE(spinUntil([&] { return ask("GET", kQueue).json().at("running").is_null(); }));
    const json runs = ask("GET", "/api/profiling/runs").json();
    ASSERT_THAT(runs, SizeIs(3));
    EXPECT_EQ(runs[2].at("status"), "cancelled");
    EXPECT_EQ(runs[2].at("id"), id);
}

TEST_F(ApiTest, AFullQueueSaysSo)
{
    serve(slowEngine(), {}, [](api::Options& options) { options.limits.queue = 1; });
    const json first = ask("POST", kGenerate, body(100'000, false).dump()).json();
    EXPECT_EQ(ask("POST", kGenerate, body(2, false).dump()).status, 202);
    const Answer refused = ask("POST", kGenerate, body(2, false).dump());
    EXPECT_EQ(refused.status, 429);
    EXPECT_TRUE(refused.headers.contains("retry-after"));
    EXPECT_EQ(ask("DELETE", std::string(kQueue) + "/unknown").status, 404);
}

TEST_F(ApiTest, AWaitingClientThatLeavesGetsNoRun)
{
    serve(slowEngine());
    const json first = ask("POST", kGenerate, body(100'000, false).dump()).json();
    QTcpSocket* leaver = begin(request("POST", kGenerate, body(2, true).dump()));
    ASSERT_TRUE(spinUntil([&] { return ask("GET", kQueue).json().at("waiting").size() == 1; }));
    leaver->abort();
    // By the time it has answered another connection, the server has noticed.
    EXPECT_EQ(ask("GET", "/health").status, 200);
    ask("DELETE", std::string(kQueue) + '/' + first.at("run_id").get<std::string>());
    ASSERT_TRUE(spinUntil([&] { return ask("GET", kQueue).json().at("running").is_null(); }));
    EXPECT_THAT(ask("GET", "/api/profiling/runs").json(), SizeIs(1));
}

TEST_F(ApiTest, WaitsWhileTheMachineIsBusyElsewhere)
{
    serve();
    server().setBusyElsewhere(true);
    const json queued = ask("POST", kGenerate, body(2, false).dump()).json();
    EXPECT_TRUE(ask("GET", kQueue).json().at("running").is_null());
    server().setBusyElsewhere(false);
    const std::string id = queued.at("run_id").get<std::string>();
    ASSERT_TRUE(spinUntil([&] {
        return ask("GET", "/api/profiling/run/" + id + "/summary").status == 200
            && ask("GET", kQueue).json().at("running").is_null();
    }));
    EXPECT_EQ(ask("GET", "/api/profiling/run/" + id + "/summary").json().at("status"), "complete");
}

TEST_F(ApiTest, FailuresAreTold)
{
    serve({.load_error = Error{ErrorCode::Unsupported, "No such device here."}});
    const Answer failed = ask("POST", kGenerate, body(2, true).dump());
    EXPECT_EQ(failed.status, 422);
    EXPECT_EQ(failed.json().at("error").at("message"), "No such device here.");
}

TEST_F(ApiTest, RunThatBreaksOffIsStoredAndTold)
{
    serve({.step_error = Error{ErrorCode::Internal, "It broke."}, .failing_step = 2});
    const Answer failed = ask("POST", kGenerate, body(8, true).dump());
    EXPECT_EQ(failed.status, 500);
    EXPECT_EQ(failed.json().at("status"), "failed");
    EXPECT_EQ(failed.json().at("error").at("message"), "It broke.");
    EXPECT_THAT(ask("GET", "/api/profiling/runs?status=failed").json(), SizeIs(1));
}

TEST_F(ApiTest, MalformedRequestsToGenerateAreRefused)
{
    serve();
    for (const char* text :
         {"", "[]", "{", "null", "{\"model_name\": 3}", "{\"model_name\": \"tiny\"}",
          R"({"model_name": "tiny", "prompt": ""})",
          R"({"model_name": "tiny", "prompt": "x", "max_length": 0})",
          R"({"model_name": "tiny", "prompt": "x", "max_length": 1e99})",
          R"({"model_name": "tiny", "prompt": "x", "temperature": -1})",
          R"({"model_name": "tiny", "prompt": "x", "device": "/dev/null"})",
          R"({"model_name": "tiny", "prompt": "x", "profiling_depth": "abyss"})",
          R"({"model_name": "tiny", "prompt": "x", "tags": "one"})",
          R"({"model_name": "tiny", "prompt": "x", "promt": "y"})"}) {
        EXPECT_EQ(ask("POST", kGenerate, text).status, 400) << text;
    }
    const std::string deep(500'000, '[');
    EXPECT_EQ(ask("POST", kGenerate, deep).status, 400);
}

TEST_F(ApiTest, DrainsOnTheWayOut)
{
    serve(slowEngine());
    const json first = ask("POST", kGenerate, body(100'000, false).dump()).json();
    QTcpSocket* waiting = begin(request("POST", kGenerate, body(2, true).dump()));
    ASSERT_TRUE(spinUntil([&] { return ask("GET", kQueue).json().at("waiting").size() == 1; }));
    bool drained = false;
    QObject::connect(&server(), &api::Server::drained, [&] { drained = true; });
    server().drain();
    ASSERT_TRUE(spinUntil([&] { return drained; }));
    EXPECT_EQ(waitFor(waiting).status, 409);
}

// Many clients during a run. Their cost is measured by api_bench (tests/bench).

TEST_F(ApiTest, PollersAndLiveClientsTogetherMissNothing)
{
    using namespace std::chrono_literals;
    constexpr int kPollers = 50;
    constexpr int kLive = 10;
    constexpr int kTokens = 40;
    serve({.context_length = 10'000, .layer_time = 1ms});
    std::vector<std::unique_ptr<QWebSocket>> live;
    std::vector<std::vector<int>> tokens(kLive);
    int complete = 0;
    for (std::size_t i = 0; i < kLive; ++i) {
        live.push_back(openLive());
        QObject::connect(live.back().get(), &QWebSocket::textMessageReceived,
                         [&, i](const QString& text) {
                             const json message = json::parse(text.toStdString());
                             if (message.at("type") == "token_complete")
                                 tokens[i].push_back(message.at("token").get<int>());
                             complete += message.at("type") == "inference_complete" ? 1 : 0;
                             EXPECT_FALSE(message.contains("messages_left_out"));
                         });
    }
    const json body{{"model_name", "tiny"}, {"prompt", "Once"}, {"max_new_tokens", kTokens}};
    QTcpSocket* run = begin(request("POST", "/api/profiling/generate", body.dump()));
    int polled = 0;
    while (!answerOf(run)) {
        std::vector<QTcpSocket*> pollers;
        for (int i = 0; i < kPollers; ++i)
            pollers.push_back(
                begin(request("GET", i % 2 == 0 ? "/api/profiling/runs" : "/metrics")));
        for (QTcpSocket* poller : pollers) {
            EXPECT_EQ(waitFor(poller).status, 200);
            poller->abort();
            ++polled;
        }
    }
    ASSERT_TRUE(spinUntil([&] { return complete == kLive; }));
    EXPECT_GE(polled, kPollers);
    std::vector<int> all(kTokens);
    for (int i = 0; i < kTokens; ++i)
        all[static_cast<std::size_t>(i)] = i;
    for (const std::vector<int>& heard : tokens)
        EXPECT_EQ(heard, all);
}

} // namespace
} // namespace ep::test
