// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/folders.h"
#include "support/temp_folder.h"
#include "text/golden_time.h"

#include "ep/json/conversation.h"
#include "ep/text/chat_template.h"

#include <gtest/gtest.h>

#include <filesystem>
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
            return "error: " + chat.error().message.english();
        const auto text = (*chat)->render(json::promptConversation(system, "Hi"));
        return text ? *text : "error: " + text.error().message.english();
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

// Names as in transformers' map of special tokens.
TEST_F(ChatTemplateTest, NamesOfFurtherSpecialTokens)
{
    write("tokenizer_config.json", R"({"bos_token": "<s>",
        "extra_special_tokens": {"image_token": "<img>", "boi": {"content": "<boi>"}},
        "additional_special_tokens": ["<a>", {"content": "<b>"}, 5],
        "chat_template": "{{ bos_token }}{{ image_token }}{{ boi }}{{ additional_special_tokens | join }}"})");
    EXPECT_EQ(rendered(), "<s><img><boi><a><b>");
    write("tokenizer_config.json", R"({"extra_special_tokens": ["<x>"],
        "chat_template": "{{ additional_special_tokens is defined }}{{ tools | selectattr('type') | list }}"})");
    EXPECT_EQ(rendered(), "False[]");
}

TEST_F(ChatTemplateTest, SaysThatThereIsNone)
{
    const std::string message = "error: The model in " + m_folder.path().string()
        + " has no chat template: it is probably not a chat model; turn the chat template off.";
    EXPECT_EQ(rendered(), message);
    write("tokenizer_config.json", R"({"chat_template": null})");
    EXPECT_EQ(rendered(), message);
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

TEST_F(ChatTemplateTest, MessagesToolsAndVariablesReachTheTemplate)
{
    write("chat_template.jinja",
          "{{ tools | tojson }}|{{ messages | tojson }}|{{ enable_thinking is defined }}");
    const auto chat = ChatTemplate::load(m_folder.path());
    ASSERT_TRUE(chat) << chat.error().message;
    Conversation conversation = json::promptConversation({}, "Hi");
    EXPECT_EQ(*(*chat)->render(conversation), R"(null|[{"role": "user", "content": "Hi"}]|False)");
    conversation.tools = R"([{"b":1,"a":2.0}])";
    conversation.variables = R"({"enable_thinking":true})";
    EXPECT_EQ(*(*chat)->render(conversation),
              R"([{"b": 1, "a": 2.0}]|[{"role": "user", "content": "Hi"}]|True)");
}

// As transformers passes it to templates: gpt-oss wants `thinking`, most `reasoning_content`.
TEST_F(ChatTemplateTest, ReasoningHasTheNameThatTheTemplateReads)
{
    write("chat_template.jinja",
          "{% for m in messages %}{{ m.thinking }},{{ m.reasoning_content }},{{ m.reasoning }};"
          "{% endfor %}");
    const auto chat = ChatTemplate::load(m_folder.path());
    ASSERT_TRUE(chat) << chat.error().message;
    const auto read = json::readConversations(
        R"([{"role": "assistant", "content": "x", "reasoning_content": "a", "thinking": "b"},
            {"role": "assistant", "content": "x", "reasoning_content": null, "thinking": "c"},
            {"role": "assistant", "content": "x", "reasoning": "d"},
            {"role": "user", "content": "x"}])",
        "chat");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*(*chat)->render(read->conversations.front()), "b,a,;c,c,;d,d,d;,,;");
}

TEST_F(ChatTemplateTest, ATextTakesTheFormThatTheTemplateReads)
{
    const auto read = json::readConversations(
        R"([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}])",
        "chat");
    ASSERT_TRUE(read) << read.error().message;
    const Conversation& parts = read->conversations.front();
    const Conversation text = json::promptConversation({}, "c");
    struct Case {
        const char* source;
        const char* ofParts;
        const char* ofText;
    };
    for (const Case& c : {
             Case{"{{ messages[0].content }}", "a\nb", "c"},
             Case{"{{ messages[0].content | trim }}", "a\nb", "c"},
             Case{"{{ '<' + messages[0].content }}", "<a\nb", "<c"},
             Case{"{% for p in messages[0].content %}[{{ p.text }}]{% endfor %}", "[a][b]", "[c]"},
             Case{"{% if messages[0].content is string %}{{ messages[0].content }}{% else %}"
                  "{{ messages[0].content | map(attribute='text') | join('+') }}{% endif %}",
                  "a+b", "c"},
         }) {
        write("chat_template.jinja", c.source);
        const auto chat = ChatTemplate::load(m_folder.path());
        ASSERT_TRUE(chat) << chat.error().message;
        EXPECT_EQ(*(*chat)->render(parts), c.ofParts) << c.source;
        EXPECT_EQ(*(*chat)->render(text), c.ofText) << c.source;
    }
}

