// SPDX-License-Identifier: GPL-3.0-or-later
// Two thousand malformed requests, the same ones in every run.
#include "api/api_fixture.h"
#include "http_message.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

namespace ep::test {

namespace {

constexpr int kRequests = 2000;

class Fuzzer {
public:
    explicit Fuzzer(std::string good)
        : m_good(std::move(good))
    {
    }

    std::string next()
    {
        std::string text = m_good;
        const std::size_t changes = 1 + draw(4);
        for (std::size_t i = 0; i < changes; ++i)
            change(text);
        return text;
    }

private:
    std::size_t draw(std::size_t below) { return static_cast<std::size_t>(m_random()) % below; }

    void change(std::string& text)
    {
        static const std::vector<std::string> kPieces = {"\r\n",
                                                         "\n",
                                                         "\r",
                                                         " ",
                                                         ":",
                                                         "%00",
                                                         "%2e%2e/",
                                                         "../",
                                                         "HTTP/9.9",
                                                         "GET",
                                                         "PATCH",
                                                         "Content-Length: -5\r\n",
                                                         "Content-Length: 18446744073709551616\r\n",
                                                         "Content-Length: 7\r\n",
                                                         "Transfer-Encoding: chunked\r\n",
                                                         "Connection: Upgrade\r\n",
                                                         "Upgrade: websocket\r\n",
                                                         "Sec-WebSocket-Key: AAAA\r\n",
                                                         "Sec-WebSocket-Version: 13\r\n",
                                                         "Host: evil\r\n",
                                                         "Origin: null\r\n",
                                                         "Expect: 100-continue\r\n",
                                                         "{}",
                                                         "[[[[",
                                                         std::string("\0\1\2", 3),
                                                         "\xff\xfe",
                                                         std::string(3000, 'A'),
                                                         std::string(20'000, 'B')};
        const std::size_t place = draw(text.size() + 1);
        switch (draw(4)) {
        case 0:
            text.insert(place, kPieces[draw(kPieces.size())]);
            break;
        case 1:
            text.erase(place, 1 + draw(20));
            break;
        case 2:
            if (!text.empty())
                text[std::min(place, text.size() - 1)] = static_cast<char>(draw(256));
            break;
        default:
            text.insert(place, text.substr(draw(text.size() + 1), draw(60)));
            break;
        }
    }

    std::string m_good;
    std::mt19937 m_random{20'261'122}; // gives the same numbers everywhere
};

// Whether the server has received everything that the text announces, so that it must answer.
bool isWhole(const std::string& text, const api::Limits& limits)
{
    const auto head = api::parseHead(text, limits.head_bytes, limits.body_bytes);
    return head && (head->refusal || text.size() >= head->size + head->body_size);
}

TEST_F(ApiTest, MalformedRequestsGetAnAnswerAndDoNoHarm)
{
    serve();
    const std::string id = generate();
    const std::string body = R"({"model_name": "tiny", "prompt": "x", "max_length": 1})";
    const std::vector<std::string> good = {
        request("GET", "/api/profiling/runs?sort=created_at&limit=3"),
        request("GET", "/api/profiling/run/" + id + "/summary"),
        request("GET", "/api/profiling/export/" + id + "?format=csv&table=tokens"),
        request("POST", "/api/profiling/generate", body), handshake()};
    std::vector<Fuzzer> fuzzers(good.begin(), good.end());
    const std::set<int> allowed = {101, 200, 400, 401, 403, 404, 405, 411,
                                   413, 414, 417, 422, 426, 431, 505};
    std::map<int, int> seen;
    const api::Limits limits;
    for (int i = 0; i < kRequests; ++i) {
        const std::string text = fuzzers[static_cast<std::size_t>(i) % fuzzers.size()].next();
        if (!isWhole(text, limits)) {
            QTcpSocket* socket = begin(text);
            ASSERT_TRUE(spinUntil([&] {
                return socket->bytesToWrite() == 0
                    && socket->state() != QAbstractSocket::ConnectingState;
            }));
            socket->abort(); // the server would wait for the rest
            ++seen[0];
            continue;
        }
        const Answer answer = sendRaw(text);
        EXPECT_TRUE(allowed.contains(answer.status))
            << answer.status << ": " << text.substr(0, 400);
        ++seen[answer.status];
    }
    std::string summary;
    for (const auto& [status, count] : seen)
        summary += std::to_string(status) + ": " + std::to_string(count) + "  ";
    RecordProperty("statuses", summary);
    EXPECT_GT(seen[400], kRequests / 10) << summary;
    EXPECT_EQ(ask("GET", "/api/profiling/run/" + id + "/summary").status, 200);
    EXPECT_EQ(ask("GET", "/health").status, 200);
    EXPECT_FALSE(generate().empty());
}

} // namespace

} // namespace ep::test
