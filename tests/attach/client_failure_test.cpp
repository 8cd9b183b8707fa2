// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that fail, hang, refuse, or are not there.
#include "client_fixture.h"

#include "ep/attach/http_client.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace ep::test {
namespace {

TEST(FailingServer, SaysInOneLineWhatWentWrongAndMarksTheRun)
{
    const KnownServer& ollama = knownServers().front();
    const FakeAnswer whole = generationOf(ollama, EP_TEST_DATA_DIR, 1ms);
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
    FakeAnswer answer = generationOf(llama, EP_TEST_DATA_DIR, 1ms);
    answer.parts.resize(2);
    answer.end = FakeEnd::Hang;
    FakeLlmServer server(handlerOf(llama, answer));
    Client client;
    const Outcome outcome = client.run(client.request(server), 400ms);
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

// It answers queries about itself, but is gone when the prompt is sent.
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
