// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client_job.h"
#include "energy_insert.h"
#include "http_message.h"
#include "http_socket.h"

#include "ep/api/proxy.h"
#include "ep/attach/answer.h"
#include "ep/attach/content_coding.h"
#include "ep/attach/http_answer.h"
#include "ep/attach/request_scan.h"
#include "ep/attach/server_search.h"
#include "ep/session/request_recorder.h"

#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace ep::api {

// Reads along while a generating request passes through the proxy, and hands it to the recorder
// at its end. Limits what it keeps of requests and answers: `kept` counts the bytes of all
// watches.
class RequestWatch {
public:
    RequestWatch(const attach::Dialect& dialect, const HttpRequest& request,
                 const attach::FoundServer& server, session::RequestRecorder& recorder,
                 std::int64_t& kept, SessionTree& sessions);
    ~RequestWatch(); // without end(), there is no run
    RequestWatch(const RequestWatch&) = delete;
    RequestWatch& operator=(const RequestWatch&) = delete;

    void asked(std::string_view bytes); // part of the request's body
    void answered(const attach::AnswerHead& head); // the final head
    void received(std::string_view bytes, Nanoseconds atNs); // part of the answer's body
    void end(const Status& outcome, bool reached); // reached: the server was reached

    std::uint64_t number() const { return m_number; } // number given by the recorder
    const attach::Dialect& dialect() const { return m_dialect; }

private:
    void read(std::string_view bytes, Nanoseconds atNs);
    Status keep(std::string_view text);
    void forgetBody();
    void readAsked(session::ServerRequest& request) const;
    bool mayKeep(std::size_t bytes);
    void recount();

    const attach::Dialect& m_dialect;
    const std::string m_target;
    SessionTree& m_sessions;
    const std::string m_job; // from the head; empty: none
    const attach::FoundServer& m_server;
    session::RequestRecorder& m_recorder;
    std::int64_t& m_kept; // bytes kept by all watches
    std::int64_t m_own = 0; // bytes kept by this watch
    const std::uint64_t m_number;
    const Nanoseconds m_began;
    std::string m_body; // of the request, decompressed, unless it is scanned
    attach::ContentDecoder m_bodyDecoder;
    std::optional<attach::RequestScan> m_scan; // if the body is too long to be kept
    std::size_t m_bodyRead = 0; // decompressed bytes
    Status m_unreadBody; // why the body could not be read
    std::optional<attach::AnswerReader> m_reader;
    attach::ContentDecoder m_decoder;
    std::int64_t m_read = 0; // bytes of the answer
    Status m_problem; // why the answer could not be read
    bool m_ended = false;
};

// One connection of a client, and its requests one after the other. Each request has its own
// connection to the server, so that no answer can run into the next. Each side is read only as
// fast as the other one takes the data.
class ProxiedConnection : public QObject {
    Q_OBJECT
public:
    ProxiedConnection(std::unique_ptr<HttpSocket> socket, const ProxyOptions& options,
                      std::uint16_t port, session::RequestRecorder& recorder, std::int64_t& kept,
                      SessionTree& sessions, QObject* parent);

    bool busy() const { return m_server != nullptr || m_awaited; }
    // The order in which connections make room for new ones: first connections that have never
    // asked anything, then connections between two requests, and last connections whose client
    // neither sends nor takes the rest of a request or an answer. Absent: none of these.
    std::optional<int> idleness() const;
    Nanoseconds silentSince() const { return m_silentSince; }
    void stop(); // ends the request in progress, cancels its run, and closes the connection
    void refuse(int status, const std::string& message);

Q_SIGNALS:
    void closed(); // this object will be deleted soon
    void passedUnmeasured(const QString& path); // a POST to an address of no known dialect

private:
    void safely(void (ProxiedConnection::*step)());
    void fail(const Error& why);
    void read();
    void pass(const ParsedHead& head, std::string_view text);
    Status connectToServer();
    void passBody();
    void passAnswer();
    bool takeHead(); // false: the head needs more bytes, or was refused
    void sendPiece(HttpSocket& socket, std::string_view piece, bool chunked);
    void serverEnded();
    void giveUp(const Error& why, bool reached); // replies 502, or ends in the middle of an answer
    void answerEnd();
    void endWatch();
    void energyKnown(const std::string& energy); // a JSON object; empty: unknown
    void finishBody();
    void finishAnswer();
    void release();
    void watchClient();
    void wrote();
    void continueReading();
    void close();

    std::unique_ptr<HttpSocket> m_socket;
    const ProxyOptions& m_options;
    const std::uint16_t m_port;
    session::RequestRecorder& m_recorder;
    std::int64_t& m_kept;
    SessionTree& m_sessions;
    QTimer m_timer;
    Nanoseconds m_silentSince; // when the client last sent or took anything
    bool m_asked = false; // some request has arrived
    bool m_closing = false; // close after the last answer
    bool m_gone = false;

    // The request in progress.
    std::unique_ptr<HttpSocket> m_server; // null: none
    HttpRequest m_request;
    std::optional<attach::BodyReader> m_body; // body of the request
    std::optional<attach::BodyReader> m_answerBody; // absent until the final head has arrived
    std::unique_ptr<RequestWatch> m_watch; // null if the request generates nothing
    std::optional<EnergyInsert> m_energy; // absent if the answer passes unchanged
    std::optional<std::uint64_t> m_awaited; // the request whose energy the answer waits for
    QMetaObject::Connection m_telling; // connection that tells its energy
    QTimer m_patience; // limits the wait for the answer
    int m_status = 0; // status of the answer
    int m_interim = 0; // interim answers before the final one
    bool m_ending = false; // the measurement of the request is ending
    bool m_bodyChunked = false;
    bool m_bodySent = false;
    bool m_answerChunked = false;
    bool m_stays = false;
};

} // namespace ep::api
