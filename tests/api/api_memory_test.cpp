// SPDX-License-Identifier: GPL-3.0-or-later
// The API's memory stays bounded, whatever clients send and however slowly they read.
#include "api/api_fixture.h"
#include "attach/raw_client.h"
#include "support/peak_memory.h"
#include "support/sample_run.h"

#include "ep/store/store.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

namespace ep::test {

namespace {

using namespace std::chrono_literals;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kMuch = 500'000'000; // bytes: eight times the growth that is allowed
constexpr double kMaxGrowth = 64.0; // MB
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; // sanitizers keep freed memory and are slow
#else
constexpr bool kSanitized = false;
#endif

class ApiMemoryTest : public ApiTest {
protected:
    void SetUp() override
    {
        if (!residentMemory())
            GTEST_SKIP() << "The system does not tell the memory of a process here.";
    }

    std::uint16_t port() { return server().port(); }

    // Runs the client on another thread and the server here.
    static void during(const std::function<void()>& client)
    {
        std::atomic<bool> done = false;
        std::thread thread([&] {
            client();
            done = true;
        });
        EXPECT_TRUE(spinUntil([&] { return done.load(); }));
        thread.join();
    }
    static void expectSmall(const char* what, const PeakMemory& memory)
    {
        std::printf("%-45s %7.1f MB\n", what, memory.growthInMegabytes());
        EXPECT_LT(memory.growthInMegabytes(), kSanitized ? 1000.0 : kMaxGrowth) << what;
    }
    // Sends the head and then the portion repeatedly until the server has accepted nothing for a
    // while; returns the number of bytes accepted.
    static std::uint64_t flood(RawClient& client, const std::string& head, std::string portion)
    {
        constexpr std::uint64_t kEnough = 100'000'000;
        constexpr int kPatienceMs = 300;
        while (portion.size() < 32'768)
            portion += portion;
        std::uint64_t sent = 0;
        client.send(head);
        while (sent < kEnough) {
            const std::uint64_t count = client.sendNow(portion, kPatienceMs);
            if (count == 0)
                break;
            sent += count;
        }
        return sent;
    }
};

// A client's frame: the mask is zero, so that the payload appears unchanged.
std::string frame(char opcode, const std::string& payload)
{
    return std::string{static_cast<char>(0x80 | opcode),
                       static_cast<char>(0x80 | payload.size()),
                       '\0',
                       '\0',
                       '\0',
                       '\0'}
    + payload;
}

TEST_F(ApiMemoryTest, StaysWhileAClientSendsWithoutEnd)
{
    serve();
    const std::string endlessBody =
        request("POST", "/api/profiling/generate", {}, {{"Content-Length", "5000000000"}});
    const std::string chunks = "POST /api/profiling/generate HTTP/1.1\r\nHost: " + host()
        + "\r\nAuthorization: Bearer " + token() + "\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string get = request("GET", "/api/profiling/models");
    const std::string pings = frame(0x9, std::string(125, 'p'));
    struct Flood {
        const char* what;
        std::string head;
        std::string portion;
    };
    for (const Flood& one : {Flood{"a body of five gigabytes", endlessBody, "x"},
                             Flood{"a body in chunks", chunks, "5\r\nabcde\r\n"},
                             Flood{"a header", "GET / HTTP/1.1\r\nA: ", "x"},
                             Flood{"headers", "GET / HTTP/1.1\r\n", "A: b\r\n"},
                             Flood{"requests whose replies nobody reads", get, get},
                             Flood{"pings whose pongs nobody reads", handshake(), pings},
                             Flood{"messages", handshake(), frame(0x1, "hello")}}) {
        const PeakMemory memory;
        std::uint64_t sent = 0;
        during([&] {
            RawClient client(port());
            sent = flood(client, one.head, one.portion);
        });
        std::printf("%12.0f bytes taken: ", static_cast<double>(sent));
        expectSmall(one.what, memory);
    }
    EXPECT_EQ(ask("GET", "/health").status, 200);
}

TEST_F(ApiMemoryTest, StaysWhileMessagesArriveWithoutEnd)
{
    serve();
    const PeakMemory memory;
    const std::uint64_t most = kSanitized ? 100'000'000 : kMuch;
    std::uint64_t sent = 0;
    during([&] {
        std::string portion;
        while (portion.size() < 60'000)
            portion += frame(0x1, std::string(120, 'm'));
        // A busy machine may need more than one connection: the server closes one that does not
        // answer pings.
        for (std::uint64_t before = 0; sent < most; before = sent) {
            RawClient client(port());
            client.send(handshake());
            while (sent < most && client.send(portion))
                sent += portion.size();
            if (sent == before)
                return;
        }
    });
    EXPECT_GE(sent, most);
    expectSmall("messages, all read", memory);
}

// All connections send a megabyte each at the same time, except for the last byte.
TEST_F(ApiMemoryTest, BodiesWaitForRoom)
{
    serve({}, {}, [](api::Options& options) { options.limits.request_time = 10min; });
    const std::string half =
        request("POST", "/api/profiling/generate", {}, {{"Content-Length", "1048576"}});
    const PeakMemory memory;
    std::vector<std::unique_ptr<RawClient>> clients;
    int answered = 0;
    during([&] {
        for (int i = 0; i < 100; ++i) {
            clients.push_back(std::make_unique<RawClient>(port()));
            clients.back()->send(half);
        }
        const std::string portion(1'048'575, ' ');
        std::vector<std::size_t> sent(clients.size());
        for (int round = 0; round < 20; ++round) {
            for (std::size_t i = 0; i < clients.size(); ++i)
                sent[i] += clients[i]->sendNow(std::string_view(portion).substr(sent[i]), 0);
            std::this_thread::sleep_for(20ms);
        }
        // The first clients complete their bodies; each makes room for another client.
        for (std::size_t i = 0; i < clients.size(); ++i) {
            clients[i]->send(std::string_view(portion).substr(sent[i]));
            clients[i]->send(" ");
            answered += clients[i]->receive().head.starts_with("HTTP/1.1 400") ? 1 : 0;
        }
    });
    EXPECT_EQ(answered, 100) << "a body of blanks is no JSON";
    expectSmall("a hundred bodies of a megabyte", memory);
}

TEST_F(ApiMemoryTest, ABodyThatStaysWithoutRoomIsToldToComeAgain)
{
    serve({}, {}, [](api::Options& options) {
        options.limits.all_body_bytes = 1024;
        options.limits.request_time = 300ms;
    });
    const std::string head =
        request("POST", "/api/profiling/generate", {}, {{"Content-Length", "1000"}});
    QTcpSocket* holder = begin(head + "{");
    QTcpSocket* late = begin(head + "{");
    EXPECT_EQ(waitFor(holder).status, 408);
    EXPECT_THAT((std::array{408, 503}), testing::Contains(waitFor(late).status));
    EXPECT_EQ(ask("POST", "/api/profiling/generate", "{}").status, 400) << "the room is free again";
}

TEST_F(ApiMemoryTest, ValuesOfABodyAreLimited)
{
    serve();
    for (const auto& [open, item, close] :
         {std::tuple{"[", "[],", "0]"}, std::tuple{"{\"a\":[", "{},", "0]}"},
          std::tuple{"[", "0,", "0]"}, std::tuple{"[", "\"\",", "0]"}}) {
        for (const std::size_t size : {1'000'000U, 330'000U}) {
            std::string body = open;
            while (body.size() < size)
                body += item;
            body += close;
            const PeakMemory memory;
            EXPECT_EQ(ask("POST", "/api/profiling/generate", body).status, 400);
            expectSmall(item, memory);
        }
    }
}

TEST_F(ApiMemoryTest, QueuedRunsStay)
{
    serve();
    server().setBusyElsewhere(true); // so that all of them wait
    std::vector<std::string> bodies;
    json many{{"model_name", "tiny"}, {"wait", false}, {"messages", json::array()}};
    for (int i = 0; i < 10'000; ++i)
        many["messages"].push_back({{"role", "a"}, {"content", "bbbbbbbbbbbbbbbbbbbb"}});
    const json longPrompt{
        {"model_name", "tiny"}, {"wait", false}, {"prompt", std::string(1'000'000, 'p')}};
    for (const json& body : {many, longPrompt}) {
        const PeakMemory memory;
        int accepted = 0;
        for (int i = 0; i < 16; ++i) {
            const Answer answer = ask("POST", "/api/profiling/generate", body.dump());
            accepted += answer.status == 202 ? 1 : 0;
            EXPECT_THAT((std::array{202, 429}), testing::Contains(answer.status)) << answer.body;
        }
        EXPECT_LT(accepted, 16);
        expectSmall("queued runs with long texts", memory);
    }
}

// Many clients ask for a long run in each form and read nothing.
TEST_F(ApiMemoryTest, StaysWhileNobodyReadsTheReplies)
{
    serve();
    std::string id;
    std::size_t size = 0;
    {
        const auto run = makeSampleRun({.tokens = 400, .layers = 12});
        id = run.info.id;
        auto store = store::Store::open(database());
        ASSERT_TRUE(store);
        ASSERT_TRUE((*store)->saveRun(run));
    }
    const std::vector<std::string> targets = {
        "/api/profiling/run/" + id, "/api/profiling/export/" + id,
        "/api/profiling/export/" + id + "?format=csv&table=component_spans",
        "/api/profiling/export/" + id + "?format=csv&table=all"};
    for (const std::string& target : targets) {
        const std::size_t ofOne = ask("GET", target).body.size();
        size = std::max(size, ofOne);
        // Twice as much as the memory may grow.
        const std::size_t count = std::clamp<std::size_t>(130'000'000 / (2 * ofOne), 4, 16);
        const PeakMemory memory;
        during([&] {
            std::vector<std::unique_ptr<RawClient>> clients;
            for (std::size_t i = 0; i < count; ++i) {
                clients.push_back(std::make_unique<RawClient>(port()));
                clients.back()->send(request("GET", target) + request("GET", target));
            }
            RawClient last(port());
            last.send(request("GET", "/health"));
            EXPECT_TRUE(last.receive().whole) << "all requests before were handled";
        });
        expectSmall(target.substr(target.find(id) + id.size()).c_str(), memory);
    }
    EXPECT_GT(size, 5'000'000U);
    // A slow reader still gets every byte, also of requests that it sent at once.
    during([&] {
        RawClient client(port());
        std::string requests;
        for (int i = 0; i < 3; ++i)
            requests += request("GET", targets[1]) + request("GET", "/health");
        client.send(requests);
        std::this_thread::sleep_for(300ms);
        for (int i = 0; i < 6; ++i) {
            const RawAnswer answer = client.receive();
            ASSERT_TRUE(answer.whole) << i;
            if (i % 2 == 0) {
                EXPECT_EQ(json::parse(answer.body).at("run").at("info").at("id"), id);
            }
        }
    });
}

// Each client waits for all messages of deep runs.
TEST_F(ApiMemoryTest, StaysWhileNobodyReadsTheLiveStream)
{
    serve({.context_length = 10'000});
    const json deep{{"max_new_tokens", 2000}, {"profiling_depth", "deep"}};
    for (int i = 0; i < 3; ++i)
        generate(deep); // first, the memory that runs take by themselves
    {
        const PeakMemory memory;
        for (int i = 0; i < 3; ++i)
            generate(deep);
        std::printf("%-45s %7.1f MB\n", "the same without clients", memory.growthInMegabytes());
    }
    const PeakMemory memory;
    std::vector<std::unique_ptr<RawClient>> clients;
    for (int i = 0; i < api::Limits().live_clients; ++i) {
        clients.push_back(std::make_unique<RawClient>(port()));
        clients.back()->send(handshake());
    }
    for (int i = 0; i < 3; ++i)
        generate(deep);
    expectSmall("32 live streams that nobody reads", memory);
    // A client that reads the backlog late is told what was left out, with the next message.
    const Answer metrics = ask("GET", "/metrics");
    EXPECT_THAT(metrics.body, Not(HasSubstr("live_messages_left_out_total 0\n")));
    EXPECT_EQ(ask("GET", "/health").status, 200);
}

} // namespace

} // namespace ep::test
