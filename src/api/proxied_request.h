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

// One connection of a client and the requests on it, one after the other. Each has a connection of
// its own to the server, so that no answer can run into the next. Each side is read only as fast as
// the other one takes it.
class ProxiedConnection : public QObject {
    Q_OBJECT
public:
    ProxiedConnection(std::unique_ptr<HttpSocket> socket, const ProxyOptions& options,
                      std::uint16_t port, session::RequestRecorder& recorder, std::int64_t& kept,
                      QObject* parent);

    bool busy() const { return m_server != nullptr || m_awaited; }
    void stop(); // ends the request in progress, whose run is then cancelled, and the connection
    void refuse(int status, const std::string& message);

Q_SIGNALS:
    void closed(); // this object will be deleted soon
    void passedUnmeasured(const QString& path); // a POST to an address that is not in the table

private:
    void read();
    void pass(const ParsedHead& head, std::string_view text);
    Status connectToServer();
    void passBody();
    void passAnswer();
    bool takeHead(); // false: more bytes are needed, or it was refused
    void sendPiece(HttpSocket& socket, std::string_view piece, bool chunked);
    void serverEnded();
    void giveUp(const Error& why, bool reached); // 502, or the end in the middle of an answer
    void answerEnd();
    void awaitEnergy(std::uint64_t request);
    void energyKnown(const std::string& energy); // a JSON object; empty: it is not known
    void finishBody();
    void finishAnswer();
    void release();
    void watchClient();
    void wrote();
    void close();

    std::unique_ptr<HttpSocket> m_socket;
    const ProxyOptions& m_options;
    const std::uint16_t m_port;
    session::RequestRecorder& m_recorder;
    std::int64_t& m_kept;
    QTimer m_timer;
    bool m_closing = false; // after the last answer
    bool m_gone = false;

    // The request in progress.
    std::unique_ptr<HttpSocket> m_server; // null: none
    HttpRequest m_request;
    std::optional<attach::BodyReader> m_body; // of the request
    std::optional<attach::BodyReader> m_answerBody; // absent: the final head has not come yet
    std::unique_ptr<RequestWatch> m_watch; // null: generates nothing
    std::optional<EnergyInsert> m_energy; // absent: the answer passes as it is
    std::optional<std::uint64_t> m_awaited; // the request whose energy ends the answer
    QMetaObject::Connection m_telling; // of its energy
    QTimer m_patience; // with it
    int m_status = 0; // of the answer
    int m_interim = 0; // answers before the final one
    bool m_bodyChunked = false;
    bool m_bodySent = false;
    bool m_answerChunked = false;
    bool m_stays = false;
};

} // namespace ep::api
