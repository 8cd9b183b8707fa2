// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"
#include "support/temp_folder.h"

#include "ep/json/conversation.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace ep::json {

namespace {

std::string problemOf(const std::string& text)
{
    const auto read = readConversations(text, "chat.json");
    return read ? "none" : read.error().message.english();
}

Conversation only(const std::string& text)
{
    const auto read = readConversations(text, "chat.json");
    EXPECT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->conversations.size(), 1U);
    return read ? read->conversations.front() : Conversation();
}

TEST(ConversationFile, AListOfMessagesOrARequest)
{
    const Conversation list = only(R"([{"role": "user", "content": "Hi"}])");
    ASSERT_EQ(list.messages.size(), 1U);
    EXPECT_EQ(list.messages[0].role, "user");
    EXPECT_EQ(list.messages[0].text, "Hi");
    EXPECT_EQ(list.messages[0].json, R"({"role":"user","content":"Hi"})");
    EXPECT_EQ(list, promptConversation({}, "Hi"));
    EXPECT_EQ(only(R"({"messages": [{"role": "user", "content": "Hi"}], "tools": null})"), list);
    EXPECT_EQ(only("\xEF\xBB\xBF[{\"role\": \"user\", \"content\": \"Hi\"}]"), list);
}

TEST(ConversationFile, KeepsTheOrderAndWhatOnlyTemplatesKnow)
{
    const std::string message =
        R"({"zeta":1.0,"role":"ipython","content":null,"reasoning_content":"hm","b":1,"a":[]})";
    const Conversation read =
        only(R"({"tools": [{"type":"function","function":{"name":"f","b":1,"a":2}}], "messages": [)"
             + message + "]}");
    EXPECT_EQ(read.messages[0].json, message);
    EXPECT_EQ(read.messages[0].role, "ipython");
    EXPECT_EQ(read.tools, R"([{"type":"function","function":{"name":"f","b":1,"a":2}}])");
}

TEST(ConversationFile, PartsOfTextAreOneText)
{
    const Conversation read = only(
        R"([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])");
    EXPECT_EQ(read.messages[0].text, "a\nb");
}

TEST(ConversationFile, VariablesOfTheTemplate)
{
    const auto read = readConversations(
        R"({"messages": [{"role": "user", "content": "Hi"}], "model": "m", "temperature": 0.5,
            "chat_template_kwargs": {"enable_thinking": false}, "reasoning_effort": "high", "n": null,
            "template_variables": {"date": "today"}})",
        "chat.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->conversations[0].variables,
              R"({"enable_thinking":false,"reasoning_effort":"high","date":"today"})");
    EXPECT_EQ(read->unused, (std::vector<std::string>{"model", "temperature"}));
}

TEST(ConversationFile, LinesAreABatch)
{
    const std::string lines = R"({"messages": [{"role": "user", "content": "One"}]}

[{"role": "user", "content": "Two"}]
{"custom_id": "3", "method": "POST", "body": {"messages": [{"role": "user", "content": "Three"}]}})";
    for (const std::string& text : {lines, lines + "\n", lines + "\r\n"}) {
        const auto read = readConversations(text, "chat.jsonl");
        ASSERT_TRUE(read) << read.error().message;
        ASSERT_EQ(read->conversations.size(), 3U);
        EXPECT_EQ(read->conversations[2].messages[0].text, "Three");
    }
    const auto list = readConversations(
        R"([[{"role": "user", "content": "One"}], {"messages": [{"role": "user", "content": "Two"}]}])",
        "chat.json");
    ASSERT_TRUE(list) << list.error().message;
    EXPECT_EQ(list->conversations.size(), 2U);
}

