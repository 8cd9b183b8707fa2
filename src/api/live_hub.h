// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/api/server.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <vector>

class QTcpSocket;
class QWebSocket;
class QWebSocketServer;

namespace ep::api {

// How much a slow client misses when a message is left out for it.
enum class Weight { Detail, Summary };

// The WebSockets: every message goes to every client that keeps up. Nothing here waits for a
// client: what it does not take stays in its send buffer, and above a limit it gets summaries only.
class LiveHub : public QObject {
    Q_OBJECT
public:
    explicit LiveHub(const Limits& limits, QObject* parent = nullptr);
    ~LiveHub() override;

    void takeOver(QTcpSocket* socket); // with its handshake unread
    bool full() const;
    std::size_t clients() const { return m_clients.size(); }
    std::int64_t sent() const { return m_sent; }
    std::int64_t leftOut() const { return m_leftOut; } // messages, over all clients
    // text is one JSON object that ends with "}".
    void send(const std::string& text, Weight weight);

private:
    struct Client;
    void accept();
    void beat();
    void drop(QWebSocket* socket);

    const Limits& m_limits;
    std::unique_ptr<QWebSocketServer> m_server; // shakes hands; it listens to nothing
    std::vector<std::unique_ptr<Client>> m_clients;
    QTimer m_heartbeat;
    std::int64_t m_sent = 0;
    std::int64_t m_leftOut = 0;
};

} // namespace ep::api
