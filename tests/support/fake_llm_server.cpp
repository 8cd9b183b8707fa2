// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/fake_llm_server.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace ep::test {

namespace {

#ifdef MSG_NOSIGNAL
constexpr int kNoSignal = MSG_NOSIGNAL;
#else
constexpr int kNoSignal = 0;
#endif

bool sendAll(int connection, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::send(connection, bytes.data(), bytes.size(), kNoSignal);
        if (count <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

std::size_t lengthIn(std::string head)
{
    std::ranges::transform(head, head.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::size_t at = head.find("content-length:");
    return at == std::string::npos ? 0 : std::strtoul(head.c_str() + at + 15, nullptr, 10);
}

std::string chunkOf(const std::string& bytes)
{
    std::array<char, 20> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    return size.data() + bytes + "\r\n";
}

} // namespace

FakeLlmServer::FakeLlmServer(Handler handler)
    : m_handler(std::move(handler))
{
    m_listener = ::socket(AF_INET, SOCK_STREAM, 0);
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

FakeLlmServer::~FakeLlmServer()
{
    m_ending = true;
    m_thread.join();
    for (std::thread& worker : m_workers)
        worker.join();
    ::close(m_listener);
}

std::vector<FakeRequest> FakeLlmServer::requests() const
{
    const std::lock_guard lock(m_mutex);
    return m_requests;
}

bool FakeLlmServer::wait(std::chrono::microseconds time) const
{
    const auto end = std::chrono::steady_clock::now() + time;
    while (!m_ending && std::chrono::steady_clock::now() < end) {
        const auto left = end - std::chrono::steady_clock::now();
        std::this_thread::sleep_for(
            std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(10)));
    }
    return !m_ending;
}

void FakeLlmServer::accept()
{
    while (!m_ending) {
        pollfd waiting{m_listener, POLLIN, 0};
        if (::poll(&waiting, 1, 10) <= 0)
            continue;
        const int connection = ::accept(m_listener, nullptr, nullptr);
        if (connection < 0)
            continue;
        const int on = 1;
        ::setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const std::lock_guard lock(m_mutex);
        m_workers.emplace_back([this, connection] { serve(connection); });
    }
}

void FakeLlmServer::serve(int connection)
{
    std::string received;
    bool goOn = true;
    while (goOn && !m_ending) {
        const std::size_t end = received.find("\r\n\r\n");
        const std::size_t whole = end == std::string::npos
            ? std::string::npos
            : end + 4 + lengthIn(received.substr(0, end));
        if (end != std::string::npos && received.size() >= whole) {
            FakeRequest request;
            request.head = received.substr(0, end);
            request.body = received.substr(end + 4, whole - end - 4);
            received.erase(0, whole);
            const std::size_t space = request.head.find(' ');
            request.method = request.head.substr(0, space);
            request.path =
                request.head.substr(space + 1, request.head.find(' ', space + 1) - space - 1);
            {
                const std::lock_guard lock(m_mutex);
                m_requests.push_back(request);
            }
            goOn = answer(connection, m_handler(request));
            continue;
        }
        pollfd waiting{connection, POLLIN, 0};
        if (::poll(&waiting, 1, 10) <= 0)
            continue;
        std::array<char, 65536> bytes;
        const ssize_t count = ::recv(connection, bytes.data(), bytes.size(), 0);
        if (count <= 0)
            break;
        received.append(bytes.data(), static_cast<std::size_t>(count));
    }
    ::close(connection);
}

bool FakeLlmServer::answer(int connection, const FakeAnswer& answer)
{
    std::size_t size = 0;
    for (const FakePart& part : answer.parts)
        size += part.bytes.size();
    std::string head = "HTTP/1.1 " + std::to_string(answer.status)
        + " Said\r\nContent-Type: " + answer.type + "\r\n" + answer.headers;
    head += answer.sized ? "Content-Length: " + std::to_string(size) + "\r\n\r\n"
                         : std::string("Transfer-Encoding: chunked\r\n\r\n");
    if (!sendAll(connection, head))
        return false;
    const auto send = [&](const std::string& bytes) {
        return bytes.empty() || sendAll(connection, answer.sized ? bytes : chunkOf(bytes));
    };
    for (const FakePart& part : answer.parts) {
        if ((part.pause.count() > 0 && !wait(part.pause)) || !send(part.bytes))
            return false;
    }
    switch (answer.end) {
    case FakeEnd::Proper:
        return answer.sized || sendAll(connection, "0\r\n\r\n");
    case FakeEnd::Cut:
        return false;
    case FakeEnd::Hang:
        wait(std::chrono::hours(1));
        return false;
    case FakeEnd::Endless:
        while (!m_ending && send(answer.parts.back().bytes)) { }
        return false;
    }
    return false;
}

std::vector<FakePart> messagesOf(const std::string& recorded, std::chrono::microseconds pause)
{
    const std::string between = recorded.starts_with("data:") ? "\n\n" : "\n";
    std::vector<FakePart> parts;
    for (std::size_t begin = 0; begin < recorded.size();) {
        const std::size_t found = recorded.find(between, begin);
        const std::size_t end =
            found == std::string::npos ? recorded.size() : found + between.size();
        parts.push_back({pause, recorded.substr(begin, end - begin)});
        begin = end;
    }
    return parts;
}

} // namespace ep::test