TEST(ConversationFile, SaysWhatIsWrongAndWhere)
{
    struct Case {
        const char* text;
        const char* problem;
    };
    for (
        const Case& c : {
            Case{"", "chat.json is not valid JSON at line 1, column 1."},
            Case{"[{]", "chat.json is not valid JSON at line 1, column 3."},
            Case{"7",
                 "chat.json is 7; a conversation is a list of messages, or an object with "
                 "one."},
            Case{"[]", "chat.json: there is no message; give at least one."},
            Case{"{}", "chat.json has no \"messages\"."},
            Case{R"({"conversations": []})",
                 "chat.json has \"conversations\", which is another form; write \"messages\" with "
                 "\"role\" and \"content\"."},
            Case{R"({"messages": [], "functions": []})",
                 "chat.json has \"functions\", the older form of tools; write \"tools\"."},
            Case{R"([{"role": "user", "content": "a"}, 5])",
                 "chat.json: message 2 is 5; it must be an object with a role and a content."},
            Case{R"([{"content": "a"}])", "chat.json: message 1 has no role."},
            Case{R"([{"role": 3, "content": "a"}])",
                 "chat.json: message 1 has a role that is 3; it must be a word such as user."},
            Case{R"([{"role": "user"}])", "chat.json: message 1 (user) has no content."},
            Case{R"([{"role": "user", "content": {"a": 1}}])",
                 "chat.json: message 1 (user) has a content that is an object; it must be a text, "
                 "null or a list of parts."},
            Case{R"([{"role": "user", "content": ["a"]}])",
                 "chat.json: message 1 (user) has a part that is a string; a part is an object "
                 "with a type and a text."},
            Case{R"([{"role": "user", "content": [{"text": "a"}]}])",
                 "chat.json: message 1 (user) has a part without a type; {\"type\": \"text\", "
                 "\"text\": ...} is a part."},
            Case{R"([{"role": "user", "content": [{"type": "text"}]}])",
                 "chat.json: message 1 (user) has a part of text without a text."},
            Case{R"([{"role": "user", "content": [{"type": "poem"}]}])",
                 "chat.json: message 1 (user) has a part of the type \"poem\"; only \"text\" is "
                 "known."},
            Case{
                R"([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}])",
                "chat.json: message 1 (user) has an image (image_url), but only text can be "
                "measured; remove it."},
            Case{R"([{"role": "user", "content": [{"type": "input_audio"}]}])",
                 "chat.json: message 1 (user) has audio (input_audio), but only text can be "
                 "measured; remove it."},
            Case{R"([{"role": "user", "content": "a", "images": ["x"]}])",
                 "chat.json: message 1 (user) has images (images), but only text can be measured; "
                 "remove it."},
            Case{R"([{"role": "assistant", "tool_calls": {}}])",
                 "chat.json: message 1 (assistant) has tool_calls that are an object; they must "
                 "be a list."},
            Case{R"([{"role": "assistant", "tool_calls": [{"function": {"arguments": "{}"}}]}])",
                 "chat.json: message 1 (assistant) has a tool call without the name of a "
                 "function."},
            Case{
                R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": 5}}]}])",
                "chat.json: message 1 (assistant) has a tool call with arguments that are 5; "
                "they must be an object or its text."},
            Case{R"([{"role": "tool", "tool_call_id": 5, "content": "a"}])",
                 "chat.json: message 1 (tool) has a tool_call_id that is 5; it must be a string."},
            Case{R"({"messages": [{"role": "user", "content": "a"}], "tools": {}})",
                 "chat.json: tools is an object; it must be a list."},
            Case{R"({"messages": [{"role": "user", "content": "a"}], "tools": ["f"]})",
                 "chat.json: tools has an element that is a string; a tool is an object with a "
                 "type and a function."},
            Case{R"({"messages": [{"role": "user", "content": "a"}], "template_variables": []})",
                 "chat.json: the template's variables are a list; they must be an object."},
            Case{
                R"({"messages": [{"role": "user", "content": "a"}], "template_variables": {"tools": 1}})",
                "chat.json: the template's variables have tools, which stand beside them "
                "instead."},
            Case{"[{\"role\": \"user\", \"content\": \"a\"}]\n\n[{\"role\": \"user\"}]",
                 "chat.json, line 3: message 1 (user) has no content."},
            Case{"[{\"role\": \"user\", \"content\": \"a\"}]\nnonsense",
                 "chat.json, line 2 is not valid JSON at line 1, column 2."},
        })
        EXPECT_EQ(problemOf(c.text), c.problem) << c.text;
}

