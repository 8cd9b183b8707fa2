// SPDX-License-Identifier: GPL-3.0-or-later
#include "handshake.h"

#include "web_frame.h"

#include <QByteArray>
#include <QString>

#include <algorithm>

namespace ep::api {

std::vector<std::string> offeredProtocols(const HttpRequest& request)
{
    std::vector<std::string> protocols;
    for (const auto& [name, value] : request.headers) {
        if (name != "sec-websocket-protocol")
            continue;
        for (const QString& one : QString::fromStdString(value).split(QLatin1Char(',')))
            protocols.push_back(one.trimmed().toStdString());
    }
    return protocols;
}

HttpRefusal checkHandshake(const HttpRequest& request, bool full)
{
    if (request.path != std::vector<std::string>{"ws", "profiling"})
        return {404, std::string("There is a WebSocket at ") + kLivePath + " only."};
    const std::string upgrade = request.header("upgrade").value_or(std::string());
    if (request.method != "GET" || request.minor_version != 1
        || QString::fromStdString(upgrade).compare(QLatin1String("websocket"), Qt::CaseInsensitive)
            != 0)
        return {400, "This is not a WebSocket handshake."};
    if (request.header("sec-websocket-version") != "13")
        return {426, "Only version 13 of the WebSocket protocol is supported."};
    const QByteArray key = QByteArray::fromBase64(
        QByteArray::fromStdString(request.header("sec-websocket-key").value_or(std::string())));
    constexpr int kKeyBytes = 16;
    if (key.size() != kKeyBytes)
        return {400, "The Sec-WebSocket-Key is invalid."};
    if (full)
        return {503, "There are too many WebSockets."};
    return {};
}

std::string handshakeAnswer(const HttpRequest& request)
{
    std::string answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                         "Connection: Upgrade\r\nSec-WebSocket-Accept: "
        + acceptKey(request.header("sec-websocket-key").value_or(std::string())) + "\r\n";
    const std::vector<std::string> offered = offeredProtocols(request);
    if (std::find(offered.begin(), offered.end(), kLiveProtocol) != offered.end())
        answer += "Sec-WebSocket-Protocol: " + std::string(kLiveProtocol) + "\r\n";
    return answer + "\r\n";
}

} // namespace ep::api
