// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/raw_server.h"
#include "client_fixture.h"
#include "support/identities.h"

#include "ep/attach/http_client.h"
#include "ep/attach/server_search.h"
#include "ep/core/trace_lookup.h"
#include "ep/store/run_json.h"
#include "ep/store/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace ep::test {
namespace {

TEST(Client, MakesARunOfARequestToEachServer)
{
    for (const KnownServer& known : knownServers()) {
        FakeAnswer answer = generationOf(known, 25ms);
        answer.parts.front().pause = 60ms;
        FakeLlmServer server(handlerOf(known, answer));
        Client client;
        const Outcome outcome = client.run(client.request(server, known.dialect));
        ASSERT_TRUE(outcome.run) << known.name << ": " << outcome.failure;
        const RunInfo& info = outcome.run->info;
        const ServerRecord& record = *info.profiling.server;
        EXPECT_EQ(info.status, RunStatus::Complete) << info.status_message;
        EXPECT_EQ(record.engine, known.told != nullptr ? known.told : known.engine);
        EXPECT_EQ(record.way, "client");
        EXPECT_FALSE(info.response.empty());
        EXPECT_NE(outcome.shown.find(info.response), std::string::npos) << known.name;
        EXPECT_EQ(info.output_tokens, record.output_tokens) << known.name;
        EXPECT_TRUE(info.model.layers == 0 && outcome.run->trace.layers.empty());
        // 10 W throughout the request.
        const RunMetrics& metrics = outcome.run->metrics;
        ASSERT_TRUE(metrics.energy.total_mj) << known.name;
        EXPECT_NEAR(metrics.energy.total_mj->value, toSeconds(metrics.duration_ns) * 1e4,
                    metrics.energy.total_mj->value * 0.02)
            << known.name;
        EXPECT_TRUE(findPhase(outcome.run->trace, Phase::Prefill)) << known.name;
        EXPECT_TRUE(findPhase(outcome.run->trace, Phase::Decode)) << known.name;
        EXPECT_TRUE(metrics.joules_per_token) << known.name;
        expectIdentities(info, metrics, known.name);
        ASSERT_TRUE(outcome.saved);
        const auto store = store::Store::open(client.database());
        ASSERT_TRUE(store);
        const auto loaded = (*store)->load(info.id);
        ASSERT_TRUE(loaded);
        EXPECT_EQ(loaded->info.profiling, info.profiling) << known.name;
        EXPECT_EQ(loaded->trace.phases, outcome.run->trace.phases) << known.name;
        std::istringstream json(store::runToJson(*outcome.run));
        const auto again = store::runFromJson(json);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->info.profiling.server, info.profiling.server);
    }
}

TEST(Client, CountsThatCannotBeTrueAreMissing)
{
    struct Case {
        const char* name;
        const char* stated; // what the final message states
        const char* reason;
        bool output;
        bool prompt;
    };
    for (const Case& c : {
             Case{"true", R"("eval_count":8,"prompt_eval_count":5)", nullptr, true, true},
             Case{"more than asked for", R"("eval_count":9,"prompt_eval_count":5)",
                  "9 output tokens, more than the 8 that were asked for", false, true},
             Case{"10^12", R"("eval_count":1000000000000,"prompt_eval_count":5)",
                  "1000000000000 output tokens, more than the 8", false, true},
             Case{"2^53", R"("eval_count":8,"prompt_eval_count":9007199254740992)",
                  "9007199254740992 prompt tokens, more than any model's context", true, false},
             Case{"more than the time allows",
                  R"("eval_count":8,"prompt_eval_count":90000000,"prompt_eval_cached_count":0)",
                  "90000000 computed prompt tokens, more than can be computed in", true, false},
             Case{"a prompt of no token", R"("eval_count":8,"prompt_eval_count":0)",
                  "0 prompt tokens, fewer than any prompt has", true, false},
             Case{"an answer of no token", R"("eval_count":0,"prompt_eval_count":5)",
                  "0 output tokens, but sent 1 parts", false, true},
             Case{"a part larger than its whole",
                  R"("eval_count":8,"prompt_eval_count":5,"prompt_eval_cached_count":6)",
                  "6 cached prompt tokens, more than the prompt has", true, false},
         }) {
        const KnownServer& ollama = knownServers().front();
        FakeAnswer answer;
        answer.type = "application/x-ndjson";
        answer.parts = {
            {.pause = 20ms, .bytes = "{\"response\":\"a\"}\n"},
            {.pause = 20ms,
             .bytes = std::string("{\"response\":\"\",\"done\":true,") + c.stated + "}\n"}};
        FakeLlmServer server(handlerOf(ollama, answer));
        Client client;
        session::RunRequest request = client.request(server, "ollama");
        request.max_new_tokens = 8;
        const Outcome outcome = client.run(request);
        ASSERT_TRUE(outcome.run) << c.name << ": " << outcome.failure;
        const ServerRecord& record = *outcome.run->info.profiling.server;
        EXPECT_EQ(record.output_tokens.has_value(), c.output) << c.name;
        EXPECT_EQ(record.prompt_tokens.has_value(), c.prompt) << c.name;
        EXPECT_EQ(outcome.run->metrics.joules_per_token.has_value(), c.output) << c.name;
        const std::string first = record.notes.empty() ? "" : record.notes.front();
        EXPECT_EQ(c.reason == nullptr || first.find(c.reason) != std::string::npos, true)
            << c.name << ": " << first;
        if (c.reason == nullptr) {
            EXPECT_EQ(first.find("cannot be true"), std::string::npos) << first;
        }
    }
}

