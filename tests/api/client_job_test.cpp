// SPDX-License-Identifier: GPL-3.0-or-later
#include "client_job.h"

#include <gtest/gtest.h>

namespace ep::api {
namespace {

using Headers = std::vector<std::pair<std::string, std::string>>;

std::string ofHead(const Headers& headers)
{
    SessionTree sessions;
    HttpRequest request;
    request.headers = headers;
    return jobOfHead(request, sessions);
}

std::string ofBody(const std::string& body)
{
    SessionTree sessions;
    return jobOfBody(body, sessions);
}

TEST(ClientJob, ReadsTheHeadersOfEachAgent)
{
    EXPECT_EQ(ofHead({{"host", "x"}}), "");
    for (const char* name :
         {"x-job-id", "x-session-id", "x-claude-code-session-id", "session-id", "session_id",
          "agent-session-id", "goose-session-id", "x-opencode-session", "x-session-affinity",
          "x-affinity", "x-task-id", "x-conversation-id", "conversation_id", "thread-id",
          "thread_id", "x-some-vendor-session-id"})
        EXPECT_EQ(ofHead({{"host", "x"}, {name, "s-1"}}), "s-1") << name;
    EXPECT_EQ(ofHead({{"x-session-id", "s"}, {"x-job-id", "j"}}), "j");
    EXPECT_EQ(ofHead({{"thread-id", "t"}, {"session-id", "s"}}), "s") << "a sub-agent of Codex";
    EXPECT_EQ(ofHead({{"x-continue-unique-id", "u"}}), "") << "of a machine, not of a session";
}

TEST(ClientJob, ReadsTheBodyOfEachAgent)
{
    EXPECT_EQ(ofBody(R"({"model":"m","session_id":"abc"})"), "abc");
    EXPECT_EQ(ofBody(R"({"metadata":{"conversation_id":"c-9"},"messages":[]})"), "c-9");
    EXPECT_EQ(ofBody(R"({"prompt_cache_key":"k"})"), "k");
    EXPECT_EQ(ofBody(R"({"conversation":"conv_1"})"), "conv_1");
    EXPECT_EQ(ofBody(R"({"conversation":{"id":"conv_1"}})"), "conv_1");
    EXPECT_EQ(ofBody(R"({"metadata":{"sessionId":"q","promptId":"q#1"}})"), "q");
    EXPECT_EQ(ofBody(R"({"client_metadata":{"session_id":"c"},"prompt_cache_key":"t"})"), "c");
    EXPECT_EQ(ofBody(R"({"metadata":{"user_id":"user_0a_account__session_57a1-ec"}})"), "57a1-ec");
    EXPECT_EQ(ofBody(R"({"metadata":{"user_id":"{\"device_id\":\"d\",\"session_id\":\"54c1\"}"}})"),
              "54c1");
    EXPECT_EQ(ofBody(R"({"metadata":{"user_id":"somebody"}})"), "");
    EXPECT_EQ(ofBody(R"({"messages":[{"content":"\"session_id\": \"no\""}]})"), "");
}

TEST(ClientJob, SubAgentsBelongToTheSessionThatBeganThem)
{
    SessionTree sessions;
    HttpRequest request;
    const auto job = [&](const Headers& headers) {
        request.headers = headers;
        return jobOfHead(request, sessions);
    };
    EXPECT_EQ(job({{"x-session-id", "a"}}), "a");
    EXPECT_EQ(job({{"x-session-id", "b"}, {"x-parent-session-id", "a"}}), "a");
    EXPECT_EQ(job({{"x-session-id", "c"}, {"x-parent-session-id", "b"}}), "a") << "of a sub-agent";
    EXPECT_EQ(job({{"x-session-id", "c"}}), "a");
    EXPECT_EQ(job({{"x-session-id", "d"}}), "d");
}

TEST(ClientJob, TakesOnlyShortPrintableIds)
{
    EXPECT_EQ(ofHead({{"x-job-id", std::string(kLongestJob + 1, 'a')}}), "");
    EXPECT_EQ(ofHead({{"x-job-id", "two words"}, {"x-session-id", "fine"}}), "fine");
    EXPECT_EQ(ofBody(R"({"session_id":"a,b"})"), "");
    EXPECT_EQ(ofBody(R"({"session_id":17})"), "");
    EXPECT_EQ(ofBody(R"({"session_id":"cut)"), "");
    EXPECT_EQ(ofBody(R"(["session_id"])"), "");
    EXPECT_EQ(ofBody(""), "");
}

} // namespace
} // namespace ep::api
