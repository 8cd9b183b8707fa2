// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/attach/dialect.h"
#include "ep/attach/endpoint.h"
#include "ep/json/conversation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace ep::attach {
namespace {

TEST(Dialect, HasOneRowForEachAddress)
{
    std::set<std::string> ids;
    std::set<std::string> paths;
    for (const Dialect& dialect : dialects()) {
        EXPECT_TRUE(ids.insert(dialect.id).second) << dialect.id;
        EXPECT_TRUE(paths.insert(dialect.path).second) << dialect.path;
        EXPECT_EQ(dialectFromId(dialect.id), &dialect);
        EXPECT_EQ(dialectOfPath(dialect.path), &dialect);
        if (*dialect.other_path != '\0') {
            EXPECT_TRUE(paths.insert(dialect.other_path).second) << dialect.other_path;
            EXPECT_EQ(dialectOfPath(dialect.other_path), &dialect);
        }
    }
    EXPECT_EQ(dialectFromId("gopher"), nullptr);
    EXPECT_EQ(dialectOfPath("/v1/models"), nullptr);
    EXPECT_EQ(dialectOfPath("/completions"), dialectFromId("llamacpp"));
}

TEST(Dialect, AsksForStreamedAnswersWithFigures)
{
    const Ask ask{.model = "m",
                  .prompt = "Hi \"you\"",
                  .system = "Be brief",
                  .max_tokens = 5,
                  .ignore_end = true};
    struct Case {
        const char* id;
        const char* body;
    };
    for (const Case& c : {
             Case{"openai-chat",
                  R"({"model":"m","max_tokens":5,"temperature":0.0,"seed":0,"ignore_eos":true,)"
                  R"("stream":true,"stream_options":{"include_usage":true},"messages":)"
                  R"([{"role":"system","content":"Be brief"},{"role":"user","content":)"
                  R"("Hi \"you\""}]})"},
             Case{"openai",
                  R"({"model":"m","max_tokens":5,"temperature":0.0,"seed":0,"ignore_eos":true,)"
                  R"("stream":true,"stream_options":{"include_usage":true},"prompt":)"
                  R"("Hi \"you\""})"},
             Case{"ollama-chat",
                  R"({"model":"m","stream":true,"options":{"num_predict":5,"temperature":0.0,)"
                  R"("seed":0},"messages":[{"role":"system","content":"Be brief"},{"role":"user",)"
                  R"("content":"Hi \"you\""}]})"},
             Case{"ollama",
                  R"({"model":"m","stream":true,"options":{"num_predict":5,"temperature":0.0,)"
                  R"("seed":0},"prompt":"Hi \"you\"","system":"Be brief"})"},
             Case{"llamacpp",
                  R"({"model":"m","n_predict":5,"stream":true,"cache_prompt":false,)"
                  R"("temperature":0.0,"seed":0,"ignore_eos":true,"prompt":"Hi \"you\""})"},
             Case{"infill",
                  R"({"model":"m","n_predict":5,"stream":true,"cache_prompt":false,)"
                  R"("temperature":0.0,"seed":0,"ignore_eos":true,"input_prefix":"Hi \"you\"",)"
                  R"("input_suffix":""})"},
             Case{"anthropic",
                  R"({"model":"m","max_tokens":5,"system":"Be brief","messages":[{"role":"user",)"
                  R"("content":"Hi \"you\""}],"temperature":0.0,"stream":true})"},
             Case{"responses",
                  R"({"model":"m","input":"Hi \"you\"","instructions":"Be brief",)"
                  R"("max_output_tokens":5,"temperature":0.0,"stream":true})"},
             Case{"lmstudio-v1",
                  R"({"model":"m","input":"Hi \"you\"","system_prompt":"Be brief",)"
                  R"("max_output_tokens":5,"temperature":0.0,"stream":true,"store":false})"},
         })
        EXPECT_EQ(dialectFromId(c.id)->body(ask), c.body) << c.id;
}

