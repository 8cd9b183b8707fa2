// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation_parts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::json {

namespace {

[[noreturn]] void refuseUnsupported(const std::string& problem)
{
    throw ReadError(ErrorCode::Unsupported, problem);
}

bool isText(const OrderedJson* json)
{
    return json != nullptr && json->is_string();
}

// Names of parts that are not text, by a fragment of the name of their type.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMedia{
    {{"image", "an image"}, {"audio", "audio"}, {"video", "a video"}, {"file", "a file"}}};

[[noreturn]] void refuseMedia(const std::string& who, std::string_view what, std::string_view type)
{
    refuseUnsupported(who + " has " + std::string(what) + " (" + std::string(type)
                      + "), but only text can be measured; remove it");
}

// Types of text parts, OpenAI's and those of templates that show a model's reasoning.
constexpr std::array<std::string_view, 4> kTextTypes{"text", "refusal", "thinking", "reasoning"};

std::string textOfPart(const OrderedJson& part, const std::string& who)
{
    if (!part.is_object())
        refuse(who + " has a part that is " + kindOf(part)
               + "; a part is an object with a type and a text");
    const OrderedJson* const type = memberOf(part, "type");
    if (!isText(type))
        refuse(who + " has a part without a type; {\"type\": \"text\", \"text\": ...} is a part");
    const auto word = type->get<std::string>();
    for (const auto& [piece, what] : kMedia) {
        if (word.find(piece) != std::string::npos)
            refuseMedia(who, what, word);
    }
    if (std::ranges::count(kTextTypes, word) == 0)
        refuse(who + " has a part of the type " + inQuotes(word) + "; only \"text\" is known");
    const OrderedJson* const text = memberOf(part, word);
    if (word == "text" && !isText(text))
        refuse(who + " has a part of text without a text");
    return isText(text) ? text->get<std::string>() : std::string();
}

std::string textOfContent(const OrderedJson* content, const std::string& who)
{
    if (content == nullptr)
        return {};
    if (content->is_string())
        return content->get<std::string>();
    if (!content->is_array())
        refuse(who + " has a content that is " + kindOf(*content)
               + "; it must be a text, null or a list of parts");
    std::string all;
    for (const OrderedJson& part : *content) {
        const std::string text = textOfPart(part, who);
        if (!text.empty())
            all += (all.empty() ? "" : "\n") + text;
    }
    return all;
}

void checkCalls(const OrderedJson& calls, const std::string& who)
{
    if (!calls.is_array())
        refuse(who + " has tool_calls that are " + kindOf(calls) + "; they must be a list");
    for (const OrderedJson& call : calls) {
        if (!call.is_object())
            refuse(who + " has a tool call that is " + kindOf(call) + "; it must be an object");
        const OrderedJson* const function = memberOf(call, "function");
        const OrderedJson& named = function != nullptr ? *function : call;
        if (!named.is_object() || !isText(memberOf(named, "name")))
            refuse(who + " has a tool call without the name of a function");
        const OrderedJson* const arguments = memberOf(named, "arguments");
        if (arguments != nullptr && !arguments->is_string() && !arguments->is_object())
            refuse(who + " has a tool call with arguments that are " + kindOf(*arguments)
                   + "; they must be an object or its text");
    }
}

ChatMessage readMessage(const OrderedJson& json, std::size_t number)
{
    std::string who = "message " + std::to_string(number);
    if (!json.is_object())
        refuse(who + " is " + kindOf(json) + "; it must be an object with a role and a content");
    const OrderedJson* const role = memberOf(json, "role");
    if (role == nullptr)
        refuse(who + " has no role");
    if (!role->is_string() || role->get_ref<const std::string&>().empty())
        refuse(who + " has a role that is " + kindOf(*role) + "; it must be a word such as user");
    ChatMessage message{.role = role->get<std::string>(), .text = {}, .json = compact(json)};
    who += " (" + message.role + ")";
    for (const char* const key : {"images", "audio"}) {
        const OrderedJson* const media = memberOf(json, key);
        if (media != nullptr && !media->empty())
            refuseMedia(who, *key == 'i' ? "images" : "audio", key);
    }
    for (const char* const key : {"tool_call_id", "name"}) {
        if (const OrderedJson* const text = memberOf(json, key); text && !text->is_string())
            refuse(who + " has a " + key + " that is " + kindOf(*text) + "; it must be a string");
    }
    const OrderedJson* const content = memberOf(json, "content");
    constexpr std::array<std::string_view, 3> kSpeakers{"system", "developer", "user"};
    if (content == nullptr && std::ranges::count(kSpeakers, message.role) > 0)
        refuse(who + " has no content");
    message.text = textOfContent(content, who);
    if (const OrderedJson* const calls = memberOf(json, "tool_calls"))
        checkCalls(*calls, who);
    return message;
}

