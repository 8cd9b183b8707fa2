// SPDX-License-Identifier: GPL-3.0-or-later
#include "client_job.h"

#include <gtest/gtest.h>

namespace ep::api {
namespace {

TEST(ClientJob, ReadsHeadersAndBodies)
{
    HttpRequest request;
    EXPECT_EQ(jobOfHead(request), "");
    request.headers = {{"host", "x"}, {"x-session-id", "s-1"}};
    EXPECT_EQ(jobOfHead(request), "s-1");
    request.headers.insert(request.headers.begin(), {"x-job-id", "j-1"});
    EXPECT_EQ(jobOfHead(request), "j-1");

    EXPECT_EQ(jobOfBody(R"({"model":"m","session_id":"abc"})"), "abc");
    EXPECT_EQ(jobOfBody(R"({"metadata":{"conversation_id":"c-9"},"messages":[]})"), "c-9");
    EXPECT_EQ(jobOfBody(R"({"prompt_cache_key":"k"})"), "k");
    EXPECT_EQ(jobOfBody(R"({"messages":[{"content":"\"session_id\": \"no\""}]})"), "");
}

TEST(ClientJob, TakesOnlyShortPrintableIds)
{
    HttpRequest request;
    request.headers = {{"x-job-id", std::string(kLongestJob + 1, 'a')}};
    EXPECT_EQ(jobOfHead(request), "");
    request.headers = {{"x-job-id", "two words"}, {"x-session-id", "fine"}};
    EXPECT_EQ(jobOfHead(request), "fine");
    EXPECT_EQ(jobOfBody(R"({"session_id":"a,b"})"), "");
    EXPECT_EQ(jobOfBody(R"({"session_id":17})"), "");
    EXPECT_EQ(jobOfBody(R"({"session_id":"cut)"), "");
    EXPECT_EQ(jobOfBody(R"(["session_id"])"), "");
    EXPECT_EQ(jobOfBody(""), "");
}

} // namespace
} // namespace ep::api
