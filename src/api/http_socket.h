// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "out_buffer.h"

#include <QObject>
#include <QSocketNotifier>

#include <cstdint>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace ep::api {

// A TCP connection to a client or a server. QTcpSocket is not used because it closes the
// connection as soon as the client has sent its last byte, although the client may still wait for
// the reply. Never blocks. Receives at most 64 KB more than is taken; the rest stays with the
// sender.
class HttpSocket : public QObject {
    Q_OBJECT
public:
    explicit HttpSocket(qintptr descriptor, QObject* parent = nullptr); // owns the descriptor
    ~HttpSocket() override;

    std::string_view received() const { return m_in; } // received and not consumed yet
    void take(std::size_t bytes); // removes bytes from the front of the received data
    bool ended() const { return m_ended; } // the other side sends nothing more
    int error() const { return m_error; } // errno with which the connection broke; 0: it did not

    void write(std::string_view bytes);
    void write(OutBuffer::Text text); // without a copy
    void flush(); // passes on immediately what the system accepts
    std::int64_t bytesToWrite() const { return static_cast<std::int64_t>(m_out.size()); }
    void endWriting(); // tells the client that nothing follows; it may still send
    void close(); // immediately; gone() follows

    // For servers, a failed write is not the end: the answer may already have been sent.
    void readPastWriteErrors() { m_readsOn = true; }

    // Whether the connection broke, without reading or writing anything.
    bool broken();

Q_SIGNALS:
    void readable(); // data arrived, or the client closed its side
    void written(); // less data is waiting
    void gone(); // emitted once, as the last signal

private:
    void read();
    void send();
    ssize_t sendSome();
    void failToWrite(int error);

    int m_descriptor;
    QSocketNotifier m_reads;
    QSocketNotifier m_writes;
    std::string m_in;
    OutBuffer m_out;
    bool m_ended = false;
    bool m_broken = false; // kept because the system reports a broken connection only once
    bool m_readsOn = false;
    bool m_unwritable = false; // further writes are dropped
    int m_error = 0;
};

} // namespace ep::api
