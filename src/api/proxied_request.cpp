// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxied_request.h"

#include "access.h"
#include "proxy_limits.h"
#include "proxy_rules.h"

#include "ep/attach/endpoint.h"
#include "ep/core/clock.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>

// How an answer travels from the server to the client.

namespace ep::api {
namespace {

constexpr int kServerLingerMs = 2000;

constexpr int kOk = 200;

} // namespace

ProxiedConnection::ProxiedConnection(std::unique_ptr<HttpSocket> socket,
                                     const ProxyOptions& options, std::uint16_t port,
                                     session::RequestRecorder& recorder, std::int64_t& kept,
                                     SessionTree& sessions, QObject* parent)
    : QObject(parent)
    , m_socket(std::move(socket))
    , m_options(options)
    , m_port(port)
    , m_recorder(recorder)
    , m_kept(kept)
    , m_sessions(sessions)
    , m_silentSince(monotonicNow())
{
    m_timer.setSingleShot(true);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, [this] { energyKnown({}); });
    connect(&m_timer, &QTimer::timeout, this, &ProxiedConnection::close);
    connect(m_socket.get(), &HttpSocket::readable, this,
            [this] { safely(&ProxiedConnection::read); });
    connect(m_socket.get(), &HttpSocket::gone, this, &ProxiedConnection::stop);
    connect(m_socket.get(), &HttpSocket::written, this,
            [this] { safely(&ProxiedConnection::wrote); });
    m_timer.start(m_options.head_ms);
}

// Steps run in the event loop, which no exception may reach: it would end the program and with it
// the connections of all other clients.
void ProxiedConnection::safely(void (ProxiedConnection::*step)())
{
    try {
        (this->*step)();
    } catch (const std::bad_alloc&) {
        fail({ErrorCode::NoMemory, "There was not enough memory to pass this request on."});
    } catch (const std::exception& unexpected) {
        fail({ErrorCode::Internal, {"Unexpected error: %1", unexpected.what()}});
    }
}

void ProxiedConnection::fail(const Error& why)
{
    try {
        giveUp(why, true);
    } catch (const std::exception&) { // no memory even for the sentence
        m_watch.reset();
        close();
    }
}

std::optional<int> ProxiedConnection::idleness() const
{
    if (m_closing)
        return std::nullopt;
    if (!busy())
        return m_asked ? 1 : 0;
    const bool clientMoves = m_socket->bytesToWrite() > 0 || !m_body->complete();
    return clientMoves ? std::optional(2) : std::nullopt;
}

void ProxiedConnection::wrote()
{
    m_silentSince = monotonicNow();
    if (m_timer.isActive())
        m_timer.start();
    if (m_closing && m_socket->bytesToWrite() == 0) {
        if (m_socket->ended())
            return close();
        // Closes only the sending side, so that a client that is still sending can read the answer.
        m_socket->endWriting();
        m_timer.start(kServerLingerMs);
    } else if (m_server) {
        passAnswer();
    }
}

void ProxiedConnection::read()
{
    // The bytes of a head are no sign of life: they may come one by one without an end.
    if (busy())
        m_silentSince = monotonicNow();
    if (m_closing) {
        m_socket->take(m_socket->received().size());
        if (m_socket->ended() && m_socket->bytesToWrite() == 0)
            close();
        return;
    }
    if (m_awaited && !m_server) // another request already waits
        return;
    if (m_server) { // the next request waits
        passBody();
        if (m_server && m_socket->ended() && !m_body->complete() && m_socket->received().empty())
            stop();
        return;
    }
    const auto head = parseHead(m_socket->received(), kMaxProxiedHead,
                                std::numeric_limits<std::size_t>::max(), HeadUse::Pass);
    if (!head) {
        if (m_socket->ended())
            close();
        return;
    }
    HttpRefusal refusal = head->refusal;
    if (!refusal)
        refusal = checkOrigin(head->request, m_port);
    if (!refusal && head->request.asksUpgrade("websocket"))
        refusal = {426, "No WebSocket can pass here; send the request over HTTP."};
    if (refusal)
        return refuse(refusal.status, refusal.message);
    const std::string text(m_socket->received().substr(0, head->size));
    m_socket->take(head->size);
    pass(*head, text);
}