TEST_F(ChatTemplateTest, ArgumentsTakeTheFormThatTheTemplateReads)
{
    const auto asText = json::readConversations(
        R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": [1, 2]}"}}]}])",
        "chat");
    const auto asObject = json::readConversations(
        R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"x": [1, 2]}}}]}])",
        "chat");
    ASSERT_TRUE(asText && asObject);
    const auto rendered = [this](const char* source, const json::ReadConversations& read) {
        write("chat_template.jinja", source);
        const auto chat = ChatTemplate::load(m_folder.path());
        const auto text = (*chat)->render(read.conversations.front());
        return text ? *text : text.error().message.english();
    };
    const char* const items = "{% for k, v in messages[0].tool_calls[0].function.arguments.items() "
                              "%}{{ k }}={{ v }}{% endfor %}";
    EXPECT_EQ(rendered(items, *asObject), "x=[1, 2]");
    EXPECT_EQ(rendered(items, *asText), "x=[1, 2]");
    const char* const text = "{{ '<' + messages[0].tool_calls[0].function.arguments }}";
    EXPECT_EQ(rendered(text, *asText), "<{\"x\": [1, 2]}");
    EXPECT_EQ(rendered(text, *asObject), "<{\"x\": [1, 2]}");
    // A null content can be added to a text as well.
    EXPECT_EQ(rendered("{{ '<' + messages[0].content + '>' }}", *asText), "<>");
    // Arguments stay unchanged if the template can use them as they are.
    const char* const dumped = "{{ messages[0].tool_calls[0].function.arguments | tojson }}";
    EXPECT_EQ(rendered(dumped, *asText), "\"{\\\"x\\\": [1, 2]}\"");
    EXPECT_EQ(rendered(dumped, *asObject), "{\"x\": [1, 2]}");
}

TEST_F(ChatTemplateTest, OffersTheSwitchesThatItReads)
{
    using Choices = std::vector<TemplateChoice>;
    const auto choices = [this](const char* source) {
        write("chat_template.jinja", source);
        const auto chat = ChatTemplate::load(m_folder.path());
        return chat ? (*chat)->choices() : Choices();
    };
    const Choices thinking{{"enable_thinking", {"true", "false"}}};
    EXPECT_EQ(choices("{% if enable_thinking is defined and enable_thinking %}a{% endif %}"),
              thinking);
    EXPECT_EQ(choices("{% set enable_thinking = enable_thinking | default(true) %}"), thinking);
    EXPECT_EQ(choices("{{ reasoning_effort }}{% if reasoning_effort == 'none' %}{% endif %}"),
              (Choices{{"reasoning_effort", {"\"low\"", "\"medium\"", "\"high\"", "\"none\""}}}));
    // An attribute, a text, a variable of the template itself, an argument, or a loop offers no
    // choice.
    for (const char* const source :
         {"{{ messages[0].thinking }}", "enable_thinking {{ 'enable_thinking' }}",
          "{% set thinking = messages[0].content %}{{ thinking }}",
          "{{ namespace(thinking=true).thinking }}",
          "{% for thinking in messages %}{{ thinking }}{% endfor %}", "{{ x }}"})
        EXPECT_EQ(choices(source), Choices()) << source;
}

// Compares with the output of Jinja itself (tests/data/conversations/make_goldens.py).

namespace fs = std::filesystem;

TEST(ConversationGolden, PromptsAreThoseOfJinja)
{
    const fs::path data = test::dataPath();
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
            const auto text = (*chat)->render(read->conversations.front(), test::goldenTime());
            if (golden.is_null())
                EXPECT_FALSE(text) << *text;
            else
                EXPECT_EQ(text ? *text : text.error().message.english(), golden.get<std::string>());
        }
    }
}

} // namespace
} // namespace ep::text