TEST(Client, WaitsForTheFinalAnswerAndReadsCompressedOnes)
{
    const std::string body = "{\"response\":\"Hi\",\"done\":true}\n";
    const std::string json = "Content-Type: application/x-ndjson\r\n";
    struct Case {
        std::string answer;
        const char* message; // null: "Hi"
    };
    const std::string packed( // gzip
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xab\x56\x2a\x4a\x2d\x2e"
        "\xc8\xcf\x2b\x4e\x55\xb2\x52\xf2\xc8\x54\xd2\x51\x4a\xc9\xcf\x03"
        "\xb2\x4b\x8a\x4a\x53\x6b\xb9\x00\xf4\xd9\xa6\x6c\x1e\x00\x00\x00",
        48);
    for (const Case& c : std::vector<Case>{
             {"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
              "HTTP/1.1 200 OK\r\n"
                  + json + "\r\n" + body,
              nullptr},
             {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n" + json + "\r\n" + packed, nullptr},
             {"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n" + json + "\r\n" + body,
              "says that it is compressed, but is not"},
             {"HTTP/1.1 200 OK\r\nContent-Encoding: compress\r\n" + json + "\r\n" + body,
              "is compressed in a way that cannot be read here (compress)"},
             {"HTTP/1.1 200 OK\r\nContent-Length: 3, 5\r\n" + json + "\r\n" + body,
              "more than one Content-Length"},
         }) {
        RawServer server(c.answer);
        const auto answer = attach::fetch(
            {.endpoint = {"127.0.0.1", server.port()}, .path = "/", .body = "{END"}, {});
        if (c.message == nullptr) {
            ASSERT_TRUE(answer) << answer.error().message;
            EXPECT_EQ(*answer, body);
        } else {
            ASSERT_FALSE(answer) << *answer;
            EXPECT_NE(answer.error().message.english().find(c.message), std::string::npos)
                << answer.error().message;
        }
    }
}

TEST(Client, AsksWhichOfSeveralModels)
{
    KnownServer ollama = knownServers().front();
    ollama.facts[1].second = R"({"models":[{"name":"a"},{"name":"b"}]})";
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 1ms)));
    Client client;
    session::RunRequest request = client.request(server, "ollama");
    EXPECT_EQ(client.run(request).failure, "Ollama 0.12.3 has several models; choose one of a, b.");
    request.server->model = "b";
    const Outcome outcome = client.run(request);
    ASSERT_TRUE(outcome.run) << outcome.failure;
    EXPECT_EQ(outcome.run->info.model.name, "b");
    EXPECT_NE(server.requests().back().body.find(R"("model":"b")"), std::string::npos);
}

TEST(Client, StoresNeitherTheTokenNorWithHashesTheTexts)
{
    const KnownServer& vllm = knownServers()[3];
    FakeLlmServer server(handlerOf(vllm, generationOf(vllm, 1ms)));
    Client client;
    session::RunRequest request = client.request(server);
    request.server->token = "verysecrettoken";
    request.prompt = "anunusualprompt";
    request.store_texts = false;
    ASSERT_TRUE(client.run(request).saved);
    EXPECT_NE(server.requests().back().head.find("Bearer verysecrettoken"), std::string::npos);
    std::string bytes;
    for (const char* suffix : {"", "-wal"}) {
        std::ifstream file(client.database().string() + suffix, std::ios::binary);
        std::ostringstream text;
        text << file.rdbuf();
        bytes += text.str();
    }
    ASSERT_FALSE(bytes.empty());
    for (const char* secret : {"verysecrettoken", "anunusualprompt", "Good day"})
        EXPECT_EQ(bytes.find(secret), std::string::npos) << secret;
}

