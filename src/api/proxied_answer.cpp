// SPDX-License-Identifier: GPL-3.0-or-later
#include "proxied_request.h"
#include "proxy_limits.h"
#include "proxy_rules.h"

#include "ep/core/clock.h"

#include <cerrno>
#include <cstring>
#include <string>

// How an answer travels from the server to the client.
namespace ep::api {

namespace {

constexpr int kOk = 200;

} // namespace

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
            m_answerBody ? "The server broke the connection in the middle of its answer: " + why
                         : "The server at " + m_options.server.endpoint.origin()
                    + " did not answer: " + why},
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
        m_patience.start(2 * m_options.recorder.interval_ms + kMoreMs);
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
