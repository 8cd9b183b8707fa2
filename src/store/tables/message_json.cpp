// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/message_json.h"

#include "tables/record_members.h"

#include <utility>
#include <vector>

namespace ep::store {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPattern = "pattern";
constexpr const char* kArguments = "arguments";
constexpr std::string_view kBegin = "{\"pattern\":";

Json object(const Message& message)
{
    Json arguments = Json::array();
    for (const Message& argument : message.arguments())
        arguments.push_back(messageJson(argument));
    Json json = Json::object();
    json[kPattern] = message.pattern();
    json[kArguments] = std::move(arguments);
    return json;
}

} // namespace

Json messageJson(const Message& message)
{
    if (message.arguments().empty())
        return message.pattern();
    return object(message);
}
bool readMessage(const Json& value, Message& message)
{
    if (value.is_string()) {
        message = value.get_ref<const std::string&>();
        return true;
    }
    if (!value.is_object() || value.size() != 2)
        return false;
    const auto pattern = value.find(kPattern);
    const auto arguments = value.find(kArguments);
    if (pattern == value.end() || !pattern->is_string() || arguments == value.end()
        || !arguments->is_array())
        return false;
    std::vector<Message> read(arguments->size());
    for (std::size_t i = 0; i < read.size(); ++i) {
        if (!readMessage((*arguments)[i], read[i]))
            return false;
    }
    message = Message(pattern->get<std::string>(), std::move(read));
    return true;
}

Json inEnglish(const Json& value)
{
    if (value.is_object() || value.is_array()) {
        Message message;
        if (readMessage(value, message))
            return message.english();
        Json copy = value;
        for (Json& part : copy)
            part = inEnglish(part);
        return copy;
    }
    return value;
}

RunInfo inEnglish(RunInfo info)
{
    visitMessages(info, [](Message& message) { message = message.english(); });
    return info;
}

std::string listText(const Message& message)
{
    const bool plain = message.arguments().empty() && !message.pattern().starts_with(kBegin);
    return plain ? message.pattern() : dumped(object(message));
}

void readList(const std::string& text, Message& message)
{
    if (!text.starts_with(kBegin) || !readMessage(parsed(text), message))
        message = text;
}

} // namespace ep::store
