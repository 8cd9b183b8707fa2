// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxied_request.h"

#include "access.h"
#include "proxy_limits.h"

#include "ep/attach/endpoint.h"
#include "ep/core/clock.h"
#include "ep/core/word_list.h"
#include "ep/session/server_request.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <limits>
#include <new>
#include <utility>
#include <vector>

// How an answer travels from the server to the client.

namespace ep::api {

namespace {

std::uint64_t nextNumber()
{
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
}

Error noRoom()
{
    return {ErrorCode::NoMemory, "needs more memory than there is"};
}

Error tooLong(std::size_t mostBytes)
{
    return {ErrorCode::Unsupported, {"is longer than %1 MB", mostBytes / kMegabyte}};
}

Error unread(const Error& why)
{
    return {why.code, {"The server's answer %1; it was passed on.", why.message}};
}

struct ForwardedAnswer {
    std::string head;
    bool chunked = false; // the body is sent in chunks
    bool stays = false; // the connection stays open after the answer
};

using attach::BodyEnd;
using attach::HttpField;
using attach::sameFieldName;

// The proxy edits the heads that it forwards (RFC 9110, 7.6; RFC 9112): only the fields that
// concern a single connection change. All other bytes are passed on as they are, in order.

// Fields that apply to one connection only. Each connection gets framing of its own.
constexpr auto kConnectionFields = wordList<9>(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer "
    "transfer-encoding upgrade");

// Whether a field ends at this proxy; `named` holds the options of the Connection field.
bool endsHere(std::string_view name, const std::vector<std::string_view>& named)
{
    const auto same = [&](std::string_view one) { return sameFieldName(name, one); };
    return std::ranges::any_of(kConnectionFields, same) || std::ranges::any_of(named, same);
}

std::string statusLine(const attach::AnswerHead& answer)
{
    return "HTTP/1.1 " + std::to_string(answer.status) + ' ' + answer.reason + "\r\n";
}

std::string lineOf(const HttpField& field)
{
    return field.first + ": " + field.second + "\r\n";
}

// The head of a request as sent to the server. `head` is the parsed text, with its blank line.
std::string forwardedRequest(std::string_view head, const ParsedHead& parsed,
                             const attach::Endpoint& server)
{
    constexpr std::size_t kScheme = std::string_view("http://").size();
    const HttpRequest& request = parsed.request;
    const auto named = attach::listIn(request.headers, "connection");
    std::string text = request.method + ' ' + request.target
        + " HTTP/1.1\r\nHost: " + server.origin().substr(kScheme) + "\r\n";
    head.remove_prefix(head.find("\r\n") + 2);
    for (const auto& [name, value] : request.headers) { // one name for each line
        const std::string_view line = head.substr(0, head.find("\r\n") + 2);
        head.remove_prefix(line.size());
        const bool rewritten = name == "host" || name == "expect" || name == "content-length";
        if (!rewritten && !endsHere(name, named))
            text += line;
    }
    if (parsed.chunked)
        text += "Transfer-Encoding: chunked\r\n";
    else if (request.header("content-length"))
        text += "Content-Length: " + std::to_string(parsed.body_size) + "\r\n";
    return text + "Connection: close\r\n\r\n";
}

// `mayStay`: there is no other reason to close the client's connection.
ForwardedAnswer forwardedAnswer(const attach::AnswerHead& answer,
                                const attach::BodyFraming& framing, const HttpRequest& request,
                                bool mayStay)
{
    constexpr int kNoContent = 204;
    ForwardedAnswer forwarded;
    const bool streamed = framing.end == BodyEnd::Chunks || framing.end == BodyEnd::Close;
    forwarded.chunked = streamed && request.minor_version >= 1;
    forwarded.stays = mayStay && request.keepsAlive() && (!streamed || forwarded.chunked);
    // HEAD and 304 state a length without sending a body.
    bool statesLength = framing.end == BodyEnd::Length
        || (framing.end == BodyEnd::None && answer.status != kNoContent
            && !answer.field("transfer-encoding"));
    const auto named = attach::listIn(answer.fields, "connection");
    forwarded.head = statusLine(answer);
    for (const HttpField& field : answer.fields) {
        if (sameFieldName(field.first, "content-length")) {
            if (statesLength) {
                const auto length = attach::lengthIn(attach::listIn(answer.fields, field.first));
                forwarded.head += lineOf({field.first, std::to_string(length.value_or(0))});
            }
            statesLength = false; // only once
        } else if (!endsHere(field.first, named)) {
            forwarded.head += lineOf(field);
        }
    }
    if (forwarded.chunked)
        forwarded.head += "Transfer-Encoding: chunked\r\n";
    forwarded.head +=
        forwarded.stays ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
    return forwarded;
}

// The head of an interim answer (1xx).
std::string forwardedInterim(const attach::AnswerHead& answer)
{
    const auto named = attach::listIn(answer.fields, "connection");
    std::string text = statusLine(answer);
    for (const HttpField& field : answer.fields) {
        if (!sameFieldName(field.first, "content-length") && !endsHere(field.first, named))
            text += lineOf(field);
    }
    return text + "\r\n";
}

constexpr int kServerLingerMs = 2000;

constexpr int kOk = 200;

} // namespace

RequestWatch::RequestWatch(const attach::Dialect& dialect, const HttpRequest& request,
                           const attach::FoundServer& server, session::RequestRecorder& recorder,
                           std::int64_t& kept, SessionTree& sessions)
    : m_dialect(dialect)
    , m_target(request.target)
    , m_sessions(sessions)
    , m_job(jobOfHead(request, sessions))
    , m_server(server)
    , m_recorder(recorder)
    , m_kept(kept)
    , m_number(nextNumber())
    , m_began(monotonicNow())
    , m_bodyDecoder(attach::ContentCoding::Identity)
    , m_decoder(attach::ContentCoding::Identity)
{
    if (const auto coding = attach::contentCodingOf(request.headers))
        m_bodyDecoder = attach::ContentDecoder(*coding);
    else
        m_unreadBody = coding.error();
    m_recorder.began(m_number, m_began);
}

RequestWatch::~RequestWatch()
{
    m_kept -= m_own;
}

bool RequestWatch::mayKeep(std::size_t bytes)
{
    return m_kept + static_cast<std::int64_t>(bytes) <= kMaxKeptTogether;
}

// Updates the number of bytes that are kept.
void RequestWatch::recount()
{
    const auto own = static_cast<std::int64_t>(
        m_body.capacity() + m_bodyDecoder.heldBytes() + m_decoder.heldBytes()
        + (m_scan ? m_scan->heldBytes() : 0) + (m_reader ? m_reader->heldBytes() : 0));
    m_kept += own - std::exchange(m_own, own);
}

void RequestWatch::asked(std::string_view bytes)
{
    if (!m_unreadBody)
        return;
    try {
        m_unreadBody =
            m_bodyDecoder.decode(bytes, [this](std::string_view text) { return keep(text); });
        recount();
        if (!mayKeep(0)) // the decoder may need more memory than its output
            forgetBody();
    } catch (const std::bad_alloc&) { // the request itself passes
        forgetBody();
    }
    if (!m_unreadBody)
        m_bodyDecoder = attach::ContentDecoder(attach::ContentCoding::Identity);
    recount();
}

void RequestWatch::forgetBody()
{
    m_unreadBody = noRoom();
    m_scan.reset();
    m_body = {};
}

Status RequestWatch::keep(std::string_view text)
{
    m_bodyRead += text.size();
    if (m_bodyRead > kMaxReadBody)
        return tooLong(kMaxReadBody);
    if (!m_scan && (m_bodyRead > kMaxKeptBody || !mayKeep(text.size()))) {
        m_scan.emplace().feed(m_body);
        m_body = {};
    }
    if (m_scan)
        m_scan->feed(text);
    else
        m_body += text;
    recount();
    return mayKeep(0) ? Status() : Status(noRoom());
}

void RequestWatch::answered(const attach::AnswerHead& head)
{
    constexpr int kStatusOk = 200;
    if (head.status != kStatusOk)
        return;
    const auto coding = attach::contentCodingOf(head.fields);
    if (!coding) {
        m_problem = unread(coding.error());
        return;
    }
    m_decoder = attach::ContentDecoder(*coding);
    m_reader.emplace(m_dialect, attach::framingOf(head.field("content-type").value_or("")),
                     m_began);
}

void RequestWatch::received(std::string_view bytes, Nanoseconds atNs)
{
    if (!m_reader || !m_problem)
        return;
    try {
        read(bytes, atNs);
        recount();
        if (m_problem && !mayKeep(0))
            m_problem = unread(noRoom());
    } catch (const std::bad_alloc&) { // the answer itself passes
        m_problem = unread(noRoom());
    }
    if (!m_problem)
        m_decoder = attach::ContentDecoder(attach::ContentCoding::Identity);
    recount();
}

void RequestWatch::read(std::string_view bytes, Nanoseconds atNs)
{
    bool complaint = false; // whether the reader itself reported the error
    const Status decoded = m_decoder.decode(bytes, [&](std::string_view text) {
        m_read += static_cast<std::int64_t>(text.size());
        if (m_read > attach::kMaxAnswerBytes)
            return Status(tooLong(attach::kMaxAnswerBytes));
        if (!mayKeep(text.size()))
            return Status(Error{ErrorCode::NoMemory,
                                "came while too many other long answers were being received"});
        const Status fed = m_reader->feed(text, atNs);
        complaint = !fed;
        recount();
        return fed;
    });
    if (!decoded)
        m_problem = complaint ? decoded : unread(decoded.error());
}

void RequestWatch::end(const Status& outcome, bool reached)
{
    if (std::exchange(m_ended, true))
        return;
    const Nanoseconds now = monotonicNow();
    session::ServerRequest request;
    request.outcome = outcome && !m_problem ? m_problem : outcome;
    if (m_reader) {
        const Status finished = m_reader->finish(now);
        if (request.outcome && !finished)
            request.outcome = finished;
        request.answer = m_reader->takeAnswer();
    }
    request.reached = reached;
    request.answer.asked_ns = m_began;
    request.answer.ended_ns = std::max(m_began, request.answer.ended_ns);
    if (!request.outcome)
        request.answer.ended_ns = std::max(now, request.answer.ended_ns);
    request.engine = m_server.engine;
    request.dialect = m_dialect.id;
    request.address = m_server.endpoint.origin();
    request.endpoint = m_target.substr(0, m_target.find('?'));
    request.way = "proxy";
    try {
        readAsked(request);
    } catch (const std::bad_alloc&) { // the run is made without the request's settings
        request.notes.emplace_back("There was not enough memory to read the request.");
    }
    m_recorder.ended(m_number, std::move(request));
}

// Fills in the model, prompt and settings of the request, and notes which of them are unknown.
void RequestWatch::readAsked(session::ServerRequest& request) const
{
    const std::string body = m_scan ? m_scan->reduced() : m_body;
    attach::AskedFor asked = attach::readRequest(body);
    // A server with a single model answers to any model name.
    request.model = m_server.models.size() == 1 ? m_server.models.front() : asked.model;
    request.prompt = asked.prompt;
    request.follows = usableJob(asked.follows);
    request.job = m_job.empty() ? jobOfBody(body, m_sessions) : m_job;
    request.max_tokens = asked.max_tokens.value_or(0);
    request.sequences = asked.sequences;
    if (!m_scan)
        request.conversation = std::move(asked.conversation);
    if (!m_unreadBody)
        request.notes.emplace_back("The request %1, so it was not read to its end.",
                                   m_unreadBody.error().message);
    else if (m_scan)
        request.notes.emplace_back(
            "The request is too long to be kept (%1 KB): only its model, its last question and "
            "its limits were read.",
            m_bodyRead / kKilobyte);
}

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
    // The bytes of a head do not prove that the client is alive: they may come one by one without
    // end.
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
    const auto fail = [&](const Message& what) {
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
        return refuse(asksWrongly                           ? 400
                          : why.code == ErrorCode::NoMemory ? 503
                                                            : 502,
                      why.message.english());
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
                            [this](quint64 measured, const RunSummary& run) {
                                if (m_awaited == measured)
                                    energyKnown(energyJson(run));
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
