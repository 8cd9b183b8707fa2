// SPDX-License-Identifier: GPL-3.0-or-later
#include "web_socket.h"

#include <QTimer>

#include <exception>
#include <utility>

namespace ep::api {

namespace {

constexpr std::size_t kLongestMessage = 16 * 1024; // clients are not expected to send anything
constexpr std::int64_t kFlushFrom = 64 * 1024;
constexpr int kCloseMs = 2000;

} // namespace

WebSocket::WebSocket(std::unique_ptr<HttpSocket> socket, QObject* parent)
    : QObject(parent)
    , m_socket(std::move(socket))
{
    connect(m_socket.get(), &HttpSocket::readable, this, [this] { safely(&WebSocket::read); });
    connect(m_socket.get(), &HttpSocket::gone, this, &WebSocket::closed);
    connect(m_socket.get(), &HttpSocket::written, this, [this] { safely(&WebSocket::wrote); });
    // Handles data that arrived with the handshake.
    QTimer::singleShot(0, this, [this] { safely(&WebSocket::read); });
}

// Without memory for a message, this client is disconnected, and the others stay.
void WebSocket::safely(void (WebSocket::*step)())
{
    try {
        (this->*step)();
    } catch (const std::exception&) {
        abort();
    }
}

void WebSocket::wrote()
{
    if (m_closing && m_socket->bytesToWrite() == 0)
        m_socket->endWriting();
    sendPong();
    Q_EMIT written();
}

WebSocket::~WebSocket()
{
    m_socket->disconnect(this);
}

void WebSocket::sendText(OutBuffer::Text text)
{
    if (m_closing)
        return;
    m_socket->write(frameHead(Opcode::Text, text->size()));
    m_socket->write(std::move(text));
    if (m_socket->bytesToWrite() > kFlushFrom)
        m_socket->flush();
}

void WebSocket::ping()
{
    if (!m_closing)
        m_socket->write(frameOf(Opcode::Ping, {}));
}

void WebSocket::close(CloseCode code)
{
    if (std::exchange(m_closing, true))
        return;
    m_socket->write(closeFrame(code));
    QTimer::singleShot(kCloseMs, this, &WebSocket::abort);
}

void WebSocket::abort()
{
    m_socket->close();
}

void WebSocket::read()
{
    while (!m_closing) {
        const auto frame = parseFrame(m_socket->received(), kLongestMessage);
        if (!frame)
            break;
        m_socket->take(frame->size);
        handle(*frame);
    }
    if (m_closing)
        m_socket->take(m_socket->received().size());
    if (m_socket->ended())
        abort();
}

void WebSocket::sendPong()
{
    if (!m_pinged || m_closing || m_socket->bytesToWrite() > kFlushFrom)
        return;
    m_socket->write(frameOf(Opcode::Pong, *std::exchange(m_pinged, std::nullopt)));
}

void WebSocket::handle(const WebFrame& frame)
{
    if (frame.refusal)
        return close(*frame.refusal);
    switch (frame.opcode) {
    case Opcode::Ping:
        m_pinged = frame.payload;
        return sendPong();
    case Opcode::Pong:
        Q_EMIT pong();
        return;
    case Opcode::Close:
        return close(CloseCode::Normal);
    case Opcode::Text:
    case Opcode::Binary:
    case Opcode::Continuation:
        break;
    }
    if ((frame.opcode == Opcode::Continuation) != m_fragmented)
        return close(CloseCode::ProtocolError);
    m_message += frame.payload.size();
    if (m_message > kLongestMessage)
        return close(CloseCode::TooLarge);
    m_fragmented = !frame.last;
    if (frame.last)
        m_message = 0;
}

} // namespace ep::api
