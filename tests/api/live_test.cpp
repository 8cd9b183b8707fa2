// SPDX-License-Identifier: GPL-3.0-or-later
// The WebSocket while runs go on.
#include "api/api_fixture.h"
#include "live_hub.h"

#include <QTcpServer>

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace ep::test {

namespace {

using nlohmann::json;
using testing::Contains;

// Everything a client hears.
class Listener {
public:
    explicit Listener(QWebSocket& socket)
    {
        QObject::connect(
            &socket, &QWebSocket::textMessageReceived, &socket,
            [this](const QString& text) { messages.push_back(json::parse(text.toStdString())); });
    }
    std::size_t count(const std::string& type) const
    {
        return static_cast<std::size_t>(
            std::count_if(messages.begin(), messages.end(),
                          [&](const json& one) { return one.at("type") == type; }));
    }
    std::vector<json> messages;
};

TEST_F(ApiTest, StreamsARun)
{
    serve();
    const auto socket = openLive();
    Listener heard(*socket);
    const std::string id = generate({{"max_new_tokens", 6}});
    ASSERT_TRUE(spinUntil([&] { return heard.count("inference_complete") == 1; }));
    EXPECT_EQ(heard.count("token_complete"), 6U);
    EXPECT_EQ(heard.count("layer_metrics"), 6U);
    EXPECT_EQ(heard.count("component_metrics"), 6U);
    EXPECT_EQ(heard.count("section_start"), heard.count("section_end"));
    EXPECT_GT(heard.count("section_start"), 12U);
    EXPECT_GT(heard.count("power_sample"), 0U);
    int token = 0;
    for (const json& message : heard.messages) {
        EXPECT_EQ(message.at("run_id"), id);
        if (message.at("type") == "token_complete") {
            EXPECT_EQ(message.at("token"), token++);
        } else if (message.at("type") == "layer_metrics") {
            EXPECT_EQ(message.at("layers").size(), 2U);
        }
    }
    const json& last = heard.messages.back();
    EXPECT_EQ(last.at("type"), "inference_complete");
    EXPECT_EQ(last.at("summary").at("output_tokens"), 6);
    EXPECT_TRUE(last.at("saved").get<bool>());
}

TEST_F(ApiTest, AllClientsHearTheSame)
{
    serve();
    std::vector<std::unique_ptr<QWebSocket>> sockets;
    std::vector<std::unique_ptr<Listener>> listeners;
    for (int i = 0; i < 5; ++i) {
        sockets.push_back(openLive());
        listeners.push_back(std::make_unique<Listener>(*sockets.back()));
    }
    generate();
    ASSERT_TRUE(spinUntil([&] {
        return std::all_of(listeners.begin(), listeners.end(),
                           [](const auto& one) { return one->count("inference_complete") == 1; });
    }));
    for (const auto& one : listeners)
        EXPECT_EQ(one->messages, listeners.front()->messages);
}

TEST_F(ApiTest, AClientThatLeavesIsForgotten)
{
    serve();
    auto leaver = openLive();
    const auto stays = openLive();
    Listener heard(*stays);
    leaver->abort();
    leaver.reset();
    EXPECT_TRUE(spinUntil(
        [&] { return ask("GET", "/api/profiling/health").json().at("live_clients") == 1; }));
    generate();
    EXPECT_TRUE(spinUntil([&] { return heard.count("inference_complete") == 1; }));
}

TEST_F(ApiTest, TooManyLiveClientsAreRefused)
{
    serve({}, {}, [](api::Options& options) { options.limits.live_clients = 1; });
    const auto first = openLive();
    QWebSocket second;
    QNetworkRequest request(QUrl(QString::fromStdString("ws://" + host() + "/ws/profiling")));
    request.setRawHeader("Authorization", QByteArray::fromStdString("Bearer " + token()));
    second.open(request);
    ASSERT_NE(second.state(), QAbstractSocket::UnconnectedState);
    EXPECT_TRUE(spinUntil([&] { return second.state() == QAbstractSocket::UnconnectedState; }));
}

TEST_F(ApiTest, ClientsThatSayNothingToPingsAreDropped)
{
    using namespace std::chrono_literals;
    serve({}, {}, [](api::Options& options) { options.limits.heartbeat = 30ms; });
    // A socket that shakes hands by hand and never answers.
    QTcpSocket* mute = begin(request("GET", "/ws/profiling", {},
                                     {{"Connection", "Upgrade"},
                                      {"Upgrade", "websocket"},
                                      {"Sec-WebSocket-Version", "13"},
                                      {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}}));
    EXPECT_EQ(waitFor(mute).status, 101);
    EXPECT_TRUE(spinUntil([&] { return mute->state() == QAbstractSocket::UnconnectedState; }));
}

// A client that reads nothing: its connection takes what the kernel's buffers hold, then it gets
// summaries, then it is closed.
TEST_F(ApiTest, ASlowClientGetsSummariesOnly)
{
    // The hub alone, so that messages can be as many as it takes.
    api::Limits limits;
    limits.slow_bytes = 32 * 1024;
    limits.recovered_bytes = 1024;
    limits.dead_bytes = 64LL * 1024 * 1024;
    api::LiveHub hub(limits);
    QTcpServer listener;
    ASSERT_TRUE(listener.listen(QHostAddress(QHostAddress::LocalHost), 0));
    QObject::connect(&listener, &QTcpServer::newConnection, &listener,
                     [&] { hub.takeOver(listener.nextPendingConnection()); });
    QWebSocket client;
    client.open(QUrl(QStringLiteral("ws://127.0.0.1:%1/").arg(listener.serverPort())));
    ASSERT_TRUE(spinUntil([&] { return client.isValid() && hub.clients() == 1; }));

    const std::string detail =
        "{\"type\":\"layer_metrics\",\"x\":\"" + std::string(4000, 'x') + "\"}";
    const std::string summary = "{\"type\":\"token_complete\"}";
    std::vector<json> heard;
    QObject::connect(&client, &QWebSocket::textMessageReceived, &client, [&](const QString& text) {
        heard.push_back(json::parse(text.toStdString()));
    });
    // Nothing is read meanwhile, as the event loop does not run.
    int details = 0;
    while (hub.leftOut() == 0) {
        hub.send(detail, api::Weight::Detail);
        ASSERT_LT(++details, 100'000);
    }
    for (int i = 0; i < 10; ++i)
        hub.send(detail, api::Weight::Detail);
    EXPECT_EQ(hub.leftOut(), 11);
    hub.send(summary, api::Weight::Summary);
    ASSERT_TRUE(
        spinUntil([&] { return !heard.empty() && heard.back().at("type") == "token_complete"; }));
    EXPECT_EQ(heard.size(), static_cast<std::size_t>(details)) << "all before, and the summary";
    EXPECT_EQ(heard.back().at("messages_left_out"), 11);
    hub.send(detail, api::Weight::Detail);
    EXPECT_TRUE(spinUntil([&] { return heard.back().at("type") == "layer_metrics"; }))
        << "it has recovered";
}

} // namespace

} // namespace ep::test
