// SPDX-License-Identifier: GPL-3.0-or-later
#include "request_watch.h"

#include "client_job.h"
#include "proxy_limits.h"

#include "ep/core/clock.h"
#include "ep/session/server_request.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>

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

Error unread(const Error& why)
{
    return {why.code, {"The server's answer %1; it was passed on.", why.message}};
}

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

// Records what is kept now.
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
        return Error{ErrorCode::Unsupported, "is longer than 64 MB"};
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
            return Status(Error{ErrorCode::Unsupported, "is longer than 64 MB"});
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

// Fills in the model, prompt and settings of the request, and notes those that are unknown.
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

} // namespace ep::api
