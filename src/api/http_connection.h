// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"

#include "ep/api/server.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <optional>

class QTcpSocket;

namespace ep::api {

class HttpConnection;

// Where the answer to one request goes. May be kept, copied and answered later, once; after the
// client has gone it does nothing.
class Reply {
public:
    Reply() = default;
    Reply(HttpConnection* connection, std::uint64_t number)
        : m_connection(connection)
        , m_number(number)
    {
    }
    void send(const HttpResponse& response) const;
    bool clientIsThere() const;

private:
    QPointer<HttpConnection> m_connection;
    std::uint64_t m_number = 0;
};

// What is done with requests. `check` is asked when the head is there, before a byte of the body is
// read; `upgrade` gets the socket of a WebSocket with its handshake unread.
struct HttpHandlers {
    std::function<HttpRefusal(const HttpRequest&)> check;
    std::function<void(const HttpRequest&, const Reply&)> handle;
    std::function<void(QTcpSocket*)> upgrade;
};

// One connection: request, answer, request, ... with limits on sizes and times. Owns the socket
// and deletes itself when that is closed or given away.
class HttpConnection : public QObject {
    Q_OBJECT
public:
    HttpConnection(QTcpSocket* socket, const HttpHandlers& handlers, const Limits& limits,
                   QObject* parent);

    void answer(std::uint64_t number, const HttpResponse& response);
    bool gone() const { return m_gone; }
    // For a connection that is one too many.
    void refuse(const HttpRefusal& refusal);

Q_SIGNALS:
    void answered(int status);

private:
    enum class State { Head, Body, Handling, Closing };

    void read();
    bool readHead(); // whether there is more to look at
    bool readBody();
    void giveAway();
    void handle();
    void send(const HttpResponse& response, bool keepAlive);
    void ranOutOfTime();
    void close();

    QTcpSocket* m_socket;
    const HttpHandlers& m_handlers;
    const Limits& m_limits;
    QTimer m_timer;
    State m_state = State::Head;
    std::optional<ParsedHead> m_head;
    std::uint64_t m_number = 0; // of the request
    bool m_gone = false; // the client has closed it
    bool m_started = false; // the first byte of a request is there
    std::int64_t m_discarded = 0; // bytes, while closing
};

} // namespace ep::api
