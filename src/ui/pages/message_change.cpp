// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/message_change.h"

#include "ep/json/conversation.h"

#include <utility>

namespace ep::ui {

using json::OrderedJson;

std::string furtherFields(const ChatMessage& message)
{
    OrderedJson members = json::parsedOrNull(message.json);
    if (!members.is_object())
        return {};
    members.erase("role");
    members.erase("content");
    return members.empty() ? std::string() : members.dump();
}

std::string spokenText(const Conversation& conversation)
{
    std::string all;
    for (const ChatMessage& message : conversation.messages)
        all += (all.empty() ? "" : "\n") + message.role + ": "
            + (message.text.empty() ? furtherFields(message) : message.text);
    return all;
}

Result<ChatMessage> changedMessage(const ChatMessage& message, std::size_t number,
                                   const std::string& role, const std::string& text,
                                   const std::string& further)
{
    const Message who("message %1", number);
    OrderedJson members = OrderedJson::object();
    if (further.find_first_not_of(" \t\n") != std::string::npos) {
        auto read = json::parseOrdered(further);
        if (!read)
            return Error{ErrorCode::InvalidInput,
                         {"%1 has further fields that are %2", who, read.error().message}};
        if (!read->is_object())
            return Error{
                ErrorCode::InvalidInput,
                {"%1 has further fields that are no object, as {\"tool_calls\": []} is", who}};
        members = *std::move(read);
    }
    OrderedJson given = json::parsedOrNull(message.json);
    const bool sameText = text == message.text;
    OrderedJson changed = OrderedJson::object();
    for (const auto& [key, value] : given.items()) {
        if (key == "role")
            changed[key] = role;
        else if (key == "content")
            changed[key] = sameText ? value : OrderedJson(text);
        else if (members.contains(key))
            changed[key] = members.at(key);
    }
    for (const auto& [key, value] : members.items()) {
        if (key != "role" && key != "content")
            changed[key] = value;
    }
    changed["role"] = role;
    if (!changed.contains("content") && !text.empty())
        changed["content"] = text;
    return json::chatMessage(changed, number);
}

} // namespace ep::ui
