// SPDX-License-Identifier: GPL-3.0-or-later
#include "access.h"
#include "support/temp_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <sys/stat.h>
#include <thread>

namespace {

using namespace ep;
using api::HttpRequest;
using testing::HasSubstr;

TEST(Token, IsMadeOnceForItsOwnerOnly)
{
    const test::TempFolder folder;
    const auto file = folder.path() / "new" / "token";
    const auto first = api::readOrMakeToken(file);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->size(), 64U);
    struct stat facts = {};
    ASSERT_EQ(::stat(file.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0600U);
    const auto again = api::readOrMakeToken(file);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *first);
    const auto other = api::readOrMakeToken(folder / "other");
    ASSERT_TRUE(other);
    EXPECT_NE(*other, *first);
}

TEST(Token, OfAnOpenOrBrokenFileIsRefused)
{
    const test::TempFolder folder;
    const auto write = [&](const char* name, const std::string& text, mode_t mode) {
        std::ofstream(folder / name) << text;
        ::chmod((folder / name).c_str(), mode);
        return folder / name;
    };
    const std::string good(40, 'a');
    EXPECT_TRUE(api::readOrMakeToken(write("good", good + '\n', 0600)));
    const auto open = api::readOrMakeToken(write("open", good, 0644));
    ASSERT_FALSE(open);
    EXPECT_THAT(open.error().message, HasSubstr("others"));
    EXPECT_FALSE(api::readOrMakeToken(write("short", "abc", 0600)));
    EXPECT_FALSE(api::readOrMakeToken(write("blank", good + " " + good, 0600)));
    std::filesystem::create_symlink(folder / "good", folder / "link");
    EXPECT_FALSE(api::readOrMakeToken(folder / "link"));
    EXPECT_FALSE(api::readOrMakeToken(folder.path()));
}

// Servers that start at the same time agree on one token, and none reads an empty file.
TEST(Token, IsOneForServersThatStartTogether)
{
    for (int round = 0; round < 20; ++round) {
        const test::TempFolder folder;
        std::vector<std::string> tokens(8);
        std::vector<std::thread> threads;
        std::atomic<int> ready = 0;
        for (std::string& token : tokens)
            threads.emplace_back([&] {
                ++ready;
                while (ready < 8) { }
                const auto made = api::readOrMakeToken(folder / "token");
                token = made ? *made : made.error().message.english();
            });
        for (std::thread& thread : threads)
            thread.join();
        for (const std::string& token : tokens)
            EXPECT_EQ(token, tokens.front());
        EXPECT_EQ(tokens.front().size(), 64U);
        std::size_t files = 0;
        for ([[maybe_unused]] const auto& file : std::filesystem::directory_iterator(folder.path()))
            ++files;
        EXPECT_EQ(files, 1U);
    }
}

TEST(Token, OfAFifoIsRefusedAtOnce)
{
    const test::TempFolder folder;
    ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
    const auto token = api::readOrMakeToken(folder / "fifo");
    ASSERT_FALSE(token);
    EXPECT_THAT(token.error().message, HasSubstr("is not a regular file"));
}

struct AccessCase {
    const char* name;
    std::vector<std::pair<std::string, std::string>> headers;
    int status;
};

class AccessTest : public testing::TestWithParam<AccessCase> { };

TEST_P(AccessTest, HasTheRightStatus)
{
    HttpRequest request;
    request.headers = GetParam().headers;
    request.path = {"metrics"};
    const int origin = api::checkOrigin(request, 8000).status;
    const int token = api::hasToken(request, "secret") ? 0 : 401;
    EXPECT_EQ(origin != 0 ? origin : token, GetParam().status);
}

using Headers = std::vector<std::pair<std::string, std::string>>;

Headers with(const std::string& host, const std::string& origin = {},
             const std::string& authorization = "Bearer secret")
{
    Headers headers{{"host", host}};
    if (!origin.empty())
        headers.emplace_back("origin", origin);
    if (!authorization.empty())
        headers.emplace_back("authorization", authorization);
    return headers;
}

// Headers that a page in a browser could send.
Headers upgrading(const std::string& protocols)
{
    return {{"host", "localhost:8000"},
            {"connection", "Upgrade"},
            {"upgrade", "websocket"},
            {"sec-websocket-protocol", protocols}};
}

INSTANTIATE_TEST_SUITE_P(
    Requests, AccessTest,
    testing::Values(
        AccessCase{"Address", with("127.0.0.1:8000"), 0},
        AccessCase{"Name", with("localhost:8000"), 0}, AccessCase{"Six", with("[::1]:8000"), 0},
        AccessCase{"OwnOrigin", with("localhost:8000", "http://localhost:8000"), 0},
        AccessCase{"ForeignHost", with("evil.example:8000"), 403},
        AccessCase{"HostBehindDot", with("localhost.evil.example:8000"), 403},
        AccessCase{"NoPort", with("localhost"), 403},
        AccessCase{"OtherPort", with("localhost:9000"), 403},
        AccessCase{"ForeignOrigin", with("localhost:8000", "http://evil.example"), 403},
        AccessCase{"NullOrigin", with("localhost:8000", "null"), 403},
        AccessCase{"OriginOfOtherPort", with("localhost:8000", "http://localhost:3000"), 403},
        AccessCase{"SecureOrigin", with("localhost:8000", "https://localhost:8000"), 403},
        AccessCase{"NoToken", with("localhost:8000", "", ""), 401},
        AccessCase{"WrongToken", with("localhost:8000", "", "Bearer secreT"), 401},
        AccessCase{"LongerToken", with("localhost:8000", "", "Bearer secret2"), 401},
        AccessCase{"BareToken", with("localhost:8000", "", "secret"), 401},
        AccessCase{"Protocol", upgrading("energy-profiler, token.secret"), 0},
        AccessCase{"ProtocolAlone", upgrading("token.secret"), 0},
        AccessCase{"WrongProtocol", upgrading("energy-profiler, token.secre"), 401},
        AccessCase{"NoProtocol", upgrading("energy-profiler"), 401},
        AccessCase{"ProtocolOfNoWebSocket",
                   {{"host", "localhost:8000"}, {"sec-websocket-protocol", "token.secret"}},
                   401},
        AccessCase{"OtherScheme", with("localhost:8000", "", "Basic secret"), 401}),
    [](const auto& tested) { return tested.param.name; });

} // namespace
