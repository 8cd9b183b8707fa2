// SPDX-License-Identifier: GPL-3.0-or-later
#include "answer_fields.h"

#include "ep/core/conversation.h"
#include "ep/json/conversation.h"
#include "ep/json/document.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace ep::attach {
namespace {

// The conversation in the body of a client's request, in OpenAI's form for every dialect.

using json::OrderedJson;

std::string givenText(const OrderedJson& content);
bool isCall(const OrderedJson& part);

// Only the kind of media is kept: a text model does not process the bytes.
std::string givenPartText(const OrderedJson& part)
{
    if (part.is_string())
        return part.get<std::string>();
    const std::string type = stringAt(part, "type");
    for (const std::string_view media : {"image", "audio", "video", "file", "document"}) {
        if (type.find(media) != std::string::npos)
            return '[' + type + ']';
    }
    for (const char* key : {"text", "refusal", "thinking", "output"}) {
        if (const OrderedJson* text = memberOf(part, key); text != nullptr && text->is_string())
            return text->get<std::string>();
    }
    if (const OrderedJson* inner = memberOf(part, "content"))
        return givenText(*inner);
    return json::textOf(part);
}

// A tool call, as a part of a message (Anthropic) or an item of its own (/v1/responses).
bool isCall(const OrderedJson& part)
{
    const std::string type = stringAt(part, "type");
    return type == "tool_use" || type == "function_call" || type == "custom_tool_call";
}

// The call in OpenAI's form.
OrderedJson givenCall(const OrderedJson& part)
{
    OrderedJson call{{"type", "function"}};
    for (const char* key : {"call_id", "id"}) {
        if (const std::string id = stringAt(part, key); !id.empty() && !call.contains("id"))
            call["id"] = id;
    }
    OrderedJson function{{"name", stringAt(part, "name")}};
    for (const char* key : {"arguments", "input"}) {
        if (const OrderedJson* given = memberOf(part, key))
            function["arguments"] = *given;
    }
    call["function"] = std::move(function);
    return call;
}

std::string givenText(const OrderedJson& content)
{
    if (!content.is_array())
        return givenPartText(content);
    std::string all;
    for (const OrderedJson& part : content) {
        const std::string text = isCall(part) ? std::string() : givenPartText(part);
        if (!text.empty())
            all += (all.empty() ? "" : "\n") + text;
    }
    return all;
}

// Keeps a message that has OpenAI's form, otherwise takes its role and its texts.
ChatMessage givenMessage(const OrderedJson& item)
{
    if (auto message = json::chatMessage(item))
        return *std::move(message);
    std::string role = stringAt(item, "role");
    if (role.empty()) { // an item of /v1/responses
        const std::string type = stringAt(item, "type");
        role = type.ends_with("_call_output")                ? "tool"
            : type.ends_with("_call") || type == "reasoning" ? "assistant"
                                                             : "user";
    }
    const bool reasoning = stringAt(item, "type") == "reasoning"; // the rest of it is encrypted
    const OrderedJson* content = memberOf(item, reasoning ? "summary" : "content");
    OrderedJson calls = OrderedJson::array();
    if (isCall(item))
        calls.push_back(givenCall(item));
    if (content != nullptr && content->is_array()) {
        for (const OrderedJson& part : *content) {
            if (isCall(part))
                calls.push_back(givenCall(part));
        }
    }
    const bool bare = content == nullptr && (isCall(item) || reasoning);
    const std::string text = bare ? std::string() : givenText(content != nullptr ? *content : item);
    if (!calls.empty()) {
        const OrderedJson message{{"role", role}, {"content", text}, {"tool_calls", calls}};
        if (auto read = json::chatMessage(message))
            return *std::move(read);
    }
    return json::chatMessage(role, text);
}

std::string givenVariables(const OrderedJson& body)
{
    OrderedJson variables = OrderedJson::object();
    if (const OrderedJson* given = memberOf(body, "chat_template_kwargs"))
        variables = given->is_object() ? *given : variables;
    for (const char* key : {"reasoning_effort", "think"}) {
        const OrderedJson* value = memberOf(body, key);
        if (value != nullptr && value->is_primitive())
            variables[key] = *value;
    }
    return variables.empty() ? std::string() : json::textOf(variables);
}

void addSystemTexts(const OrderedJson& body, Conversation& conversation)
{
    for (const char* key : {"system", "instructions", "system_prompt"}) {
        const OrderedJson* system = memberOf(body, key);
        if (const std::string text = system != nullptr ? givenText(*system) : ""; !text.empty())
            conversation.messages.push_back(json::chatMessage("system", text));
    }
}

// Whether the conversation says no more than the prompt.
bool isPromptAlone(const Conversation& conversation)
{
    return conversation.tools.empty() && conversation.variables.empty()
        && conversation.messages.size() == 1
        && conversation.messages.front()
        == json::chatMessage("user", conversation.messages.front().text);
}

// The parts of a request besides one prompt: messages, system texts, tools and variables, in the
// form in which conversations are stored. Empty if it is a prompt alone. prompt: the prompt of a
// request without messages.
Conversation conversationIn(std::string_view body, const std::string& prompt)
{
    const auto parsed = json::parseOrdered(body);
    if (!parsed || !parsed->is_object())
        return {};
    Conversation conversation;
    addSystemTexts(*parsed, conversation);
    const bool hasSystem = !conversation.messages.empty();
    const OrderedJson* messages = memberOf(*parsed, "messages");
    if (messages == nullptr)
        messages = memberOf(*parsed, "input");
    if (messages != nullptr && messages->is_array()) {
        const bool hasRoles = std::ranges::any_of(*messages, [](const OrderedJson& item) {
            return !stringAt(item, "role").empty() || !stringAt(item, "type").empty();
        });
        if (!hasRoles && !hasSystem)
            return {};
        for (const OrderedJson& item : *messages)
            conversation.messages.push_back(givenMessage(item));
    } else if (hasSystem && !prompt.empty()) {
        conversation.messages.push_back(json::chatMessage("user", prompt));
    }
    if (conversation.messages.empty())
        return {};
    const OrderedJson* tools = memberOf(*parsed, "tools");
    if (tools != nullptr && tools->is_array() && !tools->empty()
        && std::ranges::all_of(*tools, &OrderedJson::is_object))
        conversation.tools = json::textOf(*tools);
    conversation.variables = givenVariables(*parsed);
    return isPromptAlone(conversation) ? Conversation() : conversation;
}

using json::Json;

std::optional<int> numberAt(const Json& json, const char* key)
{
    constexpr std::int64_t kMax = 1'000'000'000;
    const Json* member = memberOf(json, key);
    if (member == nullptr || !member->is_number_integer())
        return std::nullopt;
    const auto value = member->get<std::int64_t>();
    return value >= 0 && value <= kMax ? std::optional(static_cast<int>(value)) : std::nullopt;
}

std::string textIn(const Json& content)
{
    Message message;
    addContent(content, message);
    return message.text;
}

// A text, or the last message of a list.
std::string promptIn(const Json& json)
{
    for (const char* key : {"messages", "input", "prompt", "input_prefix"}) {
        const Json* member = memberOf(json, key);
        if (member == nullptr)
            continue;
        if (member->is_string())
            return member->get<std::string>();
        if (!member->is_array() || member->empty())
            continue;
        const Json& last = member->back();
        if (const Json* content = memberOf(last, "content"))
            return textIn(*content);
        return last.is_string() || last.is_object() ? textIn(Json::array({last})) : std::string();
    }
    return {};
}

// Number of prompts times the number of answers to each.
int sequencesIn(const Json& json)
{
    constexpr std::int64_t kMax = 1'000'000;
    std::int64_t sequences = 1;
    for (const char* key : {"n", "best_of"})
        sequences = std::max<std::int64_t>(sequences, numberAt(json, key).value_or(1));
    if (const Json* prompts = memberOf(json, "prompt"); prompts != nullptr && prompts->is_array())
        sequences *= static_cast<std::int64_t>(std::max<std::size_t>(1, prompts->size()));
    return static_cast<int>(std::min(sequences, kMax));
}

AskedFor fieldsOf(std::string_view body)
{
    AskedFor asked;
    const auto json = json::parse(body);
    if (!json || !json->is_object())
        return asked;
    asked.model = stringAt(*json, "model");
    asked.prompt = promptIn(*json);
    for (const char* key :
         {"max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict"}) {
        if (const auto most = numberAt(*json, key))
            asked.max_tokens = most;
    }
    if (const Json* options = memberOf(*json, "options")) {
        if (const auto most = numberAt(*options, "num_predict"))
            asked.max_tokens = most;
    }
    asked.sequences = sequencesIn(*json);
    asked.follows = stringAt(*json, "previous_response_id");
    return asked;
}

} // namespace

AskedFor readRequest(std::string_view body)
{
    constexpr std::size_t kMaxValues = 100'000; // more than any long conversation with tools has
    if (json::shapeOf(body).values > kMaxValues)
        return {};
    AskedFor asked = fieldsOf(body);
    asked.conversation = conversationIn(body, asked.prompt);
    if (!asked.conversation.empty())
        asked.prompt = questionOf(asked.conversation);
    return asked;
}

} // namespace ep::attach
