// SPDX-License-Identifier: GPL-3.0-or-later
// What clients of the local API cost a run: 50 pollers and 10 WebSockets in a separate process,
// compared with the same runs without them.
//   ep-api-load [MODEL_FOLDERS [BLOCKS [TOKENS [THREADS]]]]
#include "support/temp_folder.h"

#include "ep/api/server.h"

#include <QCoreApplication>
#include <QNetworkRequest>
#include <QProcess>
#include <QTcpSocket>
#include <QTimer>
#include <QWebSocket>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <sys/select.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace ep;
using nlohmann::json;

constexpr int kPollers = 50;
constexpr int kLive = 10;
constexpr int kPollMs = 1000;
constexpr int kRunsInBlock = 10;

std::string requestText(const std::string& method, const std::string& target, int port,
                        const std::string& token, const std::string& body = {})
{
    return method + ' ' + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port)
        + "\r\nAuthorization: Bearer " + token
        + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

// The clients' process: prints "ready", then counts until its input ends.
int clients(int port, const std::string& token)
{
    std::vector<std::unique_ptr<QTcpSocket>> pollers;
    std::vector<std::unique_ptr<QTimer>> timers;
    std::vector<std::unique_ptr<QWebSocket>> sockets;
    std::int64_t answers = 0;
    std::vector<std::int64_t> tokens(kLive, 0);
    std::int64_t leftOut = 0;
    int connected = 0;
    const std::vector<std::string> targets = {"/api/profiling/runs?limit=20", "/metrics",
                                              "/api/profiling/queue", "/api/profiling/health"};
    for (int i = 0; i < kPollers; ++i) {
        pollers.push_back(std::make_unique<QTcpSocket>());
        QTcpSocket* socket = pollers.back().get();
        socket->connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(port));
        QObject::connect(socket, &QTcpSocket::readyRead, [socket, &answers] {
            answers += socket->readAll().startsWith("HTTP/1.1 200") ? 1 : 0;
        });
        timers.push_back(std::make_unique<QTimer>());
        const std::string text =
            requestText("GET", targets[static_cast<std::size_t>(i) % targets.size()], port, token);
        QObject::connect(timers.back().get(), &QTimer::timeout, [socket, text] {
            socket->write(text.data(), static_cast<qint64>(text.size()));
        });
        // Spread evenly over the second.
        QTimer::singleShot(i * kPollMs / kPollers, timers.back().get(),
                           [timer = timers.back().get()] { timer->start(kPollMs); });
    }
    for (std::size_t i = 0; i < kLive; ++i) {
        sockets.push_back(std::make_unique<QWebSocket>());
        QWebSocket* socket = sockets.back().get();
        QObject::connect(socket, &QWebSocket::connected, [&connected] {
            if (++connected == kLive) {
                std::puts("ready");
                std::fflush(stdout);
            }
        });
        QObject::connect(socket, &QWebSocket::textMessageReceived, [&, i](const QString& text) {
            tokens[i] += text.startsWith(QLatin1String("{\"type\":\"token_complete\"")) ? 1 : 0;
            leftOut += text.contains(QLatin1String("messages_left_out")) ? 1 : 0;
        });
        QNetworkRequest request(QUrl(QStringLiteral("ws://127.0.0.1:%1/ws/profiling").arg(port)));
        request.setRawHeader("Authorization", QByteArray::fromStdString("Bearer " + token));
        socket->open(request);
    }
    QTimer end;
    QObject::connect(&end, &QTimer::timeout, [] {
        if (::getppid() == 1)
            QCoreApplication::quit();
    });
    end.start(kPollMs);
    // After the last message of the last run, the parent closes this process' input.
    QTimer input;
    QObject::connect(&input, &QTimer::timeout, [] {
        fd_set set;
        FD_ZERO(&set);
        FD_SET(0, &set);
        timeval now = {};
        char byte = 0;
        if (::select(1, &set, nullptr, nullptr, &now) > 0 && ::read(0, &byte, 1) <= 0)
            QCoreApplication::quit();
    });
    input.start(50);
    QCoreApplication::exec();
    const auto [least, most] = std::minmax_element(tokens.begin(), tokens.end());
    std::printf("%lld answers, %lld to %lld token messages, %lld gaps\n",
                static_cast<long long>(answers), static_cast<long long>(*least),
                static_cast<long long>(*most), static_cast<long long>(leftOut));
    return 0;
}

