// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_watcher.h"

#include "ep/json/conversation.h"
#include "ep/session/privacy.h"
#include "ep/store/store.h"

#include <gmock/gmock.h>

#include <string>

namespace {

using namespace ep;
using test::RunWatcher;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(Privacy, HashesAreThoseOfSha256)
{
    EXPECT_EQ(session::hashedText(""), "");
    // FIPS 180-2, appendix B.1
    EXPECT_EQ(session::hashedText("abc"),
              "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Privacy, OnlyHashesReachTheDatabase)
{
    RunWatcher watcher;
    session::RunRequest request = watcher.request();
    request.database = watcher.folder() / "runs.db";
    request.store_texts = false;
    request.sampling.stop = {"never said"};
    watcher.finish(request);
    EXPECT_TRUE(watcher.finished->saved);
    const ep::Run& seen = *watcher.finished->run;
    EXPECT_EQ(seen.info.prompt, request.prompt); // the window still shows the text

    const auto store = store::Store::open(request.database);
    ASSERT_TRUE(store.has_value());
    const auto stored = (*store)->load(seen.info.id);
    ASSERT_TRUE(stored.has_value());
    EXPECT_EQ(stored->info.prompt, session::hashedText(request.prompt));
    EXPECT_EQ(stored->info.response, session::hashedText(seen.info.response));
    ASSERT_EQ(stored->info.sampling.stop.size(), 1U);
    EXPECT_THAT(stored->info.sampling.stop[0], StartsWith("sha256:"));
    ASSERT_EQ(stored->trace.tokens.size(), seen.trace.tokens.size());
    for (const TokenSpan& token : stored->trace.tokens) {
        EXPECT_EQ(token.text, "");
        EXPECT_EQ(token.id, 0);
    }
    EXPECT_EQ(stored->metrics.energy, seen.metrics.energy);
}

TEST(Privacy, EqualPromptsKeepEqualHashes)
{
    RunInfo first;
    first.prompt = "one";
    first.batch = {{.prompt = "one", .response = "two"}, {.prompt = "three", .response = ""}};
    RunInfo second = first;
    session::hashTexts(first);
    session::hashTexts(second);
    EXPECT_EQ(first, second);
    EXPECT_EQ(first.prompt, first.batch[0].prompt);
    EXPECT_NE(first.batch[0].prompt, first.batch[1].prompt);
    EXPECT_EQ(first.batch[1].response, "");
}

TEST(Privacy, NothingOfAConversationStays)
{
    const auto read = json::readConversations(
        R"({"messages": [{"role": "secretrole", "content": "secret"},
            {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "secretname", "arguments": "{\"secretkey\": 1}"}}]},
            {"role": "user", "content": [{"type": "text", "text": "secretpart"}]}],
            "tools": [{"function": {"name": "secrettool"}}], "template_variables": {"secretvariable": 1}})",
        "chat");
    ASSERT_TRUE(read) << read.error().message;
    RunInfo info;
    info.conversation = read->conversations.front();
    info.batch = {{.prompt = "a", .response = "", .conversation = info.conversation}};
    RunInfo again = info;
    session::hashTexts(info);
    for (const Conversation& hashed : {info.conversation, info.batch[0].conversation}) {
        const std::string text = json::conversationText(hashed);
        EXPECT_THAT(text, Not(HasSubstr("secret")));
        EXPECT_THAT(text, HasSubstr("sha256:"));
        ASSERT_EQ(hashed.messages.size(), 3U);
        EXPECT_EQ(hashed.messages[2].role, "user");
        EXPECT_THAT(hashed.tools, StartsWith(R"([{"hash":"sha256:)"));
        EXPECT_THAT(hashed.variables, StartsWith(R"({"hash":"sha256:)"));
        EXPECT_EQ(json::conversationFromText(text), hashed) << "it can be stored";
    }
    session::hashTexts(again);
    EXPECT_EQ(again.conversation, info.conversation) << "equal conversations stay equal";
}

} // namespace