void ProxiedConnection::refuse(int status, const std::string& message)
{
    HttpResponse response = errorResponse(status, message);
    if (status == 426) // RFC 9110, 15.5.22
        response.headers.emplace_back("Upgrade", "HTTP/1.1");
    m_socket->write(serialise(response, false, m_request.method != "HEAD"));
    m_socket->flush();
    m_closing = true;
    m_timer.start(m_options.idle_ms);
    wrote();
}

Status ProxiedConnection::connectToServer()
{
    const auto descriptor = attach::beginConnecting(m_options.server.endpoint);
    if (!descriptor)
        return descriptor.error();
    m_server = std::make_unique<HttpSocket>(*descriptor);
    m_server->readPastWriteErrors();
    const auto passes = [this] { safely(&ProxiedConnection::passAnswer); };
    connect(m_server.get(), &HttpSocket::readable, this, passes);
    connect(m_server.get(), &HttpSocket::gone, this, passes);
    connect(m_server.get(), &HttpSocket::written, this,
            [this] { safely(&ProxiedConnection::passBody); });
    return {};
}

void ProxiedConnection::pass(const ParsedHead& head, std::string_view text)
{
    m_request = head.request;
    m_asked = true;
    m_silentSince = monotonicNow();
    m_body.emplace(head.chunked ? attach::BodyFraming{attach::BodyEnd::Chunks}
                                : attach::BodyFraming{attach::BodyEnd::Length, head.body_size});
    m_bodyChunked = head.chunked;
    m_bodySent = m_body->complete();
    m_answerBody.reset();
    m_energy.reset();
    m_status = 0;
    m_interim = 0;
    if (m_request.method == "POST") {
        const std::string path = m_request.target.substr(0, m_request.target.find('?'));
        if (const auto* dialect = attach::dialectOfPath(path))
            m_watch = std::make_unique<RequestWatch>(*dialect, m_request, m_options.server,
                                                     m_recorder, m_kept, m_sessions);
        else
            Q_EMIT passedUnmeasured(QString::fromStdString(path));
    }
    if (const Status connecting = connectToServer(); !connecting)
        return giveUp(connecting.error(), false);
    if (head.expects_continue && !m_bodySent)
        m_socket->write("HTTP/1.1 100 Continue\r\n\r\n");
    m_server->write(forwardedRequest(text, head, m_options.server.endpoint));
    passBody();
    watchClient();
}

// Passes as much of the request's body as the server takes.
void ProxiedConnection::passBody()
{
    if (!m_server)
        return;
    while (!m_body->complete() && !m_socket->received().empty()
           && m_server->bytesToWrite() < kMaxWaiting) {
        std::string piece;
        const auto used = m_body->read(m_socket->received(), piece);
        if (!used)
            return giveUp(
                {ErrorCode::InvalidInput, {"The body of the request %1.", used.error().message}},
                true);
        if (*used == 0)
            break;
        m_socket->take(*used);
        if (m_watch)
            m_watch->asked(piece);
        sendPiece(*m_server, piece, m_bodyChunked);
        m_timer.stop();
    }
    if (m_body->complete() && !std::exchange(m_bodySent, true) && m_bodyChunked)
        m_server->write(attach::kLastChunk);
    m_server->flush();
    watchClient();
}

void ProxiedConnection::sendPiece(HttpSocket& socket, std::string_view piece, bool chunked)
{
    if (piece.empty())
        return;
    if (chunked)
        socket.write(attach::chunkHead(piece.size()));
    socket.write(piece);
    if (chunked)
        socket.write("\r\n");
}

