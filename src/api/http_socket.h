// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <cstdint>
#include <string>
#include <string_view>

namespace ep::api {

// One TCP connection. QTcpSocket is not used because it closes a connection as soon as the client
// has sent its last byte, although the client may still wait for its answer. Never waits.
class HttpSocket : public QObject {
    Q_OBJECT
public:
    explicit HttpSocket(qintptr descriptor, QObject* parent = nullptr); // owns it
    ~HttpSocket() override;

    std::string_view received() const { return m_in; } // and not taken yet
    void take(std::size_t bytes); // from the front of what was received
    bool ended() const { return m_ended; } // the client sends nothing more

    void write(std::string_view bytes);
    void flush(); // hands over at once what the system takes
    std::int64_t bytesToWrite() const { return static_cast<std::int64_t>(m_out.size()); }
    void endWriting(); // so that the client sees the end, while it may still send
    void close(); // at once; gone() follows

    // Whether the connection broke without anything being read or written.
    bool broken() const;

Q_SIGNALS:
    void readable(); // more was received, or the client ended
    void written(); // less is waiting
    void gone(); // once, last

private:
    void read();
    void send();

    int m_descriptor;
    QSocketNotifier m_reads;
    QSocketNotifier m_writes;
    std::string m_in;
    std::string m_out;
    bool m_ended = false;
};

} // namespace ep::api
