// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_connection.h"

#include "temporary_file.h"

#include <exception>
#include <string_view>
#include <utility>

namespace ep::api {

namespace {

constexpr std::int64_t kMaxDiscarded = 8 * 1024 * 1024;
constexpr int kLingerMs = 2000;
constexpr int kAskMs = 1000;
constexpr std::size_t kMaxWithoutDisk = 1024 * 1024; // limit of a reply if the disk is full
constexpr std::int64_t kMaxUnsent = 64 * 1024; // no more is added while this many bytes are unsent

} // namespace

void Reply::send(const HttpResponse& response) const
{
    if (m_connection)
        m_connection->answer(m_number, response);
}

HttpConnection::HttpConnection(std::unique_ptr<HttpSocket> socket, const HttpHandlers& handlers,
                               const Limits& limits, Traffic& traffic, QObject* parent)
    : QObject(parent)
    , m_socket(std::move(socket))
    , m_handlers(handlers)
    , m_limits(limits)
    , m_traffic(traffic)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &HttpConnection::ranOutOfTime);
    connect(m_socket.get(), &HttpSocket::readable, this, [this] { safely(&HttpConnection::read); });
    connect(m_socket.get(), &HttpSocket::written, this, [this] { safely(&HttpConnection::wrote); });
    connect(m_socket.get(), &HttpSocket::gone, this, &HttpConnection::forget);
    // Queued, because the caller that made room has not finished yet.
    connect(
        &m_traffic, &Traffic::bodyRoomMade, this,
        [this] {
            if (m_state == State::Body && !m_bodyRoom && !m_gone)
                safely(&HttpConnection::read);
        },
        Qt::QueuedConnection);
    m_timer.start(m_limits.request_time);
}

HttpConnection::~HttpConnection()
{
    releaseBody();
    releaseFile();
}

// Steps run in the event loop, which no exception may reach: it would end the program.
void HttpConnection::safely(void (HttpConnection::*step)())
{
    try {
        (this->*step)();
    } catch (const std::exception&) {
        outOfMemory();
    }
}

// Tells the client that memory ran out, unless a reply has begun or memory is too short even for
// this.
void HttpConnection::outOfMemory()
{
    try {
        if (m_gone || m_state == State::Closing || sending())
            return close();
        send(errorResponse(503, "There was not enough memory for this request."), false);
    } catch (const std::exception&) {
        close();
    }
}

std::optional<int> HttpConnection::idleness() const
{
    if (m_state != State::Head || m_gone || sending())
        return std::nullopt;
    return m_trusted ? 1 : 0;
}

void HttpConnection::releaseBody()
{
    if (m_head)
        std::string().swap(m_head->request.body);
    if (const auto room = std::exchange(m_bodyRoom, std::nullopt))
        m_traffic.giveBody(*room);
}

void HttpConnection::releaseFile()
{
    if (const auto file = std::exchange(m_file, nullptr))
        m_traffic.giveReply(file->size());
}

void HttpConnection::forget()
{
    m_timer.stop();
    m_state = State::Closing;
    m_gone = true;
    releaseBody();
    releaseFile();
    Q_EMIT closed();
    deleteLater();
}

void HttpConnection::wrote()
{
    if (m_gone)
        return;
    m_silentSince = std::chrono::steady_clock::now();
    sendFile();
    if (m_gone)
        return;
    if (m_state != State::Closing || sending()) {
        if (m_timer.isActive() && !m_started && m_state != State::Handling)
            m_timer.start(m_limits.idle_time); // while a long reply is being sent
        if (m_state == State::Head && (!m_socket->received().empty() || m_socket->ended()))
            read();
        return;
    }
    if (m_socket->ended())
        return close();
    // Closes only the sending side, so that a client that is still sending can read the reply.
    m_socket->endWriting();
    m_timer.start(kLingerMs);
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
        m_discarded += static_cast<std::int64_t>(m_socket->received().size());
        m_socket->take(m_socket->received().size());
        if (m_discarded > kMaxDiscarded || (m_socket->ended() && !sending()))
            close();
        return;
    }
    if (m_state == State::Head && (m_file || m_socket->bytesToWrite() > kMaxUnsent))
        return; // waits until the client has taken the previous reply
    if (m_state == State::Head)
        readHead();
    // One request at a time; the next one stays in the buffer until the event loop has run.
    const bool handled = m_state == State::Body && readBody();
    if (!m_socket || !m_socket->ended() || m_gone || (handled && m_state == State::Head))
        return;
    if (m_state == State::Handling)
        askWhetherThere();
    else if (sending()) // the next request is incomplete or has not begun
        m_state = State::Closing;
    else
        close();
}

// A client that has closed its sending side may be waiting for the reply, or may be gone: TCP
// reveals this only when something is sent. A waiting client ignores an interim response; one that
// is gone breaks the connection.
void HttpConnection::askWhetherThere()
{
    if (m_socket->broken())
        return close();
    if (m_head && m_head->request.minor_version == 1 && !sending())
        m_socket->write("HTTP/1.1 102 Processing\r\n\r\n");
    m_socket->flush(); // so that a client that is gone is noticed soon
    m_timer.start(kAskMs);
}

