// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace ep::test {

// A part of an answer's body, sent after a pause.
struct FakePart {
    std::chrono::microseconds pause{0};
    std::string bytes{};
};

enum class FakeEnd {
    Proper, // announces the end of the answer
    Cut, // breaks the connection, as when a server is killed
    Hang, // sends nothing more
    Endless, // repeats the last part endlessly
};

struct FakeAnswer {
    int status = 200;
    std::string type = "application/json";
    std::string headers{}; // further headers, each ending in CR LF
    std::vector<FakePart> parts{};
    FakeEnd end = FakeEnd::Proper;
    bool sized = false; // with a Content-Length instead of chunks
};

struct FakeRequest {
    std::string method;
    std::string path;
    std::string head;
    std::string body;
};

// A server on the loopback that answers as told, with one thread per connection.
class FakeLlmServer {
public:
    using Handler = std::function<FakeAnswer(const FakeRequest&)>;
    explicit FakeLlmServer(Handler handler);
    ~FakeLlmServer();
    FakeLlmServer(const FakeLlmServer&) = delete;
    FakeLlmServer& operator=(const FakeLlmServer&) = delete;

    std::uint16_t port() const { return m_port; }
    std::string origin() const { return "http://127.0.0.1:" + std::to_string(m_port); }
    std::vector<FakeRequest> requests() const;

private:
    void accept();
    void serve(int connection);
    bool answer(int connection, const FakeAnswer& answer);
    bool wait(std::chrono::microseconds time) const; // false: the server is stopping

    const Handler m_handler;
    int m_listener = -1;
    std::uint16_t m_port = 0;
    std::atomic<bool> m_ending = false;
    std::thread m_thread;
    mutable std::mutex m_mutex; // guards the members below
    std::vector<std::thread> m_workers;
    std::vector<FakeRequest> m_requests;
};

// Splits a recorded answer into messages (SSE or lines), each to be sent after the pause.
std::vector<FakePart> messagesOf(const std::string& recorded, std::chrono::microseconds pause);

} // namespace ep::test
