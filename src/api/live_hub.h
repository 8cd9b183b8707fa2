// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_socket.h"
#include "out_buffer.h"
#include "web_frame.h"

#include "ep/api/server.h"

#include <QObject>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::api {

// A WebSocket after its handshake. Clients are not expected to send messages: data is read and
// dropped, except pings, pongs and the close frame.
class WebSocket : public QObject {
    Q_OBJECT
public:
    explicit WebSocket(std::unique_ptr<HttpSocket> socket, QObject* parent = nullptr);
    ~WebSocket() override;

    void sendText(OutBuffer::Text text);
    void ping();
    std::int64_t bytesToWrite() const { return m_socket->bytesToWrite(); }
    void close(CloseCode code); // sends a close frame first; closed() follows
    void abort(); // immediately

Q_SIGNALS:
    void pong();
    void written(); // less data is waiting
    void closed(); // emitted once, as the last signal

private:
    void safely(void (WebSocket::*step)());
    void wrote();
    void read();
    void handle(const WebFrame& frame);
    void sendPong();

    std::unique_ptr<HttpSocket> m_socket;
    // Payload of the last unanswered ping. A client that sends pings but does not read gets a pong
    // only for the last of them (RFC 6455, 5.5.3).
    std::optional<std::string> m_pinged;
    std::size_t m_message = 0; // bytes of an incomplete message
    bool m_fragmented = false; // a message is incomplete
    bool m_closing = false;
};

struct HttpRequest;

// How much a message matters: a slow client gets only summaries.
enum class Weight { Detail, Summary };

// Messages that are produced one by one, each once the client has accepted the previous one.
struct MessageSeries {
    int count = 0;
    std::function<std::string(int)> make{}; // makes message 0 to count - 1, a JSON object
};

// The WebSockets: every message goes to every client that keeps up. Never waits for a client:
// unsent data stays in its send buffer, and above a limit it only gets summaries.
class LiveHub : public QObject {
    Q_OBJECT
public:
    explicit LiveHub(const Limits& limits, QObject* parent = nullptr);
    ~LiveHub() override;

    void takeOver(std::unique_ptr<HttpSocket> socket, const HttpRequest& handshake);
    bool full() const;
    std::size_t clients() const { return m_clients.size(); }
    std::int64_t sent() const { return m_sent; }
    std::int64_t leftOut() const { return m_leftOut; } // number of messages over all clients
    // text: one JSON object that ends with "}".
    void send(std::string text, Weight weight);
    // A client that keeps up gets all messages of the series, however many there are; later
    // messages follow it. A client that accepts nothing for some seconds misses the rest.
    void sendSeries(const MessageSeries& series);
    bool busy() const; // some client has not received all of a series yet

Q_SIGNALS:
    void rested(); // no longer busy

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
