// SPDX-License-Identifier: GPL-3.0-or-later
#include "conversation_parts.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ep::json {

namespace {

[[noreturn]] void refuseUnsupported(const Message& problem)
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

[[noreturn]] void refuseMedia(const Message& who, std::string_view what, std::string_view type)
{
    refuseUnsupported(
        Message("%1 has %2 (%3), but only text can be measured; remove it", who, what, type));
}

// Types of text parts, OpenAI's and those of templates that show a model's reasoning.
constexpr std::array<std::string_view, 4> kTextTypes{"text", "refusal", "thinking", "reasoning"};

std::string textOfPart(const OrderedJson& part, const Message& who)
{
    if (!part.is_object())
        refuse(Message("%1 has a part that is %2; a part is an object with a type and a text", who,
                       kindOf(part)));
    const OrderedJson* const type = memberOf(part, "type");
    if (!isText(type))
        refuse(Message(
            "%1 has a part without a type; {\"type\": \"text\", \"text\": ...} is a part", who));
    const auto word = type->get<std::string>();
    for (const auto& [piece, what] : kMedia) {
        if (word.find(piece) != std::string::npos)
            refuseMedia(who, what, word);
    }
    if (std::ranges::count(kTextTypes, word) == 0)
        refuse(
            Message("%1 has a part of the type %2; only \"text\" is known", who, inQuotes(word)));
    const OrderedJson* const text = memberOf(part, word);
    if (word == "text" && !isText(text))
        refuse(Message("%1 has a part of text without a text", who));
    return isText(text) ? text->get<std::string>() : std::string();
}

std::string textOfContent(const OrderedJson* content, const Message& who)
{
    if (content == nullptr)
        return {};
    if (content->is_string())
        return content->get<std::string>();
    if (!content->is_array())
        refuse(Message("%1 has a content that is %2; it must be a text, null or a list of parts",
                       who, kindOf(*content)));
    std::string all;
    for (const OrderedJson& part : *content) {
        const std::string text = textOfPart(part, who);
        if (!text.empty())
            all += (all.empty() ? "" : "\n") + text;
    }
    return all;
}

void checkCalls(const OrderedJson& calls, const Message& who)
{
    if (!calls.is_array())
        refuse(Message("%1 has tool_calls that are %2; they must be a list", who, kindOf(calls)));
    for (const OrderedJson& call : calls) {
        if (!call.is_object())
            refuse(
                Message("%1 has a tool call that is %2; it must be an object", who, kindOf(call)));
        const OrderedJson* const function = memberOf(call, "function");
        const OrderedJson& named = function != nullptr ? *function : call;
        if (!named.is_object() || !isText(memberOf(named, "name")))
            refuse(Message("%1 has a tool call without the name of a function", who));
        const OrderedJson* const arguments = memberOf(named, "arguments");
        if (arguments != nullptr && !arguments->is_string() && !arguments->is_object())
            refuse(Message(
                "%1 has a tool call with arguments that are %2; they must be an object or its text",
                who, kindOf(*arguments)));
    }
}

ChatMessage readMessage(const OrderedJson& json, std::size_t number)
{
    Message who("message %1", number);
    if (!json.is_object())
        refuse(
            Message("%1 is %2; it must be an object with a role and a content", who, kindOf(json)));
    const OrderedJson* const role = memberOf(json, "role");
    if (role == nullptr)
        refuse(Message("%1 has no role", who));
    if (!role->is_string() || role->get_ref<const std::string&>().empty())
        refuse(Message("%1 has a role that is %2; it must be a word such as user", who,
                       kindOf(*role)));
    ChatMessage message{.role = role->get<std::string>(), .text = {}, .json = compact(json)};
    who = Message("message %1 (%2)", number, message.role);
    for (const char* const key : {"images", "audio"}) {
        const OrderedJson* const media = memberOf(json, key);
        if (media != nullptr && !media->empty())
            refuseMedia(who, *key == 'i' ? "images" : "audio", key);
    }
    for (const char* const key : {"tool_call_id", "name"}) {
        if (const OrderedJson* const text = memberOf(json, key); text && !text->is_string())
            refuse(Message("%1 has a %2 that is %3; it must be a string", who, key, kindOf(*text)));
    }
    const OrderedJson* const content = memberOf(json, "content");
    constexpr std::array<std::string_view, 3> kSpeakers{"system", "developer", "user"};
    if (content == nullptr && std::ranges::count(kSpeakers, message.role) > 0)
        refuse(Message("%1 has no content", who));
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
        refuse(Message("tools is %1; it must be a list", kindOf(tools)));
    for (const OrderedJson& tool : tools) {
        if (!tool.is_object())
            refuse(Message(
                "tools has an element that is %1; a tool is an object with a type and a function",
                kindOf(tool)));
    }
    return compact(tools);
}

std::string readVariables(const OrderedJson& variables)
{
    if (!variables.is_object())
        refuse(
            Message("the template's variables are %1; they must be an object", kindOf(variables)));
    for (const auto& [name, value] : variables.items()) {
        if (name == "messages" || name == "tools")
            refuse(
                Message("the template's variables have %1, which stand beside them instead", name));
    }
    return variables.empty() ? std::string() : compact(variables);
}

} // namespace

Conversation readParts(const OrderedJson& messages, const OrderedJson& tools,
                       const OrderedJson& variables)
{
    Conversation conversation;
    if (!messages.is_array())
        refuse(Message("messages is %1; it must be a list", kindOf(messages)));
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
            refuse(Message("it is %1; it must be an object with messages", kindOf(object)));
        for (const auto& [key, value] : object.items()) {
            if (std::ranges::count(kKeys, key) == 0)
                refuse(Message("%1 is not known; messages, tools and template_variables are",
                               inQuotes(key)));
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
