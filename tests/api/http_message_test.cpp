// SPDX-License-Identifier: GPL-3.0-or-later
#include "http_message.h"

#include <gmock/gmock.h>

namespace {

using namespace ep::api;
using testing::ElementsAre;

constexpr std::size_t kHeadLimit = 1024;
constexpr std::size_t kBodyLimit = 100;

std::optional<ParsedHead> parse(const std::string& text)
{
    return parseHead(text, kHeadLimit, kBodyLimit);
}

TEST(HttpMessage, ReadsPathQueryAndHeaders)
{
    const auto head = parse("POST /a/b%20c/?x=1&y=a+b%26&x=2&flag HTTP/1.1\r\nHost: h:1\r\n"
                            "Content-Length: 12\r\nConnection: Keep-Alive, Upgrade\r\n"
                            "X-Thing:  padded \r\n\r\nrest");
    ASSERT_TRUE(head);
    ASSERT_FALSE(head->refusal) << head->refusal.message;
    const HttpRequest& request = head->request;
    EXPECT_EQ(request.method, "POST");
    EXPECT_THAT(request.path, ElementsAre("a", "b c"));
    EXPECT_EQ(request.query.at("x"), "2");
    EXPECT_EQ(request.query.at("y"), "a b&");
    EXPECT_EQ(request.query.at("flag"), "");
    EXPECT_EQ(request.header("x-thing"), "padded");
    EXPECT_EQ(head->body_size, 12U);
    EXPECT_TRUE(request.keepsAlive());
    EXPECT_FALSE(request.asksUpgrade()) << "there is no Upgrade header";
}

TEST(HttpMessage, WaitsForTheWholeHead)
{
    const std::string text = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    for (std::size_t size = 0; size < text.size(); ++size)
        EXPECT_FALSE(parse(text.substr(0, size))) << size;
    EXPECT_TRUE(parse(text));
}

struct HeadCase {
    const char* name;
    std::string text;
    int status;
};

class HeadTest : public testing::TestWithParam<HeadCase> { };

TEST_P(HeadTest, HasTheRightStatus)
{
    const auto head = parse(GetParam().text);
    ASSERT_TRUE(head);
    EXPECT_EQ(head->refusal.status, GetParam().status) << head->refusal.message;
}

std::string get(const std::string& target, const std::string& headers = "Host: h\r\n")
{
    return "GET " + target + " HTTP/1.1\r\n" + headers + "\r\n";
}

INSTANTIATE_TEST_SUITE_P(
    Heads, HeadTest,
    testing::Values(
        HeadCase{"Plain", get("/"), 0},
        HeadCase{"OldVersion", "GET / HTTP/1.0\r\nHost: h\r\n\r\n", 0},
        HeadCase{"NewVersion", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505},
        HeadCase{"NoVersion", "GET /\r\nHost: h\r\n\r\n", 400},
        HeadCase{"OtherProtocol", "GET / RTSP/1.0\r\nHost: h\r\n\r\n", 400},
        HeadCase{"TwoBlanks", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        HeadCase{"StrangeMethod", "G(T / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
        HeadCase{"AbsoluteTarget", get("http://h/"), 400}, HeadCase{"StarTarget", get("*"), 400},
        HeadCase{"BrokenEscape", get("/%4"), 400}, HeadCase{"EscapedNul", get("/a%00b"), 400},
        HeadCase{"NoUtf8", get("/%ff"), 400}, HeadCase{"Fragment", get("/a#b"), 400},
        HeadCase{"BrokenQuery", get("/?a=%zz"), 400}, HeadCase{"NoHost", get("/", ""), 400},
        HeadCase{"TwoHosts", get("/", "Host: h\r\nHost: h\r\n"), 400},
        HeadCase{"FoldedHeader", get("/", "Host: h\r\nX: a\r\n b\r\n"), 400},
        HeadCase{"BlankBeforeColon", get("/", "Host : h\r\n"), 400},
        HeadCase{"NoColon", get("/", "Host: h\r\nrubbish\r\n"), 400},
        HeadCase{"ControlInValue", get("/", "Host: h\r\nX: a\x01\r\n"), 400},
        HeadCase{"BareLineFeeds", "GET / HTTP/1.1\nHost: h\n\n", 400},
        HeadCase{"BareReturn", get("/", "Host: h\rX: y\r\n"), 400},
        HeadCase{"Chunked", get("/", "Host: h\r\nTransfer-Encoding: chunked\r\n"), 411},
        HeadCase{"LengthAndChunked",
                 get("/", "Host: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n"), 411},
        HeadCase{"TwoLengths", get("/", "Host: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n"),
                 400},
        HeadCase{"SignedLength", get("/", "Host: h\r\nContent-Length: +3\r\n"), 400},
        HeadCase{"NegativeLength", get("/", "Host: h\r\nContent-Length: -1\r\n"), 400},
        HeadCase{"WordLength", get("/", "Host: h\r\nContent-Length: ten\r\n"), 400},
        HeadCase{"LargestLength", get("/", "Host: h\r\nContent-Length: 100\r\n"), 0},
        HeadCase{"LargeLength", get("/", "Host: h\r\nContent-Length: 101\r\n"), 413},
        HeadCase{"HugeLength", get("/", "Host: h\r\nContent-Length: 99999999999999999999999\r\n"),
                 413},
        HeadCase{"Expectation", get("/", "Host: h\r\nExpect: 100-continue\r\n"), 0},
        HeadCase{"OtherExpectation", get("/", "Host: h\r\nExpect: gold\r\n"), 417},
        HeadCase{"LongHead", get("/", "Host: h\r\nX: " + std::string(2000, 'x') + "\r\n"), 431},
        HeadCase{"EndlessHead", "GET /" + std::string(2000, 'x'), 431}),
    [](const auto& tested) { return tested.param.name; });

TEST(HttpMessage, RefusesTooManyHeaders)
{
    std::string headers = "Host: h\r\n";
    for (int i = 0; i < 100; ++i)
        headers += "a: b\r\n";
    const auto head = parse(get("/", headers));
    ASSERT_TRUE(head);
    EXPECT_EQ(head->refusal.status, 431);
}

TEST(HttpMessage, KeepsConnectionsAsAsked)
{
    struct Case {
        const char* version;
        const char* connection;
        bool keeps;
    };
    for (const Case& one : {Case{"1.1", "", true}, Case{"1.1", "Connection: close\r\n", false},
                            Case{"1.0", "", false}, Case{"1.0", "Connection: keep-alive\r\n", true},
                            Case{"1.1", "Connection: x, Close\r\n", false}}) {
        const auto head = parse(std::string("GET / HTTP/") + one.version + "\r\nHost: h\r\n"
                                + one.connection + "\r\n");
        ASSERT_TRUE(head);
        EXPECT_EQ(head->request.keepsAlive(), one.keeps) << one.version << one.connection;
    }
}

} // namespace