// Closes the connection to the server, which makes it stop generating.
void ProxiedConnection::release()
{
    m_watch.reset();
    if (!m_server)
        return;
    m_server->disconnect(this);
    m_server->close();
    m_server.release()->deleteLater();
}

// The client decides how long it waits for the server, but it has to keep sending and receiving.
void ProxiedConnection::watchClient()
{
    if (!m_server)
        return;
    const bool waits = m_socket->bytesToWrite() > 0
        || (!m_body->complete() && m_server->bytesToWrite() < kMaxWaiting);
    if (!waits)
        m_timer.stop();
    else if (!m_timer.isActive())
        m_timer.start(m_options.idle_ms);
}

void ProxiedConnection::stop()
{
    if (std::exchange(m_gone, true))
        return;
    if (m_watch)
        m_watch->end(Error{ErrorCode::Cancelled, "The client closed the connection."}, true);
    release();
    m_awaited.reset();
    disconnect(m_telling);
    m_patience.stop();
    m_closing = true;
    m_timer.stop();
    Q_EMIT closed();
    deleteLater();
}

void ProxiedConnection::close()
{
    m_socket->close(); // close() emits the end
}

bool ProxiedConnection::takeHead()
{
    const auto read = attach::readAnswerHead(m_server->received());
    if (!read)
        return false;
    const auto fail = [&](const std::string& what) {
        giveUp({ErrorCode::Io,
                {"The server at %1 sent an answer that %2.", m_options.server.endpoint.origin(),
                 what}},
               true);
        return false;
    };
    if (!*read)
        return fail(read->error().message);
    const attach::AnswerHead& head = **read;
    m_server->take(head.size);
    const auto framing = attach::bodyFramingOf(head, m_request.method == "HEAD");
    if (!framing)
        return fail(framing.error().message);
    if (head.interim()) {
        constexpr int kSwitching = 101;
        if (head.status == kSwitching || ++m_interim > attach::kMaxInterimAnswers)
            return fail(head.status == kSwitching ? "changes the protocol, which nobody asked for"
                                                  : "is never the final one");
        if (m_request.minor_version >= 1)
            m_socket->write(forwardedInterim(head));
        m_socket->flush();
        return true;
    }
    m_status = head.status;
    m_answerBody.emplace(*framing);
    const bool mayStay = m_body->complete() && !m_socket->ended();
    attach::BodyFraming passed = *framing;
    if (m_options.energy_in_answers && m_watch && passed.end != attach::BodyEnd::None) {
        if (const auto form = EnergyInsert::formOf(head)) {
            m_energy.emplace(*form, m_watch->dialect());
            passed = {attach::BodyEnd::Close}; // its length is not known yet
        }
    }
    const ForwardedAnswer forwarded = forwardedAnswer(head, passed, m_request, mayStay);
    m_answerChunked = forwarded.chunked;
    m_stays = forwarded.stays;
    m_socket->write(forwarded.head);
    if (m_watch)
        m_watch->answered(head);
    return true;
}

// Passes as much of the answer as the client takes.
void ProxiedConnection::passAnswer()
{
    const Nanoseconds now = monotonicNow();
    while (m_server && !m_awaited && m_socket->bytesToWrite() < kMaxWaiting
           && !m_server->received().empty()) {
        if (!m_answerBody) {
            if (!takeHead())
                break;
            continue;
        }
        std::string piece;
        const auto used = m_answerBody->read(m_server->received(), piece);
        if (!used) {
            giveUp({ErrorCode::Io,
                    {"The server at %1 sent an answer that %2.", m_options.server.endpoint.origin(),
                     used.error().message}},
                   true);
            break;
        }
        if (*used == 0)
            break;
        m_server->take(*used);
        sendPiece(*m_socket, m_energy ? m_energy->pass(piece) : piece, m_answerChunked);
        m_socket->flush();
        if (m_watch)
            m_watch->received(piece, now);
        if (m_answerBody->complete())
            break;
        if (m_energy && m_watch && m_energy->reached())
            endWatch(); // the server may keep its answer open for as long as it likes
    }
    if (!m_server || m_awaited)
        return;
    if (m_answerBody && m_answerBody->complete())
        return answerEnd();
    // The rest may still wait for the client to take it.
    const bool waits = m_socket->bytesToWrite() >= kMaxWaiting;
    if ((m_server->ended() || m_server->broken()) && !waits)
        return serverEnded();
    watchClient();
}