long residentKb()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmRSS:", 0) == 0)
            return std::stol(line.substr(6));
    }
    return 0;
}

// Makes one run over the API; returns its decoding speed.
double measureOnce(int port, const std::string& token, const std::string& model, int tokens,
                   int threads)
{
    const std::string body = json{
        {"model_name", model},   {"prompt", "Once upon a time"}, {"max_new_tokens", tokens},
        {"ignore_eos", true},    {"threads", threads},           {"warmup_tokens", 16},
        {"power_source", "none"}}.dump();
    QTcpSocket socket;
    QByteArray received;
    QEventLoop loop;
    QObject::connect(&socket, &QTcpSocket::readyRead, [&] {
        received += socket.readAll();
        const qsizetype end = received.indexOf("\r\n\r\n");
        const qsizetype length = received.indexOf("Content-Length: ");
        if (end < 0 || length < 0)
            return;
        const qsizetype digits = received.indexOf('\r', length) - length - 16;
        if (received.size() - end - 4 >= received.mid(length + 16, digits).toLongLong())
            loop.quit();
    });
    socket.connectToHost(QStringLiteral("127.0.0.1"), static_cast<quint16>(port));
    const std::string text = requestText("POST", "/api/profiling/generate", port, token, body);
    socket.write(text.data(), static_cast<qint64>(text.size()));
    loop.exec();
    const json answer = json::parse(received.mid(received.indexOf("\r\n\r\n") + 4).toStdString());
    return answer.at("summary").at("tokens_per_second").get<double>();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// A block of runs, long enough for clients that poll once a second.
double measure(int port, const std::string& token, const std::string& model, int tokens,
               int threads)
{
    std::vector<double> speeds;
    for (int i = 0; i < kRunsInBlock; ++i)
        speeds.push_back(measureOnce(port, token, model, tokens, threads));
    return median(speeds);
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 4 && arguments[1] == QLatin1String("--clients"))
        return clients(arguments[2].toInt(), arguments[3].toStdString());
    const auto argument = [&](qsizetype index, const QString& standard) {
        return arguments.size() > index ? arguments[index] : standard;
    };
    const int runs = argument(2, QStringLiteral("5")).toInt();
    const int tokens = argument(3, QStringLiteral("400")).toInt();
    const int threads = argument(4, QStringLiteral("1")).toInt();

    const test::TempFolder folder;
    api::Options options;
    options.port = 0;
    options.database = folder / "runs.db";
    options.token_file = folder / "token";
    options.model_folders = {argument(1, QStringLiteral(EP_MODELS)).toStdString()};
    api::Server server(options, session::realBackend());
    if (const Status listening = server.listen(); !listening) {
        std::fprintf(stderr, "%s\n", listening.error().message.english().c_str());
        return 1;
    }
    std::string token;
    std::ifstream(options.token_file) >> token;
    const std::string model = "demo-llama-5m";

    measure(server.port(), token, model, tokens, threads); // also loads the model
    std::vector<double> alone, watched;
    const long before = residentKb();
    for (int i = 0; i < runs; ++i) {
        alone.push_back(measure(server.port(), token, model, tokens, threads));
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QCoreApplication::applicationFilePath(),
                      {QStringLiteral("--clients"), QString::number(server.port()),
                       QString::fromStdString(token)});
        QEventLoop loop;
        QObject::connect(&process, &QProcess::readyReadStandardOutput, &loop, &QEventLoop::quit);
        loop.exec();
        process.readAllStandardOutput();
        watched.push_back(measure(server.port(), token, model, tokens, threads));
        process.closeWriteChannel();
        QEventLoop end;
        QObject::connect(&process, &QProcess::finished, &end, &QEventLoop::quit);
        end.exec();
        std::printf("block %d: alone %.1f, watched %.1f tokens/s; %ld KB; %s", i + 1, alone.back(),
                    watched.back(), residentKb(), process.readAllStandardOutput().constData());
        std::fflush(stdout);
    }
    std::printf("median: alone %.1f, watched %.1f tokens/s: %.2f %% slower\n", median(alone),
                median(watched), 100.0 * (1.0 - median(watched) / median(alone)));
    std::printf("memory: %ld KB before, %ld KB after %d runs of %d tokens\n", before, residentKb(),
                2 * runs * kRunsInBlock, tokens);
    return 0;
}
