// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

namespace ep::test {

struct RawAnswer {
    std::string head;
    std::string body; // with the chunked coding removed
    bool whole = false; // ended as announced
};

// A plain HTTP connection to the loopback; blocks.
class RawClient {
public:
    explicit RawClient(std::uint16_t port)
        : m_socket(::socket(AF_INET, SOCK_STREAM, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        m_open = ::connect(m_socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
        const int on = 1;
        ::setsockopt(m_socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    ~RawClient() { ::close(m_socket); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    bool send(std::string_view bytes)
    {
        while (m_open && !bytes.empty()) {
            const ssize_t count = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0)
                return false;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return m_open;
    }

    // Sends what the system accepts within a second; 0: nothing.
    std::uint64_t sendNow(std::string_view bytes, int patienceMs = 1000)
    {
        pollfd waiting{m_socket, POLLOUT, 0};
        if (::poll(&waiting, 1, patienceMs) <= 0)
            return 0;
        const ssize_t count =
            ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        return count > 0 ? static_cast<std::uint64_t>(count) : 0;
    }
    // Everything until the other side closes; empty if it does not close within ten seconds.
    std::string receiveAll()
    {
        const timeval patience{10, 0};
        ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        while (more()) { }
        return take(m_received.size());
    }
    // Receives until this text has arrived or the other side has closed; returns everything.
    std::string receiveUntil(std::string_view end)
    {
        while (m_received.find(end) == std::string::npos && more()) { }
        return take(m_received.size());
    }
    // Reads and discards up to this many bytes; returns the number read.
    std::uint64_t drop(std::uint64_t most)
    {
        std::uint64_t count = 0;
        while (count < most && more()) {
            count += m_received.size();
            m_received.clear();
        }
        return count;
    }

    RawAnswer receive()
    {
        RawAnswer answer;
        while (m_received.find("\r\n\r\n") == std::string::npos) {
            if (!more())
                return answer;
        }
        const std::size_t end = m_received.find("\r\n\r\n") + 4;
        answer.head = take(end);
        if (answer.head.find("chunked") != std::string::npos) {
            for (;;) {
                while (m_received.find("\r\n") == std::string::npos) {
                    if (!more())
                        return answer;
                }
                const std::size_t line = m_received.find("\r\n") + 2;
                const std::size_t size = std::strtoul(take(line).c_str(), nullptr, 16);
                if (!fill(size + 2))
                    return answer;
                answer.body += take(size);
                take(2);
                if (size == 0) {
                    answer.whole = true;
                    return answer;
                }
            }
        }
        const std::size_t at = lower(answer.head).find("content-length:");
        if (at == std::string::npos) {
            while (more()) { }
            answer.body = take(m_received.size());
            return answer;
        }
        const std::size_t size = std::strtoul(answer.head.c_str() + at + 15, nullptr, 10);
        answer.whole = fill(size);
        answer.body = take(std::min(size, m_received.size()));
        return answer;
    }

private:
    static std::string lower(std::string text)
    {
        for (char& c : text)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        return text;
    }
    bool more()
    {
        std::array<char, 65536> bytes;
        const ssize_t count = ::recv(m_socket, bytes.data(), bytes.size(), 0);
        if (count <= 0)
            return false;
        m_received.append(bytes.data(), static_cast<std::size_t>(count));
        return true;
    }
    bool fill(std::size_t size)
    {
        while (m_received.size() < size) {
            if (!more())
                return false;
        }
        return true;
    }
    std::string take(std::size_t size)
    {
        std::string taken = m_received.substr(0, size);
        m_received.erase(0, size);
        return taken;
    }

    int m_socket;
    bool m_open = false;
    std::string m_received;
};

inline std::string postOf(std::uint16_t port, const std::string& path, const std::string& body)
{
    return "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port)
        + "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size())
        + "\r\n\r\n" + body;
}

// The connection ends after the answer; the body ends as a RawServer expects it.
inline std::string lastPostOf(std::uint16_t port, const std::string& path)
{
    return "POST " + path + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port)
        + "\r\nConnection: close\r\nContent-Length: 4\r\n\r\n{END";
}

} // namespace ep::test
