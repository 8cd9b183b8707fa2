// SPDX-License-Identifier: GPL-3.0-or-later
// The WebSocket during runs.
#include "api/api_fixture.h"
#include "http_connection.h"
#include "live_hub.h"
#include "support/json_schema.h"

#include <QTcpServer>

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
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

class Listening : public QTcpServer {
public:
    std::function<void(qintptr)> connected;

protected:
    void incomingConnection(qintptr descriptor) override { connected(descriptor); }
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
    // The description has every message, so that a client can be written from it alone.
    const json components = ask("GET", "/openapi.json").json().at("components");
    const json schema = {{"allOf", {{{"$ref", "#/components/schemas/LiveMessage"}}}},
                         {"components", components}};
    std::set<std::string> types;
    for (const json& message : heard.messages) {
        if (types.insert(message.at("type")).second) {
            EXPECT_EQ(schemaTextProblem(message.dump(), schema.dump()), "") << message;
        }
    }
    EXPECT_EQ(types.size(), 7U) << "all but those of operations";
    const json& last = heard.messages.back();
    EXPECT_EQ(last.at("type"), "inference_complete");
    EXPECT_EQ(last.at("summary").at("output_tokens"), 6);
    EXPECT_TRUE(last.at("saved").get<bool>());
}

TEST_F(ApiTest, TellsHowLongSectionsTook)
{
    using namespace std::chrono_literals;
    serve({.layer_time = 2ms});
    const auto socket = openLive();
    Listener heard(*socket);
    generate();
    ASSERT_TRUE(spinUntil([&] { return heard.count("inference_complete") == 1; }));
    std::map<std::string, double> began;
    for (const json& message : heard.messages) {
        if (message.at("type") == "section_start") {
            began[message.at("section_name")] = message.at("timestamp_ms");
        } else if (message.at("type") == "section_end") {
            const double duration = message.at("duration_ms");
            EXPECT_GT(duration, 0.0) << message;
            EXPECT_NEAR(message.at("timestamp_ms").get<double>() - duration,
                        began.at(message.at("section_name")), 1e-6);
            if (message.at("section_name") == "layers") {
                EXPECT_GE(duration, 4.0) << "two layers";
            }
        }
    }
}

// Many more bytes than fit into the buffers on the way.
TEST_F(ApiTest, OperationsOfALongRunAllArrive)
{
    constexpr int kTokens = 4000;
    // A thousand tokens a second: a client in this same thread can keep up with that.
    serve({.context_length = 10'000, .layer_time = std::chrono::microseconds(500)});
    const auto socket = openLive();
    std::vector<int> tokens;
    std::int64_t bytes = 0;
    bool complete = false;
    QObject::connect(socket.get(), &QWebSocket::textMessageReceived, [&](const QString& text) {
        const std::string message = text.toStdString();
        EXPECT_EQ(message.find("messages_left_out"), std::string::npos);
        if (message.starts_with("{\"type\":\"operation_metrics\"")) {
            tokens.push_back(json::parse(message).at("token").get<int>());
            bytes += static_cast<std::int64_t>(message.size());
        }
        complete = complete || message.starts_with("{\"type\":\"inference_complete\"");
    });
    generate({{"max_new_tokens", kTokens}, {"profiling_depth", "deep"}});
    ASSERT_TRUE(spinUntil([&] { return complete; }));
    std::vector<int> all(kTokens);
    for (int i = 0; i < kTokens; ++i)
        all[static_cast<std::size_t>(i)] = i;
    EXPECT_EQ(tokens, all);
    EXPECT_GT(bytes, api::Limits().slow_bytes);
}

// A client that reads no messages holds up neither the server nor the next run.
TEST_F(ApiTest, AClientThatTakesNothingHoldsNobodyUp)
{
    serve({.context_length = 10'000});
    QTcpSocket* mute = begin(handshake());
    EXPECT_EQ(waitFor(mute).status, 101);
    mute->disconnect();
    mute->setReadBufferSize(1);
    generate({{"max_new_tokens", 4000}, {"profiling_depth", "deep"}});
    generate();
}

TEST_F(ApiTest, TakesTheTokenAsASubProtocol)
{
    serve();
    auto page = upgradeHeaders();
    page["Authorization"] = "";
    page["Origin"] = "http://" + host();
    page["Sec-WebSocket-Protocol"] = "energy-profiler, token." + token();
    // An empty Authorization header counts as one; a browser sends none at all.
    const auto shake = [&](std::map<std::string, std::string> headers) {
        headers.erase("Authorization");
        std::string bytes = request("GET", "/ws/profiling", {}, headers);
        const std::size_t begin = bytes.find("Authorization");
        bytes.erase(begin, bytes.find("\r\n", begin) + 2 - begin);
        return sendRaw(bytes);
    };
    const Answer answer = shake(page);
    EXPECT_EQ(answer.status, 101);
    EXPECT_EQ(answer.headers.at("sec-websocket-protocol"), "energy-profiler");
    EXPECT_EQ(answer.headers.at("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    auto foreign = page;
    foreign["Origin"] = "http://evil.example";
    EXPECT_EQ(shake(foreign).status, 403);
    auto wrong = page;
    wrong["Sec-WebSocket-Protocol"] = "energy-profiler, token.x";
    EXPECT_EQ(shake(wrong).status, 401);
}

TEST_F(ApiTest, AFrameThatIsNotMaskedEndsTheWebSocket)
{
    serve();
    QTcpSocket* socket = begin(handshake());
    EXPECT_EQ(waitFor(socket).status, 101);
    QByteArray received;
    socket->disconnect();
    QObject::connect(socket, &QTcpSocket::readyRead, [&] { received += socket->readAll(); });
    socket->write("\x81\x05Hello");
    EXPECT_TRUE(spinUntil([&] { return socket->state() == QAbstractSocket::UnconnectedState; }));
    EXPECT_EQ(received, QByteArray("\x88\x02\x03\xea", 4)) << "1002: protocol error";
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
    // A socket whose handshake is written by hand and that never answers.
    QTcpSocket* mute = begin(handshake());
    EXPECT_EQ(waitFor(mute).status, 101);
    EXPECT_TRUE(spinUntil([&] { return mute->state() == QAbstractSocket::UnconnectedState; }));
}

// A client that reads nothing: its connection holds what fits into the kernel's buffers, then it
// gets summaries, then it is closed.
TEST_F(ApiTest, ASlowClientGetsSummariesOnly)
{
    // The hub alone, so that the test can send as many messages as needed.
    api::Limits limits;
    limits.slow_bytes = 32 * 1024;
    limits.recovered_bytes = 1024;
    limits.dead_bytes = 64LL * 1024 * 1024;
    limits.all_live_bytes = limits.dead_bytes;
    api::LiveHub hub(limits);
    api::Traffic traffic(limits);
    const api::HttpHandlers handlers{
        .check = [](const api::HttpRequest&) { return api::HttpRefusal(); },
        .trusts = [](const api::HttpRequest&) { return true; },
        .handle = [](const api::HttpRequest&, const api::Reply&) {},
        .upgrade =
            [&](std::unique_ptr<api::HttpSocket> socket, const api::HttpRequest& request) {
                hub.takeOver(std::move(socket), request);
            }};
    Listening listener;
    listener.connected = [&](qintptr descriptor) {
        new api::HttpConnection(std::make_unique<api::HttpSocket>(descriptor), handlers, limits,
                                traffic, &listener);
    };
    ASSERT_TRUE(listener.listen(QHostAddress(QHostAddress::LocalHost), 0));
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
    // Nothing is read in the meantime, since the event loop does not run.
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
