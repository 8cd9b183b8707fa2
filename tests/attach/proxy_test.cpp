// SPDX-License-Identifier: GPL-3.0-or-later
#include "attach/known_server.h"
#include "attach/proxy_house.h"
#include "attach/raw_client.h"

#include "ep/core/trace_lookup.h"
#include "ep/energy/comparison.h"
#include "ep/store/store.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ep::test {
namespace {

using namespace std::chrono_literals;

TEST(Proxy, MakesARunOfEachGeneration)
{
    const KnownServer& ollama = knownServers().front();
    const std::string recorded = recordedAnswer(ollama.recorded);
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 30ms)));
    ProxyHouse house(server);
    const std::string body =
        R"({"model":"qwen3:0.6b","prompt":"Why?","options":{"num_predict":9}})";
    RawAnswer answer;
    RawAnswer models;
    house.during([&] {
        RawClient client(house.port());
        client.send(postOf(house.port(), "/api/generate", body));
        answer = client.receive();
        // On the same connection.
        client.send("GET /api/tags HTTP/1.1\r\nHost: localhost:" + std::to_string(house.port())
                    + "\r\n\r\n");
        models = client.receive();
    });
    EXPECT_TRUE(answer.whole);
    EXPECT_EQ(answer.body, recorded);
    EXPECT_NE(answer.head.find("application/x-ndjson"), std::string::npos) << answer.head;
    EXPECT_NE(models.body.find("qwen3"), std::string::npos);
    EXPECT_EQ(server.requests().front().body, body);
    ASSERT_TRUE(house.waitForRuns(1));
    const ep::Run& run = *house.made.front().run;
    EXPECT_TRUE(house.made.front().saved) << house.made.front().save_problem;
    EXPECT_EQ(run.info.status, RunStatus::Complete) << run.info.status_message;
    EXPECT_EQ(run.info.prompt, "Why?");
    EXPECT_EQ(run.info.response, "The sky is blue");
    EXPECT_EQ(run.info.max_new_tokens, 9);
    EXPECT_EQ(run.info.profiling.server->way, "proxy");
    EXPECT_EQ(run.info.profiling.server->uncached_tokens, 6);
    ASSERT_TRUE(run.metrics.energy.total_mj);
    EXPECT_NEAR(run.metrics.energy.total_mj->value, toSeconds(run.metrics.duration_ns) * 1e4,
                run.metrics.energy.total_mj->value * 0.02);
}

// Each request once had a thread that watched for pauses until its run was made.
TEST(Proxy, ManyShortRequestsInARowShareTheirThreads)
{
    const std::filesystem::path tasks("/proc/self/task");
    if (!std::filesystem::exists(tasks))
        GTEST_SKIP() << "this system does not list threads";
    constexpr int kAsked = 100;
    const KnownServer& ollama = knownServers().front();
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 0ms)));
    ProxyHouse house(server);
    std::ptrdiff_t most = 0;
    house.during([&] {
        RawClient client(house.port());
        const auto threads = [&tasks] {
            return std::ranges::distance(std::filesystem::directory_iterator(tasks));
        };
        const std::ptrdiff_t before = threads();
        for (int i = 0; i < kAsked; ++i) {
            client.send(postOf(house.port(), "/api/generate", R"({"model":"m","prompt":"Why?"})"));
            client.receive();
            most = std::max(most, threads() - before);
        }
    });
    EXPECT_LT(most, kAsked / 5); // about 5 on a quiet machine
    EXPECT_TRUE(house.waitForRuns(kAsked));
}

TEST(Proxy, StoresTheWholeConversationOrOnlyItsHashes)
{
    const KnownServer& ollama = knownServers()[1];
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 1ms)));
    const std::string body =
        R"({"model":"deepseek-r1:1.5b","messages":[{"role":"system","content":"anunusualsystem"},)"
        R"({"role":"user","content":"anunusualquestion"}],"tools":[{"type":"anunusualtool"}]})";
    for (const bool texts : {true, false}) {
        ProxyHouse house(server.port(), ollama.engine, [texts](api::ProxyOptions& options) {
            options.recorder.run.store_texts = texts;
        });
        EXPECT_TRUE(house.ask(postOf(house.port(), "/api/chat", body)).whole);
        ASSERT_TRUE(house.waitForRuns(1));
        auto store = store::Store::open(house.database());
        ASSERT_TRUE(store);
        const auto run = (*store)->load(house.made.front().run->info.id);
        ASSERT_TRUE(run) << run.error().message;
        const Conversation& stored = run->info.conversation;
        ASSERT_EQ(stored.messages.size(), 2U);
        EXPECT_EQ(stored.messages[0].role, "system");
        std::string all = run->info.prompt + stored.tools;
        for (const ChatMessage& message : stored.messages)
            all += message.json + message.text;
        for (const char* word : {"anunusualsystem", "anunusualquestion", "anunusualtool"})
            EXPECT_EQ(all.find(word) != std::string::npos, texts) << word;
    }
}

