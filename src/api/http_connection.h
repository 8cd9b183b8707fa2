// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"
#include "http_socket.h"

#include "ep/api/server.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace ep::api {

// Limits the memory that all connections together hold for their clients. One thread.
class Traffic : public QObject {
    Q_OBJECT
public:
    explicit Traffic(const Limits& limits, QObject* parent = nullptr)
        : QObject(parent)
        , m_limits(limits)
    {
    }

    // Reserves room for the body of a request before reading it. false: wait for bodyRoomMade().
    bool takeBody(std::size_t bytes)
    {
        if (m_bodies > 0 && m_bodies + bytes > m_limits.all_body_bytes)
            return false;
        m_bodies += bytes;
        return true;
    }
    void giveBody(std::size_t bytes)
    {
        m_bodies -= bytes;
        if (bytes > 0)
            Q_EMIT bodyRoomMade();
    }
    // Reserves room on the disk for a reply. A single reply is accepted at any length.
    bool takeReply(std::int64_t bytes)
    {
        if (m_replies > 0 && m_replies + bytes > m_limits.all_reply_bytes)
            return false;
        m_replies += bytes;
        return true;
    }
    void giveReply(std::int64_t bytes) { m_replies -= bytes; }

Q_SIGNALS:
    void bodyRoomMade();

private:
    const Limits& m_limits;
    std::size_t m_bodies = 0;
    std::int64_t m_replies = 0;
};

class HttpConnection;

// Where the reply to one request goes. Can be stored, copied and used later, once; does nothing if
// the client is gone.
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

// Handlers of requests. `check` is called when the head has arrived, before the body is read;
// `upgrade` gets the socket and the handshake of a WebSocket, to which no reply has been sent.
struct HttpHandlers {
    std::function<HttpRefusal(const HttpRequest&)> check;
    std::function<bool(const HttpRequest&)> trusts; // called for requests that were not refused
    std::function<void(const HttpRequest&, const Reply&)> handle;
    std::function<void(std::unique_ptr<HttpSocket>, const HttpRequest&)> upgrade;
};

// One connection that alternates requests and replies, with limits on sizes and times. A body is
// read once all connections together have room for it, a long reply is sent from the disk, and the
// next request is read once the client has taken the previous reply. A client that closes its
// sending side still gets the replies to its requests. Owns the socket, and deletes itself when
// that is closed or handed over.
class HttpConnection : public QObject {
    Q_OBJECT
public:
    HttpConnection(std::unique_ptr<HttpSocket> socket, const HttpHandlers& handlers,
                   const Limits& limits, Traffic& traffic, QObject* parent);
    ~HttpConnection() override;

    void answer(std::uint64_t number, const HttpResponse& response);
    bool gone() const { return m_gone || (m_socket && m_socket->broken()); }
    // Answers a connection that is beyond the limit, and closes it.
    void refuse(const HttpRefusal& refusal);
    // The order in which connections make room for new ones: first connections that never had an
    // authorised request, then connections between two requests. Absent: the connection is at work.
    std::optional<int> idleness() const;
    std::chrono::steady_clock::time_point silentSince() const { return m_silentSince; }
    void close();

Q_SIGNALS:
    void answered(int status);
    void closed(); // closed or handed over; this object will be deleted soon

private:
    enum class State { Head, Body, Handling, Closing };

    void safely(void (HttpConnection::*step)());
    void outOfMemory();
    void read();
    void readHead();
    bool readBody(); // whether the body is complete and the request was handled
    void giveAway();
    void handle();
    void send(HttpResponse response, bool keepAlive);
    Status moveToDisk(HttpResponse& response) const;
    void sendFile();
    bool sending() const { return m_file || m_socket->bytesToWrite() > 0; }
    void releaseBody();
    void releaseFile();
    void ranOutOfTime();
    void wrote();
    void askWhetherThere();
    void forget();

    std::unique_ptr<HttpSocket> m_socket;
    const HttpHandlers& m_handlers;
    const Limits& m_limits;
    Traffic& m_traffic;
    QTimer m_timer;
    State m_state = State::Head;
    std::optional<ParsedHead> m_head;
    std::uint64_t m_number = 0; // number of the request
    std::optional<std::size_t> m_bodyRoom; // reserved in m_traffic
    std::shared_ptr<TemporaryFile> m_file; // the rest of the reply, on the disk
    std::int64_t m_fileSent = 0; // bytes of the file already passed on
    bool m_gone = false; // the client has closed the connection
    bool m_started = false; // the first byte of a request has arrived
    bool m_trusted = false; // some request had the token
    std::int64_t m_discarded = 0; // bytes, while closing
    // When the connection began or the client last took something.
    std::chrono::steady_clock::time_point m_silentSince = std::chrono::steady_clock::now();
};

} // namespace ep::api
