// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/http_client.h"

#include "ep/attach/content_coding.h"
#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/utf8.h"
#include "ep/json/document.h"

#include <array>
#include <cerrno>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ep::attach {

namespace {

constexpr std::size_t kReadBuffer = 64 * 1024; // the rest stays with the server
constexpr int kCheckMs = 20;
constexpr std::size_t kMaxComplaint = 4096;
constexpr int kOk = 200;
constexpr int kNotFound = 404;
#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0; // macOS: SO_NOSIGPIPE has the same effect
#endif

bool isTemporary(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOTCONN;
}

std::string requestOf(const HttpAsk& ask)
{
    constexpr std::size_t kScheme = std::string_view("http://").size();
    std::string text = (ask.body.empty() ? "GET " : "POST ") + ask.path
        + " HTTP/1.1\r\nHost: " + ask.endpoint.origin().substr(kScheme)
        + "\r\nUser-Agent: energy-profiler\r\nAccept: */*\r\n"
          "Accept-Encoding: identity\r\nConnection: close\r\n"; // so that parts arrive as sent
    if (!ask.token.empty())
        text += "Authorization: Bearer " + ask.token + "\r\n";
    if (!ask.body.empty())
        text += "Content-Type: application/json\r\nContent-Length: "
            + std::to_string(ask.body.size()) + "\r\n";
    return text + "\r\n" + ask.body;
}

// The message inside an error that the server sent as JSON; empty if there is none.
std::string complaintIn(std::string_view body)
{
    constexpr std::size_t kLongest = 300;
    const auto json = json::parse(body);
    if (!json || !json->is_object())
        return {};
    const json::Json* error = json->contains("error") ? &json->at("error") : &*json;
    if (error->is_object()) {
        const auto message = error->find("message");
        error = message != error->end() ? &*message : nullptr;
    }
    if (error == nullptr || !error->is_string())
        return {};
    std::string text = previewUtf8(replaceInvalidUtf8(error->get<std::string>()), kLongest);
    for (char& c : text)
        c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    return text;
}

// Performs one request and reads its answer.
class Exchange {
public:
    Exchange(const HttpAsk& ask, const AnswerHandlers& handlers, const CancelToken& cancel)
        : m_ask(ask)
        , m_handlers(handlers)
        , m_cancel(cancel)
        , m_request(requestOf(ask))
        , m_decoder(ContentCoding::Identity)
    {
    }
    ~Exchange()
    {
        if (m_socket >= 0)
            ::close(m_socket);
    }
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    Status run()
    {
        m_begin = m_newest = monotonicNow();
        if (m_handlers.sending)
            m_handlers.sending(m_begin);
        const auto socket = beginConnecting(m_ask.endpoint);
        if (!socket)
            return socket.error();
        m_socket = *socket;
        while (!m_complete) {
            if (const Status fine = check(); !fine)
                return fine;
            const short sends = m_sent < m_request.size() ? POLLOUT : 0;
            pollfd waiting{m_socket, static_cast<short>(POLLIN | sends), 0};
            if (::poll(&waiting, 1, kCheckMs) <= 0)
                continue;
            // Reads first, because an answer may have arrived before the connection broke.
            if ((waiting.revents & ~POLLOUT) != 0) {
                if (const Status read = receive(); !read)
                    return read;
            } else if ((waiting.revents & POLLOUT) != 0) {
                send();
            }
        }
        return conclusion();
    }

private:
    std::string server() const { return m_ask.endpoint.origin(); }
    Error problem(const Error& what) const
    {
        return {what.code, {"The server at %1 sent an answer that %2.", server(), what.message}};
    }

    void send()
    {
        const ssize_t count =
            ::send(m_socket, m_request.data() + m_sent, m_request.size() - m_sent, kSendFlags);
        if (count > 0)
            m_sent += static_cast<std::size_t>(count);
        else if (count < 0 && !isTemporary(errno))
            m_sent = m_request.size(); // reading then returns the reason, or the answer
    }

    Status receive()
    {
        std::array<char, kReadBuffer> bytes;
        const ssize_t count = ::recv(m_socket, bytes.data(), kReadBuffer - m_received.size(), 0);
        const int error = errno;
        if (count < 0)
            return isTemporary(error) ? Status() : connectionError(m_ask.endpoint, error);
        m_newest = monotonicNow();
        if (count > 0) {
            m_received.append(bytes.data(), static_cast<std::size_t>(count));
            return take();
        }
        if (!m_body || !m_body->endWithConnection())
            return connectionError(m_ask.endpoint, 0);
        m_complete = true;
        return {};
    }

