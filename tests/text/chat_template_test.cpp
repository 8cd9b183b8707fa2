// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/temp_folder.h"

#include "ep/text/chat_template.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

namespace ep::text {

namespace {

class ChatTemplateTest : public testing::Test {
protected:
    void write(const char* name, const std::string& content) const
    {
        std::ofstream file(m_folder / name, std::ios::binary);
        file << content;
    }
    std::string rendered(const std::string& system = {}) const
    {
        const auto chat = ChatTemplate::load(m_folder.path());
        if (!chat)
            return "error: " + chat.error().message;
        const auto text = renderPrompt(**chat, system, "Hi");
        return text ? *text : "error: " + text.error().message;
    }
    std::string place(const char* name) const { return (m_folder / name).string(); }

    test::TempFolder m_folder;
};

TEST_F(ChatTemplateTest, OneTemplateInTheTokenizersConfiguration)
{
    write("tokenizer_config.json", R"({"chat_template":
        "{{ bos_token }}{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}{{ eos_token }}{{ add_generation_prompt }}{{ tools }}{{ enable_thinking is defined }}",
        "bos_token": "<s>", "eos_token": {"content": "</s>", "lstrip": false},
        "add_bos_token": true})");
    EXPECT_TRUE(ChatTemplate::existsIn(m_folder.path()));
    EXPECT_EQ(rendered(), "<s>user:Hi;</s>TrueNoneFalse");
    EXPECT_EQ(rendered("Be brief."), "<s>system:Be brief.;user:Hi;</s>TrueNoneFalse");
}

TEST_F(ChatTemplateTest, TheDefaultOfSeveralNamedTemplates)
{
    write("tokenizer_config.json", R"({"chat_template": [
        {"name": "tool_use", "template": "tools"}, {"name": "default", "template": "chat"}]})");
    EXPECT_EQ(rendered(), "chat");
}

TEST_F(ChatTemplateTest, AFileOfItsOwnGoesBeforeTheConfiguration)
{
    write("tokenizer_config.json", R"({"chat_template": "config", "bos_token": "<s>"})");
    write("chat_template.json", R"({"chat_template": "json"})");
    EXPECT_EQ(rendered(), "json");
    write("chat_template.jinja", "{{ bos_token }}file\n");
    EXPECT_EQ(rendered(), "<s>file");
}

TEST_F(ChatTemplateTest, SpecialTokensOfTheirOwnFile)
{
    write("special_tokens_map.json", R"({"bos_token": {"content": "<b>"}, "eos_token": "<e>"})");
    write("tokenizer_config.json", R"({"chat_template": "{{ bos_token }}{{ eos_token }}",
                                       "bos_token": null})");
    EXPECT_EQ(rendered(), "<b><e>");
}

TEST_F(ChatTemplateTest, SaysThatThereIsNone)
{
    const std::string message = "error: The model in " + m_folder.path().string()
        + " has no chat template: it is probably not a chat model; turn the chat template off.";
    EXPECT_EQ(rendered(), message);
    write("tokenizer_config.json", R"({"chat_template": null})");
    EXPECT_EQ(rendered(), message);
    EXPECT_FALSE(ChatTemplate::existsIn(m_folder.path()));
}

TEST_F(ChatTemplateTest, SaysWhatIsWrongAndWhere)
{
    write("chat_template.jinja", "{{ bos_token }}\n{% if %}");
    EXPECT_EQ(
        rendered(),
        "error: " + place("chat_template.jinja")
            + ": the chat template cannot be read, line 2: an expression is expected, but the "
              "end of the tag follows; turn the chat template off.");
    write("chat_template.jinja", "\n{{ messages.role.name }}");
    EXPECT_EQ(
        rendered(),
        "error: " + place("chat_template.jinja")
            + ": the chat template fails, line 2: 'list object' has no attribute 'role'; turn "
              "the chat template off.");
    write(
        "chat_template.jinja",
        "{% if messages[0].role == 'system' %}{{ raise_exception('No system role!') }}{% endif %}");
    EXPECT_EQ(rendered("Be brief."),
              "error: The model's chat template refuses these messages: No system role!");
    EXPECT_EQ(rendered(), "");
}

TEST_F(ChatTemplateTest, WrongConfigurations)
{
    write("tokenizer_config.json", R"({"chat_template": 5})");
    EXPECT_EQ(rendered(),
              "error: " + place("tokenizer_config.json")
                  + ": chat_template must be a string or a list of named templates.");
    write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "x"}, 1]})");
    EXPECT_EQ(rendered(),
              "error: " + place("tokenizer_config.json")
                  + ": chat_template[1] must be an object, not 1.");
    write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "x"}]})");
    EXPECT_EQ(rendered(),
              "error: " + place("tokenizer_config.json")
                  + ": chat_template has no template that is called \"default\".");
}

} // namespace

} // namespace ep::text
