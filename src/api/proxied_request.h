// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "http_message.h"
#include "http_socket.h"

#include "ep/api/proxy.h"
#include "ep/attach/answer.h"
#include "ep/session/server_request.h"

#include <QIODevice>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ep::api {

// The body of a request on its way: what has arrived of it and was not read yet.
class BodyPipe : public QIODevice {
    Q_OBJECT
public:
    BodyPipe(HttpSocket& socket, std::size_t size);

    bool isSequential() const override { return true; }
    bool atEnd() const override { return m_left == 0; }
    qint64 bytesAvailable() const override;
    bool complete() const { return m_left == 0; }
    const std::string& beginning() const { return m_beginning; } // of a body of a usual size

protected:
    qint64 readData(char* data, qint64 most) override;
    qint64 writeData(const char*, qint64) override { return -1; }

private:
    HttpSocket& m_socket;
    std::size_t m_left;
    std::string m_beginning;
};

// One connection of a client and the requests on it, one after the other.
class ProxiedConnection : public QObject {
    Q_OBJECT
public:
    ProxiedConnection(std::unique_ptr<HttpSocket> socket, const ProxyOptions& options,
                      std::uint16_t port, session::RequestRecorder& recorder, QObject* parent);
    ~ProxiedConnection() override;

    bool busy() const { return m_reply != nullptr; }
    void stop(); // ends the request in progress, whose run is then cancelled, and the connection
    void refuse(int status, const std::string& message);

Q_SIGNALS:
    void closed(); // this object will be deleted soon

private:
    void read();
    void pass(const ParsedHead& head);
    QNetworkRequest upstream(const ParsedHead& head) const;
    void answerHead();
    void answerBytes();
    void answerEnd();
    void record(const Status& outcome);
    void close();

    std::unique_ptr<HttpSocket> m_socket;
    const ProxyOptions& m_options;
    const std::uint16_t m_port;
    session::RequestRecorder& m_recorder;
    QNetworkAccessManager m_manager; // one each: Qt opens at most six connections with one
    QTimer m_timer;
    bool m_closing = false; // after the last answer
    bool m_gone = false;

    // The request in progress.
    std::optional<HttpRequest> m_request;
    std::unique_ptr<QNetworkReply> m_reply;
    BodyPipe* m_body = nullptr; // of the reply
    const attach::Dialect* m_dialect = nullptr; // null: generates nothing
    std::optional<attach::AnswerReader> m_reader;
    std::uint64_t m_number = 0;
    Nanoseconds m_began = 0;
    std::int64_t m_sent = 0; // bytes of the answer
    int m_status = 0; // of the answer; 0: its head was not sent yet
    bool m_chunked = false;
};

} // namespace ep::api
