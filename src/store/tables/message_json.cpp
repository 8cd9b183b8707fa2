// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables/message_json.h"

#include "tables/record_fields.h"

#include <string_view>

namespace ep::store {

namespace {

using Json = json::OrderedJson;

constexpr std::string_view kBegin = "{\"pattern\":";

} // namespace

Json inEnglish(const Json& value)
{
    if (value.is_object() || value.is_array()) {
        Message message;
        if (json::readMessage(value, message))
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
    return plain ? message.pattern() : json::textOf(json::messageObject(message));
}

void readList(const std::string& text, Message& message)
{
    if (!text.starts_with(kBegin) || !json::readMessage(json::parsedOrNull(text), message))
        message = text;
}

} // namespace ep::store
