// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "out_buffer.h"

#include "ep/api/server.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ep::api {

class HttpSocket;
class WebSocket;
struct HttpRequest;

// What a slow client loses if a message is dropped.
enum class Weight { Detail, Summary };

// Messages that are produced one at a time, when the client has accepted the previous one.
struct MessageSeries {
    int count = 0;
    std::function<std::string(int)> make{}; // of 0 to count - 1; one JSON object that ends with "}"
};

// The WebSockets: every message goes to every client that keeps up. Nothing here waits for a
// client: unsent data stay in its send buffer, and above a limit it gets summaries only.
class LiveHub : public QObject {
    Q_OBJECT
public:
    explicit LiveHub(const Limits& limits, QObject* parent = nullptr);
    ~LiveHub() override;

    void takeOver(std::unique_ptr<HttpSocket> socket, const HttpRequest& handshake);
    bool full() const;
    std::size_t clients() const { return m_clients.size(); }
    std::int64_t sent() const { return m_sent; }
    std::int64_t leftOut() const { return m_leftOut; } // messages, over all clients
    // text: one JSON object that ends with "}".
    void send(std::string text, Weight weight);
    // A client that keeps up misses none of them, however many there are; later messages follow
    // after them. A client that accepts nothing for some seconds does not get the rest.
    void sendSeries(const MessageSeries& series);
    bool busy() const; // a client has not received all of a series yet

Q_SIGNALS:
    void rested(); // not busy any more

private:
    struct Client;
    void beat();
    void look();
    void pump(Client& client);
    void pumpAll();
    std::int64_t waiting() const; // bytes, over all clients
    void dropLongest();
    void put(Client& client, OutBuffer::Text text);
    void drop(const WebSocket* socket);

    const Limits& m_limits;
    std::vector<std::unique_ptr<Client>> m_clients;
    QTimer m_heartbeat;
    QTimer m_look; // for clients that accept no bytes
    std::int64_t m_sent = 0;
    std::int64_t m_leftOut = 0;
};

} // namespace ep::api
