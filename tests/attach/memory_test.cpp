// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever a server or client sends, proxy and client only read as fast as the data is used.
#include "attach/proxy_house.h"
#include "attach/raw_client.h"
#include "attach/raw_server.h"
#include "support/peak_memory.h"

#include "ep/attach/answer.h"
#include "ep/attach/http_client.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <zlib.h>

namespace ep::test {
namespace {

constexpr std::uint64_t kFiveGigabytes = 5'000'000'000;
constexpr double kMaxGrowth = 64.0; // MB
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true; // sanitizers keep freed memory and are slow
#else
constexpr bool kSanitized = false;
#endif

// Sends a head, then the same portion until `most` bytes are sent or the other side has closed.
RawServer::Talk endless(std::string head, std::string portion, std::uint64_t most = kFiveGigabytes)
{
    while (portion.size() < 32'768)
        portion += portion;
    return [head = std::move(head), portion = std::move(portion), most](const auto& send, int) {
        std::uint64_t sent = 0;
        if (!send(head))
            return;
        while (sent < most && send(portion))
            sent += portion.size();
    };
}

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kEvents = kOk + "Content-Type: text/event-stream\r\n\r\n";
const std::string kLines = kOk + "Content-Type: application/x-ndjson\r\n\r\n";

std::string gzipOf(const std::string& text)
{
    std::string packed(text.size() / 500 + 1000, '\0');
    z_stream state{};
    deflateInit2(&state, 9, Z_DEFLATED, MAX_WBITS + 16, 9, Z_DEFAULT_STRATEGY);
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    state.next_out = reinterpret_cast<Bytef*>(packed.data());
    state.avail_out = static_cast<uInt>(packed.size());
    deflate(&state, Z_FINISH);
    packed.resize(packed.size() - state.avail_out);
    deflateEnd(&state);
    return packed;
}

struct Flood {
    const char* name;
    std::string head;
    std::string portion;
    bool whole = false; // also sent beyond what the proxy reads of an answer
};

std::vector<Flood> floods()
{
    const std::string chunk = "{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}";
    const std::string json = kOk + "Content-Type: application/json\r\n\r\n";
    return {
        {"after the last event", kEvents + "data: [DONE]\n\n", "x"},
        {"after the last line", kLines + "{\"done\":true}\n", "{}\n"},
        {"within the last event", kEvents + "event: message_stop\n", "data: x\n"},
        {"returns", kEvents, "\r"},
        {"blanks before an object", json, " "},
        {"blanks after an object", json + "{}", "\n"},
        {"objects", json, "{}", true},
        {"comments", kEvents, ": nothing\n"},
        {"empty events", kEvents, "data:\n\n"},
        {"events with text", kEvents, "data: " + chunk + "\n\n", true},
        {"one event of many lines", kEvents, "data: [\n"},
        {"one line", kLines, "[[],[]"},
        {"lines with text", kLines, "{\"response\":\"a\"}\n", true},
        {"one answer", kOk + "Content-Type: application/json\r\n\r\n", "[[],[]"},
        {"tiny chunks", kOk + "Transfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"},
        {"a size of a chunk", kOk + "Transfer-Encoding: chunked\r\n\r\n", "0"},
        {"trailers", kOk + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "A: b\r\n"},
        {"a head", kOk, "A: b\r\n"},
        {"interim answers", "", "HTTP/1.1 103 Early Hints\r\n\r\n"},
        {"an error", "HTTP/1.1 500 No\r\n\r\n", "{\"error\":\"no\"}"},
        {"compressed", kOk + "Content-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n",
         gzipOf(std::string(20'000'000, '\n'))},
    };
}

void expectSmall(const char* what, const PeakMemory& memory, double most = kMaxGrowth)
{
    std::printf("%-45s %7.1f MB\n", what, memory.growthInMegabytes());
    EXPECT_LT(memory.growthInMegabytes(), kSanitized ? 1000.0 : most) << what;
}

// A client that keeps what it reads would grow by more than is allowed.
TEST(Memory, OfTheClientDoesNotGrowWithTheAnswer)
{
    constexpr std::int64_t kAnswer = 24'000'000;
    constexpr double kGrowth = 16.0;
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    for (const Flood& flood : floods()) {
        for (const char* id : {"openai-chat", "ollama"}) {
            RawServer server(endless(flood.head, flood.portion));
            const PeakMemory memory;
            std::optional<attach::AnswerReader> reader;
            const Status outcome = attach::perform(
                {.endpoint = {"127.0.0.1", server.port()},
                 .path = "/",
                 .body = "{END",
                 .limits = {.answer_bytes = kAnswer}},
                {.head =
                     [&](const attach::AnswerHead& head) {
                         reader.emplace(*attach::dialectFromId(id),
                                        attach::framingOf(head.field("content-type").value_or("")),
                                        0);
                         return Status();
                     },
                 .bytes = [&](std::string_view bytes,
                              Nanoseconds at) { return reader->feed(bytes, at); }},
                {});
            EXPECT_FALSE(outcome) << flood.name;
            expectSmall(flood.name, memory, kGrowth);
        }
    }
}

TEST(Memory, OfTheClientStaysWhileItReadsFiveGigabytes)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    RawServer server(endless(kOk + "\r\n", "x", kSanitized ? 100'000'000 : kFiveGigabytes));
    const PeakMemory memory;
    std::uint64_t read = 0;
    const Status outcome =
        attach::perform({.endpoint = {"127.0.0.1", server.port()},
                         .path = "/",
                         .limits = {.answer_bytes = std::int64_t{1} << 40}},
                        {.head = [](const attach::AnswerHead&) { return Status(); },
                         .bytes =
                             [&](std::string_view bytes, Nanoseconds) {
                                 read += bytes.size();
                                 return Status();
                             }},
                        {});
    EXPECT_TRUE(outcome);
    EXPECT_GE(read, kSanitized ? 100'000'000 : kFiveGigabytes);
    expectSmall("client, five gigabytes read", memory);
}

void expectProxyStaysSmall(const Flood& flood, bool energies)
{
    const bool whole = flood.whole && !energies;
    const std::uint64_t size = whole ? 80'000'000 : 24'000'000;
    const double growth = whole ? kMaxGrowth : 18.0;
    RawServer server(endless(flood.head, flood.portion, size));
    ProxyHouse house(server.port(), "Ollama 0.12.3",
                     [&](api::ProxyOptions& options) { options.energy_in_answers = energies; });
    const PeakMemory memory;
    house.during([&] {
        RawClient client(house.port());
        client.send(lastPostOf(house.port(), "/v1/chat/completions"));
        client.drop(kFiveGigabytes);
    });
    ASSERT_TRUE(house.waitForRuns(1)) << flood.name;
    if (whole) {
        EXPECT_EQ(house.made.front().run->info.status, RunStatus::Failed) << flood.name;
    }
    expectSmall(flood.name, memory, growth);
}

TEST(Memory, OfTheProxyDoesNotGrowWithTheAnswer)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    for (const Flood& flood : floods()) {
        expectProxyStaysSmall(flood, false);
        expectProxyStaysSmall(flood, true);
    }
}

TEST(Memory, OfTheProxyStaysWhileAGigabytePasses)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    const std::uint64_t size = kSanitized ? 100'000'000 : 1'000'000'000;
    for (const char* path : {"/v1/chat/completions", "/other"}) {
        RawServer server(endless(kEvents, ": nothing\n", size));
        ProxyHouse house(server.port());
        const PeakMemory memory;
        std::uint64_t read = 0;
        house.during([&] {
            RawClient client(house.port());
            client.send(lastPostOf(house.port(), path));
            read = client.drop(size * 2);
        });
        EXPECT_GE(read, size);
        expectSmall(path, memory);
    }
}