void makeArgumentsObjects(OrderedJson& calls)
{
    if (!calls.is_array())
        return;
    for (OrderedJson& call : calls) {
        const auto function = call.find("function");
        OrderedJson& named = function != call.end() ? *function : call;
        const auto arguments = named.find("arguments");
        if (arguments == named.end() || !arguments->is_string())
            continue;
        OrderedJson object = parsedOrNull(arguments->get<std::string>());
        if (object.is_object())
            *arguments = std::move(object);
    }
}

std::string readTools(const OrderedJson& tools)
{
    if (!tools.is_array())
        refuse("tools is " + kindOf(tools) + "; it must be a list");
    for (const OrderedJson& tool : tools) {
        if (!tool.is_object())
            refuse("tools has an element that is " + kindOf(tool)
                   + "; a tool is an object with a type and a function");
    }
    return compact(tools);
}

std::string readVariables(const OrderedJson& variables)
{
    if (!variables.is_object())
        refuse("the template's variables are " + kindOf(variables) + "; they must be an object");
    for (const auto& [name, value] : variables.items()) {
        if (name == "messages" || name == "tools")
            refuse("the template's variables have " + name + ", which stand beside them instead");
    }
    return variables.empty() ? std::string() : compact(variables);
}

} // namespace

Conversation readParts(const OrderedJson& messages, const OrderedJson& tools,
                       const OrderedJson& variables)
{
    Conversation conversation;
    if (!messages.is_array())
        refuse("messages is " + kindOf(messages) + "; it must be a list");
    if (messages.empty())
        refuse("there is no message; give at least one");
    for (const OrderedJson& message : messages)
        conversation.messages.push_back(readMessage(message, conversation.messages.size() + 1));
    if (!tools.is_null())
        conversation.tools = readTools(tools);
    if (!variables.is_null())
        conversation.variables = readVariables(variables);
    return conversation;
}

Result<Conversation> conversationOf(const OrderedJson& messages, const OrderedJson& tools,
                                    const OrderedJson& variables)
{
    return phrased([&] { return readParts(messages, tools, variables); });
}

Result<Conversation> conversationOf(const OrderedJson& object)
{
    return phrased([&] {
        constexpr std::array<std::string_view, 3> kKeys{"messages", "tools", "template_variables"};
        if (!object.is_object())
            refuse("it is " + kindOf(object) + "; it must be an object with messages");
        for (const auto& [key, value] : object.items()) {
            if (std::ranges::count(kKeys, key) == 0)
                refuse(inQuotes(key) + " is not known; messages, tools and template_variables are");
        }
        const auto part = [&](const char* key) {
            return object.contains(key) ? object.at(key) : OrderedJson();
        };
        return readParts(part("messages"), part("tools"), part("template_variables"));
    });
}

OrderedJson parsedOrNull(const std::string& text)
{
    auto json = text.empty() ? Result<OrderedJson>(OrderedJson()) : parseOrdered(text);
    return json ? *std::move(json) : OrderedJson();
}

OrderedJson messagesJson(const Conversation& conversation)
{
    OrderedJson messages = OrderedJson::array();
    for (const ChatMessage& message : conversation.messages)
        messages.push_back(parsedOrNull(message.json));
    return messages;
}

OrderedJson plainMessagesJson(const Conversation& conversation)
{
    OrderedJson messages = OrderedJson::array();
    for (const ChatMessage& given : conversation.messages) {
        OrderedJson message = parsedOrNull(given.json);
        message["content"] = given.text;
        if (const auto calls = message.find("tool_calls"); calls != message.end())
            makeArgumentsObjects(*calls);
        messages.push_back(std::move(message));
    }
    return messages;
}

OrderedJson conversationJson(const Conversation& conversation)
{
    OrderedJson json = OrderedJson::object();
    json["messages"] = messagesJson(conversation);
    if (!conversation.tools.empty())
        json["tools"] = parsedOrNull(conversation.tools);
    if (!conversation.variables.empty())
        json["template_variables"] = parsedOrNull(conversation.variables);
    return json;
}

std::string conversationText(const Conversation& conversation)
{
    return conversation.empty() ? std::string() : compact(conversationJson(conversation));
}

Conversation conversationFromText(const std::string& text)
{
    if (text.empty())
        return {};
    const auto json = parseOrdered(text);
    auto conversation = json ? conversationOf(*json) : Result<Conversation>(json.error());
    return conversation ? *std::move(conversation) : Conversation();
}

ChatMessage chatMessage(const std::string& role, const std::string& text)
{
    return {role, text, compact({{"role", role}, {"content", text}})};
}

Conversation promptConversation(const std::string& system, const std::string& prompt)
{
    Conversation conversation;
    if (!system.empty())
        conversation.messages.push_back(chatMessage("system", system));
    conversation.messages.push_back(chatMessage("user", prompt));
    return conversation;
}

Result<ChatMessage> chatMessage(const OrderedJson& message, std::size_t number)
{
    return phrased([&] { return readMessage(message, number); });
}

} // namespace ep::json
