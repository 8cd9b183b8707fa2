// SPDX-License-Identifier: GPL-3.0-or-later
// Which requests are refused, and with which status.
#include "api/api_fixture.h"

#include <QNetworkInterface>
#include <QTcpServer>

#include <gmock/gmock.h>

#include <algorithm>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ep::test {

namespace {

using testing::HasSubstr;

TEST_F(ApiTest, ListensOnTheLoopbackOnly)
{
    serve();
    int tried = 0;
    for (const QHostAddress& address : QNetworkInterface::allAddresses()) {
        if (address.isLoopback() || address.protocol() != QAbstractSocket::IPv4Protocol)
            continue;
        ++tried;
        QTcpSocket socket;
        socket.connectToHost(address, server().port());
        EXPECT_TRUE(spinUntil([&] {
            return socket.state() == QAbstractSocket::ConnectedState
                || socket.state() == QAbstractSocket::UnconnectedState;
        }));
        EXPECT_EQ(socket.state(), QAbstractSocket::UnconnectedState)
            << address.toString().toStdString();
    }
    // A machine without a network has only the loopback, so there is nothing to refuse.
    RecordProperty("interfaces", tried);
}

TEST_F(ApiTest, RefusesWithoutTheTokenAndFromElsewhere)
{
    serve();
    struct Case {
        std::map<std::string, std::string> headers;
        int status;
    };
    for (const Case& one :
         {Case{{{"Authorization", "Bearer wrong"}}, 401}, Case{{{"Authorization", ""}}, 401},
          Case{{{"Host", "evil.example"}}, 403}, Case{{{"Origin", "http://evil.example"}}, 403},
          Case{{{"Origin", "http://" + host()}}, 200}}) {
        for (const char* target : {"/api/profiling/runs", "/metrics"}) {
            const Answer answer = ask("GET", target, {}, one.headers);
            EXPECT_EQ(answer.status, one.status) << target;
            EXPECT_FALSE(answer.headers.contains("access-control-allow-origin"));
        }
    }
    const Answer refused = ask("GET", "/metrics", {}, {{"Authorization", "x"}});
    EXPECT_EQ(refused.headers.at("www-authenticate"), "Bearer");
    EXPECT_EQ(refused.json().at("error").at("status"), 401);
    for (const char* open : {"/health", "/openapi.json"})
        EXPECT_EQ(ask("GET", open, {}, {{"Authorization", ""}}).status, 200) << open;
}

TEST_F(ApiTest, TakesNoPathForAModel)
{
    serve();
    std::filesystem::copy(folder() / "models" / "tiny", folder() / "secret",
                          std::filesystem::copy_options::recursive);
    for (const std::string& name :
         {(folder() / "secret").string(), (folder() / "models" / "tiny").string(),
          std::string("../secret"), std::string("tiny/../../secret"), std::string("./tiny"),
          std::string("tiny/"), std::string("")}) {
        const nlohmann::json body{{"model_name", name}, {"prompt", "Once"}};
        const Answer answer = ask("POST", "/api/profiling/generate", body.dump());
        EXPECT_EQ(answer.status, name.empty() ? 400 : 404) << name;
    }
    const nlohmann::json replay{
        {"model_name", "tiny"}, {"prompt", "x"}, {"power_source", "replay:/etc/passwd"}};
    EXPECT_EQ(ask("POST", "/api/profiling/generate", replay.dump()).status, 400);
}

TEST_F(ApiTest, TakesNoPathForARun)
{
    serve();
    generate();
    for (const char* id : {"..%2f..%2fetc%2fpasswd", "../../etc/passwd", "%2e%2e", "*", "a%20b"}) {
        EXPECT_EQ(ask("GET", std::string("/api/profiling/run/") + id).status, 404) << id;
        EXPECT_EQ(ask("DELETE", std::string("/api/profiling/run/") + id).status, 404) << id;
        EXPECT_EQ(ask("GET", std::string("/api/profiling/export/") + id + "?format=csv").status,
                  404)
            << id;
    }
    const std::string id = generate();
    const std::string target = "/api/profiling/export/" + id + "?format=csv&table=";
    EXPECT_EQ(ask("GET", target + "../token").status, 400);
    EXPECT_EQ(ask("GET", target + "..%2ftoken").status, 400);
}

TEST_F(ApiTest, RefusesALargeBodyBeforeItComes)
{
    serve();
    const std::string head = request("POST", "/api/profiling/generate", {},
                                     {{"Content-Length", "2000000"}, {"Expect", "100-continue"}});
    const Answer answer = sendRaw(head); // the body is not sent
    EXPECT_EQ(answer.status, 413);
    const Answer whole = ask("POST", "/api/profiling/generate", std::string(2'000'000, ' '));
    EXPECT_EQ(whole.status, 413);
    EXPECT_EQ(ask("GET", "/" + std::string(20'000, 'x')).status, 431);
}

TEST_F(ApiTest, RefusesABodyThatIsNestedTooDeeply)
{
    serve();
    for (const auto& [open, levels] : {std::pair{"[", 1'000'000}, std::pair{"{\"a\":", 200'000}}) {
        std::string body;
        for (int i = 0; i < levels; ++i)
            body += open;
        const Answer answer = ask("POST", "/api/profiling/generate", body);
        EXPECT_EQ(answer.status, 400);
        EXPECT_THAT(answer.json().at("error").at("message").get<std::string>(),
                    HasSubstr("nested more than 200 levels deep"));
    }
    EXPECT_EQ(ask("GET", "/health").status, 200);
}

TEST_F(ApiTest, ClosesSlowAndIdleConnections)
{
    using namespace std::chrono_literals;
    serve({}, {}, [](api::Options& options) {
        options.limits.request_time = 50ms;
        options.limits.idle_time = 50ms;
    });
    EXPECT_EQ(sendRaw("GET /health HTTP/1.1\r\nHost:").status, 408);
    const std::string half =
        request("POST", "/api/profiling/generate", "{}", {{"Content-Length", "50"}});
    EXPECT_EQ(sendRaw(half).status, 408);
    QTcpSocket* silent = begin({});
    EXPECT_TRUE(spinUntil([&] { return silent->state() == QAbstractSocket::UnconnectedState; }));
    QTcpSocket* idle = begin(request("GET", "/health"));
    EXPECT_EQ(waitFor(idle).status, 200);
    EXPECT_TRUE(spinUntil([&] { return idle->state() == QAbstractSocket::UnconnectedState; }));
}

TEST_F(ApiTest, LimitsItsConnections)
{
    serve({}, {}, [](api::Options& options) { options.limits.connections = 3; });
    const std::string half =
        request("POST", "/api/profiling/generate", "{}", {{"Content-Length", "50"}});
    for (int i = 0; i < 3; ++i)
        begin(half);
    EXPECT_EQ(ask("GET", "/health").status, 503);
}

// Requests beyond the limit wait until others have their replies, or are told if that takes long
// because the machine is busy; none is cut off.
TEST_F(ApiTest, EachOfManyRequestsAtOnceIsAnswered)
{
    serve({}, {}, [](api::Options& options) { options.limits.connections = 8; });
    for (const char* close : {"close", "keep-alive"}) {
        std::vector<QTcpSocket*> clients;
        for (int i = 0; i < 100; ++i)
            clients.push_back(
                begin(request("GET", "/api/profiling/models", {}, {{"Connection", close}})));
        for (std::size_t i = 0; i < clients.size(); ++i) {
            const int status = waitFor(clients[i]).status;
            EXPECT_TRUE(status == 200 || (i >= 8 && status == 503)) << i << ": " << status;
        }
    }
}

// However many connections without the token are waiting, others get through.
TEST_F(ApiTest, ConnectionsWithoutTheTokenMakeRoom)
{
    serve({}, {}, [](api::Options& options) { options.limits.connections = 3; });
    std::vector<QTcpSocket*> idle;
    for (int i = 0; i < 20; ++i)
        idle.push_back(
            begin(i % 2 == 0 ? "" : request("GET", "/health", {}, {{"Authorization", ""}})));
    ASSERT_TRUE(spinUntil([&] {
        return std::count_if(idle.begin(), idle.end(),
                             [](const QTcpSocket* one) {
                                 return one->state() == QAbstractSocket::UnconnectedState;
                             })
            >= 17;
    }));
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(ask("GET", "/metrics").status, 200);
}

// A client that closes its side after the request still gets the reply.
TEST_F(ApiTest, AnswersAClientThatHasEndedItsSide)
{
    using namespace std::chrono_literals;
    serve({.layer_time = 5ms});
    const nlohmann::json body{{"model_name", "tiny"}, {"prompt", "x"}, {"max_new_tokens", 40}};
    for (const std::string& bytes :
         {request("GET", "/metrics"), request("GET", "/health") + request("GET", "/metrics"),
          request("POST", "/api/profiling/generate", body.dump())}) {
        const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(server().port());
        ASSERT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
        ASSERT_EQ(::send(socket, bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
        ::shutdown(socket, SHUT_WR);
        std::string received;
        ASSERT_TRUE(spinUntil([&] {
            char part[4096];
            const ssize_t count = ::recv(socket, part, sizeof part, MSG_DONTWAIT);
            if (count > 0)
                received.append(part, static_cast<std::size_t>(count));
            return count == 0;
        }));
        ::close(socket);
        while (received.starts_with("HTTP/1.1 102"))
            received.erase(0, received.find("\r\n\r\n") + 4);
        const auto answer = parseAnswer(received);
        ASSERT_TRUE(answer) << received;
        EXPECT_EQ(answer->status, 200) << received;
        if (bytes.find("/health") != std::string::npos) {
            EXPECT_THAT(received, HasSubstr("energy_profiler")) << "the second answer too";
        }
    }
}

TEST_F(ApiTest, SaysWhatAPathAllows)
{
    serve();
    const Answer answer = ask("PUT", "/api/profiling/runs");
    EXPECT_EQ(answer.status, 405);
    EXPECT_EQ(answer.headers.at("allow"), "GET");
    EXPECT_EQ(ask("GET", "/api/profiling/generate").headers.at("allow"), "POST");
    EXPECT_EQ(ask("GET", "/api/profiling/nothing").status, 404);
    EXPECT_EQ(ask("GET", "/").status, 404);
    EXPECT_EQ(ask("OPTIONS", "/api/profiling/runs").status, 405);
}

TEST_F(ApiTest, ShakesHandsWithWebSocketsOnly)
{
    serve();
    const auto good = upgradeHeaders();
    const auto with = [&](const std::string& name, const std::string& value) {
        auto headers = good;
        headers[name] = value;
        return headers;
    };
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, good).status, 101);
    EXPECT_EQ(ask("GET", "/ws/other", {}, good).status, 404);
    EXPECT_EQ(ask("POST", "/ws/profiling", {}, good).status, 400);
    EXPECT_EQ(ask("GET", "/ws/profiling").status, 426);
    EXPECT_EQ(ask("TRACE", "/ws/profiling").status, 405);
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, with("Upgrade", "h2c")).status, 400);
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, with("Sec-WebSocket-Version", "8")).status, 426);
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, with("Sec-WebSocket-Key", "short")).status, 400);
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, with("Authorization", "Bearer x")).status, 401);
    EXPECT_EQ(ask("GET", "/ws/profiling", {}, with("Origin", "http://evil.example")).status, 403);
}

TEST_F(ApiTest, SecondServerOnAPortIsTold)
{
    QTcpServer other;
    ASSERT_TRUE(other.listen(QHostAddress(QHostAddress::LocalHost), 0));
    api::Options options;
    options.port = other.serverPort();
    options.token_file = folder() / "token2";
    api::Server second(options, session::Backend());
    const Status status = second.listen();
    ASSERT_FALSE(status);
    EXPECT_THAT(status.error().message, HasSubstr(std::to_string(other.serverPort())));
}

} // namespace

} // namespace ep::test
