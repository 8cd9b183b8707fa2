// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/api_fixture.h"

#include "support/tiny_model.h"
#include "support/wait_until.h"

#include <QCoreApplication>
#include <QNetworkRequest>
#include <QUrl>

#include <fstream>

namespace ep::test {

namespace {

constexpr std::chrono::minutes kPatience{4};

std::string lower(std::string text)
{
    for (char& c : text)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
}

} // namespace

std::optional<Answer> parseAnswer(const std::string& text, bool head)
{
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos)
        return std::nullopt;
    if (text.rfind("HTTP/1.1 100", 0) == 0)
        return parseAnswer(text.substr(end + 4), head);
    Answer answer;
    answer.status = std::stoi(text.substr(std::string("HTTP/1.1 ").size(), 3));
    std::size_t line = text.find("\r\n") + 2;
    while (line < end) {
        const std::size_t next = text.find("\r\n", line);
        const std::size_t colon = text.find(": ", line);
        answer.headers[lower(text.substr(line, colon - line))] =
            text.substr(colon + 2, next - colon - 2);
        line = next + 2;
    }
    std::size_t length = 0;
    if (!head && answer.headers.contains("content-length"))
        length = std::stoul(answer.headers.at("content-length"));
    if (text.size() < end + 4 + length)
        return std::nullopt;
    answer.body = text.substr(end + 4, length);
    return answer;
}

bool spinUntil(const std::function<bool()>& condition)
{
    return waitUntil(condition, kPatience);
}

void ApiTest::serve(EngineScript engine, PowerScript power,
                    const std::function<void(api::Options&)>& change)
{
    writeTinyModel(m_folder.path() / "models" / "tiny");
    m_library = std::make_shared<FakeEngineLibrary>(std::move(engine));
    session::Backend backend = scriptedBackend(power, m_library);
    api::Options options;
    options.port = 0;
    options.database = database();
    options.token_file = m_folder.path() / "token";
    options.model_folders = {m_folder.path() / "models"};
    if (change)
        change(options);
    m_server = std::make_unique<api::Server>(options, std::move(backend));
    const Status listening = m_server->listen();
    ASSERT_TRUE(listening) << listening.error().message;
    std::ifstream file(options.token_file);
    std::getline(file, m_token);
}

std::string ApiTest::request(const std::string& method, const std::string& target,
                             const std::string& body,
                             std::map<std::string, std::string> headers) const
{
    headers.try_emplace("Host", host());
    headers.try_emplace("Authorization", "Bearer " + token());
    if (!body.empty() || method == "POST")
        headers.try_emplace("Content-Length", std::to_string(body.size()));
    std::string text = method + ' ' + target + " HTTP/1.1\r\n";
    for (const auto& [name, value] : headers)
        text += name + ": " + value + "\r\n";
    return text + "\r\n" + body;
}

QTcpSocket* ApiTest::begin(const std::string& bytes)
{
    m_sockets.push_back(std::make_unique<QTcpSocket>());
    QTcpSocket* socket = m_sockets.back().get();
    QObject::connect(socket, &QTcpSocket::readyRead, socket, [this, socket] {
        const QByteArray more = socket->readAll();
        m_received[socket].append(more.data(), static_cast<std::size_t>(more.size()));
    });
    socket->connectToHost(QHostAddress(QHostAddress::LocalHost), m_server->port());
    socket->write(bytes.data(), static_cast<qint64>(bytes.size()));
    return socket;
}

std::optional<Answer> ApiTest::answerOf(QTcpSocket* socket)
{
    return parseAnswer(m_received[socket]);
}

Answer ApiTest::waitFor(QTcpSocket* socket)
{
    const auto over = [&] {
        return answerOf(socket) || socket->state() == QAbstractSocket::UnconnectedState;
    };
    EXPECT_TRUE(spinUntil(over));
    return answerOf(socket).value_or(Answer());
}

Answer ApiTest::sendRaw(const std::string& bytes)
{
    QTcpSocket* socket = begin(bytes);
    const Answer answer = waitFor(socket);
    socket->abort();
    return answer;
}

std::map<std::string, std::string> ApiTest::upgradeHeaders()
{
    return {{"Connection", "Upgrade"},
            {"Upgrade", "websocket"},
            {"Sec-WebSocket-Version", "13"},
            {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}};
}

Answer ApiTest::ask(const std::string& method, const std::string& target, const std::string& body,
                    const std::map<std::string, std::string>& headers)
{
    return sendRaw(request(method, target, body, headers));
}

std::string ApiTest::generate(const nlohmann::json& more)
{
    nlohmann::json body{{"model_name", "tiny"}, {"prompt", "Once"}, {"max_new_tokens", 4}};
    body.update(more);
    const Answer answer = ask("POST", "/api/profiling/generate", body.dump());
    EXPECT_EQ(answer.status, 200) << answer.body;
    return answer.status == 200 ? answer.json().at("run_id").get<std::string>() : std::string();
}

std::unique_ptr<QWebSocket> ApiTest::openLive()
{
    auto socket = std::make_unique<QWebSocket>();
    QNetworkRequest request(QUrl(QString::fromStdString("ws://" + host() + "/ws/profiling")));
    request.setRawHeader("Authorization", QByteArray::fromStdString("Bearer " + token()));
    socket->open(request);
    EXPECT_TRUE(spinUntil([&] { return socket->isValid(); }))
        << socket->errorString().toStdString();
    return socket;
}

} // namespace ep::test