void HttpConnection::readHead()
{
    const std::string_view bytes = m_socket->received();
    if (bytes.empty())
        return;
    if (!m_started) {
        m_started = true;
        m_timer.start(m_limits.request_time);
    }
    m_head = parseHead(bytes, m_limits.head_bytes, m_limits.body_bytes);
    if (!m_head)
        return;
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
        return send(response, false);
    }
    m_trusted = m_trusted || m_handlers.trusts(m_head->request);
    m_socket->take(m_head->size);
    if (m_head->request.asksUpgrade())
        return giveAway();
    m_state = State::Body;
}

bool HttpConnection::readBody()
{
    std::string& body = m_head->request.body;
    if (!m_bodyRoom) {
        if (!m_traffic.takeBody(m_head->body_size))
            return false; // after another request has been handled
        m_bodyRoom = m_head->body_size;
        body.reserve(m_head->body_size);
        if (m_head->expects_continue && m_head->body_size > 0)
            m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    }
    const std::size_t missing = m_head->body_size - body.size();
    const std::string_view bytes = m_socket->received().substr(0, missing);
    body += bytes;
    m_socket->take(bytes.size());
    if (body.size() < m_head->body_size)
        return false;
    handle();
    return true;
}

void HttpConnection::handle()
{
    m_timer.stop(); // the time of the work itself is not limited
    m_state = State::Handling;
    m_handlers.handle(m_head->request, Reply(this, m_number));
    releaseBody();
}

void HttpConnection::giveAway()
{
    m_timer.stop();
    m_socket->disconnect(this);
    m_state = State::Closing;
    Q_EMIT closed();
    deleteLater();
    m_handlers.upgrade(std::move(m_socket), m_head->request);
}

void HttpConnection::answer(std::uint64_t number, const HttpResponse& response)
{
    if (m_state != State::Handling || number != m_number)
        return;
    const bool last = m_socket->ended() && m_socket->received().empty();
    send(response, !last && m_head->request.keepsAlive());
    // Continues in the event loop, so that no handler runs inside the caller.
    QTimer::singleShot(0, this, [this] {
        if (m_state == State::Head)
            safely(&HttpConnection::read);
    });
}

// Each client that reads slowly, or never, would otherwise occupy the memory of its reply.
Status HttpConnection::moveToDisk(HttpResponse& response) const
{
    const auto file = TemporaryFile::create();
    if (!file)
        return file.error();
    if (const Status kept = (*file)->append(response.body); !kept)
        return kept;
    response.body.clear();
    response.file = *file;
    return {};
}

void HttpConnection::send(HttpResponse response, bool keepAlive)
{
    const bool withBody = !m_head || m_head->request.method != "HEAD";
    if (withBody && !response.file && response.body.size() > m_limits.reply_bytes) {
        const Status moved = moveToDisk(response);
        if (!moved && response.body.size() > kMaxWithoutDisk)
            response = errorResponse(500, moved.error().message.english());
    }
    if (withBody && response.file && !m_traffic.takeReply(response.file->size())) {
        response = errorResponse(503, "Other clients are still reading long replies; try again.");
        response.headers.emplace_back("Retry-After", "5");
    }
    m_socket->write(serialise(response, keepAlive, withBody));
    Q_EMIT answered(response.status);
    if (withBody) {
        m_file = std::move(response.file);
        m_fileSent = 0;
    }
    m_state = keepAlive ? State::Head : State::Closing;
    releaseBody();
    m_head.reset();
    m_started = false;
    m_timer.start(m_limits.idle_time);
    if (!keepAlive)
        m_socket->take(m_socket->received().size());
    sendFile();
}

// Sends as much of the reply as the client takes, and then lets others have their turn.
void HttpConnection::sendFile()
{
    constexpr int kPieces = 16;
    for (int i = 0; m_file && m_socket->bytesToWrite() < kMaxUnsent; ++i) {
        const std::string piece = m_file->read(m_fileSent, kMaxUnsent);
        if (piece.empty()) // so that the client does not mistake a part for the whole reply
            return close();
        m_fileSent += static_cast<std::int64_t>(piece.size());
        m_socket->write(piece);
        if (m_fileSent == m_file->size())
            releaseFile();
        if (i == kPieces) // called again once these bytes are sent
            return;
        m_socket->flush();
    }
}

void HttpConnection::ranOutOfTime()
{
    if (m_state == State::Handling)
        return askWhetherThere();
    if (m_state == State::Body && !m_bodyRoom) {
        HttpResponse response = errorResponse(503,
                                              "Other requests are still being received; try "
                                              "again.");
        response.headers.emplace_back("Retry-After", "5");
        return send(std::move(response), false);
    }
    if (m_started && (m_state == State::Head || m_state == State::Body))
        return send(errorResponse(408, "The request did not arrive in time."), false);
    close();
}

void HttpConnection::close()
{
    m_socket->close(); // close() emits the end
}

} // namespace ep::api
