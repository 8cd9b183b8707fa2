// SPDX-License-Identifier: GPL-3.0-or-later
// Compares with the output of Jinja itself (tests/data/conversations/make_goldens.py).
#include "support/temp_folder.h"

#include "ep/json/conversation.h"
#include "ep/text/chat_template.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ep::text {

namespace {

namespace fs = std::filesystem;

// Thursday, 5 March 2026, 14:07:09
std::tm goldenTime()
{
    std::tm time{};
    time.tm_year = 126;
    time.tm_mon = 2;
    time.tm_mday = 5;
    time.tm_hour = 14;
    time.tm_min = 7;
    time.tm_sec = 9;
    time.tm_wday = 4;
    time.tm_yday = 63;
    return time;
}

TEST(ConversationGolden, PromptsAreThoseOfJinja)
{
    const fs::path data = EP_TEST_DATA_DIR;
    const auto goldens = json::readFile(data / "conversations" / "goldens.json", 1U << 20U);
    ASSERT_TRUE(goldens) << goldens.error().message;
    ASSERT_GE(goldens->size(), 8U);
    for (const auto& [model, prompts] : goldens->items()) {
        const test::TempFolder folder;
        fs::copy_file(data / "jinja" / "models" / model, folder / "chat_template.jinja");
        std::ofstream(folder / "tokenizer_config.json")
            << R"({"bos_token": "<s>", "eos_token": "</s>"})";
        const auto chat = ChatTemplate::load(folder.path());
        ASSERT_TRUE(chat) << chat.error().message;
        for (const auto& [name, golden] : prompts.items()) {
            SCOPED_TRACE(model + ", " + name);
            const auto read = json::readConversationFile(data / "conversations" / name);
            ASSERT_TRUE(read) << read.error().message;
            const auto text = (*chat)->render(read->conversations.front(), goldenTime());
            if (golden.is_null())
                EXPECT_FALSE(text) << *text;
            else
                EXPECT_EQ(text ? *text : text.error().message.english(), golden.get<std::string>());
        }
    }
}

} // namespace

} // namespace ep::text
