// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxied_request.h"

#include "access.h"

#include "ep/core/clock.h"

#include <QNetworkProxy>
#include <QNetworkRequest>
#include <QUrl>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>

namespace ep::api {

namespace {

constexpr std::size_t kHeadBytes = 48 * 1024;
constexpr std::size_t kKeptBody = 4 * 1024 * 1024; // to read the prompt from
constexpr std::int64_t kMostRead = 64 * 1024 * 1024; // of an answer; the rest only passes
constexpr std::int64_t kMostWaiting = 1024 * 1024; // bytes that the client has not taken yet

std::uint64_t nextNumber()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

// Belongs to one connection, not to the message (RFC 9110, 7.6.1).
bool ofConnection(std::string_view name)
{
    constexpr std::array<std::string_view, 9> kNames{"connection",
                                                     "keep-alive",
                                                     "proxy-authenticate",
                                                     "proxy-authorization",
                                                     "proxy-connection",
                                                     "te",
                                                     "trailer",
                                                     "transfer-encoding",
                                                     "upgrade"};
    return std::ranges::find(kNames, name) != kNames.end();
}

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

std::string lowerCase(const QByteArray& text)
{
    return text.toLower().toStdString();
}

} // namespace

BodyPipe::BodyPipe(HttpSocket& socket, std::size_t size)
    : m_socket(socket)
    , m_left(size)
{
    open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    connect(&socket, &HttpSocket::readable, this, [this] {
        if (m_left > 0)
            Q_EMIT readyRead();
    });
}

qint64 BodyPipe::bytesAvailable() const
{
    return static_cast<qint64>(std::min(m_left, m_socket.received().size()));
}

qint64 BodyPipe::readData(char* data, qint64 most)
{
    if (m_left == 0)
        return -1;
    const auto count =
        std::min({m_left, m_socket.received().size(), static_cast<std::size_t>(most)});
    std::memcpy(data, m_socket.received().data(), count);
    if (m_beginning.size() < kKeptBody)
        m_beginning.append(m_socket.received().substr(0, count));
    m_left -= count;
    m_socket.take(count);
    return static_cast<qint64>(count);
}

ProxiedConnection::ProxiedConnection(std::unique_ptr<HttpSocket> socket,
                                     const ProxyOptions& options, std::uint16_t port,
                                     session::RequestRecorder& recorder, QObject* parent)
    : QObject(parent)
    , m_socket(std::move(socket))
    , m_options(options)
    , m_port(port)
    , m_recorder(recorder)
{
    m_manager.setProxy(QNetworkProxy::NoProxy);
    m_manager.setAutoDeleteReplies(false);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &ProxiedConnection::close);
    connect(m_socket.get(), &HttpSocket::readable, this, &ProxiedConnection::read);
    connect(m_socket.get(), &HttpSocket::gone, this, &ProxiedConnection::stop);
    connect(m_socket.get(), &HttpSocket::written, this, [this] {
        if (m_closing && m_socket->bytesToWrite() == 0)
            return close();
        if (m_reply) {
            m_timer.stop();
            answerBytes();
            if (m_reply && m_reply->isFinished() && m_reply->bytesAvailable() == 0)
                answerEnd();
        }
    });
    m_timer.start(m_options.head_ms);
}

ProxiedConnection::~ProxiedConnection()
{
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort();
    }
}

void ProxiedConnection::read()
{
    if (m_closing) {
        m_socket->take(m_socket->received().size());
        return;
    }
    if (m_reply) { // the body's pipe reads; a further request waits
        if (m_timer.isActive())
            m_timer.start(m_options.idle_ms);
        if (m_socket->ended() && m_body && !m_body->complete())
            stop();
        return;
    }
    const auto head =
        parseHead(m_socket->received(), kHeadBytes, std::numeric_limits<std::size_t>::max());
    if (!head) {
        if (m_socket->ended())
            close();
        return;
    }
    HttpRefusal refusal = head->refusal;
    if (!refusal)
        refusal = checkOrigin(head->request, m_port);
    if (!refusal && head->request.asksUpgrade())
        refusal = {501, "Only requests and answers can pass here, no upgrade."};
    if (refusal)
        return refuse(refusal.status, refusal.message);
    m_socket->take(head->size);
    pass(*head);
}

