// SPDX-License-Identifier: GPL-3.0-or-later
// Clients that take the proxy's connections do not keep others out.
#include "attach/proxy_house.h"
#include "attach/raw_client.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ep::test {
namespace {

// Whoever connects and says nothing, or not enough, does not keep others out.
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