// Against a llama.cpp server that is already running (docs/attach.md): EP_ATTACH_SERVER=http://...
TEST(RealServer, CountsTokensExactlyAndAgreesOnTheTimes)
{
    const char* address = std::getenv("EP_ATTACH_SERVER");
    if (address == nullptr)
        GTEST_SKIP() << "EP_ATTACH_SERVER is not set";
    for (const int tokens : {1, 7, 40, 160}) {
        for (const char* prompt : {"once upon a time", "the sky is blue, and so on"}) {
            Client client;
            session::RunRequest request;
            request.server =
                session::ServerTarget{.address = address, .model = {}, .dialect = {}, .token = {}};
            request.prompt = prompt;
            request.max_new_tokens = tokens;
            request.ignore_eos = true;
            request.power.kind = "scripted";
            const auto counted = attach::fetch(
                {.endpoint = *attach::parseEndpoint(address),
                 .path = "/tokenize",
                 .body = std::string(R"({"add_special":true,"content":")") + prompt + "\"}"},
                {});
            ASSERT_TRUE(counted) << counted.error().message;
            const auto commas = std::count(counted->begin(), counted->end(), ',');
            const Outcome outcome = client.run(request);
            ASSERT_TRUE(outcome.run) << outcome.failure;
            ASSERT_EQ(outcome.run->info.status, RunStatus::Complete)
                << outcome.run->info.status_message;
            const ServerRecord& record = *outcome.run->info.profiling.server;
            EXPECT_EQ(record.output_tokens, tokens);
            EXPECT_EQ(record.prompt_tokens, commas + 1);
            EXPECT_EQ(record.uncached_tokens, commas + 1);
            const double server = toMilliseconds(*record.decode_ns);
            const double here = toMilliseconds(*record.client_decode_ns);
            EXPECT_NEAR(here, server, std::max(5.0, 0.01 * server));
            std::printf("%s: %lld in, %lld out; prompt %.1f ms; decode %.1f ms by the server, "
                        "%.1f ms here\n",
                        record.engine.c_str(), static_cast<long long>(*record.prompt_tokens),
                        static_cast<long long>(*record.output_tokens),
                        toMilliseconds(*record.prompt_ns), server, here);
        }
    }
}

TEST(ServerSearch, RecognisesEachServer)
{
    for (const KnownServer& known : knownServers()) {
        FakeLlmServer server(handlerOf(known, {}));
        const auto found = attach::identify({"127.0.0.1", server.port()}, {}, {});
        ASSERT_TRUE(found) << known.name << ": " << found.error().message;
        EXPECT_EQ(found->engine, known.engine);
        EXPECT_EQ(found->models.size(), 1U) << known.name;
        for (const FakeRequest& request : server.requests())
            EXPECT_EQ(request.method, "GET");
    }
    FakeLlmServer other([](const FakeRequest&) {
        return FakeAnswer{.parts = {{.bytes = "<html>Hello</html>"}}, .sized = true};
    });
    const auto found = attach::identify({"127.0.0.1", other.port()}, {}, {});
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message.english().find("it lists no models"), std::string::npos);
}

// Servers that fail, hang, refuse, or are not there.

