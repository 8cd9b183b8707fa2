// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/fake_engine.h"
#include "support/fake_power_feed.h"
#include "support/temp_folder.h"

#include "ep/api/server.h"

#include <QTcpSocket>
#include <QWebSocket>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ep::test {

struct Answer {
    int status = 0; // 0: no answer
    std::map<std::string, std::string> headers{}; // names in lower case
    std::string body{};

    nlohmann::json json() const { return nlohmann::json::parse(body); }
};
// Parses the first reply in the text; nullopt while it is incomplete.
std::optional<Answer> parseAnswer(const std::string& text, bool head = false);

// Runs the event loop until the condition holds; false after minutes.
bool spinUntil(const std::function<bool()>& condition);

// The server on scripted parts, with one model called "tiny", in the thread of the test.
class ApiTest : public testing::Test {
protected:
    void serve(EngineScript engine = EngineScript(), PowerScript power = PowerScript(),
               const std::function<void(api::Options&)>& change = {});

    api::Server& server() { return *m_server; }
    std::string token() const { return m_token; }
    std::filesystem::path folder() const { return m_folder.path(); }
    std::filesystem::path database() const { return m_folder.path() / "runs.db"; }
    std::string host() const { return "127.0.0.1:" + std::to_string(m_server->port()); }

    // Sends any bytes as one request on its own connection.
    Answer sendRaw(const std::string& bytes);
    // A well-formed request, with the token unless other headers are given.
    std::string request(const std::string& method, const std::string& target,
                        const std::string& body = {},
                        std::map<std::string, std::string> headers = {}) const;
    Answer ask(const std::string& method, const std::string& target, const std::string& body = {},
               const std::map<std::string, std::string>& headers = {});
    static std::map<std::string, std::string> upgradeHeaders();
    // A request that opens a WebSocket.
    std::string handshake() const { return request("GET", "/ws/profiling", {}, upgradeHeaders()); }
    // Starts the request and returns immediately; the socket lives as long as the test.
    QTcpSocket* begin(const std::string& bytes);
    std::optional<Answer> answerOf(QTcpSocket* socket);
    Answer waitFor(QTcpSocket* socket);
    // Generates with the tiny model; returns the id of the finished and stored run.
    std::string generate(const nlohmann::json& more = nlohmann::json::object());

    // Opens a WebSocket.
    std::unique_ptr<QWebSocket> openLive();

private:
    TempFolder m_folder;
    std::shared_ptr<FakeEngineLibrary> m_library;
    std::unique_ptr<api::Server> m_server;
    std::string m_token;
    std::vector<std::unique_ptr<QTcpSocket>> m_sockets;
    std::map<QTcpSocket*, std::string> m_received;
};

} // namespace ep::test
