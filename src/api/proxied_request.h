// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "energy_insert.h"
#include "http_message.h"
#include "http_socket.h"
#include "request_watch.h"

#include "ep/api/proxy.h"
#include "ep/attach/http_answer.h"

#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ep::api {

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
    // Which connections make room for new ones first: those that have never asked anything, then
    // those between two requests, and last those whose client neither sends nor takes the rest of
    // a request or an answer. Absent: none of these.
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