TEST(ConversationFile, FilesOfTheProgramsThatWriteThem)
{
    const std::string folder = test::dataPath("conversations/");
    for (const char* const name : {"plain.json", "tools.json", "objects.json", "parts.json",
                                   "reasoning.json", "ends_with_assistant.json", "roles.json"}) {
        const auto read = readConversationFile(folder + name);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->conversations.size(), 1U) << name;
        // Reading back gives the same conversation.
        const Conversation& one = read->conversations.front();
        EXPECT_EQ(conversationFromText(conversationText(one)), one) << name;
    }
    const auto batch = readConversationFile(folder + "batch.jsonl");
    ASSERT_TRUE(batch) << batch.error().message;
    EXPECT_EQ(batch->conversations.size(), 3U);
    EXPECT_FALSE(readConversationFile(folder + "missing.json"));
}

TEST(Conversation, TheQuestionIsTheLastOfTheUser)
{
    Conversation conversation;
    EXPECT_EQ(questionOf(conversation), "");
    conversation.messages = {chatMessage("system", "S")};
    EXPECT_EQ(questionOf(conversation), "S");
    conversation.messages = {chatMessage("user", "first"), chatMessage("user", "last"),
                             chatMessage("assistant", "answer"), chatMessage("tool", "5")};
    EXPECT_EQ(questionOf(conversation), "last");
}

TEST(Conversation, TextIsWrittenCompactAndReadBack)
{
    Conversation conversation = promptConversation("Be brief.", "Hi");
    conversation.variables = R"({"a":1})";
    const std::string text = conversationText(conversation);
    EXPECT_EQ(text,
              R"({"messages":[{"role":"system","content":"Be brief."},)"
              R"({"role":"user","content":"Hi"}],"template_variables":{"a":1}})");
    EXPECT_EQ(conversationFromText(text), conversation);
    EXPECT_EQ(conversationText({}), "");
    EXPECT_TRUE(conversationFromText("").empty());
    EXPECT_TRUE(conversationFromText("{\"messages\": 5}").empty());
    EXPECT_FALSE(conversationOf(*parseOrdered(R"({"messages": [], "more": 1})")));
}

TEST(Conversation, PlainMessagesHaveTextsAndObjects)
{
    const Conversation read = only(
        R"([{"role": "user", "content": [{"type": "text", "text": "a"}]},
            {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": 1}"}}]}])");
    EXPECT_EQ(plainMessagesJson(read).dump(),
              R"([{"role":"user","content":"a"},{"role":"assistant","content":"","tool_calls":)"
              R"([{"function":{"name":"f","arguments":{"x":1}}}]}])");
}

TEST(TemplateVariables, AreJsonOrTexts)
{
    std::string variables;
    for (const char* const one : {"enable_thinking=false", "reasoning_effort=high", "n=3",
                                  "s=\"3\"", "list=[1, 2]", "empty=", "enable_thinking=true"})
        ASSERT_TRUE(setVariable(variables, one)) << one;
    EXPECT_EQ(variables,
              R"({"enable_thinking":true,"reasoning_effort":"high","n":3,"s":"3",)"
              R"("list":[1,2],"empty":""})");
    EXPECT_EQ(mergedVariables(R"({"a":1,"b":2})", R"({"b":3})"), R"({"a":1,"b":3})");
    EXPECT_EQ(mergedVariables("", R"({"b":3})"), R"({"b":3})");
}

TEST(TemplateVariables, RefusesWhatWouldMeanSomethingElse)
{
    std::string variables;
    const auto problem = [&](const char* text) {
        const Status set = setVariable(variables, text);
        return set ? "none" : set.error().message.english();
    };
    EXPECT_EQ(problem("thinking"),
              "\"thinking\" is no variable of the template: write NAME=VALUE, "
              "as in enable_thinking=false.");
    EXPECT_EQ(problem("thinking=False"),
              "The value of thinking is JSON: write false instead of False.");
    EXPECT_EQ(problem("tools=[]"),
              "The variable tools of the template is given by --messages FILE.");
    EXPECT_EQ(problem("a={1"), "The value of a is not valid JSON at line 1, column 2.");
    EXPECT_EQ(variables, "");
}

} // namespace

} // namespace ep::json
