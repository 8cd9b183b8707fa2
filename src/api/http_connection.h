// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"
#include "http_socket.h"

#include "ep/api/server.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

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
// read; `upgrade` gets the socket and the handshake of a WebSocket, to which nothing was answered.
struct HttpHandlers {
    std::function<HttpRefusal(const HttpRequest&)> check;
    std::function<bool(const HttpRequest&)> trusts; // of one that was not refused
    std::function<void(const HttpRequest&, const Reply&)> handle;
    std::function<void(std::unique_ptr<HttpSocket>, const HttpRequest&)> upgrade;
};

// One connection: request, answer, request, ... with limits on sizes and times. A client that ends
// its side gets the answers to what it has sent. Owns the socket and deletes itself when that is
// closed or given away.
class HttpConnection : public QObject {
    Q_OBJECT
public:
    HttpConnection(std::unique_ptr<HttpSocket> socket, const HttpHandlers& handlers,
                   const Limits& limits, QObject* parent);

    void answer(std::uint64_t number, const HttpResponse& response);
    bool gone() const { return m_gone; }
    // For a connection that is one too many.
    void refuse(const HttpRefusal& refusal);
    // Waits for a request, and none that may use the API has come on it yet.
    bool isUnknown() const { return !m_trusted && m_state == State::Head; }
    void close();

Q_SIGNALS:
    void answered(int status);
    void closed(); // or given away; this object is deleted soon

private:
    enum class State { Head, Body, Handling, Closing };

    void read();
    bool readHead(); // whether there is more to look at
    bool readBody();
    void giveAway();
    void handle();
    void send(const HttpResponse& response, bool keepAlive);
    void ranOutOfTime();
    void wrote();
    void askWhetherThere();
    void forget();

    std::unique_ptr<HttpSocket> m_socket;
    const HttpHandlers& m_handlers;
    const Limits& m_limits;
    QTimer m_timer;
    State m_state = State::Head;
    std::optional<ParsedHead> m_head;
    std::uint64_t m_number = 0; // of the request
    bool m_gone = false; // the client has closed it
    bool m_started = false; // the first byte of a request is there
    bool m_trusted = false; // a request on it had the token
    std::int64_t m_discarded = 0; // bytes, while closing
};

} // namespace ep::api