void ProxiedConnection::refuse(int status, const std::string& message)
{
    m_socket->write(serialise(errorResponse(status, message), false, true));
    m_socket->flush();
    m_closing = true;
    if (m_socket->bytesToWrite() == 0)
        close();
}

QNetworkRequest ProxiedConnection::upstream(const ParsedHead& head) const
{
    const attach::Endpoint& server = m_options.server.endpoint;
    QUrl url;
    url.setUrl(QString::fromStdString(server.origin() + head.request.target), QUrl::StrictMode);
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::DoNotBufferUploadDataAttribute, true);
    request.setRawHeader("Accept-Encoding", "identity"); // unless the client says otherwise
    request.setRawHeader("User-Agent", "energy-profiler");
    for (const auto& [name, value] : head.request.headers) {
        if (!ofConnection(name) && name != "host" && name != "expect" && name != "content-length")
            request.setRawHeader(bytesOf(name), bytesOf(value));
    }
    if (head.request.header("content-length"))
        request.setHeader(QNetworkRequest::ContentLengthHeader,
                          static_cast<qulonglong>(head.body_size));
    return request;
}

void ProxiedConnection::pass(const ParsedHead& head)
{
    // For the body to arrive. How long the server may take is decided by the client.
    if (head.body_size > 0)
        m_timer.start(m_options.idle_ms);
    else
        m_timer.stop();
    m_request = head.request;
    m_status = 0;
    m_sent = 0;
    m_reader.reset();
    auto body = std::make_unique<BodyPipe>(*m_socket, head.body_size);
    if (head.expects_continue && head.body_size > 0)
        m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    const std::string path = head.request.target.substr(0, head.request.target.find('?'));
    m_dialect = head.request.method == "POST" ? attach::dialectOfPath(path) : nullptr;
    m_began = monotonicNow();
    const QNetworkRequest request = upstream(head);
    const QByteArray verb = bytesOf(head.request.method);
    // Only with its own function does Qt expect no body after HEAD.
    m_reply.reset(head.request.method == "HEAD" ? m_manager.head(request)
                      : head.body_size > 0 ? m_manager.sendCustomRequest(request, verb, body.get())
                                           : m_manager.sendCustomRequest(request, verb));
    m_body = body.release();
    m_body->setParent(m_reply.get());
    m_reply->setReadBufferSize(kMostWaiting);
    connect(m_reply.get(), &QNetworkReply::readyRead, this, &ProxiedConnection::answerBytes);
    connect(m_reply.get(), &QNetworkReply::finished, this, &ProxiedConnection::answerEnd);
    if (m_dialect != nullptr) {
        m_number = nextNumber();
        m_recorder.began(m_number, m_began);
    }
}

void ProxiedConnection::answerHead()
{
    m_status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    const QByteArray reason =
        m_reply->attribute(QNetworkRequest::HttpReasonPhraseAttribute).toByteArray();
    const bool hasBody =
        m_request->method != "HEAD" && m_status != 204 && m_status != 304 && m_status >= 200;
    const bool sized = m_reply->hasRawHeader("Content-Length");
    m_chunked = hasBody && !sized && m_request->minor_version >= 1;
    std::string head = "HTTP/1.1 " + std::to_string(m_status) + ' ' + reason.toStdString() + "\r\n";
    for (const auto& [name, value] : m_reply->rawHeaderPairs()) {
        if (ofConnection(lowerCase(name)))
            continue;
        for (const QByteArray& one : value.split('\n')) // Qt joins Set-Cookie by these
            head += name.toStdString() + ": " + one.toStdString() + "\r\n";
    }
    if (m_chunked)
        head += "Transfer-Encoding: chunked\r\n";
    const bool stays = m_request->keepsAlive() && (m_chunked || sized || !hasBody);
    head += stays ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    m_socket->write(head);
    if (m_dialect != nullptr && m_status == 200)
        m_reader.emplace(*m_dialect,
                         attach::framingOf(lowerCase(m_reply->rawHeader("Content-Type"))), m_began);
}