void ProxiedConnection::serverEnded()
{
    if (m_answerBody && m_server->error() == 0 && m_answerBody->endWithConnection())
        return answerEnd();
    const int error = m_server->error();
    const std::string why =
        (error == 0 ? "it closed the connection" : std::strerror(error)) + std::string(".");
    giveUp({ErrorCode::Io,
            m_answerBody
                ? Message("The server broke the connection in the middle of its answer: %1", why)
                : Message("The server at %1 did not answer: %2", m_options.server.endpoint.origin(),
                          why)},
           error != ECONNREFUSED);
}

void ProxiedConnection::giveUp(const Error& why, bool reached)
{
    if (m_watch)
        m_watch->end(why, reached);
    const bool answered = m_answerBody.has_value();
    const bool asksWrongly = why.code == ErrorCode::InvalidInput;
    release();
    if (!answered)
        return refuse(asksWrongly ? 400 : why.code == ErrorCode::NoMemory ? 503 : 502, why.message);
    // Closing tells the client that the answer is incomplete.
    m_closing = true;
    m_socket->flush();
    close();
}

void ProxiedConnection::answerEnd()
{
    endWatch();
    release();
    if (m_awaited)
        return;
    finishBody();
    finishAnswer();
}

// Ends the request's measurement. Its energy, if it goes into the answer, may be known at once.
void ProxiedConnection::endWatch()
{
    if (!m_watch)
        return;
    if (m_energy) {
        m_awaited = m_watch->number();
        m_telling = connect(&m_recorder, &session::RequestRecorder::measured, this,
                            [this](quint64 measured, const session::RequestFigures& figures) {
                                if (m_awaited == measured)
                                    energyKnown(energyJson(figures));
                            });
        // Samples that cover the end arrive within one interval.
        constexpr int kMoreMs = 1000;
        m_patience.start(2 * m_options.recorder.run.interval_ms + kMoreMs);
    }
    const auto watch = std::move(m_watch);
    m_ending = true;
    watch->end(m_status == kOk
                   ? Status()
                   : Error{ErrorCode::Io, {"The server answered with the status %1.", m_status}},
               true);
    m_ending = false;
}

void ProxiedConnection::finishBody()
{
    if (m_answerChunked)
        m_socket->write(attach::kLastChunk);
    m_socket->flush();
}

void ProxiedConnection::energyKnown(const std::string& energy)
{
    m_awaited.reset();
    disconnect(m_telling);
    m_patience.stop();
    sendPiece(*m_socket, m_energy->end(energy), m_answerChunked);
    m_energy.reset();
    m_socket->flush();
    if (!m_ending) // otherwise the step that ended the measurement continues
        safely(&ProxiedConnection::continueReading);
}

void ProxiedConnection::continueReading()
{
    if (m_gone || m_closing)
        return;
    if (m_server) {
        read(); // the rest of the request's body
        return passAnswer();
    }
    finishBody();
    finishAnswer();
}

// Continues with the next request, or ends the connection.
void ProxiedConnection::finishAnswer()
{
    m_answerBody.reset();
    if (m_stays && m_body->complete()) {
        m_timer.start(m_options.idle_ms);
        m_silentSince = monotonicNow();
        QTimer::singleShot(0, this, [this] { // the next request may already have arrived
            if (!m_server && !m_closing)
                safely(&ProxiedConnection::read);
        });
        return;
    }
    m_closing = true;
    m_timer.start(m_options.idle_ms);
    wrote();
}

} // namespace ep::api
