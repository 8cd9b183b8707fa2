// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_hub.h"

#include <QTcpSocket>
#include <QWebSocket>
#include <QWebSocketServer>

#include <algorithm>

namespace ep::api {

namespace {

constexpr quint64 kLargestIncoming = 16 * 1024; // nothing is expected from clients
constexpr int kMissedBeats = 2;

} // namespace

struct LiveHub::Client {
    QWebSocket* socket = nullptr;
    bool slow = false;
    std::int64_t missed = 0; // messages since it became slow
    int unanswered = 0; // pings
};

LiveHub::LiveHub(const Limits& limits, QObject* parent)
    : QObject(parent)
    , m_limits(limits)
    , m_server(std::make_unique<QWebSocketServer>(QStringLiteral("energy-profiler"),
                                                  QWebSocketServer::NonSecureMode))
{
    m_server->setHandshakeTimeout(static_cast<int>(m_limits.request_time.count()));
    connect(m_server.get(), &QWebSocketServer::newConnection, this, &LiveHub::accept);
    connect(&m_heartbeat, &QTimer::timeout, this, &LiveHub::beat);
    m_heartbeat.start(m_limits.heartbeat);
}

LiveHub::~LiveHub()
{
    for (const auto& client : m_clients) {
        client->socket->disconnect(this);
        client->socket->abort();
        delete client->socket;
    }
}

bool LiveHub::full() const
{
    return static_cast<int>(m_clients.size()) >= m_limits.live_clients;
}

void LiveHub::takeOver(QTcpSocket* socket)
{
    socket->setReadBufferSize(0);
    socket->setParent(m_server.get()); // which deletes it as soon as it is disconnected
    m_server->handleConnection(socket);
}

void LiveHub::accept()
{
    while (QWebSocket* socket = m_server->nextPendingConnection()) {
        socket->setParent(this);
        if (full()) {
            socket->close(QWebSocketProtocol::CloseCodeBadOperation,
                          QStringLiteral("too many clients"));
            socket->deleteLater();
            continue;
        }
        socket->setMaxAllowedIncomingFrameSize(kLargestIncoming);
        socket->setMaxAllowedIncomingMessageSize(kLargestIncoming);
        connect(socket, &QWebSocket::disconnected, this, [this, socket] { drop(socket); });
        connect(socket, &QWebSocket::pong, this, [this, socket] {
            for (const auto& client : m_clients) {
                if (client->socket == socket)
                    client->unanswered = 0;
            }
        });
        auto client = std::make_unique<Client>();
        client->socket = socket;
        m_clients.push_back(std::move(client));
    }
}

void LiveHub::drop(QWebSocket* socket)
{
    std::erase_if(m_clients, [&](const auto& client) { return client->socket == socket; });
    socket->deleteLater();
}

void LiveHub::beat()
{
    std::vector<QWebSocket*> gone;
    for (const auto& client : m_clients) {
        if (client->unanswered >= kMissedBeats)
            gone.push_back(client->socket);
        ++client->unanswered;
    }
    for (QWebSocket* socket : gone)
        socket->abort(); // announces its end
    for (const auto& client : m_clients)
        client->socket->ping();
}

void LiveHub::send(const std::string& text, Weight weight)
{
    const QString message = QString::fromStdString(text);
    std::vector<QWebSocket*> dead;
    for (const auto& client : m_clients) {
        const qint64 waiting = client->socket->bytesToWrite();
        if (waiting > m_limits.dead_bytes) {
            dead.push_back(client->socket);
            continue;
        }
        if (waiting > m_limits.slow_bytes)
            client->slow = true;
        else if (waiting < m_limits.recovered_bytes)
            client->slow = false;
        if (client->slow && weight == Weight::Detail) {
            ++client->missed;
            ++m_leftOut;
            continue;
        }
        ++m_sent;
        if (client->missed == 0) {
            client->socket->sendTextMessage(message);
            continue;
        }
        // The first message that gets through says how many did not.
        QString told = message;
        told.chop(1);
        client->socket->sendTextMessage(
            told + QStringLiteral(",\"messages_left_out\":%1}").arg(client->missed));
        client->missed = 0;
    }
    for (QWebSocket* socket : dead)
        socket->abort();
}

} // namespace ep::api