TEST(Dialect, SendsAConversationAsItIs)
{
    const auto read = json::readConversations(
        R"({"messages": [{"zeta": 1, "role": "user", "content": [{"type": "text", "text": "a"}]},
            {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{\"x\": 1}"}}]}],
            "tools": [{"type": "function"}], "template_variables": {"enable_thinking": false},
            "reasoning_effort": "low"})",
        "chat");
    ASSERT_TRUE(read) << read.error().message;
    const Ask ask{
        .model = "m", .prompt = {}, .system = {}, .conversation = read->conversations.front()};
    const auto openAi = *json::parseOrdered(dialectFromId("openai-chat")->body(ask));
    EXPECT_EQ(openAi.at("messages").dump(),
              R"([{"zeta":1,"role":"user","content":[{"type":"text","text":"a"}]},)"
              R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":)"
              R"("{\"x\": 1}"}}]}])");
    EXPECT_EQ(openAi.at("tools").dump(), R"([{"type":"function"}])");
    EXPECT_EQ(openAi.at("chat_template_kwargs").dump(),
              R"({"enable_thinking":false,"reasoning_effort":"low"})");
    EXPECT_EQ(openAi.at("reasoning_effort"), "low");
    const auto ollama = *json::parseOrdered(dialectFromId("ollama-chat")->body(ask));
    EXPECT_EQ(ollama.at("messages").dump(),
              R"([{"zeta":1,"role":"user","content":"a"},{"role":"assistant","tool_calls":)"
              R"([{"function":{"name":"f","arguments":{"x":1}}}],"content":""}])");
    EXPECT_EQ(ollama.at("think"), "low");
}

TEST(Dialect, ReadsWhatOthersAskFor)
{
    const auto check = [](std::string_view body, const char* model, const char* prompt,
                          std::optional<int> most) {
        const AskedFor asked = readRequest(body);
        EXPECT_EQ(asked.model, model) << body;
        EXPECT_EQ(asked.prompt, prompt) << body;
        EXPECT_EQ(asked.max_tokens, most) << body;
    };
    check(R"({"model":"m","prompt":"Hi","max_tokens":7})", "m", "Hi", 7);
    check(R"({"model":"m","messages":[{"content":"a"},{"content":"b"}]})", "m", "b", std::nullopt);
    check(R"({"model":"m","prompt":"Hi","options":{"num_predict":9}})", "m", "Hi", 9);
    check(R"({"prompt":[1,2],"n_predict":-1,"messages":[7]})", "", "", std::nullopt);
    check(R"({"messages":[{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}]})",
          "", "ab", std::nullopt);
    check(R"({"model":"m","input":"x","max_output_tokens":3})", "m", "x", 3);
    check(R"({"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]})", "", "x",
          std::nullopt);
    check(R"({"input_prefix":"a","input_suffix":"b"})", "", "a", std::nullopt);
    EXPECT_EQ(readRequest(R"({"prompt":["a","b"],"n":3})").sequences, 6);
    check("[]", "", "", std::nullopt);
    check("not JSON", "", "", std::nullopt);
}

// Roles, texts and tool calls of the stored conversation, one message per line.
std::string storedOf(const char* body)
{
    std::string lines;
    const AskedFor asked = readRequest(body);
    for (const ChatMessage& message : asked.conversation.messages) {
        const std::size_t calls = message.json.find("\"tool_calls\"");
        lines += message.role + ": " + message.text
            + message.json.substr(std::min(calls, message.json.size())) + '\n';
    }
    if (!asked.conversation.tools.empty())
        lines += "tools " + asked.conversation.tools + '\n';
    if (!asked.conversation.variables.empty())
        lines += "variables " + asked.conversation.variables + '\n';
    return lines + "? " + asked.prompt;
}