// Several clients read nothing: the servers can send no more than the buffers on the way hold.
TEST(Memory, OfTheProxyStaysWhileClientsDoNotRead)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    for (const bool generating : {true, false}) {
        std::vector<std::unique_ptr<RawServer>> servers;
        std::vector<std::unique_ptr<ProxyHouse>> houses;
        const PeakMemory memory;
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < 8; ++i) {
            servers.push_back(std::make_unique<RawServer>(endless(kEvents, "data: {}\n\n")));
            houses.push_back(std::make_unique<ProxyHouse>(servers.back()->port()));
            clients.push_back(std::make_unique<RawClient>(houses.back()->port()));
            clients.back()->send(
                postOf(houses.back()->port(), generating ? "/v1/completions" : "/other", "{END"));
        }
        std::uint64_t sent = 0;
        houses.front()->during([&] {
            for (int i = 0; i < 20; ++i) { // until no more bytes move
                std::this_thread::sleep_for(100ms);
                std::uint64_t now = 0;
                for (const auto& server : servers)
                    now += server->sent();
                if (std::exchange(sent, now) == now && now > 0)
                    break;
            }
        });
        EXPECT_LT(sent, 8 * 20'000'000U); // mostly buffers of the system
        expectSmall("proxy, clients that do not read", memory);
        clients.clear();
        houses.clear();
    }
}

// A client that sends forever to a server that does not read.
TEST(Memory, OfTheProxyStaysWhileTheServerDoesNotRead)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    for (const char* path : {"/v1/completions", "/other"}) {
        std::atomic<bool> ended = false;
        RawServer server(
            [&](const RawServer::Send&, int) {
                while (!ended)
                    std::this_thread::sleep_for(5ms);
            },
            false);
        ProxyHouse house(server.port());
        const PeakMemory memory;
        house.during([&] {
            RawClient client(house.port());
            client.send("POST " + std::string(path) + " HTTP/1.1\r\nHost: localhost:"
                        + std::to_string(house.port()) + "\r\nContent-Length: 5000000000\r\n\r\n");
            const std::string portion(65536, ' ');
            std::uint64_t sent = 0;
            while (sent < kFiveGigabytes) {
                const auto count = client.sendNow(portion);
                if (count == 0)
                    break;
                sent += count;
            }
            EXPECT_LT(sent, 40'000'000U);
            ended = true;
        });
        expectSmall("proxy, a server that does not read", memory);
    }
}

// Sixty long questions, a few KB each on the wire, of which the server answers none.
TEST(Memory, OfTheProxyStaysWhileLongQuestionsWait)
{
    if (!residentMemory())
        GTEST_SKIP() << "The system does not tell the memory of a process here.";
    std::atomic<bool> ended = false;
    RawServer server([&](const RawServer::Send&, int) {
        while (!ended)
            std::this_thread::sleep_for(5ms);
    });
    ProxyHouse house(server.port());
    const std::string body = gzipOf(R"({"messages": [{"role": "user", "content": ")"
                                    + std::string(3'900'000, 'a') + "\"}]}");
    const std::string request = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost:"
        + std::to_string(house.port()) + "\r\nContent-Encoding: gzip\r\nContent-Length: "
        + std::to_string(body.size()) + "\r\n\r\n" + body;
    const PeakMemory memory;
    std::vector<std::unique_ptr<RawClient>> clients;
    house.during([&] {
        for (int i = 0; i < 60; ++i) {
            clients.push_back(std::make_unique<RawClient>(house.port()));
            clients.back()->send(request);
        }
        std::this_thread::sleep_for(1s);
        ended = true;
    });
    expectSmall("proxy, long questions that wait", memory);
}

} // namespace
} // namespace ep::test
