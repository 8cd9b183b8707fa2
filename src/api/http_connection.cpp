// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_connection.h"

#include <QTcpSocket>

#include <algorithm>
#include <string_view>
#include <sys/socket.h>

namespace ep::api {

namespace {

constexpr qint64 kReadBuffer = 64 * 1024; // more stays with the sender
constexpr qint64 kMostDiscarded = 8 * 1024 * 1024;
constexpr int kLingerMs = 2000;

} // namespace

void Reply::send(const HttpResponse& response) const
{
    if (m_connection)
        m_connection->answer(m_number, response);
}

HttpConnection::HttpConnection(QTcpSocket* socket, const HttpHandlers& handlers,
                               const Limits& limits, QObject* parent)
    : QObject(parent)
    , m_socket(socket)
    , m_handlers(handlers)
    , m_limits(limits)
{
    m_socket->setParent(this);
    m_socket->setReadBufferSize(kReadBuffer);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HttpConnection::ranOutOfTime);
    connect(m_socket, &QTcpSocket::readyRead, this, &HttpConnection::read);
    connect(m_socket, &QTcpSocket::disconnected, this, [this] {
        m_timer.stop();
        m_state = State::Closing;
        m_gone = true;
        deleteLater();
    });
    connect(m_socket, &QTcpSocket::bytesWritten, this, [this] {
        if (m_gone)
            return;
        if (m_state != State::Closing || m_socket->bytesToWrite() > 0) {
            if (m_timer.isActive() && !m_started)
                m_timer.start(m_limits.idle_time); // a long answer is on its way
            return;
        }
        // Half closed, so that a client that still sends gets to read the answer.
        ::shutdown(static_cast<int>(m_socket->socketDescriptor()), SHUT_WR);
        m_timer.start(kLingerMs);
    });
    m_timer.start(m_limits.request_time);
}

bool Reply::clientIsThere() const
{
    return m_connection && !m_connection->gone();
}

void HttpConnection::refuse(const HttpRefusal& refusal)
{
    send(errorResponse(refusal.status, refusal.message), false);
}

void HttpConnection::read()
{
    if (m_state == State::Closing) {
        m_discarded += static_cast<std::int64_t>(m_socket->readAll().size());
        if (m_discarded > kMostDiscarded)
            close();
        return;
    }
    for (bool more = true; more;) {
        switch (m_state) {
        case State::Head:
            more = readHead();
            break;
        case State::Body:
            more = readBody();
            break;
        case State::Handling:
        case State::Closing:
            more = false; // one request at a time; the next one waits in the buffer
            break;
        }
    }
}

bool HttpConnection::readHead()
{
    // Only looked at: a WebSocket's handshake must stay in the socket.
    const QByteArray bytes = m_socket->peek(static_cast<qint64>(m_limits.head_bytes) + 1);
    if (bytes.isEmpty())
        return false;
    if (!m_started) {
        m_started = true;
        m_timer.start(m_limits.request_time);
    }
    m_head = parseHead(std::string_view(bytes.data(), static_cast<std::size_t>(bytes.size())),
                       m_limits.head_bytes, m_limits.body_bytes);
    if (!m_head)
        return false;
    ++m_number;
    HttpRefusal refusal = m_head->refusal;
    if (!refusal)
        refusal = m_handlers.check(m_head->request);
    if (refusal) {
        HttpResponse response = errorResponse(refusal.status, refusal.message);
        if (refusal.status == 401)
            response.headers.emplace_back("WWW-Authenticate", "Bearer");
        if (!refusal.allow.empty())
            response.headers.emplace_back("Allow", refusal.allow);
        send(response, false);
        return false;
    }
    if (m_head->request.asksUpgrade()) {
        giveAway();
        return false;
    }
    m_socket->read(static_cast<qint64>(m_head->size));
    if (m_head->expects_continue && m_head->body_size > 0)
        m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    m_state = State::Body;
    return true;
}

bool HttpConnection::readBody()
{
    std::string& body = m_head->request.body;
    const std::size_t missing = m_head->body_size - body.size();
    const QByteArray bytes = m_socket->read(static_cast<qint64>(missing));
    body.append(bytes.data(), static_cast<std::size_t>(bytes.size()));
    if (body.size() < m_head->body_size)
        return false;
    handle();
    return m_state != State::Handling;
}

void HttpConnection::handle()
{
    m_timer.stop(); // the work takes as long as it takes
    m_state = State::Handling;
    m_handlers.handle(m_head->request, Reply(this, m_number));
}

void HttpConnection::giveAway()
{
    m_timer.stop();
    m_socket->disconnect(this);
    m_socket->setParent(nullptr);
    QTcpSocket* socket = m_socket;
    m_socket = nullptr;
    m_state = State::Closing;
    deleteLater();
    m_handlers.upgrade(socket);
}

void HttpConnection::answer(std::uint64_t number, const HttpResponse& response)
{
    if (m_state != State::Handling || number != m_number)
        return;
    send(response, m_head->request.keepsAlive());
    // From the event loop, not from inside whoever answered.
    QTimer::singleShot(0, this, [this] {
        if (m_state == State::Head)
            read();
    });
}

void HttpConnection::send(const HttpResponse& response, bool keepAlive)
{
    const bool withBody = !m_head || m_head->request.method != "HEAD";
    const std::string text = serialise(response, keepAlive, withBody);
    m_socket->write(text.data(), static_cast<qint64>(text.size()));
    Q_EMIT answered(response.status);
    m_state = keepAlive ? State::Head : State::Closing;
    m_head.reset();
    m_started = false;
    m_timer.start(m_limits.idle_time);
    if (!keepAlive)
        m_discarded += static_cast<std::int64_t>(m_socket->readAll().size());
}

void HttpConnection::ranOutOfTime()
{
    if (m_started && (m_state == State::Head || m_state == State::Body))
        return send(errorResponse(408, "The request did not arrive in time."), false);
    close();
}

void HttpConnection::close()
{
    m_timer.stop();
    m_state = State::Closing;
    m_socket->abort(); // announces the end, which deletes this object
    deleteLater();
}

} // namespace ep::api
