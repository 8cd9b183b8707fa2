// SPDX-License-Identifier: GPL-3.0-or-later
// The conversation in the body of a client's request, in OpenAI's form for every dialect.
#include "asked_conversation.h"

#include "ep/json/conversation.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ep::attach {

namespace {

using json::OrderedJson;

const OrderedJson* givenMember(const OrderedJson& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string givenWord(const OrderedJson& object, const char* key)
{
    const OrderedJson* text = givenMember(object, key);
    return text != nullptr && text->is_string() ? text->get<std::string>() : std::string();
}

std::string compactText(const OrderedJson& json)
{
    return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

std::string givenText(const OrderedJson& content);
bool isCall(const OrderedJson& part);

// Only the kind of media is kept: a text model does not process the bytes.
std::string givenPartText(const OrderedJson& part)
{
    if (part.is_string())
        return part.get<std::string>();
    const std::string type = givenWord(part, "type");
    for (const std::string_view media : {"image", "audio", "video", "file", "document"}) {
        if (type.find(media) != std::string::npos)
            return '[' + type + ']';
    }
    for (const char* key : {"text", "refusal", "thinking", "output"}) {
        if (const OrderedJson* text = givenMember(part, key); text != nullptr && text->is_string())
            return text->get<std::string>();
    }
    if (const OrderedJson* inner = givenMember(part, "content"))
        return givenText(*inner);
    return compactText(part);
}

// A tool call, as a part of a message (Anthropic) or an item of its own (/v1/responses).
bool isCall(const OrderedJson& part)
{
    const std::string type = givenWord(part, "type");
    return type == "tool_use" || type == "function_call" || type == "custom_tool_call";
}

// In OpenAI's form.
OrderedJson givenCall(const OrderedJson& part)
{
    OrderedJson call{{"type", "function"}};
    for (const char* key : {"call_id", "id"}) {
        if (const std::string id = givenWord(part, key); !id.empty() && !call.contains("id"))
            call["id"] = id;
    }
    OrderedJson function{{"name", givenWord(part, "name")}};
    for (const char* key : {"arguments", "input"}) {
        if (const OrderedJson* given = givenMember(part, key))
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
    std::string role = givenWord(item, "role");
    if (role.empty()) { // an item of /v1/responses
        const std::string type = givenWord(item, "type");
        role = type.ends_with("_call_output")                ? "tool"
            : type.ends_with("_call") || type == "reasoning" ? "assistant"
                                                             : "user";
    }
    const bool reasoning = givenWord(item, "type") == "reasoning"; // the rest of it is encrypted
    const OrderedJson* content = givenMember(item, reasoning ? "summary" : "content");
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
    if (const OrderedJson* given = givenMember(body, "chat_template_kwargs"))
        variables = given->is_object() ? *given : variables;
    for (const char* key : {"reasoning_effort", "think"}) {
        const OrderedJson* value = givenMember(body, key);
        if (value != nullptr && value->is_primitive())
            variables[key] = *value;
    }
    return variables.empty() ? std::string() : compactText(variables);
}

void addSystemTexts(const OrderedJson& body, Conversation& conversation)
{
    for (const char* key : {"system", "instructions", "system_prompt"}) {
        const OrderedJson* system = givenMember(body, key);
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

} // namespace

Conversation conversationIn(std::string_view body, const std::string& prompt)
{
    const auto parsed = json::parseOrdered(body);
    if (!parsed || !parsed->is_object())
        return {};
    Conversation conversation;
    addSystemTexts(*parsed, conversation);
    const bool hasSystem = !conversation.messages.empty();
    const OrderedJson* messages = givenMember(*parsed, "messages");
    if (messages == nullptr)
        messages = givenMember(*parsed, "input");
    if (messages != nullptr && messages->is_array()) {
        const bool hasRoles = std::ranges::any_of(*messages, [](const OrderedJson& item) {
            return !givenWord(item, "role").empty() || !givenWord(item, "type").empty();
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
    const OrderedJson* tools = givenMember(*parsed, "tools");
    if (tools != nullptr && tools->is_array() && !tools->empty()
        && std::ranges::all_of(*tools, &OrderedJson::is_object))
        conversation.tools = compactText(*tools);
    conversation.variables = givenVariables(*parsed);
    return isPromptAlone(conversation) ? Conversation() : conversation;
}

} // namespace ep::attach