// The client's id of its session may be a credential.
TEST(Proxy, HashesTheIdsOfClients)
{
    const KnownServer& ollama = knownServers()[1];
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 1ms)));
    for (const bool texts : {true, false}) {
        ProxyHouse house(server.port(), ollama.engine, [texts](api::ProxyOptions& options) {
            options.recorder.run.store_texts = texts;
        });
        house.during([&] {
            for (const char* extra : {"X-Session-Id: anunusualid\r\n", ""}) {
                RawClient client(house.port());
                std::string post =
                    postOf(house.port(), "/api/chat", R"({"prompt_cache_key":"anunusualid"})");
                client.send(post.insert(post.find("Content-Type"), extra));
                EXPECT_TRUE(client.receive().whole);
            }
        });
        ASSERT_TRUE(house.waitForRuns(2));
        std::set<std::string> tags;
        for (const auto& finished : house.made)
            tags.insert(finished.run->info.tags.front());
        ASSERT_EQ(tags.size(), 1U) << "equal ids stay equal";
        EXPECT_EQ(tags.begin()->find("anunusualid") != std::string::npos, texts);
    }
}

// A conversation that only ends with the same question is a different task.
TEST(Proxy, ConversationsWithTheSameQuestionAreNotRepeats)
{
    const KnownServer& ollama = knownServers()[1];
    FakeLlmServer server(handlerOf(ollama, generationOf(ollama, 1ms)));
    ProxyHouse house(server, ollama.engine);
    house.during([&] {
        for (const char* system : {"a", "a", "b"}) {
            RawClient client(house.port());
            client.send(postOf(house.port(), "/api/chat",
                               R"({"messages":[{"role":"system","content":")" + std::string(system)
                                   + R"("},{"role":"user","content":"Why?"}]})"));
            EXPECT_TRUE(client.receive().whole);
        }
    });
    ASSERT_TRUE(house.waitForRuns(3));
    std::vector<std::string> keys;
    for (const auto& finished : house.made)
        keys.push_back(energy::repeatKey(finished.run->info));
    EXPECT_EQ(keys[0], keys[1]);
    EXPECT_NE(keys[0], keys[2]);
}