TEST(FailingServer, SaysInOneLineWhatWentWrongAndMarksTheRun)
{
    const KnownServer& ollama = knownServers().front();
    const FakeAnswer whole = generationOf(ollama, 1ms);
    struct Case {
        const char* name;
        std::function<void(FakeAnswer&)> change;
        const char* message;
    };
    for (const Case& c : std::vector<Case>{
             {"error 500",
              [](FakeAnswer& a) {
                  a.status = 500;
                  a.parts = {{.bytes = R"({"error":"model runner has stopped"})"}};
              },
              "with the error 500: model runner has stopped"},
             {"redirect",
              [](FakeAnswer& a) {
                  a.status = 302;
                  a.headers = "Location: http://example.com/\r\n";
                  a.parts.clear();
              },
              "redirects to another address, which is not followed"},
             {"garbage", [](FakeAnswer& a) { a.parts = {{.bytes = "\x01\xff<html>\n"}}; },
              "The server's answer is not valid JSON"},
             {"killed in the middle",
              [](FakeAnswer& a) {
                  a.parts.resize(2);
                  a.end = FakeEnd::Cut;
              },
              "broke the connection"},
             {"no final message", [](FakeAnswer& a) { a.parts.resize(2); },
              "without a final message after 2 parts"},
             {"an error in the middle",
              [](FakeAnswer& a) {
                  a.parts.resize(2);
                  a.parts.push_back({.bytes = "{\"error\":\"out of memory\"}\n"});
              },
              "The server says: out of memory"},
         }) {
        FakeAnswer answer = whole;
        c.change(answer);
        FakeLlmServer server(handlerOf(ollama, answer));
        Client client;
        const Outcome outcome = client.run(client.request(server, "ollama"));
        ASSERT_TRUE(outcome.run) << c.name << ": " << outcome.failure;
        const RunInfo& info = outcome.run->info;
        EXPECT_EQ(info.status, RunStatus::Failed) << c.name;
        EXPECT_NE(info.status_message.english().find(c.message), std::string::npos)
            << c.name << ": " << info.status_message;
        EXPECT_EQ(info.status_message.english().find('\n'), std::string::npos) << c.name;
        EXPECT_TRUE(outcome.saved) << c.name;
        for (const PhaseSpan& phase : outcome.run->trace.phases)
            EXPECT_FALSE(phase.energy.total_mj) << c.name;
    }
}

TEST(FailingServer, GivesUpOnServersThatHangOrNeverEnd)
{
    const auto nothing = [](std::string_view, Nanoseconds) { return Status(); };
    const auto anything = [](const attach::AnswerHead&) { return Status(); };
    struct Case {
        FakeEnd end;
        attach::ClientLimits limits;
        const char* message;
    };
    for (const Case& c : {Case{FakeEnd::Hang, {.silence_ms = 80}, "has sent nothing for 80.0 ms"},
                          Case{FakeEnd::Endless,
                               {.answer_bytes = 100'000},
                               "sent more than 100 kB and did not stop"},
                          Case{FakeEnd::Endless,
                               {.total_ms = 100, .answer_bytes = 1LL << 40},
                               "did not finish within 100 ms"}}) {
        FakeLlmServer server([&](const FakeRequest&) {
            return FakeAnswer{.parts = {{.bytes = std::string(100, 'x')}}, .end = c.end};
        });
        const Status status = attach::perform(
            {.endpoint = {"127.0.0.1", server.port()}, .path = "/", .limits = c.limits},
            {.head = anything, .bytes = nothing}, {});
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.english().find(c.message), std::string::npos)
            << status.error().message;
    }
}

TEST(FailingServer, CancelsARequestThatHangs)
{
    const KnownServer& llama = knownServers()[2];
    FakeAnswer answer = generationOf(llama, 1ms);
    answer.parts.resize(2);
    answer.end = FakeEnd::Hang;
    FakeLlmServer server(handlerOf(llama, answer));
    Client client;
    const Outcome outcome = client.run(client.request(server), true);
    ASSERT_TRUE(outcome.run) << outcome.failure;
    EXPECT_EQ(outcome.run->info.status, RunStatus::Cancelled);
    EXPECT_FALSE(outcome.run->metrics.joules_per_token);
}

TEST(FailingServer, WithoutAServerThereIsNoRun)
{
    Client client;
    session::RunRequest request;
    {
        FakeLlmServer gone([](const FakeRequest&) { return FakeAnswer(); });
        request = client.request(gone);
    }
    EXPECT_EQ(client.run(request).failure,
              "There is no server at " + request.server->address
                  + "; start it, or give its address.");
    request.server->address = "http://192.168.0.9:11434";
    EXPECT_NE(client.run(request).failure.find("is not on this machine"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(client.database()));
}

// The server answers queries about itself, but is gone when the prompt is sent.
TEST(FailingServer, AServerThatRefusesTheConnectionMakesNoRun)
{
    const KnownServer& llama = knownServers()[2];
    auto server = std::make_unique<FakeLlmServer>(handlerOf(llama, {}));
    Client client;
    session::RunRequest request = client.request(*server);
    request.baseline_seconds = 0.5;
    std::thread killer([&] {
        while (server->requests().empty())
            std::this_thread::sleep_for(1ms);
        std::this_thread::sleep_for(200ms);
        server.reset();
    });
    const Outcome outcome = client.run(request);
    killer.join();
    EXPECT_FALSE(outcome.run);
    EXPECT_EQ(outcome.failure,
              "There is no server at " + request.server->address
                  + "; start it, or give its address.");
}

} // namespace
} // namespace ep::test
