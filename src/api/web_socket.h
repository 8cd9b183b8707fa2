// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_socket.h"
#include "web_frame.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

} // namespace ep::api