TEST(Dialects, KeepTheWholeConversationOfARequest)
{
    const std::vector<std::pair<const char*, const char*>> cases = {
        // A single prompt needs no conversation.
        {R"({"messages":[{"role":"user","content":"Hi"}]})", "? Hi"},
        {R"({"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]})", "? x"},
        {R"({"messages":[{"role":"system","content":"Be brief"},{"role":"user","content":"Hi"}]})",
         "system: Be brief\nuser: Hi\n? Hi"},
        {R"({"messages":[{"role":"user","content":"Weather?"},)"
         R"({"role":"assistant","content":null,"tool_calls":[{"function":{"name":"w","arguments":"{}"}}]},)"
         R"({"role":"tool","content":"5"}],"tools":[{"type":"function"}],"reasoning_effort":"low"})",
         "user: Weather?\nassistant: "
         "\"tool_calls\":[{\"function\":{\"name\":\"w\",\"arguments\":\"{}\"}}]}"
         "\ntool: 5\ntools [{\"type\":\"function\"}]\n"
         "variables {\"reasoning_effort\":\"low\"}\n? Weather?"},
        // Anthropic's form.
        {R"({"system":[{"type":"text","text":"S"}],"messages":[{"role":"user","content":[)"
         R"({"type":"image","source":{"data":"AAAA"}},{"type":"text","text":"What?"}]},)"
         R"({"role":"assistant","content":[{"type":"tool_use","name":"f","input":{"a":1}}]},)"
         R"({"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"R"}]}]}]})",
         "system: S\nuser: [image]\nWhat?\n"
         "assistant: \"tool_calls\":[{\"type\":\"function\",\"function\":{\"name\":\"f\","
         "\"arguments\":{\"a\":1}}}]}\nuser: R\n? R"},
        // /v1/responses, and LM Studio's /api/v1/chat.
        {R"({"instructions":"I","input":"x"})", "system: I\nuser: x\n? x"},
        {R"({"input":[{"role":"user","content":"q"},{"type":"function_call","name":"f"},)"
         R"({"type":"function_call_output","output":"7"}]})",
         "user: q\nassistant: \"tool_calls\":[{\"type\":\"function\",\"function\":"
         "{\"name\":\"f\"}}]}\ntool: 7\n? q"},
        {R"({"system_prompt":"S","input":"x"})", "system: S\nuser: x\n? x"},
        // Ollama's /api/generate.
        {R"({"system":"S","prompt":"x"})", "system: S\nuser: x\n? x"},
        {R"({"prompt":"x"})", "? x"},
        {R"({"messages":7,"tools":{}})", "? "},
    };
    for (const auto& [body, stored] : cases)
        EXPECT_EQ(storedOf(body), stored) << body;
    std::string endless = R"({"model":"m","messages":[)";
    for (int i = 0; i < 100'000; ++i)
        endless += "{},";
    EXPECT_EQ(readRequest(endless + "{}]}"), AskedFor()) << "not read: it would take much memory";
}

TEST(Endpoint, IsOnThisMachine)
{
    struct Case {
        const char* text;
        const char* origin;
    };
    for (const Case& c :
         {Case{"http://127.0.0.1:11434", "http://127.0.0.1:11434"},
          Case{"http://localhost:8080/", "http://127.0.0.1:8080"},
          Case{"localhost:1234", "http://127.0.0.1:1234"},
          Case{"127.0.0.5:80", "http://127.0.0.5:80"}, Case{" 11434 ", "http://127.0.0.1:11434"},
          Case{"[::1]:8080", "http://[::1]:8080"}}) {
        const auto endpoint = parseEndpoint(c.text);
        ASSERT_TRUE(endpoint) << c.text << ": " << endpoint.error().message;
        EXPECT_EQ(endpoint->origin(), c.origin);
    }
}

TEST(Endpoint, OfAnotherMachineIsRefusedWithTheReason)
{
    struct Case {
        const char* text;
        const char* reason;
    };
    for (const Case& c :
         {Case{"http://192.168.1.7:11434", "is not on this machine"},
          Case{"http://example.com:80", "is not on this machine"},
          Case{"http://0.0.0.0:8080", "is not on this machine"},
          Case{"http://127.0.0.1.example.com:80", "is not on this machine"},
          Case{"https://127.0.0.1:8080", "is not an http address"},
          Case{"http://me:secret@127.0.0.1:8080", "contains a password"},
          Case{"http://127.0.0.1", "has no port"}, Case{"http://127.0.0.1:8080/v1", "has a path"},
          Case{"", "is not the address of a server"},
          Case{"http://127.0.0.1:99999", "is not the address of a server"}}) {
        const auto endpoint = parseEndpoint(c.text);
        ASSERT_FALSE(endpoint) << c.text;
        EXPECT_NE(endpoint.error().message.english().find(c.reason), std::string::npos)
            << c.text << ": " << endpoint.error().message;
    }
}

} // namespace
} // namespace ep::attach
