// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ep::test {

// A server that sends exactly the bytes it is told to, on one connection after another. A request
// ends with its blank line, or with "END" if it has a body.
class RawServer {
public:
    // Sends bytes; false once the other side has gone. Passed to the function that answers.
    using Send = std::function<bool(std::string_view)>;
    using Talk = std::function<void(const Send& send, int socket)>;

    explicit RawServer(Talk talk, bool reads = true)
        : m_talk(std::move(talk))
        , m_reads(reads)
        , m_listener(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        ::bind(m_listener, reinterpret_cast<sockaddr*>(&address), size);
        ::listen(m_listener, 64);
        ::getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size);
        m_port = ntohs(address.sin_port);
        m_thread = std::thread([this] { accept(); });
    }
    explicit RawServer(std::string answer)
        : RawServer([answer = std::move(answer)](const Send& send, int) { send(answer); })
    {
    }
    ~RawServer()
    {
        m_ending = true;
        m_thread.join();
        ::close(m_listener);
    }
    RawServer(const RawServer&) = delete;
    RawServer& operator=(const RawServer&) = delete;

    std::uint16_t port() const { return m_port; }
    std::uint64_t sent() const { return m_sent; } // bytes, all connections together
    std::vector<std::string> requests() const
    {
        const std::lock_guard lock(m_mutex);
        return m_requests;
    }

private:
    void accept()
    {
        while (!m_ending) {
            pollfd waiting{m_listener, POLLIN, 0};
            if (::poll(&waiting, 1, 10) <= 0)
                continue;
            const int socket = ::accept(m_listener, nullptr, nullptr);
            if (socket < 0)
                continue;
            serve(socket);
            ::shutdown(socket, SHUT_WR);
            std::array<char, 65536> rest;
            pollfd closing{socket, POLLIN, 0};
            while (!m_ending && ::poll(&closing, 1, 1000) > 0
                   && ::recv(socket, rest.data(), rest.size(), 0) > 0) { }
            ::close(socket);
        }
    }
    void serve(int socket)
    {
        std::string request;
        const auto whole = [&] {
            return request.ends_with("\r\n\r\n")
                && (request.find("chunked") == std::string::npos || request.ends_with("0\r\n\r\n"));
        };
        while (m_reads && !m_ending && !whole() && !request.ends_with("END")) {
            pollfd waiting{socket, POLLIN, 0};
            if (::poll(&waiting, 1, 10) <= 0)
                continue;
            std::array<char, 65536> bytes;
            const ssize_t count = ::recv(socket, bytes.data(), bytes.size(), 0);
            if (count <= 0)
                break;
            request.append(bytes.data(), static_cast<std::size_t>(count));
        }
        {
            const std::lock_guard lock(m_mutex);
            m_requests.push_back(std::move(request));
        }
        m_talk([&](std::string_view bytes) { return send(socket, bytes); }, socket);
    }
    bool send(int socket, std::string_view bytes)
    {
        while (!bytes.empty()) {
            pollfd waiting{socket, POLLOUT, 0};
            if (m_ending || (::poll(&waiting, 1, 10) > 0 && (waiting.revents & POLLERR) != 0))
                return false;
            if ((waiting.revents & POLLOUT) == 0)
                continue;
            const ssize_t count =
                ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
            if (count < 0)
                return false;
            m_sent += static_cast<std::uint64_t>(count);
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    const Talk m_talk;
    const bool m_reads;
    int m_listener;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_ending = false;
    std::atomic<std::uint64_t> m_sent = 0;
    std::thread m_thread;
    mutable std::mutex m_mutex; // guards the requests
    std::vector<std::string> m_requests;
};

} // namespace ep::test
