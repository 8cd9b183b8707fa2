// SPDX-License-Identifier: GPL-3.0-or-later
// What the proxy does with each part of a message, row by row (RFC 9110, RFC 9112).
#include "attach/proxy_house.h"
#include "attach/raw_client.h"
#include "attach/raw_server.h"

#include <gtest/gtest.h>

namespace ep::test {
namespace {

struct RequestRow {
    const char* rule;
    const char* line; // method, target and version; the target is passed on unchanged
    const char* fields; // besides Host and Connection, each ending in CR LF
    const char* body;
    int refused; // status; 0: passed on
    const char* passedFields; // between Host and Connection, as received by the server
    const char* passedBody;
};

constexpr const char* kGetX = "GET /x HTTP/1.1";
constexpr const char* kPostX = "POST /x HTTP/1.1";
constexpr RequestRow kRequests[] = {
    {"a path is not shortened", "GET /a/../../b/./c HTTP/1.1", "", "", 0, "", ""},
    {"an escape is not decoded", "GET /a/%2e%2e/%2E%2e/b?x=%41+ HTTP/1.1", "", "", 0, "", ""},
    {"two slashes are not a host", "GET //evil/x HTTP/1.1", "", "", 0, "", ""},
    {"characters that URLs escape pass", "GET /x?a=[1]|{}\\\"<>^` HTTP/1.1", "", "", 0, "", ""},
    {"bytes that are not UTF-8 pass", "GET /%ff%C3 HTTP/1.1", "", "", 0, "", ""},
    {"an empty query stays", "GET /x? HTTP/1.1", "", "", 0, "", ""},
    {"a fragment is refused", "GET /x#y HTTP/1.1", "", "", 400, "", ""},
    {"an absolute address is refused", "GET http://h/x HTTP/1.1", "", "", 400, "", ""},
    {"HTTP/1.0 is passed as 1.1", "GET /x HTTP/1.0", "", "", 0, "", ""},
    {"repeated fields stay, in their order and spelling", kGetX,
     "Cookie: a=1\r\nX-A: 1\r\ncookie: b=2\r\nX-A: 2\r\n", "", 0,
     "Cookie: a=1\r\nX-A: 1\r\ncookie: b=2\r\nX-A: 2\r\n", ""},
    {"nothing is added", kGetX, "Accept: */*\r\n", "", 0, "Accept: */*\r\n", ""},
    {"blanks around a value stay", kGetX, "X-A:   b  \r\n", "", 0, "X-A:   b  \r\n", ""},
    {"fields of the connection end here", kGetX,
     "Keep-Alive: 5\r\nTE: trailers\r\nProxy-Authorization: x\r\nUpgrade: h2c\r\nX-B: 1\r\n", "", 0,
     "X-B: 1\r\n", ""},
    {"fields named in Connection end here", kGetX,
     "X-Hop: 1\r\nConnection: x-hop, X-Other\r\nx-other: 2\r\nX-B: 1\r\n", "", 0, "X-B: 1\r\n", ""},
    {"a body has one length", kPostX, "Content-Length: 6\r\n", "abcEND", 0, "Content-Length: 6\r\n",
     "abcEND"},
    {"a body in chunks stays one", kPostX, "Transfer-Encoding: chunked\r\n",
     "3\r\nabc\r\n3;ext=1\r\nEND\r\n0\r\nT: 1\r\n\r\n", 0, "Transfer-Encoding: chunked\r\n",
     "6\r\nabcEND\r\n0\r\n\r\n"},
    {"a length and chunks are refused", kPostX,
     "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "", 400, "", ""},
    {"two lengths are refused", kPostX, "Content-Length: 3\r\nContent-Length: 3\r\n", "", 400, "",
     ""},
    {"a list of lengths is refused", kPostX, "Content-Length: 3, 3\r\n", "", 400, "", ""},
    {"a negative length is refused", kPostX, "Content-Length: -3\r\n", "", 400, "", ""},
    {"a length with a sign is refused", kPostX, "Content-Length: +3\r\n", "", 400, "", ""},
    {"another coding is refused", kPostX, "Transfer-Encoding: gzip, chunked\r\n", "", 501, "", ""},
    {"two codings are refused", kPostX,
     "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "", 501, "", ""},
    {"a chunk without a size is refused", kPostX, "Transfer-Encoding: chunked\r\n", "zz\r\nabc\r\n",
     400, "", ""},
    {"a folded field is refused", kGetX, "X-A: 1\r\n 2\r\n", "", 400, "", ""},
    {"a blank before the colon is refused", kGetX, "X-A : 1\r\n", "", 400, "", ""},
    {"a bare CR is refused", kGetX, "X-A: a\rX-B: b\r\n", "", 400, "", ""},
    {"a bare LF is refused", kGetX, "X-A: a\nX-B: b\r\n", "", 400, "", ""},
    {"a WebSocket is refused", kGetX, "Connection: upgrade\r\nUpgrade: WebSocket\r\n", "", 426, "",
     ""},
};

TEST(ProxyRules, OfRequests)
{
    for (const RequestRow& row : kRequests) {
        RawServer server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        ProxyHouse house(server.port());
        std::string answer;
        house.during([&] {
            RawClient client(house.port());
            client.send(std::string(row.line)
                        + "\r\nHost: 127.0.0.1:" + std::to_string(house.port())
                        + "\r\nConnection: close\r\n" + row.fields + "\r\n" + row.body);
            answer = client.receiveAll();
        });
        if (row.refused != 0) {
            EXPECT_EQ(answer.substr(0, 12), "HTTP/1.1 " + std::to_string(row.refused)) << row.rule;
            continue;
        }
        const std::string line = row.line;
        const std::string expected = line.substr(0, line.rfind(' '))
            + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n"
            + row.passedFields + "Connection: close\r\n\r\n" + row.passedBody;
        ASSERT_EQ(server.requests().size(), 1U) << row.rule;
        EXPECT_EQ(server.requests().front(), expected) << row.rule;
        EXPECT_EQ(answer, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            << row.rule;
    }
}

struct AnswerRow {
    const char* rule;
    const char* request; // method, target, version
    std::string answer;
    std::string passed; // "502": the client gets this status
};

constexpr const char* kOldX = "GET /x HTTP/1.0";
constexpr const char* kHeadX = "HEAD /x HTTP/1.1";
const std::string kStatusOk = "HTTP/1.1 200 OK\r\n";
const std::string kClose = "Connection: close\r\n\r\n";
const std::string kChunked = "Transfer-Encoding: chunked\r\n";
const std::vector<AnswerRow> kAnswers = {
    {"a length", kGetX, kStatusOk + "Content-Length: 3\r\n\r\nabc",
     kStatusOk + "Content-Length: 3\r\n" + kClose + "abc"},
    {"bytes after the length are dropped", kGetX,
     kStatusOk + "Content-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n",
     kStatusOk + "Content-Length: 3\r\n" + kClose + "abc"},
    {"equal lengths are one", kGetX,
     kStatusOk + "Content-Length: 3, 3\r\nContent-Length: 3\r\n\r\nabc",
     kStatusOk + "Content-Length: 3\r\n" + kClose + "abc"},
    {"different lengths are refused", kGetX, kStatusOk + "Content-Length: 3, 5\r\n\r\nabc", "502"},
    {"different lengths in two lines are refused", kGetX,
     kStatusOk + "Content-Length: 3\r\nContent-Length: 5\r\n\r\nabc", "502"},
    {"a negative length is refused", kGetX, kStatusOk + "Content-Length: -5\r\n\r\nabc", "502"},
    {"an empty length is refused", kGetX, kStatusOk + "Content-Length:\r\n\r\nabc", "502"},
    {"a length beyond 64 bits is refused", kGetX,
     kStatusOk + "Content-Length: 99999999999999999999999\r\n\r\nabc", "502"},
    {"chunks stay chunks", kGetX, kStatusOk + kChunked + "\r\n3\r\nabc\r\n0\r\n\r\n",
     kStatusOk + kChunked + kClose + "3\r\nabc\r\n0\r\n\r\n"},
    {"extensions and trailers of chunks end here", kGetX,
     kStatusOk + kChunked + "Trailer: T\r\n\r\n3;a=b\r\nabc\r\n0\r\nT: 1\r\n\r\n",
     kStatusOk + kChunked + kClose + "3\r\nabc\r\n0\r\n\r\n"},
    {"the length of a chunked answer is dropped", kGetX,
     kStatusOk + "Content-Length: 3\r\n" + kChunked + "\r\n6\r\nabcdef\r\n0\r\n\r\n",
     kStatusOk + kChunked + kClose + "6\r\nabcdef\r\n0\r\n\r\n"},
    {"another coding is refused", kGetX, kStatusOk + "Transfer-Encoding: gzip, chunked\r\n\r\n",
     "502"},
    {"chunked twice is refused", kGetX, kStatusOk + kChunked + kChunked + "\r\n0\r\n\r\n", "502"},
    {"chunks of HTTP/1.0 are refused", kGetX, "HTTP/1.0 200 OK\r\n" + kChunked + "\r\n0\r\n\r\n",
     "502"},
    {"a negative chunk breaks the answer off", kGetX, kStatusOk + kChunked + "\r\n-3\r\nabc\r\n",
     kStatusOk + kChunked + kClose},
    {"a chunk longer than it says breaks the answer off", kGetX,
     kStatusOk + kChunked + "\r\n2\r\nabc\r\n0\r\n\r\n", kStatusOk + kChunked + kClose},
    {"what ends with the connection goes in chunks", kGetX, "HTTP/1.0 200 OK\r\n\r\nabc",
     kStatusOk + kChunked + kClose + "3\r\nabc\r\n0\r\n\r\n"},
    {"a client of HTTP/1.0 gets no chunks", kOldX,
     kStatusOk + kChunked + "\r\n3\r\nabc\r\n0\r\n\r\n", kStatusOk + kClose + "abc"},
    {"HEAD has the length, not the body", kHeadX, kStatusOk + "Content-Length: 3\r\n\r\n",
     kStatusOk + "Content-Length: 3\r\n" + kClose},
    {"204 has neither", kGetX, "HTTP/1.1 204 No\r\nContent-Length: 3\r\n\r\nabc",
     "HTTP/1.1 204 No\r\n" + kClose},
    {"304 has no body", kGetX, "HTTP/1.1 304 Same\r\nContent-Length: 3\r\n\r\n",
     "HTTP/1.1 304 Same\r\nContent-Length: 3\r\n" + kClose},
    {"early hints come before the answer", kGetX,
     "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + kStatusOk + "Content-Length: 1\r\n\r\na",
     "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + kStatusOk + "Content-Length: 1\r\n" + kClose
         + "a"},
    {"so does 100, as often as it comes", kGetX,
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + kStatusOk
         + "Content-Length: 0\r\n\r\n",
     "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n" + kStatusOk
         + "Content-Length: 0\r\n" + kClose},
    {"a client of HTTP/1.0 gets only the final one", kOldX,
     "HTTP/1.1 103 Early Hints\r\n\r\n" + kStatusOk + "Content-Length: 0\r\n\r\n",
     kStatusOk + "Content-Length: 0\r\n" + kClose},
    {"a change of protocol is refused", kGetX, "HTTP/1.1 101 Switching\r\n\r\n", "502"},
    {"repeated fields stay, in their order and spelling", kGetX,
     kStatusOk + "Set-Cookie: a\r\nX: 1\r\nset-cookie: b\r\nContent-Length: 0\r\n\r\n",
     kStatusOk + "Set-Cookie: a\r\nX: 1\r\nset-cookie: b\r\nContent-Length: 0\r\n" + kClose},
    {"fields of the connection and those it names end here", kGetX,
     kStatusOk
         + "Connection: X-Hop, close\r\nX-Hop: 1\r\nKeep-Alive: 9\r\nContent-Length: 0\r\n\r\n",
     kStatusOk + "Content-Length: 0\r\n" + kClose},
    {"a folded field is unfolded", kGetX, kStatusOk + "X: a\r\n  b\r\nContent-Length: 0\r\n\r\n",
     kStatusOk + "X: a b\r\nContent-Length: 0\r\n" + kClose},
    {"a blank before the colon is removed", kGetX, kStatusOk + "X : a\r\nContent-Length: 0\r\n\r\n",
     kStatusOk + "X: a\r\nContent-Length: 0\r\n" + kClose},
    {"a bare CR in a field is refused", kGetX,
     kStatusOk + "X-A: a\rX-B: b\r\nContent-Length: 0\r\n\r\n", "502"},
    {"a bare CR in the reason is refused", kGetX, "HTTP/1.1 200 O\rK\r\nContent-Length: 0\r\n\r\n",
     "502"},
    {"a bare LF is refused", kGetX, "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "502"},
    {"a NUL is refused", kGetX, kStatusOk + std::string("X: a\0b\r\nContent-Length: 0\r\n\r\n", 29),
     "502"},
    {"a line without a colon is refused", kGetX, kStatusOk + "nonsense\r\n\r\n", "502"},
    {"a status of two digits is refused", kGetX, "HTTP/1.1 20 OK\r\n\r\n", "502"},
    {"another version is refused", kGetX, "HTTP/2 200 OK\r\n\r\n", "502"},
    {"what is not HTTP is refused", kGetX, "SSH-2.0-OpenSSH\r\n", "502"},
    {"a header of 300 KB is refused", kGetX,
     kStatusOk + "X: " + std::string(300'000, 'x') + "\r\nContent-Length: 0\r\n\r\n", "502"},
    {"a reason may be missing", kGetX, "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n",
     "HTTP/1.1 200 \r\nContent-Length: 0\r\n" + kClose},
    {"an end before the answer is refused", kGetX, "HTTP/1.1 200 OK\r\nConte", "502"},
    {"an end in the middle breaks it off", kGetX, kStatusOk + "Content-Length: 9\r\n\r\nabc",
     kStatusOk + "Content-Length: 9\r\n" + kClose + "abc"},
    {"an end in a chunk has no last chunk", kGetX, kStatusOk + kChunked + "\r\n9\r\nabc",
     kStatusOk + kChunked + kClose + "3\r\nabc\r\n"},
};

TEST(ProxyRules, OfAnswers)
{
    for (const AnswerRow& row : kAnswers) {
        RawServer server(row.answer);
        ProxyHouse house(server.port());
        std::string answer;
        house.during([&] {
            RawClient client(house.port());
            client.send(std::string(row.request) + "\r\nHost: 127.0.0.1:"
                        + std::to_string(house.port()) + "\r\nConnection: close\r\n\r\n");
            answer = client.receiveAll();
        });
        if (row.passed == "502")
            answer = answer.substr(std::string_view("HTTP/1.1 ").size(), 3);
        EXPECT_EQ(answer, row.passed) << row.rule;
    }
}

// The client's connection outlives an answer whose end is certain, but no other.
TEST(ProxyRules, OfConnections)
{
    struct Row {
        const char* rule;
        const char* answer;
        bool stays;
    };
    for (const Row& row : {
             Row{"a length", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab", true},
             Row{"chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", true},
             Row{"the server's end", "HTTP/1.0 200 OK\r\n\r\nab", true},
             Row{"cut", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab", false},
             Row{"refused", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nab", false},
         }) {
        RawServer server(row.answer);
        ProxyHouse house(server.port());
        bool again = false;
        house.during([&] {
            RawClient client(house.port());
            const std::string request =
                "GET / HTTP/1.1\r\nHost: localhost:" + std::to_string(house.port()) + "\r\n\r\n";
            client.send(request);
            client.receive();
            again = client.send(request) && !client.receive().head.empty();
        });
        EXPECT_EQ(again, row.stays) << row.rule;
    }
}

TEST(ProxyRules, AnEarlyAnswerToALongBodyArrives)
{
    const std::string answer = "HTTP/1.1 413 Too large\r\nContent-Length: 2\r\n\r\nno";
    RawServer server([&](const RawServer::Send& send, int) { send(answer); }, false);
    ProxyHouse house(server.port());
    const RawAnswer seen =
        house.ask("POST /x HTTP/1.1\r\nHost: localhost:" + std::to_string(house.port())
                  + "\r\nContent-Length: 50000000\r\n\r\n" + std::string(100'000, 'x'));
    EXPECT_EQ(seen.head.substr(0, 12), "HTTP/1.1 413");
    EXPECT_EQ(seen.body, "no");
}

} // namespace
} // namespace ep::test