TEST(Proxy, PassesBodiesByteForByteHoweverTheyAreCut)
{
    std::mt19937 random(5);
    const auto bytesOf = [&](std::size_t size) {
        std::string bytes(size, '\0');
        for (char& c : bytes)
            c = static_cast<char>(random());
        return bytes;
    };
    // One answer after another, each cut at random places.
    std::vector<FakeAnswer> answers;
    std::vector<std::string> bodies;
    std::vector<std::string> questions;
    for (int i = 0; i < 1000; ++i) {
        std::string body = bytesOf(i == 0 ? 3'000'000 : random() % 4000);
        FakeAnswer answer;
        answer.type = i % 3 == 0 ? "text/event-stream" : "application/octet-stream";
        answer.sized = i % 2 == 0;
        for (std::size_t at = 0; at < body.size();) {
            const std::size_t size =
                std::min<std::size_t>(body.size() - at, 1 + random() % (i == 0 ? 90'000 : 900));
            answer.parts.push_back({.bytes = body.substr(at, size)});
            at += size;
        }
        answers.push_back(std::move(answer));
        bodies.push_back(std::move(body));
        questions.push_back(bytesOf(i == 1 ? 5'000'000 : 1 + random() % 3000));
    }
    std::atomic<std::size_t> next = 0;
    FakeLlmServer server([&](const FakeRequest&) { return answers[next++]; });
    ProxyHouse house(server);
    std::size_t same = 0;
    std::size_t whole = 0;
    house.during([&] {
        RawClient client(house.port());
        std::mt19937 cuts(9);
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const std::string request = postOf(house.port(), "/anything?x=1", questions[i]);
            for (std::size_t at = 0; at < request.size();) {
                const std::size_t size = std::min<std::size_t>(
                    request.size() - at, 1 + cuts() % (i == 1 ? 99'999 : 999));
                if (!client.send(request.substr(at, size)))
                    return;
                at += size;
            }
            const RawAnswer answer = client.receive();
            same += answer.body == bodies[i] ? 1 : 0;
            whole += answer.whole ? 1 : 0;
        }
    });
    EXPECT_EQ(same, 1000U);
    EXPECT_EQ(whole, 1000U);
    const auto requests = server.requests();
    ASSERT_EQ(requests.size(), 1000U);
    for (std::size_t i = 0; i < requests.size(); ++i)
        ASSERT_EQ(requests[i].body, questions[i]) << i;
    EXPECT_TRUE(house.made.empty()); // none of them is a generation
}

TEST(Proxy, OverlappingRequestsShareOnceSingleOnesAreKnown)
{
    KnownServer ollama = knownServers().front();
    // Shorter than half a second, too short to detect other load on the machine.
    FakeAnswer generation = generationOf(ollama, 40ms);
    generation.parts.front().pause = 150ms; // the prompt takes 83 ms of it
    std::string& last = generation.parts.back().bytes;
    const std::string stated = R"("eval_duration":70337000)";
    last.replace(last.find(stated), stated.size(), R"("eval_duration":160000000)");
    FakeLlmServer server(handlerOf(ollama, generation));
    ProxyHouse house(server);
    const auto ask = [&] {
        RawClient client(house.port());
        client.send(
            postOf(house.port(), "/api/generate", R"({"model":"qwen3:0.6b","prompt":"a"})"));
        EXPECT_TRUE(client.receive().whole);
    };
    const auto both = [&] {
        std::thread other([&] {
            std::this_thread::sleep_for(100ms);
            ask();
        });
        ask();
        other.join();
    };
    house.during(both);
    ASSERT_TRUE(house.waitForRuns(2));
    for (const auto& made : house.made) {
        const ServerRecord& record = *made.run->info.profiling.server;
        ASSERT_TRUE(record.group);
        EXPECT_EQ(record.group->requests, 2);
        EXPECT_TRUE(record.group->energy_mj);
        EXPECT_FALSE(record.group->shared);
        EXPECT_FALSE(made.run->metrics.energy.total_mj);
        ASSERT_EQ(record.refusals.size(), 1U);
        EXPECT_NE(record.refusals.front().english().find("together the 2 used"), std::string::npos);
    }
    house.made.clear();
    house.during(ask);
    ASSERT_TRUE(house.waitForRuns(1));
    const RunMetrics& solo = house.made.front().run->metrics;
    ASSERT_TRUE(solo.joules_per_input_token && solo.joules_per_output_token)
        << (house.made.front().run->info.profiling.server->refusals.empty()
                ? ""
                : house.made.front().run->info.profiling.server->refusals.front());
    house.made.clear();
    house.during(both);
    ASSERT_TRUE(house.waitForRuns(2));
    double sum = 0.0;
    for (const auto& made : house.made) {
        EXPECT_TRUE(made.run->info.profiling.server->group->shared);
        ASSERT_TRUE(made.run->metrics.energy.total_mj);
        sum += made.run->metrics.energy.total_mj->value;
        EXPECT_EQ(made.run->metrics.energy.provenance, Provenance::Attributed);
    }
    EXPECT_LE(sum, *house.made.front().run->info.profiling.server->group->energy_mj * 1.000001);
    EXPECT_GT(sum, *house.made.front().run->info.profiling.server->group->energy_mj * 0.5);
}

TEST(Proxy, PassesFailuresOnAndMarksTheirRuns)
{
    const KnownServer& llama = knownServers()[2];
    struct Case {
        const char* name;
        int status;
        FakeEnd end;
        std::size_t parts;
        const char* message;
    };
    for (const Case& c :
         {Case{"error", 500, FakeEnd::Proper, 1, "with the status 500"},
          Case{"killed", 200, FakeEnd::Cut, 2, "broke the connection in the middle"},
          Case{"no end", 200, FakeEnd::Proper, 2, "without a final message"}}) {
        FakeAnswer answer = generationOf(llama, 5ms);
        answer.status = c.status;
        answer.end = c.end;
        answer.parts.resize(c.parts);
        FakeLlmServer server(handlerOf(llama, answer));
        ProxyHouse house(server, "llama.cpp b1");
        const RawAnswer seen = house.ask(postOf(house.port(), "/completion", "{}"));
        EXPECT_NE(seen.head.find("HTTP/1.1 " + std::to_string(c.status)), std::string::npos);
        EXPECT_EQ(seen.whole, c.end == FakeEnd::Proper) << c.name;
        ASSERT_TRUE(house.waitForRuns(1)) << c.name;
        const RunInfo& info = house.made.front().run->info;
        EXPECT_EQ(info.status, RunStatus::Failed) << c.name;
        EXPECT_NE(info.status_message.english().find(c.message), std::string::npos)
            << info.status_message;
    }
}

TEST(Proxy, RefusesOtherHostsAndAnswersForAServerThatIsGone)
{
    auto server = std::make_unique<FakeLlmServer>([](const FakeRequest&) { return FakeAnswer(); });
    ProxyHouse house(*server);
    RawAnswer foreign;
    RawAnswer gone;
    server.reset();
    house.during([&] {
        RawClient first(house.port());
        first.send("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n");
        foreign = first.receive();
        RawClient second(house.port());
        second.send(postOf(house.port(), "/api/chat", "{}"));
        gone = second.receive();
    });
    EXPECT_NE(foreign.head.find("HTTP/1.1 403"), std::string::npos) << foreign.head;
    EXPECT_NE(gone.head.find("HTTP/1.1 502"), std::string::npos) << gone.head;
    EXPECT_NE(gone.body.find("did not answer"), std::string::npos) << gone.body;
    ASSERT_TRUE(house.waitForRuns(1));
    EXPECT_EQ(house.made.front().run->info.status, RunStatus::Failed);
}

TEST(Proxy, AClientThatGoesAwayStopsTheServer)
{
    const KnownServer& llama = knownServers()[2];
    FakeAnswer answer = generationOf(llama, 1ms);
    answer.parts.resize(1);
    answer.end = FakeEnd::Endless;
    FakeLlmServer server(handlerOf(llama, answer));
    ProxyHouse house(server, "llama.cpp b1");
    house.during([&] {
        RawClient client(house.port());
        client.send(postOf(house.port(), "/completion", "{}"));
        std::this_thread::sleep_for(50ms);
    });
    ASSERT_TRUE(house.waitForRuns(1));
    EXPECT_EQ(house.made.front().run->info.status, RunStatus::Cancelled);
}

// Clients that take the proxy's connections do not keep others out.

// A client that connects and says nothing, or not enough, does not keep others out.
TEST(Proxy, SilentConnectionsMakeRoom)
{
    FakeLlmServer server(
        [](const FakeRequest&) { return FakeAnswer{.parts = {{.bytes = "{}"}}, .sized = true}; });
    ProxyHouse house(server.port(), "llama.cpp", [](api::ProxyOptions& options) {
        options.connections = 4;
        options.stalled_ms = 50;
    });
    const std::string host = "Host: localhost:" + std::to_string(house.port()) + "\r\n";
    const std::string get = "GET /v1/models HTTP/1.1\r\n" + host;
    const std::string post = "POST /v1/x HTTP/1.1\r\n" + host + "Content-Length: 9\r\n\r\n";
    for (const std::string& begun : {std::string(), get, get + "\r\n", post + "{"}) {
        RawAnswer answer;
        house.during([&] {
            std::vector<std::unique_ptr<RawClient>> silent;
            for (int i = 0; i < 4; ++i) {
                silent.push_back(std::make_unique<RawClient>(house.port()));
                silent.back()->send(begun);
                if (begun.ends_with("\r\n\r\n"))
                    silent.back()->receive(); // until then it is busy, and may not be closed
            }
            RawClient client(house.port());
            client.send(get + "\r\n");
            answer = client.receive();
        });
        EXPECT_EQ(answer.body, "{}") << begun;
    }
}

TEST(Proxy, EachOfManyRequestsAtOnceIsAnswered)
{
    constexpr int kClients = 40;
    FakeLlmServer server([](const FakeRequest&) {
        return FakeAnswer{.parts = {{.pause = 1ms, .bytes = "{}"}}, .sized = true};
    });
    ProxyHouse house(server.port(), "llama.cpp",
                     [](api::ProxyOptions& options) { options.connections = 8; });
    std::map<std::string, int> statuses;
    house.during([&] {
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < kClients; ++i) {
            clients.push_back(std::make_unique<RawClient>(house.port()));
            clients.back()->send("GET /v1/models HTTP/1.1\r\nHost: localhost:"
                                 + std::to_string(house.port()) + "\r\n\r\n");
        }
        for (const auto& client : clients)
            ++statuses[client->receive().head.substr(0, 12)];
    });
    EXPECT_EQ(statuses["HTTP/1.1 200"] + statuses["HTTP/1.1 503"], kClients);
    EXPECT_GE(statuses["HTTP/1.1 200"], 8);
}

} // namespace
} // namespace ep::test
