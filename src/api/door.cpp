// SPDX-License-Identifier: GPL-3.0-or-later
#include "door.h"

#include <arpa/inet.h>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ep::api {

namespace {

constexpr int kWaitingOutside = 1024; // the system may allow fewer
constexpr int kLookOutsideMs = 50;
constexpr int kMostRefused = 64; // refused connections that have not ended yet

} // namespace

Door::Door(int most, Owner owner, QObject* parent)
    : QObject(parent)
    , m_most(most)
    , m_owner(std::move(owner))
{
    m_again.setInterval(kLookOutsideMs);
    connect(&m_again, &QTimer::timeout, this, &Door::look);
}

Door::~Door()
{
    close();
}

std::string Door::listen(std::uint16_t port)
{
    const auto failed = [this] {
        const std::string why = std::strerror(errno);
        close();
        return why;
    };
    m_socket = ::socket(AF_INET, SOCK_STREAM, 0);
    if (m_socket < 0)
        return failed();
    ::fcntl(m_socket, F_SETFD, FD_CLOEXEC);
    ::fcntl(m_socket, F_SETFL, ::fcntl(m_socket, F_GETFL) | O_NONBLOCK);
    const int on = 1;
    ::setsockopt(m_socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t size = sizeof address;
    if (::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), size) != 0
        || ::listen(m_socket, kWaitingOutside) != 0
        || ::getsockname(m_socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return failed();
    m_port = ntohs(address.sin_port);
    m_knocks = std::make_unique<QSocketNotifier>(m_socket, QSocketNotifier::Read);
    connect(m_knocks.get(), &QSocketNotifier::activated, this, &Door::look);
    return {};
}

void Door::close()
{
    m_again.stop();
    m_knocks.reset();
    if (m_socket >= 0)
        ::close(m_socket);
    m_socket = -1;
    m_port = 0;
}

void Door::left()
{
    if (m_again.isActive()) // once the caller is done
        QTimer::singleShot(0, this, &Door::look);
}

void Door::wait()
{
    m_knocks->setEnabled(false);
    m_again.start();
}

// Accepts waiting connections while there is room.
void Door::look()
{
    while (m_socket >= 0) {
        pollfd outside{m_socket, POLLIN, 0};
        if (::poll(&outside, 1, 0) <= 0) {
            m_again.stop();
            m_knocks->setEnabled(true);
            return;
        }
        const int inside = m_owner.inside();
        const Room room = inside < m_most ? Room::Made : m_owner.makeRoom();
        if (room == Room::Soon || (room == Room::None && inside >= m_most + kMostRefused))
            return wait();
        const int socket = ::accept(m_socket, nullptr, nullptr);
        // A connection waits if there is no descriptor or no memory for it; after other errors, it
        // had ended before it could be accepted.
        if (socket < 0 && errno != ECONNABORTED && errno != EINTR)
            return wait();
        if (socket < 0)
            continue;
        ::fcntl(socket, F_SETFD, FD_CLOEXEC);
        m_owner.enter(std::make_unique<HttpSocket>(socket), room == Room::None);
    }
}

} // namespace ep::api
