// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_socket.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <new>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ep::api {

namespace {

constexpr std::size_t kReadBuffer = 64 * 1024; // the rest stays with the sender
constexpr std::size_t kMaxPieces = 64; // per system call

#ifdef MSG_NOSIGNAL
constexpr int kSendFlags = MSG_NOSIGNAL;
#else
constexpr int kSendFlags = 0; // macOS: SO_NOSIGPIPE has the same effect
#endif

bool isTemporary(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

} // namespace

HttpSocket::HttpSocket(qintptr descriptor, QObject* parent)
    : QObject(parent)
    , m_descriptor(static_cast<int>(descriptor))
    , m_reads(descriptor, QSocketNotifier::Read)
    , m_writes(descriptor, QSocketNotifier::Write)
{
    ::fcntl(m_descriptor, F_SETFL, ::fcntl(m_descriptor, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    // Otherwise the last part of an answer waits 40 ms for the acknowledgement of the part before.
    ::setsockopt(m_descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
#ifdef SO_NOSIGPIPE
    ::setsockopt(m_descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
    m_writes.setEnabled(false);
    connect(&m_reads, &QSocketNotifier::activated, this, &HttpSocket::read);
    connect(&m_writes, &QSocketNotifier::activated, this, &HttpSocket::send);
}

HttpSocket::~HttpSocket()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

void HttpSocket::read()
{
    if (m_descriptor < 0 || m_in.size() >= kReadBuffer)
        return;
    std::array<char, kReadBuffer> bytes;
    const ssize_t count = ::recv(m_descriptor, bytes.data(), kReadBuffer - m_in.size(), 0);
    if (count < 0) {
        if (!isTemporary(errno)) {
            m_error = errno;
            close();
        }
        return;
    }
    try {
        m_in.append(bytes.data(), static_cast<std::size_t>(count));
    } catch (const std::bad_alloc&) {
        m_error = ENOMEM;
        return close();
    }
    m_ended = count == 0;
    m_reads.setEnabled(!m_ended && m_in.size() < kReadBuffer);
    Q_EMIT readable();
}

void HttpSocket::take(std::size_t bytes)
{
    m_in.erase(0, bytes);
    if (m_descriptor >= 0)
        m_reads.setEnabled(!m_ended && m_in.size() < kReadBuffer);
}

void HttpSocket::write(std::string_view bytes)
{
    if (m_descriptor < 0 || m_unwritable)
        return;
    m_out.append(bytes);
    m_writes.setEnabled(!m_out.empty());
}

void HttpSocket::write(OutBuffer::Text text)
{
    if (m_descriptor < 0 || m_unwritable)
        return;
    m_out.append(std::move(text));
    m_writes.setEnabled(!m_out.empty());
}

// Sends as much waiting data as the system accepts now; negative: nothing, see errno.
ssize_t HttpSocket::sendSome()
{
    std::array<iovec, kMaxPieces> places;
    msghdr message = {};
    message.msg_iov = places.data();
    message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(m_out.front(places));
    const ssize_t count = ::sendmsg(m_descriptor, &message, kSendFlags);
    if (count > 0)
        m_out.take(static_cast<std::size_t>(count));
    return count;
}

void HttpSocket::flush()
{
    while (m_descriptor >= 0 && !m_out.empty()) {
        if (sendSome() < 0)
            return; // errors show up when the event loop tries again
    }
}

void HttpSocket::send()
{
    if (sendSome() < 0) {
        if (!isTemporary(errno))
            failToWrite(errno);
        return;
    }
    m_writes.setEnabled(!m_out.empty());
    Q_EMIT written();
}

void HttpSocket::failToWrite(int error)
{
    m_error = error;
    if (!m_readsOn || m_ended)
        return close();
    m_unwritable = true;
    m_out.clear();
    m_writes.setEnabled(false);
    Q_EMIT written();
}

void HttpSocket::endWriting()
{
    if (m_descriptor >= 0)
        ::shutdown(m_descriptor, SHUT_WR);
}

void HttpSocket::close()
{
    if (m_descriptor < 0)
        return;
    m_reads.setEnabled(false);
    m_writes.setEnabled(false);
    ::close(m_descriptor);
    m_descriptor = -1;
    Q_EMIT gone();
}

bool HttpSocket::broken()
{
    int error = 0;
    socklen_t size = sizeof error;
    m_broken = m_broken || m_descriptor < 0
        || ::getsockopt(m_descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0;
    if (error != 0)
        m_error = error;
    return m_broken;
}

} // namespace ep::api