void ProxiedConnection::answerBytes()
{
    if (!m_reply)
        return;
    if (m_socket->bytesToWrite() > kMostWaiting)
        return m_timer.start(m_options.idle_ms); // for the client to take some of it
    const Nanoseconds now = monotonicNow();
    if (m_status == 0) {
        if (m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt() == 0)
            return;
        answerHead();
    }
    const QByteArray bytes = m_reply->read(kMostWaiting);
    if (bytes.isEmpty())
        return;
    m_timer.stop();
    m_sent += bytes.size();
    const std::string_view text(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    if (m_chunked)
        m_socket->write(QByteArray::number(bytes.size(), 16).toStdString() + "\r\n");
    m_socket->write(text);
    if (m_chunked)
        m_socket->write("\r\n");
    m_socket->flush();
    if (m_reader && m_sent <= kMostRead)
        static_cast<void>(m_reader->feed(text, now)); // its problem is known at the end
}

void ProxiedConnection::answerEnd()
{
    if (!m_reply)
        return;
    answerBytes();
    if (m_reply->bytesAvailable() > 0)
        return; // the client takes its time
    if (m_status == 0 && m_reply->error() == QNetworkReply::NoError)
        answerHead();
    const bool cut = m_status != 0 && m_reply->error() != QNetworkReply::NoError
        && m_reply->error() < QNetworkReply::ContentAccessDenied;
    Status outcome;
    if (m_status == 0)
        outcome = Error{ErrorCode::Io,
                        "The server at " + m_options.server.endpoint.origin()
                            + " did not answer: " + m_reply->errorString().toStdString() + '.'};
    else if (cut)
        outcome = Error{ErrorCode::Io,
                        "The server broke the connection in the middle of its answer: "
                            + m_reply->errorString().toStdString() + '.'};
    else if (m_status != 200)
        outcome = Error{ErrorCode::Io,
                        "The server answered with the status " + std::to_string(m_status) + '.'};
    record(outcome);
    const bool unanswered = m_status == 0;
    const bool chunked = m_chunked;
    const bool stays = !cut && !unanswered && m_body->complete() && m_request->keepsAlive()
        && (m_chunked || m_reply->hasRawHeader("Content-Length") || m_request->method == "HEAD"
            || m_status == 204 || m_status == 304);
    m_reply->disconnect(this);
    m_reply.release()->deleteLater();
    if (unanswered)
        return refuse(502, outcome.error().message);
    if (cut)
        return close(); // without the last chunk, so that the client notices
    if (chunked)
        m_socket->write("0\r\n\r\n");
    m_socket->flush();
    if (!stays) {
        m_closing = true;
        if (m_socket->bytesToWrite() == 0)
            close();
        return;
    }
    m_timer.start(m_options.idle_ms);
    QTimer::singleShot(0, this, [this] { read(); }); // the next request may be here already
}

void ProxiedConnection::record(const Status& failure)
{
    if (m_dialect == nullptr)
        return;
    const Nanoseconds now = monotonicNow();
    session::ServerRequest request;
    request.outcome = failure;
    if (m_reader) {
        const Status finished = m_reader->finish(now);
        if (failure && !finished)
            request.outcome = finished;
        request.answer = m_reader->answer();
    }
    request.answer.asked_ns = m_began;
    request.answer.ended_ns = std::max(m_began, request.answer.ended_ns);
    if (!request.outcome)
        request.answer.ended_ns = std::max(now, request.answer.ended_ns);
    request.engine = m_options.server.engine;
    request.dialect = m_dialect->id;
    request.address = m_options.server.endpoint.origin();
    request.endpoint = m_request->target.substr(0, m_request->target.find('?'));
    request.way = "proxy";
    const attach::AskedFor asked = attach::readRequest(m_body->beginning());
    // A server with one model answers under any name.
    request.model =
        m_options.server.models.size() == 1 ? m_options.server.models.front() : asked.model;
    request.prompt = asked.prompt;
    request.max_tokens = asked.max_tokens.value_or(0);
    m_recorder.ended(m_number, std::move(request));
    m_dialect = nullptr;
}

void ProxiedConnection::stop()
{
    if (std::exchange(m_gone, true))
        return;
    if (m_reply) {
        m_reply->disconnect(this);
        m_reply->abort(); // the server stops generating
        record(Error{ErrorCode::Cancelled, "The client closed the connection."});
        m_reply.release()->deleteLater();
    }
    m_closing = true;
    m_timer.stop();
    Q_EMIT closed();
    deleteLater();
}

void ProxiedConnection::close()
{
    m_socket->close(); // announces its end
}

} // namespace ep::api
