// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/json/conversation.h"

#include "ep/json/value.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ep::json {
namespace {

// Problems are thrown as ReadError.
[[noreturn]] void refuse(const Message& problem)
{
    throw ReadError(ErrorCode::InvalidInput, problem);
}

std::string kindOf(const OrderedJson& json)
{
    return described(Json(json));
}

// Tools and variables may be null.
Conversation readParts(const OrderedJson& messages, const OrderedJson& tools,
                       const OrderedJson& variables);

template <typename Read>
auto phrased(Read&& read) -> Result<decltype(read())>
{
    try {
        return read();
    } catch (const ReadError& problem) {
        return Error{problem.code(), problem.message()};
    }
}

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
    ChatMessage message{.role = role->get<std::string>(), .text = {}, .json = textOf(json)};
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
    return textOf(tools);
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
    return variables.empty() ? std::string() : textOf(variables);
}

// Reads a file, or one of its lines.
class FileReader {
public:
    // Reads a value that may be one conversation or a list of conversations.
    void read(const OrderedJson& root)
    {
        const bool several = root.is_array() && !root.empty()
            && std::ranges::all_of(root,
                                   [](const OrderedJson& one) { return isConversation(one); });
        if (!several)
            return readOne(root);
        for (const OrderedJson& one : root)
            readOne(one);
    }

    ReadConversations take() { return std::move(m_read); }

private:
    static bool isConversation(const OrderedJson& json)
    {
        return json.is_array()
            || (json.is_object() && !json.contains("role")
                && (json.contains("messages") || json.contains("body")));
    }

    void readOne(const OrderedJson& json)
    {
        if (json.is_array()) {
            m_read.conversations.push_back(readParts(json, nullptr, nullptr));
            return;
        }
        if (!json.is_object())
            refuse(Message("is %1; a conversation is a list of messages, or an object with one",
                           kindOf(json)));
        const OrderedJson* const body = memberOf(json, "body"); // a line of OpenAI's Batch API
        if (body != nullptr && body->is_object() && !json.contains("messages"))
            return readObject(*body);
        readObject(json);
    }

    void readObject(const OrderedJson& json)
    {
        if (json.contains("conversations"))
            refuse("has \"conversations\", which is another form; write \"messages\" with \"role\" "
                   "and \"content\"");
        if (json.contains("functions"))
            refuse("has \"functions\", the older form of tools; write \"tools\"");
        if (!json.contains("messages"))
            refuse("has no \"messages\"");
        OrderedJson tools;
        OrderedJson variables = OrderedJson::object();
        for (const auto& [key, value] : json.items()) {
            if (key == "messages")
                continue;
            if (key == "tools")
                tools = value;
            else if (key == "template_variables" || key == "chat_template_kwargs")
                addVariables(variables, value);
            else if (key == "reasoning_effort" && !value.is_null())
                variables[key] = value;
            else if (!value.is_null() && std::ranges::count(m_read.unused, key) == 0)
                m_read.unused.push_back(key);
        }
        m_read.conversations.push_back(readParts(json.at("messages"), tools, variables));
    }

    static void addVariables(OrderedJson& all, const OrderedJson& some)
    {
        if (some.is_null())
            return;
        if (!some.is_object())
            refuse(
                Message("the template's variables are %1; they must be an object", kindOf(some)));
        all.update(some);
    }

    ReadConversations m_read;
};

// The next line that is not blank; advances `rest` and the line number.
std::optional<std::string_view> nextLine(std::string_view& rest, std::size_t& number)
{
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++number;
        if (line.find_first_not_of(" \t\r") != std::string_view::npos)
            return line;
    }
    return std::nullopt;
}

// Whether the text has one value per line: the first line is a complete value and is not the last.
bool hasLines(std::string_view text)
{
    std::size_t number = 0;
    const auto first = nextLine(text, number);
    return first && parseOrdered(*first) && nextLine(text, number);
}

// "messages.json: message 2 has no role."
Error wrong(const std::string& where, ErrorCode code, const Message& problem)
{
    const std::string& begin = problem.pattern();
    const bool ofParser = begin.starts_with("not valid") || begin.starts_with("nested")
        || begin.starts_with("too large");
    const bool saysOfFile = begin.starts_with("is ") || begin.starts_with("has ");
    return {code, ended(saysOfFile ? "%1 %2" : ofParser ? "%1 is %2" : "%1: %2", where, problem)};
}

Status readInto(FileReader& reader, std::string_view text, const std::string& where)
{
    const auto json = parseOrdered(text);
    if (!json)
        return wrong(where, json.error().code, json.error().message);
    const auto done = phrased([&] {
        reader.read(*json);
        return true;
    });
    return done ? Status() : wrong(where, done.error().code, done.error().message);
}

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

} // namespace

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
    return conversation.empty() ? std::string() : textOf(conversationJson(conversation));
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
    return {role, text, textOf(OrderedJson{{"role", role}, {"content", text}})};
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

Result<ReadConversations> readConversations(std::string_view text, const std::string& name)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    FileReader reader;
    if (!hasLines(text)) {
        if (const Status read = readInto(reader, text, name); !read)
            return read.error();
        return reader.take();
    }
    std::size_t number = 0;
    while (const auto line = nextLine(text, number)) {
        const std::string where = name + ", line " + std::to_string(number);
        if (const Status read = readInto(reader, *line, where); !read)
            return read.error();
    }
    return reader.take();
}

Result<ReadConversations> readConversationFile(const std::filesystem::path& file)
{
    const auto text = readTextFile(file, kMaxConversationBytes);
    if (!text)
        return text.error();
    return readConversations(*text, file.string());
}

Status setVariable(std::string& variables, const std::string& nameAndValue)
{
    const std::size_t equals = nameAndValue.find('=');
    if (equals == std::string::npos || equals == 0)
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is no variable of the template: write NAME=VALUE, as in enable_thinking=false.",
             inQuotes(nameAndValue)}};
    const std::string name = nameAndValue.substr(0, equals);
    const std::string text = nameAndValue.substr(equals + 1);
    if (name == "messages" || name == "tools")
        return Error{ErrorCode::InvalidInput,
                     {"The variable %1 of the template is given by --messages FILE.", name}};
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPython{
        {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
    for (const auto& [python, json] : kPython) { // as a text, even "False" is true in templates
        if (text == python)
            return Error{ErrorCode::InvalidInput,
                         {"The value of %1 is JSON: write %2 instead of %3.", name, json, text}};
    }
    const auto value = parseOrdered(text);
    if (!value && (text.starts_with('{') || text.starts_with('[') || text.starts_with('"')))
        return Error{value.error().code, {"The value of %1 is %2.", name, value.error().message}};
    OrderedJson added = OrderedJson::object();
    added[name] = value ? *value : OrderedJson(text);
    variables = mergedVariables(variables, textOf(added));
    return {};
}

std::string mergedVariables(const std::string& variables, const std::string& stronger)
{
    if (variables.empty() || stronger.empty())
        return variables.empty() ? stronger : variables;
    auto all = parseOrdered(variables);
    const auto more = parseOrdered(stronger);
    if (!all || !more || !all->is_object() || !more->is_object())
        return stronger;
    all->update(*more);
    return textOf(*all);
}

} // namespace ep::json
