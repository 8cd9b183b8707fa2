// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <cstdint>
#include <string>
#include <string_view>

namespace ep::api {

// One TCP connection. QTcpSocket is not used because it closes the connection as soon as the client
// has sent its last byte, although the client may still wait for the reply. Never blocks.
class HttpSocket : public QObject {
    Q_OBJECT
public:
    explicit HttpSocket(qintptr descriptor, QObject* parent = nullptr); // owns it
    ~HttpSocket() override;

    std::string_view received() const { return m_in; } // and not consumed yet
    void take(std::size_t bytes); // removes bytes from the front of the received data
    bool ended() const { return m_ended; } // the client sends nothing more

    void write(std::string_view bytes);
    void flush(); // passes on immediately what the system accepts
    std::int64_t bytesToWrite() const { return static_cast<std::int64_t>(m_out.size()); }
    void endWriting(); // signals the end to the client, which may still send
    void close(); // immediately; gone() follows

    // Whether the connection broke, without reading or writing anything.
    bool broken();

Q_SIGNALS:
    void readable(); // data were received, or the client closed its side
    void written(); // less data are waiting
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
    bool m_broken = false; // the system reports it only once
};

} // namespace ep::api
