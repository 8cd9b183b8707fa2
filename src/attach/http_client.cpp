// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/http_client.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/utf8.h"
#include "ep/json/document.h"

#include <QEventLoop>
#include <QNetworkAccessManager>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QNetworkRequest>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>

namespace ep::attach {

namespace {

constexpr qint64 kMostWaiting = 1 << 20; // bytes of an answer
constexpr int kCheckMs = 20;
constexpr Nanoseconds kMs = 1'000'000;
constexpr std::int64_t kMostComplaint = 4096;

QNetworkRequest requestOf(const HttpAsk& ask)
{
    QNetworkRequest request(QUrl(QString::fromStdString(ask.endpoint.origin() + ask.path)));
    request.setAttribute(QNetworkRequest::RedirectPolicyAttribute,
                         QNetworkRequest::ManualRedirectPolicy);
    request.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setRawHeader("User-Agent", "energy-profiler");
    request.setRawHeader("Accept-Encoding", "identity"); // so that parts arrive as they are sent
    if (!ask.body.empty())
        request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/json"));
    if (!ask.token.empty())
        request.setRawHeader("Authorization", QByteArray::fromStdString("Bearer " + ask.token));
    return request;
}

// The text of an error in JSON, if it is one.
std::string complaintIn(const QByteArray& body)
{
    constexpr std::size_t kLongest = 300;
    const auto json =
        json::parse(std::string_view(body.constData(), static_cast<std::size_t>(body.size())));
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

// One request and its answer, in the thread and event loop of perform().
class Exchange : public QObject {
public:
    Exchange(const HttpAsk& ask, const AnswerHandlers& handlers, const CancelToken& cancel)
        : m_ask(ask)
        , m_handlers(handlers)
        , m_cancel(cancel)
    {
        m_manager.setProxy(QNetworkProxy::NoProxy);
        connect(&m_check, &QTimer::timeout, this, [this] { check(); });
    }

    Status run()
    {
        const QNetworkRequest request = requestOf(m_ask);
        const QByteArray body = QByteArray::fromStdString(m_ask.body);
        m_begin = m_newest = monotonicNow();
        if (m_handlers.sending)
            m_handlers.sending(m_begin);
        m_reply.reset(body.isEmpty() ? m_manager.get(request) : m_manager.post(request, body));
        // Without a limit, a server that never pauses is read for ever and nothing is handed over.
        m_reply->setReadBufferSize(kMostWaiting);
        connect(m_reply.get(), &QNetworkReply::readyRead, this, [this] { read(); });
        connect(m_reply.get(), &QNetworkReply::finished, this, [this] { end(); });
        m_check.start(kCheckMs);
        m_loop.exec();
        m_reply->disconnect(this);
        m_reply->abort();
        return *m_outcome;
    }

private:
    void stop(Status outcome)
    {
        if (!m_outcome)
            m_outcome = std::move(outcome);
        m_loop.quit();
    }

    int status() const
    {
        return m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    }

    std::string server() const { return "The server at " + m_ask.endpoint.origin(); }

    // False: the answer is an error, whose body is collected.
    bool takeHead()
    {
        if (!m_headTaken) {
            m_headTaken = true;
            m_good = status() == 200;
            if (m_good) {
                const auto type =
                    m_reply->header(QNetworkRequest::ContentTypeHeader).toString().toLower();
                if (const Status taken = m_handlers.head(type.toStdString()); !taken)
                    stop(taken);
            }
        }
        return m_good;
    }

    void read()
    {
        if (m_outcome)
            return;
        const Nanoseconds now = monotonicNow();
        m_newest = now;
        const bool good = takeHead();
        const QByteArray bytes = m_reply->readAll();
        m_received += bytes.size();
        if (!good) {
            if (m_complaint.size() < kMostComplaint)
                m_complaint += bytes;
            return;
        }
        if (m_outcome)
            return;
        if (m_received > m_ask.limits.answer_bytes)
            return stop(Error{ErrorCode::Io,
                              server() + " sent more than " + formatBytes(m_ask.limits.answer_bytes)
                                  + " and did not stop."});
        if (const Status taken =
                m_handlers.bytes({bytes.constData(), static_cast<std::size_t>(bytes.size())}, now);
            !taken)
            stop(taken);
    }

    void end()
    {
        if (m_outcome)
            return;
        if (status() != 0 && m_reply->bytesAvailable() > 0)
            read();
        if (m_outcome)
            return;
        const int code = status();
        if (code >= 300 && code < 400)
            return stop(Error{ErrorCode::Io,
                              server()
                                  + " redirects to another address, which is not followed; "
                                    "give the address of the server itself."});
        if (code != 0 && code != 200) {
            const std::string complaint = complaintIn(m_complaint);
            return stop(Error{code == 404 ? ErrorCode::NotFound : ErrorCode::Io,
                              server() + " answered " + m_ask.path + " with the error "
                                  + std::to_string(code)
                                  + (complaint.empty() ? "." : ": " + complaint)});
        }
        if (m_reply->error() == QNetworkReply::ConnectionRefusedError)
            return stop(Error{ErrorCode::NotFound,
                              "There is no server at " + m_ask.endpoint.origin()
                                  + "; start it, or give its address."});
        if (m_reply->error() != QNetworkReply::NoError || code == 0)
            return stop(Error{
                ErrorCode::Io,
                server() + " broke the connection: " + m_reply->errorString().toStdString() + "."});
        takeHead(); // of an empty answer
        stop({});
    }

    void check()
    {
        const Nanoseconds now = monotonicNow();
        const int patience = m_received == 0 ? m_ask.limits.first_byte_ms : m_ask.limits.silence_ms;
        if (m_cancel.cancelled())
            return stop(Error{ErrorCode::Cancelled, "Cancelled."});
        if (now - m_newest > patience * kMs)
            return stop(
                Error{ErrorCode::Io,
                      server() + " has sent nothing for " + formatDuration(patience * kMs) + "."});
        if (now - m_begin > m_ask.limits.total_ms * kMs)
            stop(Error{ErrorCode::Io,
                       server() + " did not finish within "
                           + formatDuration(m_ask.limits.total_ms * kMs) + "."});
    }

    const HttpAsk& m_ask;
    const AnswerHandlers& m_handlers;
    const CancelToken& m_cancel;
    QNetworkAccessManager m_manager;
    QEventLoop m_loop;
    QTimer m_check;
    std::unique_ptr<QNetworkReply> m_reply;
    std::optional<Status> m_outcome;
    QByteArray m_complaint;
    Nanoseconds m_begin = 0;
    Nanoseconds m_newest = 0;
    std::int64_t m_received = 0;
    bool m_headTaken = false;
    bool m_good = false;
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
                                   {.head = [](const std::string&) { return Status(); },
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