    // Processes everything received so far.
    Status take()
    {
        while (!m_body) {
            auto head = readAnswerHead(m_received);
            if (!head)
                return {};
            if (!*head)
                return problem(head->error());
            m_received.erase(0, (*head)->size);
            if ((*head)->interim()) {
                if (++m_interim > kMaxInterimAnswers)
                    return problem({ErrorCode::Io, "is never the final one"});
                continue;
            }
            if (const Status taken = takeHead(**head); !taken)
                return taken;
        }
        std::string body;
        const auto used = m_body->read(m_received, body);
        if (!used)
            return problem(used.error());
        m_received.erase(0, *used);
        m_complete = m_body->complete();
        if (m_status != kOk) {
            if (m_complaint.size() < kMaxComplaint)
                m_complaint += body;
            return {};
        }
        const Status decoded = m_decoder.decode(body, [this](std::string_view bytes) {
            m_size += static_cast<std::int64_t>(bytes.size());
            if (m_size > m_ask.limits.answer_bytes)
                return Status(Error{ErrorCode::Io,
                                    {"The server at %1 sent more than %2 and did not stop.",
                                     server(), formatBytes(m_ask.limits.answer_bytes)}});
            const Status taken = m_handlers.bytes(bytes, m_newest);
            m_refused = m_refused || !taken;
            return taken;
        });
        if (decoded || m_refused || m_size > m_ask.limits.answer_bytes)
            return decoded;
        return problem(decoded.error());
    }

    Status takeHead(const AnswerHead& head)
    {
        const auto framing = bodyFramingOf(head, false);
        if (!framing)
            return problem(framing.error());
        m_body.emplace(*framing);
        m_status = head.status;
        if (m_status != kOk)
            return {};
        const auto coding = contentCodingOf(head.fields);
        if (!coding)
            return problem(coding.error());
        m_decoder = ContentDecoder(*coding);
        return m_handlers.head(head);
    }

    Status conclusion() const
    {
        if (m_status >= 300 && m_status < 400)
            return Error{ErrorCode::Io,
                         {"The server at %1 redirects to another address, which is not followed; "
                          "give the address of the server itself.",
                          server()}};
        if (m_status == kOk)
            return {};
        const std::string complaint = complaintIn(m_complaint);
        return Error{m_status == kNotFound ? ErrorCode::NotFound : ErrorCode::Io,
                     complaint.empty()
                         ? ep::Message("The server at %1 answered %2 with the error %3.", server(),
                                       m_ask.path, m_status)
                         : ep::Message("The server at %1 answered %2 with the error %3: %4",
                                       server(), m_ask.path, m_status, complaint)};
    }

    Status check() const
    {
        const Nanoseconds now = monotonicNow();
        const int patience = m_size == 0 ? m_ask.limits.first_byte_ms : m_ask.limits.silence_ms;
        if (m_cancel.cancelled())
            return Error{ErrorCode::Cancelled, "Cancelled."};
        if (now - m_newest > patience * kNsPerMs)
            return Error{ErrorCode::Io,
                         {"The server at %1 has sent nothing for %2.", server(),
                          formatDuration(patience * kNsPerMs)}};
        if (now - m_begin > m_ask.limits.total_ms * kNsPerMs)
            return Error{ErrorCode::Io,
                         {"The server at %1 did not finish within %2.", server(),
                          formatDuration(m_ask.limits.total_ms * kNsPerMs)}};
        return {};
    }

    const HttpAsk& m_ask;
    const AnswerHandlers& m_handlers;
    const CancelToken& m_cancel;
    const std::string m_request;
    ContentDecoder m_decoder;
    std::optional<BodyReader> m_body; // absent until the final head has arrived
    std::string m_received; // received and not used yet
    std::string m_complaint;
    std::size_t m_sent = 0; // bytes of the request sent so far
    Nanoseconds m_begin = 0;
    Nanoseconds m_newest = 0;
    std::int64_t m_size = 0; // size of the decompressed body
    int m_socket = -1;
    int m_status = 0;
    int m_interim = 0;
    bool m_complete = false;
    bool m_refused = false; // the handler of bytes refused more
};

} // namespace

Status perform(const HttpAsk& ask, const AnswerHandlers& handlers, const CancelToken& cancel)
{
    return Exchange(ask, handlers, cancel).run();
}

Result<std::string> fetch(const HttpAsk& ask, const CancelToken& cancel)
{
    std::string body;
    const Status fetched = perform(ask,
                                   {.head = [](const AnswerHead&) { return Status(); },
                                    .bytes =
                                        [&](std::string_view bytes, Nanoseconds) {
                                            body += bytes;
                                            return Status();
                                        }},
                                   cancel);
    if (!fetched)
        return fetched.error();
    return body;
}

} // namespace ep::attach
