// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_socket.h"
#include "web_frame.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <string_view>

namespace ep::api {

// A WebSocket after its handshake. Nothing is expected from clients: what they send is read and
// forgotten, but for pings, pongs and the end.
class WebSocket : public QObject {
    Q_OBJECT
public:
    explicit WebSocket(std::unique_ptr<HttpSocket> socket, QObject* parent = nullptr);
    ~WebSocket() override;

    void sendText(std::string_view text);
    void ping();
    std::int64_t bytesToWrite() const { return m_socket->bytesToWrite(); }
    void close(CloseCode code); // says so first; closed() follows
    void abort(); // at once

Q_SIGNALS:
    void pong();
    void written(); // less is waiting
    void closed(); // once, last

private:
    void read();
    void handle(const WebFrame& frame);

    std::unique_ptr<HttpSocket> m_socket;
    std::size_t m_message = 0; // bytes of a message whose last frame has not come
    bool m_fragmented = false; // there is one
    bool m_closing = false;
};

} // namespace ep::api
